#pragma once

#include "fleets/features/shifts.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::search {

struct NewRoute;

} // namespace ncc::search

namespace ncc::fleets {

struct FleetProblem;
struct FleetSearch;

// The ways to drive what comes before each node, and from it on, where breaks
// or several windows are there and durations count: a change is judged by the
// parts around it. Most are never asked for, so that they are found when they
// are: a third more iterations.
class ShiftParts : public Feature {
public:
    explicit ShiftParts(const FleetProblem& problem);

    [[nodiscard]] bool is_any() const { return !heads_.empty(); }

    // Forgets the parts of a node, and of those beyond it.
    void push_forward(const FleetSearch& search, uint32_t first, bool is_new);
    void push_back(const FleetSearch& search, uint32_t last, bool is_new);

    // Forgets what a route takes.
    void forget_work(FleetSearch& search, uint32_t route);

    // Sets the duration of a route, 0 where nobody can drive it.
    void set_duration(FleetSearch& search, uint32_t route);

    // Takes back what the iteration changed.
    void undo(const FleetSearch& search);

    // Returns the least duration of a route, infinite where nobody can drive
    // it, or its goods are not there.
    [[nodiscard]] double duration_of(const FleetSearch& search,
                                     uint32_t route) const {
        return shortest_of(search, route).duration();
    }

    // Returns the same with a customer between two nodes.
    [[nodiscard]] double duration_with(const FleetSearch& search,
                                       uint32_t before, uint32_t customer,
                                       uint32_t after, double there,
                                       double on) const;

    // Returns the same of a route as it will be.
    [[nodiscard]] double duration_of(const FleetSearch& search,
                                     const search::NewRoute& route) const;

    // Returns what a route takes without any waiting.
    [[nodiscard]] double work_of(const FleetSearch& search,
                                 uint32_t route) const {
        double& work = works_[route];
        return work != unknown ? work : work = sum_work(search, route);
    }

    // Returns the same of one that serves nobody.
    [[nodiscard]] double work_of_none(uint32_t route) const;

    void check(const FleetSearch& search) const;

private:
    using Parts = std::vector<Part>;

    // The parts of a node forward or back. What is known of it is known of
    // all before, or behind.
    struct Ways {
        Parts parts;
        bool is_known = false;
    };

    // When breaks that a part lacks may still be had: to come behind it, and
    // before it.
    struct Owed {
        double ready = infinity;
        double late = -infinity;
    };

    // Parts that were others, or not forgotten yet.
    struct Former {
        Ways* ways = nullptr;
        bool was_known = false;
        bool has_parts = false;
        Parts parts;
    };

    static constexpr double unknown = -infinity;

    // Returns the parts of a node, and finds those that are forgotten.
    const Parts& head_of(const FleetSearch& search, uint32_t node) const {
        if (!heads_[node].is_known)
            find_head(search, node);
        return heads_[node].parts;
    }
    const Parts& tail_of(const FleetSearch& search, uint32_t node) const {
        if (!tails_[node].is_known)
            find_tail(search, node);
        return tails_[node].parts;
    }
    void find_head(const FleetSearch& search, uint32_t node) const;
    void find_tail(const FleetSearch& search, uint32_t node) const;

    [[nodiscard]] double sum_work(const FleetSearch& search,
                                  uint32_t route) const;

    // Remembers what is there, if the iteration may be taken back; parts are
    // swapped, not copied.
    Former& note(Ways& ways, bool has_parts) const;
    void forget(const FleetSearch& search, Ways& ways) const;
    void set(const FleetSearch& search, Ways& ways) const;
    void begin_log(const FleetSearch& search) const;

    // Returns the service of a node in each of its windows.
    [[nodiscard]] std::span<const Part> services_of(uint32_t node,
                                                    int64_t type) const {
        const std::size_t place =
            num_works_ == 1 ? node : (node * num_works_) + type;
        const std::size_t first = first_service_[place];
        return std::span(services_).subspan(first,
                                            first_service_[place + 1] - first);
    }

    // Takes the ways to drive to a node and serve it, until told to stop.
    template <class Take>
    void each_served(const Parts& before, double travel, uint32_t node,
                     int64_t type, Take take) const;

    // Writes those of which none is worse than another.
    void serve(const Parts& before, double travel, uint32_t node, int64_t type,
               Parts& found) const;

    // Writes the ways to serve a node and drive on.
    void lead(uint32_t node, double travel, const Parts& behind, int64_t type,
              Parts& found) const;

    // Changes the shortest way to drive a route for one that begins with a
    // part. Returns true if none is shorter, as nobody waits or it takes no
    // longer than `least`.
    bool shorten(Part& shortest, const Part& part, double travel,
                 const Parts& behind, int64_t type, double release,
                 double least) const;

    // Returns the shortest way to drive a route of a type of two parts with an
    // arc between, of infinite work if there is none.
    [[nodiscard]] Part shortest(const Parts& before, double travel,
                                const Parts& behind, int64_t type,
                                double release) const;
    [[nodiscard]] Part shortest_of(const FleetSearch& search,
                                   uint32_t route) const;

    static void keep(Parts& parts, const Part& part);

    const FleetProblem& problem_;
    int64_t num_works_ = 1;                  // types whose services differ
    std::vector<std::size_t> first_service_; // (nodes * works + 1,)
    Parts services_;
    std::vector<std::vector<Owed>> owed_; // (types, sets of breaks)
    // Mutable, as who asks for parts may find them.
    mutable std::vector<Ways> heads_;   // (nodes,): to the end of its service
    mutable std::vector<Ways> tails_;   // (nodes,): from its service on
    mutable std::vector<double> works_; // (routes,)
    mutable Parts found_;
    mutable Parts served_;
    mutable Parts next_;
    mutable int64_t iteration_ = -1;      // of the changes
    mutable std::vector<Former> formers_; // and room for more
    mutable std::size_t num_formers_ = 0;
};

} // namespace ncc::fleets

#pragma once

#include "fleets/features/feature.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace ncc::fleets {

struct Visit;

} // namespace ncc::fleets

// What makes the times of a route more than a sum of its parts: customers
// with several windows, and breaks of drivers.
namespace ncc::fleets {

// When something may begin. Arrivals are compared with `limit`, which includes
// the tolerance of rounded sums.
struct Window {
    double early = 0.0;
    double limit = 0.0;
};

// What a driver owes on each route, once: it begins within one of some
// windows, with no more on board than some loads.
struct Break {
    double duration = 0.0;
    std::vector<Window> windows;    // in their order
    std::vector<int64_t> most_load; // (dimensions,); empty for any
};

// Limits on driving and work, and the rests between. Those that sums are
// compared with include the tolerance of rounded ones.
struct Hours {
    double driving_block = std::numeric_limits<double>::infinity();
    double rest = 0.0;
    double first_part = 0.0; // 0 with the next one for none
    double second_part = 0.0;
    bool service_counts = false;
    double work_block = std::numeric_limits<double>::infinity();
    double least_rest = 0.0;
    std::vector<double> work_of_rests; // more of it needs the rest in all
    std::vector<double> rests_in_all;

    // What follows: lengths that rests count as, from the longest, none for a
    // type without hours; and the work up to which no route needs any but for
    // its driving.
    std::vector<double> lengths;
    double free_work = 0.0;

    [[nodiscard]] bool is_any() const { return !lengths.empty(); }
    [[nodiscard]] bool needs_rest(double driving, double work) const {
        return is_any() && (driving > driving_block || work > free_work);
    }
    void complete();
};

// When a vehicle starts, and where from.
struct ShiftStart {
    uint32_t place = 0;
    double early = 0.0;
    double late = 0.0;
    double duration = 0.0;
};

// Several windows of customers, and breaks of vehicles.
struct Shifts : ProblemFeature {
    // Unless durations count, loads or routes in progress do, or there are
    // many breaks: the earliest and latest times of nodes tell all then.
    bool judges_paths = true;
    bool raises_totals = true;
    static constexpr const char* name = "Shifts";
    static constexpr std::array arguments{
        "first_window", "early", "limit", "breaks", "first_break", "hours"};
    static Shifts
    make(std::vector<int64_t> first_window, std::span<const double> early,
         std::span<const double> limit, std::vector<std::vector<Break>> breaks,
         std::vector<int64_t> first_break, std::vector<Hours> hours);

    // (n + 2,): where the windows of each node begin; a node with one has
    // none here.
    std::vector<int64_t> first_window;
    std::vector<Window> windows;
    std::vector<std::vector<Break>> breaks; // (types,)
    // (types,): before which stop of a route there may be one, from 0.
    std::vector<int64_t> first_break;
    std::vector<Hours> hours;       // (types,)
    std::vector<ShiftStart> starts; // (types,): of whole routes
    std::vector<uint8_t> has_begun; // (types,)

    [[nodiscard]] bool is_any() const { return !first_window.empty(); }
    [[nodiscard]] bool fits(int64_t num_nodes, int64_t num_types) const {
        return std::ssize(first_window) == num_nodes + 1 &&
               std::ssize(breaks) == num_types &&
               std::ssize(first_break) == num_types &&
               std::ssize(hours) == num_types;
    }
    void complete(const FleetProblem& problem);

    // Lets the vehicle of a type start behind its first customers.
    void begin_route(int64_t type) {
        if (is_any())
            has_begun[type] = 1;
    }

    // Returns the windows of a node that has several.
    [[nodiscard]] std::span<const Window> windows_of(uint32_t node) const {
        const auto first = static_cast<std::size_t>(first_window[node]);
        return std::span(windows).subspan(first,
                                          first_window[node + 1] - first);
    }
    [[nodiscard]] bool has_several(uint32_t node) const {
        return first_window[node] < first_window[node + 1];
    }

    // Returns when a service begins at the earliest, infinite for never.
    [[nodiscard]] double begin_at(uint32_t node, const Visit& visit,
                                  double arrival) const;

    // Returns when it begins at the latest by some time, or -infinity.
    [[nodiscard]] double begin_by(uint32_t node, const Visit& visit,
                                  double latest) const;

    // Finds the least duration of a route, whatever its start; false where it
    // cannot be driven.
    [[nodiscard]] bool judge(const FleetProblem& problem,
                             std::span<const uint32_t> path, int64_t type,
                             PathTotals& totals) const;

    // Whether a route has breaks, hours of service, or several windows.
    [[nodiscard]] bool reaches_on(const FleetSearch& search, uint32_t node,
                                  uint32_t customer) const;
};

// When vehicles leave nodes at the earliest, and reach them at the latest, by
// the breaks that they have had.
class ShiftTimes : public Feature {
public:
    explicit ShiftTimes(const FleetProblem& problem);

    [[nodiscard]] bool is_any() const { return num_sets_ > 1; }

    void schedule(FleetSearch& search, uint32_t route);

    // Whether there is time for the breaks of a route.
    [[nodiscard]] bool keeps_breaks(uint32_t route) const {
        return !is_any() || keeps_[route] != 0;
    }

    // Whether there is with a customer between two nodes.
    [[nodiscard]] bool fits(const FleetSearch& search, uint32_t before,
                            uint32_t customer, uint32_t after, double there,
                            double on) const;

private:
    // Does so for a route with one break.
    void schedule_one(const FleetSearch& search, uint32_t route,
                      const Break& own);

    const FleetProblem& problem_;
    std::size_t num_sets_ = 1;   // of breaks, by bits
    std::vector<double> ready_;  // (nodes, sets)
    std::vector<double> latest_; // (nodes, sets)
    std::vector<uint8_t> keeps_; // (routes,)
};

} // namespace ncc::fleets

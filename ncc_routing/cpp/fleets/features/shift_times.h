#pragma once

#include "fleets/features/shifts.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ncc::fleets {

struct FleetProblem;
struct FleetSearch;

// When vehicles leave nodes at the earliest, and reach them at the latest, by
// the breaks that they have had: all that breaks need where no duration
// counts.
class ShiftTimes : public Feature {
public:
    explicit ShiftTimes(const FleetProblem& problem);

    [[nodiscard]] bool is_any() const { return num_sets_ > 1; }

    // Whether the times of some who have a break, or none, are in the nodes.
    [[nodiscard]] bool is_one() const { return num_sets_ == 2; }

    // Sets the times of a node, and of those beyond it until nothing changes;
    // to the end if all are new.
    void push_forward(FleetSearch& search, uint32_t route, uint32_t first,
                      bool is_new);
    void push_back(FleetSearch& search, uint32_t route, uint32_t last,
                   bool is_new);

    // Whether there is time for the breaks of a route.
    [[nodiscard]] bool keeps_breaks(const FleetSearch& search,
                                    uint32_t route) const;

    // Whether there is with a customer between two nodes.
    [[nodiscard]] bool fits(const FleetSearch& search, uint32_t before,
                            uint32_t customer, uint32_t after, double there,
                            double on) const;

    void check(const FleetSearch& search) const;

private:
    // Times by breaks: those of most vehicles.
    static constexpr std::size_t most_sets = 4;
    using Times = std::array<double, most_sets>;

    // Returns when a vehicle has served a node, having left others.
    [[nodiscard]] Times serve(const FleetSearch& search, uint32_t node,
                              const Times& leave, double travel,
                              double service,
                              const std::vector<Part>& pauses) const;

    // Returns when it leaves a node at the latest to reach the next one.
    [[nodiscard]] Times leave_by(uint32_t after, double travel,
                                 const std::vector<Part>& pauses) const;

    [[nodiscard]] Times times(const std::vector<double>& of,
                              uint32_t node) const {
        Times found;
        for (std::size_t set = 0; set < num_sets_; ++set)
            found[set] = of[(node * num_sets_) + set];
        return found;
    }

    // Sets times of a node; returns whether any are others.
    bool set(FleetSearch& search, std::vector<double>& of, uint32_t node,
             const Times& found);

    const FleetProblem& problem_;
    std::size_t num_sets_ = 1;  // of breaks, by bits
    std::size_t num_times_ = 0; // of each node
    // (nodes, times): of each set or, of one break, with it had before the
    // node, and still to come behind it.
    std::vector<double> ready_;
    std::vector<double> latest_;
};

} // namespace ncc::fleets

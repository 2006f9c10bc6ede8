#pragma once

#include "arrays.h"
#include "fleets/features/feature.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

// Who may go with whom, and by which vehicle.
namespace ncc::fleets {

// Rules beyond capacities and times; empty where there are none.
struct Rules : ProblemFeature {
    static constexpr const char* name = "Rules";
    static constexpr std::array arguments{
        "may_serve",   "groups",        "wholes",         "sets",
        "district_of", "num_districts", "most_districts", "districts_before"};
    static Rules make(MatrixView<const bool> may_serve,
                      std::vector<std::vector<uint32_t>> groups,
                      std::vector<std::vector<uint32_t>> wholes,
                      const std::vector<std::vector<uint32_t>>& sets,
                      std::span<const int32_t> district_of,
                      int64_t num_districts, int64_t most_districts,
                      std::vector<std::vector<uint32_t>> districts_before);

    // (types, n + 1): whether a vehicle may serve a customer.
    std::vector<uint8_t> may_serve;
    // Customers who share a route, and (n + 1,): the groups of each node.
    // Groups with a common customer may part while that customer is absent.
    std::vector<std::vector<uint32_t>> groups;
    std::vector<std::vector<uint32_t>> groups_of;
    // Customers of whom all are served, or none.
    std::vector<std::vector<uint32_t>> wholes;
    // (n + 1,): sets of a customer; no two of a set share a route.
    std::vector<std::vector<uint32_t>> sets_of;
    int64_t num_sets = 0;
    std::vector<int32_t> district_of; // (n + 1,), negative for none
    int64_t num_districts = 0;
    int64_t most_districts = 0; // on a route
    // (types,): districts that a vehicle has been to.
    std::vector<std::vector<uint32_t>> districts_before;

    [[nodiscard]] bool is_any() const { return !groups_of.empty(); }
    [[nodiscard]] bool fits(int64_t num_nodes, int64_t num_types) const {
        return std::ssize(groups_of) == num_nodes &&
               std::ssize(districts_before) == num_types;
    }

    // Whether a vehicle of a type may serve all customers of a path.
    [[nodiscard]] bool judge(const FleetProblem& problem,
                             std::span<const uint32_t> path, int64_t type,
                             PathTotals&) const;

    [[nodiscard]] bool has_group(uint32_t customer) const {
        return is_any() && !groups_of[customer].empty();
    }
};

// How the customers with a place are spread over routes: enough to judge an
// insertion in the time of the rules of one customer.
class RuleCounts : public Feature {
public:
    static constexpr bool counts_customers = true;

    explicit RuleCounts(const FleetProblem& problem);

    [[nodiscard]] bool is_any() const { return !num_districts_.empty(); }

    void begin(FleetSearch& search);

    // Lets the others of their groups follow the customers removed.
    bool extend_ruin(FleetSearch& search);

    // Leaves out the rest of customers of whom some are absent.
    void end_recreate(FleetSearch& search);

    static constexpr bool limits_customers = true;
    [[nodiscard]] bool admits(uint32_t customer, uint32_t other,
                              uint32_t route) const;
    [[nodiscard]] bool keeps(std::span<const uint32_t> customers, int64_t type,
                             std::span<const uint32_t> added) const;
    void count(FleetSearch&, uint32_t customer, uint32_t route, int change) {
        count(customer, route, change);
    }
    void check(const FleetSearch& search) const;

private:
    void count(uint32_t customer, uint32_t route, int change);
    [[nodiscard]] bool may_join(uint32_t customer, uint32_t route) const;
    [[nodiscard]] bool is_new_district(uint32_t customer,
                                       uint32_t route) const;

    const FleetProblem& problem_;
    std::vector<int64_t> num_placed_;    // (groups,): members with a place
    std::vector<uint32_t> place_of_;     // (groups,): their route
    std::vector<int64_t> group_loads_;   // (groups,): of all, if that counts
    std::vector<int32_t> in_set_;        // (routes, sets): members on a route
    std::vector<int32_t> in_district_;   // (routes, districts): likewise
    std::vector<int64_t> num_districts_; // (routes,)
    // Of a look at a path: when a set or a district was seen last, and how
    // many of a group.
    mutable std::vector<int64_t> seen_;
    mutable std::vector<int64_t> num_seen_;
    mutable int64_t num_looks_ = 0;
};

} // namespace ncc::fleets

#pragma once

#include "check.h"

#include <cstdint>
#include <span>
#include <vector>

// Who may go with whom, and by which vehicle.
namespace ncc::fleets {

struct FleetProblem;

// Rules beyond capacities and times; empty where there are none.
struct Rules {
    // (types, n + 1): whether a vehicle may serve a customer.
    std::vector<uint8_t> may_serve;
    // Customers who share a route, and (n + 1,): the groups of each node.
    // Groups with a common customer may part while that customer is absent.
    std::vector<std::vector<uint32_t>> groups;
    std::vector<std::vector<uint32_t>> groups_of;
    // (n + 1,): sets of a customer; no two of a set share a route.
    std::vector<std::vector<uint32_t>> sets_of;
    int64_t num_sets = 0;
    std::vector<int32_t> district_of; // (n + 1,), negative for none
    int64_t num_districts = 0;
    int64_t most_districts = 0; // on a route
    // (types,): districts that a vehicle has been to.
    std::vector<std::vector<uint32_t>> districts_before;

    [[nodiscard]] bool is_any() const { return !groups_of.empty(); }
};

// How the customers with a place are spread over routes: enough to judge an
// insertion in the time of the rules of one customer.
class RuleCounts {
public:
    explicit RuleCounts(const FleetProblem& problem);

    // Whether a route may get a customer, and another one who comes along, 0
    // for none.
    [[nodiscard]] bool admits(uint32_t customer, uint32_t other,
                              uint32_t route) const;

    // Whether a vehicle of a type may serve some customers alone, who have
    // places, or none yet.
    [[nodiscard]] bool keeps(std::span<const uint32_t> customers, int64_t type,
                             bool are_placed = true) const;

    // Counts a customer on a route, by 1, or no longer, by -1.
    void count(uint32_t customer, uint32_t route, int change);

    bool operator==(const RuleCounts& other) const {
        return num_placed_ == other.num_placed_ && in_set_ == other.in_set_ &&
               in_district_ == other.in_district_;
    }

private:
    [[nodiscard]] bool may_join(uint32_t customer, uint32_t route) const;
    [[nodiscard]] bool is_new_district(uint32_t customer,
                                       uint32_t route) const;

    const FleetProblem* problem_;
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

struct FleetSearch;

// Lets the others of their groups follow the customers removed.
void remove_groups(FleetSearch& search);

} // namespace ncc::fleets

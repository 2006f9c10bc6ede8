#pragma once

#include <cstdint>
#include <vector>

// Customers whom nobody has to serve, and groups of which one is served.
namespace ncc::fleets {

// Customers of a group, of whom at most one is served.
struct Group {
    std::vector<uint32_t> members;
    bool is_required = true;
};

// Who has to be served, and what it is worth; empty where all have to be.
struct Options {
    std::vector<double> prizes;       // (n + 1,)
    std::vector<uint8_t> is_required; // (n + 1,)
    // (n + 1,): the group of each customer, or their number.
    std::vector<uint32_t> group_of;
    std::vector<Group> groups;

    [[nodiscard]] bool is_any() const { return !prizes.empty(); }

    [[nodiscard]] bool has_group(uint32_t customer) const {
        return group_of[customer] < groups.size();
    }

    // Whether a plan may do without a customer and the others of its group.
    [[nodiscard]] bool is_optional(uint32_t customer) const {
        return has_group(customer) ? !groups[group_of[customer]].is_required
                                   : is_required[customer] == 0;
    }
};

} // namespace ncc::fleets

#pragma once

#include <cstdint>
#include <vector>

// Calls at a depot on the way, between two trips of a vehicle.
namespace ncc::fleets {

// The last nodes are calls at depots. Each is on one route at most; on none
// it costs nothing.
struct Reloads {
    uint32_t first = 0;                  // the first of these nodes
    std::vector<uint32_t> depots;        // the depot of each
    std::vector<int64_t> most;           // (types,): calls of a vehicle
    std::vector<std::vector<bool>> fits; // (types, depots): where it may call

    [[nodiscard]] bool is_any() const { return !depots.empty(); }

    [[nodiscard]] bool may_call(int64_t type, uint32_t node) const {
        return fits[type][depots[node - first]];
    }
};

} // namespace ncc::fleets

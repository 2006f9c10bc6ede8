#pragma once

#include <cstdint>
#include <vector>

// Shipments: what is picked up at one place and delivered at another, by the
// same vehicle, later on the same trip.
namespace ncc::fleets {

// The other end of each shipment; empty where there is none.
struct Pairs {
    std::vector<uint32_t> partner;    // (n + 1,): 0 for no shipment
    std::vector<uint8_t> is_delivery; // (n + 1,)

    [[nodiscard]] bool is_any() const { return !partner.empty(); }
    [[nodiscard]] bool is_paired(uint32_t node) const {
        return partner[node] != 0;
    }
};

} // namespace ncc::fleets

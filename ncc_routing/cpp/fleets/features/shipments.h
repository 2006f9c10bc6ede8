#pragma once

#include "fleets/features/feature.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

// Shipments: what is picked up at one place and delivered at another, by the
// same vehicle, later on the same trip.
namespace ncc::fleets {

struct Position;

// The other end of each shipment; empty where there is none.
struct Pairs : ProblemFeature, Feature {
    static constexpr bool limits_order = true;
    static constexpr const char* name = "Pairs";
    static constexpr std::array arguments{"pickups", "deliveries",
                                          "num_nodes"};
    static Pairs make(std::span<const uint32_t> pickups,
                      std::span<const uint32_t> deliveries, int64_t num_nodes);

    std::vector<uint32_t> partner;    // (n + 1,): 0 for no shipment
    std::vector<uint8_t> is_delivery; // (n + 1,)

    [[nodiscard]] bool is_any() const { return !partner.empty(); }
    [[nodiscard]] bool fits(int64_t num_nodes, int64_t) const {
        return std::ssize(partner) == num_nodes;
    }

    // Whether shipments are picked up before they are delivered, on the same
    // trip.
    [[nodiscard]] bool keeps_order(const FleetProblem& problem,
                                   std::span<const uint32_t> path) const;

    // Removes the other ends of the shipments of removed customers.
    bool extend_ruin(FleetSearch& search) const;

    // Returns the other end of a shipment, 0 for none.
    [[nodiscard]] uint32_t partner_of(uint32_t node) const {
        return is_any() ? partner[node] : 0;
    }
    [[nodiscard]] bool is_paired(uint32_t node) const {
        return partner_of(node) != 0;
    }
    [[nodiscard]] bool is_delivered(uint32_t node) const {
        return is_any() && is_delivery[node] != 0;
    }
};

// Returns the cheapest places for both ends of a shipment, on a route near to
// one of them or on any route.
Position find_pair(FleetSearch& search, uint32_t pickup, Position best,
                   bool everywhere = false);

} // namespace ncc::fleets

#pragma once

#include "fleets/features/feature.h"
#include "search/penalties.h"

#include <cstdint>
#include <span>
#include <utility>

// What customers cost on the wrong routes.
namespace ncc::fleets {

struct RoutePenalties : search::Penalties, Feature {
    static constexpr bool counts_customers = true;

    explicit RoutePenalties(search::Penalties penalties)
        : search::Penalties(std::move(penalties)) {}

    void begin(FleetSearch& search, std::span<const uint32_t> customers,
               std::span<const int64_t> starts);

    using search::Penalties::count;
    void count(FleetSearch& search, uint32_t customer, uint32_t route,
               int change);
};

} // namespace ncc::fleets

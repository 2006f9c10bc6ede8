#pragma once

#include "fleets/features/feature.h"
#include "search/penalties.h"
#include "shapes/hulls.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

// What customers cost on the wrong routes, and inside the hulls of others.
namespace ncc::fleets {

struct RoutePenalties : search::Penalties, Feature {
    static constexpr bool counts_customers = true;

    explicit RoutePenalties(search::Penalties penalties)
        : search::Penalties(std::move(penalties)) {}

    using search::Penalties::count;
    void count(FleetSearch& search, uint32_t customer, uint32_t route,
               int change);
};

// Customers inside the hulls of other routes.
class Shapes : public Feature {
public:
    explicit Shapes(shapes::HullOverlap overlap)
        : overlap_(std::move(overlap)) {}

    [[nodiscard]] bool is_any() const { return overlap_.is_any(); }
    [[nodiscard]] double cost() const { return overlap_.cost(); }

    void begin(FleetSearch& search);

    // Returns how much less they may cost after a recreate.
    [[nodiscard]] double most_saved(const FleetSearch& search) const;

    // Counts what they cost after a recreate, unless the cost of the search
    // then reaches the limit; returns whether it does not.
    bool settle(FleetSearch& search, double limit);

    // Gives the two paths of a search to some routes instead of two others.
    // Returns what that costs more.
    double reassign(const FleetSearch& search, const search::RoutePair& from,
                    const search::RoutePair& to);

    // Takes the last change back.
    void undo() { overlap_.undo(); }

    void check(const FleetSearch& search) const;

private:
    shapes::HullOverlap overlap_;
    std::vector<uint32_t> reshaped_; // routes with other customers than before
};

} // namespace ncc::fleets

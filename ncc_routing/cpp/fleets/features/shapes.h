#pragma once

#include "fleets/features/feature.h"
#include "search/penalties.h"
#include "shapes/hulls.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

// Customers inside the hulls of other routes.
namespace ncc::fleets {

class Shapes : public Feature {
public:
    explicit Shapes(shapes::HullOverlap overlap)
        : overlap_(std::move(overlap)) {}

    [[nodiscard]] bool is_any() const { return overlap_.is_any(); }
    [[nodiscard]] double cost() const { return overlap_.cost(); }

    void begin(FleetSearch& search, std::span<const uint32_t> customers,
               std::span<const int64_t> starts);

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

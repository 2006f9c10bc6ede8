#pragma once

#include "always_inline.h"

#include <cstdint>
#include <span>
#include <tuple>

// What features of problems have in common. Each says whether there `is_any`
// of it, and is asked nothing else where there is not.
namespace ncc::fleets {

struct FleetProblem;
struct FleetSearch;
struct PathTotals;

// What a feature tells a problem; nothing changes during a search. Each has
// besides
// - static X make(...): makes it of what Python gives,
// - name, arguments: what Python calls it, and what it gives.
struct ProblemFeature {
    // Whether it limits which customers a route may have, and where; and
    // whether in which order.
    static constexpr bool limits_routes = true;
    static constexpr bool limits_order = false;

    // Whether what a route takes does not follow from its parts: a change is
    // then judged by the whole path. And whether `judge` raises it.
    static constexpr bool judges_paths = false;
    static constexpr bool raises_totals = false;

    // Whether paths have a price beside vehicles, lengths and times.
    static constexpr bool prices_paths = false;

    // Whether it is of so many nodes, and of so many vehicle types.
    [[nodiscard]] bool fits(int64_t, int64_t) const { return true; }

    // Sets what follows from the problem.
    void complete(const FleetProblem&) {}

    // Whether a path is in an order that any vehicle may drive.
    [[nodiscard]] bool keeps_order(const FleetProblem&,
                                   std::span<const uint32_t>) const {
        return true;
    }

    // Whether a vehicle of a type may drive a path, whatever it takes at
    // least.
    [[nodiscard]] bool judge(const FleetProblem&, std::span<const uint32_t>,
                             int64_t, PathTotals&) const {
        return true;
    }

    // Returns that price for a vehicle of a type, and of such a duration;
    // perhaps infinity where it is more than `most`.
    [[nodiscard]] double price(const FleetProblem&, std::span<const uint32_t>,
                               int64_t, double, double) const {
        return 0.0;
    }

    // Whether a customer behind a node changes more than what comes before
    // and after it; asked of features that judge paths.
    [[nodiscard]] bool reaches_on(const FleetSearch&, uint32_t,
                                  uint32_t) const {
        return true;
    }
};

// What a feature does in a search, which has one of it.
struct Feature {
    // Begins with the routes of the search.
    void begin(FleetSearch&) const {}

    // Removes further customers after a ruin. Returns whether strings may
    // then lie side by side.
    bool extend_ruin(FleetSearch&) const { return false; }

    // Puts absent customers on offer who need no place.
    void offer(FleetSearch&) const {}

    // Precedes and follows the insertions of a recreate.
    void begin_recreate(FleetSearch&) const {}
    void end_recreate(FleetSearch&) const {}

    // Whether a route may get a customer, and its partner, 0 for none; asked
    // of features that say they limit that.
    static constexpr bool limits_customers = false;
    [[nodiscard]] bool admits(uint32_t, uint32_t, uint32_t) const {
        return true;
    }

    // Counts a customer on a route, by 1, or no longer, by -1; and whether it
    // does.
    static constexpr bool counts_customers = false;
    void count(FleetSearch&, uint32_t, uint32_t, int) const {}

    // Whether a vehicle of a type may serve some customers alone, of whom some
    // are added, who have no places yet.
    [[nodiscard]] bool keeps(std::span<const uint32_t>, int64_t,
                             std::span<const uint32_t>) const {
        return true;
    }

    // Sets what follows from the order of a route, anew or after an undo.
    void schedule(FleetSearch&, uint32_t) const {}

    // Holds what it has counted against the routes.
    void check(const FleetSearch&) const {}
};

// Calls a function with each feature that there is.
template <class Features, class Function>
NCC_ALWAYS_INLINE void for_each_feature(Features& features,
                                        Function function) {
    const auto call = [&](auto& feature) {
        if (feature.is_any())
            function(feature);
    };
    std::apply([&](auto&... each) { (call(each), ...); },
               Features::all(features));
}

// Whether something holds for each feature that there is.
template <class Features, class Function>
NCC_ALWAYS_INLINE bool all_features(Features& features, Function holds) {
    return std::apply(
        [&](auto&... each) {
            return ((!each.is_any() || holds(each)) && ...);
        },
        Features::all(features));
}

} // namespace ncc::fleets

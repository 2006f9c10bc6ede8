#pragma once

#include "always_inline.h"
#include "arrays.h"

#include <algorithm>
#include <cstdint>

// Which moves of two routes are compared, and by what.
namespace ncc::iterated {

// The loads of two routes, before and after a move.
struct Loads {
    int64_t capacity;
    int64_t a;
    int64_t b;

    [[nodiscard]] NCC_ALWAYS_INLINE int64_t excess(int64_t load_a,
                                                   int64_t load_b) const {
        return std::max<int64_t>(0, load_a - capacity) +
               std::max<int64_t>(0, load_b - capacity);
    }
};

// Between feasible routes: the cost falls, and they stay feasible.
struct Cheaper {
    static constexpr bool repairs = false;

    // Whether a move may be made that leaves these loads.
    [[nodiscard]] NCC_ALWAYS_INLINE static bool
    admits(const Loads& loads, int64_t load_a, int64_t load_b) {
        return load_a <= loads.capacity && load_b <= loads.capacity;
    }
    [[nodiscard]] NCC_ALWAYS_INLINE double value(const Loads&, double change,
                                                 int64_t, int64_t) const {
        return change;
    }
    [[nodiscard]] double worst() const { return -tolerance; }

    double tolerance;
};

// Between a feasible and an overloaded route: the excess falls, at the least
// cost for each unit.
struct PerExcess {
    static constexpr bool repairs = true;

    [[nodiscard]] NCC_ALWAYS_INLINE static bool
    admits(const Loads& loads, int64_t load_a, int64_t load_b) {
        return loads.excess(load_a, load_b) < loads.excess(loads.a, loads.b);
    }
    [[nodiscard]] NCC_ALWAYS_INLINE double value(const Loads& loads,
                                                 double change, int64_t load_a,
                                                 int64_t load_b) const {
        const int64_t gain =
            loads.excess(loads.a, loads.b) - loads.excess(load_a, load_b);
        // Of moves that cost nothing, the one that removes the most.
        const double paid = change < 0.0 ? change : change + unit;
        return paid / static_cast<double>(gain);
    }
    [[nodiscard]] static double worst() { return infinity; }

    double unit; // a small length
};

} // namespace ncc::iterated

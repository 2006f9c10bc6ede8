#include "construction/petal.h"

#include <algorithm>
#include <cmath>

namespace ncc::petal {

double cut_into_petals(std::span<const int64_t> ends,
                       MatrixView<const double> costs,
                       std::span<const double> closing_costs, int64_t start,
                       std::span<double> reach, std::span<int64_t> came_from) {
    const int64_t n = costs.num_rows();
    std::ranges::fill(reach, infinity);
    reach[0] = 0.0;
    for (int64_t a = 0; a < n; ++a) {
        if (reach[a] == infinity)
            continue;
        const int64_t i = start + a;
        const int64_t at = i < n ? i : i - n;
        for (int64_t w = 0; w < costs.num_columns(); ++w) {
            const int64_t b = ends[i] - w - start;
            if (b <= a)
                break;
            if (b <= n && reach[a] + costs(at, w) < reach[b]) {
                reach[b] = reach[a] + costs(at, w);
                came_from[b] = a;
            }
        }
        if (ends[i] >= start + n && reach[a] + closing_costs[at] < reach[n]) {
            reach[n] = reach[a] + closing_costs[at];
            came_from[n] = a;
        }
    }
    return reach[n];
}

bool grow_petals(std::span<const int64_t> ring,
                 std::span<const int64_t> demands, int64_t capacity,
                 std::span<const double> radii, double band, int64_t span,
                 std::span<int64_t> members, std::span<int64_t> offsets) {
    const int64_t n = std::ssize(ring) / 2;
    int64_t size = 0;
    offsets[0] = 0;
    for (int64_t i = 0; i < n; ++i) {
        int64_t load = 0;
        for (int64_t at = i; at < i + span; ++at) {
            const int64_t customer = ring[at];
            if (load + demands[customer] > capacity)
                continue;
            if (std::abs(radii[customer] - radii[ring[i]]) <= band) {
                if (size == std::ssize(members))
                    return false;
                load += demands[customer];
                members[size++] = customer;
            }
        }
        offsets[i + 1] = size;
    }
    return true;
}

} // namespace ncc::petal

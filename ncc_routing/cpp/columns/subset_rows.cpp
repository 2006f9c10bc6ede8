#include "columns/subset_rows.h"

#include <algorithm>
#include <functional>

namespace ncc::columns {

SubsetRows::SubsetRows(std::size_t num_nodes, const SetList& sets,
                       const SetList& memories,
                       std::span<const int64_t> prices)
    : sets_(num_nodes), memories_(num_nodes) {
    for (std::size_t k = 0; k < sets.size(); ++k) {
        if (prices[k] == 0)
            continue;
        is_empty_ = false;
        prices_[k] = prices[k];
        const uint64_t bit = uint64_t{1} << (k % 64);
        for (const int32_t node : sets[k])
            sets_[static_cast<std::size_t>(node)][k / 64] |= bit;
        for (const int32_t node : memories[k])
            memories_[static_cast<std::size_t>(node)][k / 64] |= bit;
    }
}

void SubsetRows::count(std::span<const int32_t> route,
                       std::span<int32_t> counts) const {
    Parities parities{};
    for (const int32_t stop : route) {
        const auto node = static_cast<std::size_t>(stop);
        for (std::size_t w = 0; w < parities.size(); ++w)
            for (uint64_t pairs =
                     parities[w] & memories_[node][w] & sets_[node][w];
                 pairs != 0; pairs &= pairs - 1)
                ++counts[w * 64 +
                         static_cast<std::size_t>(std::countr_zero(pairs))];
        visit(node, parities);
    }
}

std::vector<std::array<int32_t, 3>>
find_subset_rows(int64_t num_rows, const SetList& routes,
                 std::span<const double> uses, double least) {
    const auto size = static_cast<std::size_t>(num_rows);
    std::vector<std::vector<std::size_t>> routes_of(size);
    std::vector<uint8_t> visits(routes.size() * size);
    std::vector<double> pairs(size * size); // use of both rows together
    for (std::size_t r = 0; r < routes.size(); ++r) {
        for (const int32_t row : routes[r])
            if (visits[r * size + static_cast<std::size_t>(row)]++ == 0)
                routes_of[static_cast<std::size_t>(row)].push_back(r);
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; visits[r * size + i] != 0 && j < size; ++j)
                if (i != j && visits[r * size + j] != 0)
                    pairs[i * size + j] += uses[r];
    }
    struct Found {
        double excess;
        std::array<int32_t, 3> rows;
    };
    std::vector<Found> found;
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < size; ++i) {
        others.clear();
        for (std::size_t j = 0; j < size; ++j)
            if (pairs[i * size + j] > 0.0)
                others.push_back(j);
        for (const std::size_t j : others)
            for (const std::size_t k : others) {
                // In one order, by the row that is with both others.
                const double third = pairs[j * size + k];
                if (k <= j || (third > 0.0 && i > j))
                    continue;
                double excess =
                    pairs[i * size + j] + pairs[i * size + k] + third - 1.0;
                if (excess <= least)
                    continue;
                for (const std::size_t r : routes_of[i])
                    if (visits[r * size + j] != 0 && visits[r * size + k] != 0)
                        excess -= 2.0 * uses[r];
                if (excess > least)
                    found.push_back(
                        {excess,
                         {static_cast<int32_t>(i), static_cast<int32_t>(j),
                          static_cast<int32_t>(k)}});
            }
    }
    std::ranges::stable_sort(found, std::greater{}, &Found::excess);
    std::vector<std::array<int32_t, 3>> rows;
    rows.reserve(found.size());
    for (const Found& each : found)
        rows.push_back(each.rows);
    return rows;
}

} // namespace ncc::columns

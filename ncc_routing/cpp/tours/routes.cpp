#include "tours/routes.h"

#include "tours/local_search.h"

#include <algorithm>
#include <vector>

namespace ncc::tours {

void route_members(const Metric& metric, std::span<int64_t> members,
                   std::span<const int64_t> offsets, int64_t kicks_per_node,
                   NumpyGenerator& rng, std::span<double> costs) {
    const int64_t num_clusters = std::ssize(costs);
    int64_t max_size = 1;
    for (int64_t c = 0; c < num_clusters; ++c)
        max_size = std::max(max_size, offsets[c + 1] - offsets[c] + 1);
    std::vector<double> distances(max_size * max_size);
    std::vector<int64_t> nodes(max_size);
    std::vector<int64_t> order(max_size);
    LocalSearch search(max_size);
    for (int64_t c = 0; c < num_clusters; ++c) {
        const int64_t size = offsets[c + 1] - offsets[c] + 1;
        costs[c] = 0.0;
        if (size < 2)
            continue;
        const auto part = members.subspan(offsets[c], size - 1);
        const auto tour = std::span(order).first(size);
        nodes[0] = 0;
        std::ranges::copy(part, nodes.begin() + 1);
        const MatrixView<double> dist(distances.data(), size, size);
        metric.fill_block(std::span<const int64_t>(nodes).first(size), dist);
        fill_nearest_neighbour_tour(dist, tour);
        const int64_t num_kicks = size * std::min(size, kicks_per_node);
        costs[c] = optimize_tour(dist, tour, num_kicks, rng, search);
        std::ranges::rotate(tour, std::ranges::find(tour, 0));
        for (int64_t i = 1; i < size; ++i)
            part[i - 1] = nodes[tour[i]];
    }
}

} // namespace ncc::tours

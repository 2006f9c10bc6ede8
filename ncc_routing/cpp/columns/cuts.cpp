#include "columns/cuts.h"

#include "columns/graph.h"

#include <algorithm>

namespace ncc::columns {

void reduce_costs(MatrixView<const int64_t> costs,
                  std::span<const int64_t> node_duals, const SetList& sets,
                  std::span<const int64_t> set_duals,
                  MatrixView<int64_t> out) {
    const int64_t size = costs.num_rows();
    for (int64_t i = 0; i < size; ++i)
        for (int64_t j = 0; j < size; ++j)
            out(i, j) = costs(i, j) - (node_duals[i] + node_duals[j]) / 2;
    std::vector<uint8_t> is_in;
    is_in.assign(static_cast<std::size_t>(size), 0);
    for (std::size_t k = 0; k < sets.size(); ++k) {
        if (set_duals[k] == 0)
            continue;
        std::ranges::fill(is_in, 0);
        for (const int32_t node : sets[k])
            is_in[static_cast<std::size_t>(node)] = 1;
        for (const int32_t node : sets[k])
            for (int64_t j = 0; j < size; ++j)
                if (!is_in[static_cast<std::size_t>(j)]) {
                    out(node, j) -= set_duals[k] / 2;
                    out(j, node) -= set_duals[k] / 2;
                }
    }
    for (int64_t i = 0; i < size; ++i)
        for (int64_t j = 0; j < size; ++j)
            if (costs(i, j) >= no_arc)
                out(i, j) = no_arc;
}

std::vector<std::vector<int32_t>>
find_capacity_cuts(MatrixView<const double> flow,
                   std::span<const int64_t> loads, int64_t capacity,
                   double least) {
    const int64_t size = flow.num_rows();
    struct Link {
        int32_t node;
        double flow;
    };
    std::vector<std::vector<Link>> links(static_cast<std::size_t>(size));
    std::vector<double> degrees(links.size());
    for (int64_t i = 1; i < size; ++i)
        for (int64_t j = 0; j < size; ++j)
            if (flow(i, j) > 1e-9) {
                const auto at = static_cast<std::size_t>(i);
                degrees[at] += flow(i, j);
                if (j > 0)
                    links[at].push_back({static_cast<int32_t>(j), flow(i, j)});
            }
    std::vector<std::vector<int32_t>> found;
    std::vector<double> inside(links.size()); // flow to the set
    std::vector<int32_t> set;
    std::vector<int32_t> border;
    for (int32_t first = 1; first < size; ++first) {
        std::ranges::fill(inside, 0.0);
        set.clear();
        border.assign(1, first);
        double crossing = 0.0;
        double worst = least;
        std::size_t length = 0;
        int64_t load = 0;
        while (!border.empty()) {
            auto next = border.begin();
            for (auto one = border.begin(); one != border.end(); ++one)
                if (inside[*one] > inside[*next])
                    next = one;
            const int32_t node = *next;
            border.erase(next);
            set.push_back(node);
            load += loads[node];
            crossing += degrees[node] - 2.0 * inside[node];
            inside[node] = -1e9;
            for (const Link& link : links[static_cast<std::size_t>(node)]) {
                double& sum = inside[static_cast<std::size_t>(link.node)];
                if (sum == 0.0)
                    border.push_back(link.node);
                sum += link.flow;
            }
            const int64_t num_entered = (load + capacity - 1) / capacity;
            const auto needed = static_cast<double>(num_entered);
            if (2.0 * needed - crossing > worst) {
                worst = 2.0 * needed - crossing;
                length = set.size();
            }
        }
        if (length > 0) {
            set.resize(length);
            std::ranges::sort(set);
            found.push_back(set);
        }
    }
    std::ranges::sort(found);
    const auto rest = std::ranges::unique(found);
    found.erase(rest.begin(), rest.end());
    return found;
}

} // namespace ncc::columns

#include "construction/savings.h"

#include <vector>

namespace ncc::savings {

namespace {

// Returns the root of i and halves the path to it (union-find).
int64_t find(std::span<int64_t> parent, int64_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

} // namespace

int64_t list_pairs(std::span<const int64_t> order,
                   MatrixView<const int32_t> neighbours,
                   MatrixView<int32_t> pairs) {
    int64_t count = 0;
    for (const int64_t i : order)
        for (const int32_t j : neighbours.row(i)) {
            // Two that are neighbours of each other: from the smaller one.
            bool is_known = false;
            if (j < i)
                for (const int32_t other : neighbours.row(j))
                    is_known |= other == i;
            if (!is_known) {
                pairs(0, count) = static_cast<int32_t>(i);
                pairs(1, count) = j;
                ++count;
            }
        }
    return count;
}

void fill_savings(const Metric& metric, std::span<const int32_t> tails,
                  std::span<const int32_t> heads, double shape,
                  std::span<double> savings) {
    for (std::size_t a = 0; a < tails.size(); ++a) {
        const int32_t i = tails[a];
        const int32_t j = heads[a];
        savings[a] = metric(i, 0) + metric(0, j) - shape * metric(i, j);
    }
}

void merge_routes(std::span<const int32_t> tails,
                  std::span<const int32_t> heads, bool symmetric,
                  int64_t capacity, MatrixView<int64_t> links,
                  std::span<int64_t> parent, std::span<int64_t> loads) {
    for (std::size_t a = 0; a < tails.size(); ++a) {
        const int32_t i = tails[a];
        const int32_t j = heads[a];
        // Column of a free end: the successor of i, the predecessor of j.
        // Where routes may be turned around, either column will do.
        int64_t out = 1;
        int64_t into = 0;
        if (symmetric) {
            out = links(i, 0) == 0 ? 0 : 1;
            into = links(j, 0) == 0 ? 0 : 1;
        }
        if (links(i, out) != 0 || links(j, into) != 0)
            continue;
        const int64_t root_i = find(parent, i);
        const int64_t root_j = find(parent, j);
        if (root_i == root_j || loads[root_i] + loads[root_j] > capacity)
            continue;
        links(i, out) = j;
        links(j, into) = i;
        parent[root_j] = root_i;
        loads[root_i] += loads[root_j];
    }
}

void walk_routes(MatrixView<const int64_t> links, bool symmetric,
                 std::span<int64_t> visits) {
    const int64_t num_nodes = links.num_rows();
    std::vector<char> seen(num_nodes, 0);
    int64_t position = 0;
    for (int64_t first = 1; first < num_nodes; ++first) {
        const bool is_end =
            links(first, 0) == 0 || (symmetric && links(first, 1) == 0);
        if (seen[first] || !is_end)
            continue;
        int64_t last = 0;
        int64_t i = first;
        while (i != 0) {
            seen[i] = 1;
            visits[position++] = i;
            int64_t following = links(i, 1);
            // At the first customer last is 0, and so is its free column.
            if (symmetric && following == last)
                following = links(i, 0);
            last = i;
            i = following;
        }
        ++position;
    }
}

} // namespace ncc::savings

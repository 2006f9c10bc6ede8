#include "bindings.h"
#include "casters.h"
#include "tours/local_search.h"
#include "tours/routes.h"
#include "tours/tour.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <nanobind/stl/optional.h>

namespace ncc {

namespace {

// Whether an order visits each of the first nodes once.
bool is_permutation(std::span<const int64_t> order) {
    std::vector<char> seen(order.size(), 0);
    for (const int64_t node : order) {
        if (node < 0 || node >= std::ssize(order) || seen[node])
            return false;
        seen[node] = 1;
    }
    return true;
}

bool fits_tour(MatrixView<const double> dist, std::span<const int64_t> order) {
    return !order.empty() && dist.num_rows() == std::ssize(order) &&
           dist.num_columns() == std::ssize(order);
}

} // namespace

void bind_tours(nb::module_& module) {
    using namespace nb::literals;
    using namespace tours;
    nb::module_ m = module.def_submodule("tours");

    m.def(
        "fill_nearest_neighbour_tour",
        [](MatrixView<const double> dist, std::span<int64_t> order) {
            require(fits_tour(dist, order),
                    "dist must have a row and a column for each node.");
            fill_nearest_neighbour_tour(dist, order);
        },
        "dist"_a, "order"_a, release_gil());

    m.def(
        "move_segment",
        [](std::span<int64_t> order, int64_t start, int64_t length,
           int64_t gap) {
            const int64_t size = std::ssize(order);
            require(is_permutation(order), "order must be a permutation.");
            require(0 <= start && start < size && 1 <= length && 1 <= gap &&
                        length < size && gap < size && length + gap <= size,
                    "the segment and the gap must lie in the tour.");
            Tour tour(size);
            tour.assign(order);
            tour.move_segment(start, length, gap);
            std::ranges::copy(tour.order(), order.begin());
        },
        "order"_a, "start"_a, "length"_a, "gap"_a, release_gil());

    m.def(
        "optimize_tour",
        [](MatrixView<const double> dist, std::span<int64_t> order,
           int64_t num_kicks, NumpyGenerator rng) {
            require(fits_tour(dist, order),
                    "dist must have a row and a column for each node.");
            require(is_permutation(order), "order must be a permutation.");
            LocalSearch search(std::ssize(order));
            return optimize_tour(dist, order, num_kicks, rng, search);
        },
        "dist"_a, "order"_a, "num_kicks"_a, "rng"_a, release_gil());

    m.def(
        "route_members",
        [](const Metric& metric, std::span<int64_t> members,
           std::span<const int64_t> offsets, int64_t kicks_per_node,
           std::optional<NumpyGenerator> rng, std::span<double> costs) {
            require(offsets.size() == costs.size() + 1 && offsets[0] >= 0 &&
                        std::ranges::is_sorted(offsets) &&
                        offsets.back() <= std::ssize(members),
                    "offsets must be the ends of as many parts of members as "
                    "there are costs.");
            require(all_below(std::span<const int64_t>(members),
                              metric.num_nodes()),
                    "members must be customers.");
            NumpyGenerator source = rng.value_or(NumpyGenerator());
            route_members(metric, members, offsets, rng ? kicks_per_node : 0,
                          source, costs);
        },
        "metric"_a, "members"_a, "offsets"_a, "kicks_per_node"_a,
        "rng"_a.none(), "costs"_a, release_gil());
}

} // namespace ncc

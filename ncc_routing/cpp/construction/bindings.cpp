#include "bindings.h"
#include "casters.h"
#include "construction/petal.h"
#include "construction/savings.h"
#include "construction/sweep.h"

namespace ncc {

namespace {

using namespace nb::literals;

// Whether links join customers of an instance with so many nodes.
bool are_links(std::span<const int32_t> tails, std::span<const int32_t> heads,
               std::size_t num_nodes) {
    return tails.size() == heads.size() && all_below(tails, num_nodes) &&
           all_below(heads, num_nodes);
}

void bind_savings(nb::module_& m) {
    using namespace savings;

    m.def(
        "list_pairs",
        [](std::span<const int64_t> order,
           MatrixView<const int32_t> neighbours, MatrixView<int32_t> pairs) {
            const auto num_nodes =
                static_cast<std::size_t>(neighbours.num_rows());
            require(all_below(order, num_nodes) &&
                        all_below(neighbours.values(), num_nodes),
                    "neighbours must have a row for each customer.");
            require(pairs.num_rows() == 2 &&
                        pairs.num_columns() >=
                            std::ssize(order) * neighbours.num_columns(),
                    "pairs must be of shape (2, customers * neighbours).");
            return list_pairs(order, neighbours, pairs);
        },
        "order"_a, "neighbours"_a, "pairs"_a, release_gil());

    m.def(
        "fill_savings",
        [](const Metric& metric, std::span<const int32_t> tails,
           std::span<const int32_t> heads, double shape,
           std::span<double> savings) {
            require(are_links(tails, heads, metric.num_nodes()) &&
                        savings.size() == tails.size(),
                    "links must join customers, and savings be as many.");
            fill_savings(metric, tails, heads, shape, savings);
        },
        "metric"_a, "tails"_a, "heads"_a, "shape"_a, "savings"_a,
        release_gil());

    m.def(
        "merge_routes",
        [](std::span<const int32_t> tails, std::span<const int32_t> heads,
           bool symmetric, int64_t capacity, MatrixView<int64_t> links,
           std::span<int64_t> parent, std::span<int64_t> loads) {
            require(links.num_columns() == 2 &&
                        std::ssize(parent) == links.num_rows() &&
                        std::ssize(loads) == links.num_rows(),
                    "links, parent and loads must have a row for each node.");
            require(
                are_links(tails, heads, parent.size()) &&
                    all_below(std::span<const int64_t>(parent), parent.size()),
                "links must join customers.");
            merge_routes(tails, heads, symmetric, capacity, links, parent,
                         loads);
        },
        "tails"_a, "heads"_a, "symmetric"_a, "capacity"_a, "links"_a,
        "parent"_a, "loads"_a, release_gil());

    m.def(
        "walk_routes",
        [](MatrixView<const int64_t> links, bool symmetric,
           std::span<int64_t> visits) {
            require(links.num_columns() == 2 &&
                        all_below(links.values(), static_cast<std::size_t>(
                                                      links.num_rows())) &&
                        std::ssize(visits) >= 2 * (links.num_rows() - 1),
                    "visits must have room for 2 nodes a customer.");
            walk_routes(links, symmetric, visits);
        },
        "links"_a, "symmetric"_a, "visits"_a, release_gil());
}

// Whether positions of the ring, their ends and the demands fit together.
bool is_ring(std::span<const int64_t> ring, std::span<const int64_t> ends,
             std::size_t num_nodes) {
    return ring.size() % 2 == 0 && all_below(ring, num_nodes) &&
           ends.size() == ring.size();
}

// Whether each arc ends behind the position it starts at, and no walk along
// them leaves the ring.
bool advance(std::span<const int64_t> ends) {
    const int64_t n = std::ssize(ends) / 2;
    for (int64_t i = 0; i < std::ssize(ends); ++i)
        if (ends[i] <= i || ends[i] > i + n)
            return false;
    return true;
}

void bind_sweep(nb::module_& m) {
    using namespace sweep;

    m.def(
        "fill_ends",
        [](std::span<const int64_t> ring, std::span<const int64_t> demands,
           int64_t capacity, std::span<int64_t> ends) {
            require(is_ring(ring, ends, demands.size()),
                    "ends must be as many as positions of the ring.");
            fill_ends(ring, demands, capacity, ends);
        },
        "ring"_a, "demands"_a, "capacity"_a, "ends"_a, release_gil());

    m.def(
        "fill_lengths",
        [](const Metric& metric, std::span<const int64_t> ring,
           std::span<double> lengths) {
            require(all_below(ring, metric.num_nodes()) &&
                        lengths.size() == ring.size(),
                    "lengths must be as many as positions of the ring.");
            fill_lengths(metric, ring, lengths);
        },
        "metric"_a, "ring"_a, "lengths"_a, release_gil());

    m.def(
        "find_best_start",
        [](const Metric& metric, std::span<const int64_t> ring,
           std::span<const int64_t> ends, std::span<const double> lengths) {
            require(is_ring(ring, ends, metric.num_nodes()) &&
                        lengths.size() == ring.size() && advance(ends),
                    "each arc must end behind the position it starts at.");
            return find_best_start(metric, ring, ends, lengths);
        },
        "metric"_a, "ring"_a, "ends"_a, "lengths"_a, release_gil());

    m.def(
        "walk_sweeps",
        [](std::span<const int64_t> ends, std::span<const int64_t> starts,
           std::span<double> costs, std::span<double> totals,
           std::span<int64_t> lasts) {
            require(ends.size() == 2 * costs.size() && advance(ends) &&
                        all_below(starts, costs.size()),
                    "each arc must end behind the position it starts at.");
            require(totals.size() == starts.size() &&
                        lasts.size() == starts.size(),
                    "totals and lasts must be as many as starts.");
            walk_sweeps(ends, starts, costs, totals, lasts);
        },
        "ends"_a, "starts"_a, "costs"_a, "totals"_a, "lasts"_a, release_gil());
}

void bind_petal(nb::module_& m) {
    using namespace petal;

    m.def(
        "cut_into_petals",
        [](std::span<const int64_t> ends, MatrixView<const double> costs,
           std::span<const double> closing_costs, int64_t start,
           std::span<double> reach, std::span<int64_t> came_from) {
            const int64_t n = costs.num_rows();
            require(0 <= start && start < n && std::ssize(ends) == 2 * n &&
                        std::ssize(closing_costs) == n,
                    "costs must have a row for each position of the ring.");
            require(std::ssize(reach) == n + 1 &&
                        std::ssize(came_from) == n + 1,
                    "reach and came_from must be one longer than the ring.");
            return cut_into_petals(ends, costs, closing_costs, start, reach,
                                   came_from);
        },
        "ends"_a, "costs"_a, "closing_costs"_a, "start"_a, "reach"_a,
        "came_from"_a, release_gil());

    m.def(
        "grow_petals",
        [](std::span<const int64_t> ring, std::span<const int64_t> demands,
           int64_t capacity, std::span<const double> radii, double band,
           int64_t span, std::span<int64_t> members,
           std::span<int64_t> offsets) {
            const int64_t n = std::ssize(ring) / 2;
            require(all_below(ring, demands.size()) &&
                        radii.size() == demands.size() && 0 <= span &&
                        span <= n && std::ssize(offsets) == n + 1,
                    "offsets must be one longer than the ring.");
            require(grow_petals(ring, demands, capacity, radii, band, span,
                                members, offsets),
                    "members have no room for the petals.");
        },
        "ring"_a, "demands"_a, "capacity"_a, "radii"_a, "band"_a, "span"_a,
        "members"_a, "offsets"_a, release_gil());
}

} // namespace

void bind_construction(nb::module_& module) {
    nb::module_ m = module.def_submodule("construction");
    bind_savings(m);
    bind_sweep(m);
    bind_petal(m);
}

} // namespace ncc

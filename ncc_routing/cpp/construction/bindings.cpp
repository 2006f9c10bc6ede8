#include "bindings.h"
#include "casters.h"
#include "construction/savings.h"

namespace ncc {

namespace {

// Whether links join customers of an instance with so many nodes.
bool are_links(std::span<const int32_t> tails, std::span<const int32_t> heads,
               std::size_t num_nodes) {
    return tails.size() == heads.size() && all_below(tails, num_nodes) &&
           all_below(heads, num_nodes);
}

} // namespace

void bind_construction(nb::module_& module) {
    using namespace nb::literals;
    using namespace savings;
    nb::module_ m = module.def_submodule("construction");

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

} // namespace ncc

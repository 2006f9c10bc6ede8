#include "bindings.h"
#include "casters.h"
#include "columns/cuts.h"
#include "columns/enumeration.h"
#include "columns/graph.h"
#include "columns/labels.h"
#include "columns/pool.h"
#include "columns/relaxation.h"
#include "columns/subset_rows.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

namespace ncc {

namespace {

using namespace columns;
using Whole = std::span<const int32_t>;
using Table = MatrixView<const int32_t>;
using Costs = MatrixView<const int64_t>;

bool is_square(auto matrix, int64_t size) {
    return matrix.num_rows() == size && matrix.num_columns() == size;
}

void require_graph(const RouteGraph& graph) {
    const int64_t size = graph.num_nodes();
    require(2 <= size && size < 65536 && is_square(graph.steps, size) &&
                std::ssize(graph.early) == size &&
                std::ssize(graph.late) == size &&
                std::ssize(graph.weights) == size &&
                graph.near.num_rows() == size,
            "all arrays must have an entry for each node.");
    require(graph.near.num_columns() <= 16 &&
                std::ranges::all_of(
                    graph.near.values(),
                    [&](int32_t node) { return -1 <= node && node < size; }),
            "an ng set holds up to 16 customers.");
    require(!graph.is_symmetric || graph.main_is_weight,
            "the main resource of symmetric routes is the weight.");
    require(graph.main_is_weight || !graph.extras.empty(),
            "the first other resource is the weight.");
    require(graph.extras.size() <= max_extras &&
                std::ranges::all_of(graph.extras,
                                    [&](const Extra& extra) {
                                        return is_square(extra.steps, size);
                                    }),
            "there are at most two more resources, each with a matrix.");
    for (int64_t j = 1; j < size; ++j) {
        require(graph.early[j] >= 0 && graph.late[j] <= graph.horizon() &&
                    graph.weights[j] >= 1,
                "windows must lie within the horizon, weights be positive.");
        for (int64_t i = 0; i < size; ++i)
            require(i == j || graph.steps(i, j) >= 1,
                    "each visit must consume the main resource.");
    }
}

bool is_list(const SetList& sets, int64_t num_nodes) {
    return !sets.starts.empty() && sets.starts.front() == 0 &&
           std::ranges::is_sorted(sets.starts) &&
           sets.starts.back() == std::ssize(sets.nodes) &&
           all_below(sets.nodes, static_cast<std::size_t>(num_nodes));
}

void require_alike(const LoadWalks& starts, const LoadWalks& ends) {
    require(ends.is_like(starts),
            "both walks must be of the same nodes and in the same units.");
}

nb::tuple plain(const Pricing& found) {
    std::vector<int64_t> costs;
    std::vector<int32_t> nodes;
    std::vector<int32_t> starts{0};
    for (const Route& route : found.routes) {
        costs.push_back(route.cost);
        nodes.insert(nodes.end(), route.customers.begin(),
                     route.customers.end());
        starts.push_back(static_cast<int32_t>(nodes.size()));
    }
    return nb::make_tuple(found.is_complete, found.least_cost, found.ratio,
                          to_array(std::move(costs)),
                          to_array(std::move(nodes)),
                          to_array(std::move(starts)));
}

void require_prices(const Pool& pool, Costs costs, const SetList& sets,
                    std::span<const int64_t> prices) {
    require(is_square(costs, pool.num_nodes()) &&
                is_list(sets, pool.num_nodes()) &&
                sets.size() == prices.size(),
            "costs must be those of each arc, and each set have a price.");
}

Effort effort_of(int64_t max_labels, const nb::callable& is_over) {
    return {static_cast<std::size_t>(max_labels), [&is_over] {
                const nb::gil_scoped_acquire acquire;
                return nb::cast<bool>(is_over());
            }};
}

} // namespace

void bind_columns(nb::module_& module) {
    using namespace nb::literals;
    nb::module_ m = module.def_submodule("columns");
    m.attr("NO_ARC") = no_arc;
    m.attr("MAX_SUBSET_ROWS") = SubsetRows::max_size;
    m.attr("MOST_ENUMERATED") = most_enumerated;
    m.attr("RATIO_UNIT") = int64_t{1} << ratio_bits;

    nb::class_<SubsetRows>(m, "SubsetRows")
        .def(
            "__init__",
            [](SubsetRows* self, int64_t num_nodes, Whole nodes, Whole starts,
               Whole memories, Whole memory_starts,
               std::span<const int64_t> prices) {
                const SetList sets{nodes, starts};
                const SetList kept{memories, memory_starts};
                require(is_list(sets, num_nodes) && is_list(kept, num_nodes) &&
                            sets.size() == kept.size() &&
                            sets.size() == prices.size() &&
                            sets.size() <= SubsetRows::max_size &&
                            std::ranges::all_of(
                                prices, [](int64_t p) { return p >= 0; }),
                        "each set must have a memory and a price.");
                new (self) SubsetRows(static_cast<std::size_t>(num_nodes),
                                      sets, kept, prices);
            },
            "num_nodes"_a, "nodes"_a, "starts"_a, "memories"_a,
            "memory_starts"_a, "prices"_a)
        .def(
            "count",
            [](const SubsetRows& rows, Whole nodes, Whole starts,
               MatrixView<int32_t> out) {
                const SetList routes{nodes, starts};
                require(is_list(routes, rows.num_nodes()) &&
                            std::cmp_equal(routes.size(), out.num_rows()) &&
                            out.num_columns() == SubsetRows::max_size,
                        "each route must have counts.");
                for (std::size_t r = 0; r < routes.size(); ++r)
                    rows.count(routes[r], out.row(static_cast<int64_t>(r)));
            },
            "nodes"_a, "starts"_a, "out"_a, release_gil());

    nb::class_<Pool>(m, "Pool")
        .def(
            "price",
            [](const Pool& pool, Costs costs, Whole nodes, Whole starts,
               std::span<const int64_t> prices) {
                const SetList sets{nodes, starts};
                require_prices(pool, costs, sets, prices);
                Pricing found;
                {
                    const nb::gil_scoped_release release;
                    found = pool.price(
                        costs, PairPrices(costs.num_rows(), sets, prices));
                }
                return plain(found);
            },
            "costs"_a, "nodes"_a, "starts"_a, "prices"_a,
            nb::sig("def price(self, costs: numpy.ndarray, "
                    "nodes: numpy.ndarray, starts: numpy.ndarray, "
                    "prices: numpy.ndarray) -> tuple[bool, int, int, "
                    "numpy.ndarray, numpy.ndarray, numpy.ndarray]"))
        .def(
            "within",
            [](const Pool& pool, Costs costs, Whole nodes, Whole starts,
               std::span<const int64_t> prices, int64_t limit) {
                const SetList sets{nodes, starts};
                require_prices(pool, costs, sets, prices);
                return pool.within(
                    costs, PairPrices(costs.num_rows(), sets, prices), limit);
            },
            "costs"_a, "nodes"_a, "starts"_a, "prices"_a, "limit"_a,
            release_gil());

    nb::class_<Pricer>(m, "Pricer")
        .def(
            "__init__",
            [](Pricer* self, Table steps, Whole early, Whole late,
               std::vector<Table> extras, std::vector<int32_t> limits,
               Whole weights, bool main_is_weight, Table near,
               bool is_symmetric) {
                require(extras.size() == limits.size(),
                        "each more resource must have a limit.");
                RouteGraph graph{steps,   early,          late, {},
                                 weights, main_is_weight, near, is_symmetric};
                for (std::size_t k = 0; k < extras.size(); ++k)
                    graph.extras.push_back({extras[k], limits[k]});
                require_graph(graph);
                new (self) Pricer(graph);
            },
            "steps"_a, "early"_a, "late"_a, "extras"_a, "limits"_a,
            "weights"_a, "main_is_weight"_a, "near"_a, "is_symmetric"_a,
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(),
            nb::keep_alive<1, 7>(), nb::keep_alive<1, 9>())
        .def(
            "price",
            [](Pricer& pricer, Costs costs, const SubsetRows& rows, bool exact,
               int64_t max_labels, const nb::callable& is_over) {
                require(is_square(costs, pricer.graph().num_nodes()) &&
                            rows.num_nodes() == pricer.graph().num_nodes(),
                        "costs must be those of each arc.");
                Effort effort = effort_of(max_labels, is_over);
                Pricing found;
                {
                    const nb::gil_scoped_release release;
                    found = pricer.price(costs, rows, exact, effort);
                }
                return plain(found);
            },
            "costs"_a, "rows"_a, "exact"_a, "max_labels"_a, "is_over"_a,
            nb::sig("def price(self, costs: numpy.ndarray, rows: SubsetRows, "
                    "exact: bool, max_labels: int, "
                    "is_over: collections.abc.Callable[[], bool]) -> "
                    "tuple[bool, int, int, "
                    "numpy.ndarray, numpy.ndarray, numpy.ndarray]"))
        .def("read_near", &Pricer::read_near)
        .def(
            "label_wholly",
            [](Pricer& pricer, Costs costs, const SubsetRows& rows,
               int64_t limit, int64_t max_labels,
               const nb::callable& is_over) {
                const int64_t size = pricer.graph().num_nodes();
                require(is_square(costs, size) && rows.num_nodes() == size,
                        "costs must be those of each arc.");
                Effort effort = effort_of(max_labels, is_over);
                const nb::gil_scoped_release release;
                return pricer.label_wholly(costs, rows, limit, effort);
            },
            "costs"_a, "rows"_a, "limit"_a, "max_labels"_a, "is_over"_a,
            nb::sig("def label_wholly(self, costs: numpy.ndarray, "
                    "rows: SubsetRows, limit: int, max_labels: int, "
                    "is_over: collections.abc.Callable[[], bool]) -> bool"))
        .def(
            "enumerate",
            [](const Pricer& pricer, Costs costs, Costs units, Whole row_of,
               const SubsetRows& rows, int64_t limit, int64_t max_paths,
               const nb::callable& is_over) -> std::optional<Pool> {
                const int64_t size = pricer.graph().num_nodes();
                require(
                    size <= most_enumerated && is_square(costs, size) &&
                        is_square(units, size) && std::ssize(row_of) == size &&
                        all_below(row_of,
                                  static_cast<std::size_t>(most_enumerated)) &&
                        rows.num_nodes() == size &&
                        pricer.is_labelled_wholly(),
                    "costs must be those of each arc, rows those of each "
                    "node, and labels whole.");
                Effort effort = effort_of(max_paths, is_over);
                const nb::gil_scoped_release release;
                return enumerate(pricer.graph(),
                                 {costs, units, row_of, rows, limit},
                                 pricer.backward(), effort);
            },
            "costs"_a, "units"_a, "row_of"_a, "rows"_a, "limit"_a,
            "max_paths"_a, "is_over"_a,
            nb::sig("def enumerate(self, costs: numpy.ndarray, "
                    "units: numpy.ndarray, row_of: numpy.ndarray, "
                    "rows: SubsetRows, limit: int, max_paths: int, "
                    "is_over: collections.abc.Callable[[], bool]) -> "
                    "Pool | None"))
        .def(
            "drop_arcs",
            [](const Pricer& pricer, Costs costs, int64_t limit,
               MatrixView<int64_t> out) {
                const int64_t size = pricer.graph().num_nodes();
                require(is_square(costs, size) && is_square(out, size),
                        "costs must be those of each arc.");
                return pricer.drop_arcs(costs, limit, out);
            },
            "costs"_a, "limit"_a, "out"_a, release_gil())
        .def(
            "drop_arcs_by_labels",
            [](const Pricer& pricer, const SubsetRows& rows, int64_t limit,
               MatrixView<int64_t> out, const nb::callable& is_over) {
                const int64_t size = pricer.graph().num_nodes();
                require(is_square(out, size) && rows.num_nodes() == size &&
                            pricer.is_labelled_wholly(),
                        "arcs are dropped by whole labels.");
                Effort effort = effort_of(1, is_over);
                const nb::gil_scoped_release release;
                pricer.drop_arcs(rows, limit, out, effort);
            },
            "rows"_a, "limit"_a, "out"_a, "is_over"_a,
            nb::sig("def drop_arcs_by_labels(self, rows: SubsetRows, "
                    "limit: int, out: numpy.ndarray, "
                    "is_over: collections.abc.Callable[[], bool]) -> None"));

    nb::class_<LoadWalks>(m, "LoadWalks")
        .def(
            "__init__",
            [](LoadWalks* self, Whole loads, int32_t capacity, Table tails,
               Whole cells, int32_t num_cells) {
                const std::size_t size = loads.size();
                require(size >= 2 && capacity >= 1 &&
                            std::ranges::all_of(
                                loads.subspan(1),
                                [](int32_t load) { return load >= 1; }),
                        "each customer must have a load.");
                require(num_cells == 0 ||
                            (std::cmp_equal(tails.num_rows(), size) &&
                             all_below(tails.values(), size) &&
                             cells.size() == size && num_cells > 0 &&
                             all_below(cells, num_cells)),
                        "each node must have tails and a cell.");
                new (self)
                    LoadWalks(loads, capacity, {tails, cells, num_cells});
            },
            "loads"_a, "capacity"_a, "tails"_a, "cells"_a, "num_cells"_a,
            nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>())
        .def(
            "run",
            [](LoadWalks& walks, Costs costs) {
                require(walks.arcs().num_cells == 0 &&
                            is_square(costs, walks.num_nodes()),
                        "costs must be those of each arc.");
                walks.run(costs);
            },
            "costs"_a, release_gil())
        .def(
            "run_listed",
            [](LoadWalks& walks, Costs listed, Costs others,
               std::span<const int64_t> of_nodes, int64_t largest) {
                const ListedArcs& arcs = walks.arcs();
                const auto is_in_range = [&](int64_t cost) {
                    return cost >= no_arc || std::abs(cost) <= largest;
                };
                require(std::ranges::all_of(listed.values(), is_in_range) &&
                            std::ranges::all_of(others.values(), is_in_range),
                        "no arc costs more than the largest.");
                require(arcs.num_cells > 0 &&
                            listed.num_rows() == arcs.tails.num_rows() &&
                            listed.num_columns() == arcs.tails.num_columns() &&
                            is_square(others, arcs.num_cells) &&
                            std::ssize(of_nodes) == walks.num_nodes(),
                        "costs must be those of each arc.");
                walks.run({listed, others, of_nodes, largest});
            },
            "listed"_a, "others"_a, "of_nodes"_a, "largest"_a, release_gil())
        .def(
            "least_ratios",
            [](LoadWalks& walks, const LoadWalks& ends) {
                require_alike(walks, ends);
                return to_array(walks.least_ratios(ends));
            },
            "ends"_a)
        .def(
            "add_visits",
            [](const LoadWalks& walks, const LoadWalks& ends, Whole customers,
               std::span<double> visits) {
                require_alike(walks, ends);
                require(std::ssize(visits) == walks.num_nodes() &&
                            std::ranges::all_of(customers,
                                                [&](int32_t customer) {
                                                    return walks.has_route(
                                                        customer);
                                                }),
                        "the customers must have routes.");
                walks.add_visits(ends, customers, visits);
            },
            "ends"_a, "customers"_a, "visits"_a);

    m.def(
        "reduce_costs",
        [](Costs costs, std::span<const int64_t> node_duals, Whole nodes,
           Whole starts, std::span<const int64_t> set_duals,
           MatrixView<int64_t> out) {
            const SetList sets{nodes, starts};
            const int64_t size = costs.num_rows();
            require(is_square(costs, size) && is_square(out, size) &&
                        std::ssize(node_duals) == size &&
                        set_duals.size() == sets.size() &&
                        all_below(nodes, static_cast<std::size_t>(size)),
                    "duals must be those of the nodes and the sets.");
            reduce_costs(costs, node_duals, sets, set_duals, out);
        },
        "costs"_a, "node_duals"_a, "nodes"_a, "starts"_a, "set_duals"_a,
        "out"_a, release_gil());

    m.def(
        "find_capacity_cuts",
        [](MatrixView<const double> flow, std::span<const int64_t> loads,
           int64_t capacity, double least) {
            require(is_square(flow, std::ssize(loads)) && capacity > 0,
                    "the flow must be that between all nodes.");
            return find_capacity_cuts(flow, loads, capacity, least);
        },
        "flow"_a, "loads"_a, "capacity"_a, "least"_a, release_gil());

    m.def(
        "find_subset_rows",
        [](int64_t num_rows, Whole nodes, Whole starts,
           std::span<const double> uses, double least) {
            const SetList routes{nodes, starts};
            require(is_list(routes, num_rows) && uses.size() == routes.size(),
                    "each route must have a use.");
            std::vector<int32_t> rows;
            for (const auto& each :
                 find_subset_rows(num_rows, routes, uses, least))
                rows.insert(rows.end(), each.begin(), each.end());
            return to_array(std::move(rows));
        },
        "num_rows"_a, "nodes"_a, "starts"_a, "uses"_a, "least"_a);
}

} // namespace ncc

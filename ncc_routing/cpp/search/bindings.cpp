#include "bindings.h"
#include "casters.h"
#include "search/annealing.h"
#include "search/check_routes.h"
#include "search/routing_search.h"

#include <nanobind/stl/variant.h>

#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ncc {

namespace {

using namespace nb::literals;
using namespace search;

// What a pickle of the parameters holds.
using ParamsState =
    std::tuple<double, double, double, double, double, double, double>;

void make_params(SearchParams* self, double mean_removed, double max_string,
                 double split, double blink, double reach, double tolerance,
                 double num_local_moves) {
    constexpr double most = 1e9;
    require(mean_removed > 0.0 && mean_removed <= most && max_string >= 1.0 &&
                max_string <= most,
            "mean_removed and max_string must be positive.");
    new (self) SearchParams{mean_removed, max_string, split,          blink,
                            reach,        tolerance,  num_local_moves};
}

void bind_params(nb::module_& m) {
    nb::class_<SearchParams>(m, "SearchParams")
        .def("__init__", &make_params, nb::kw_only(), "mean_removed"_a,
             "max_string"_a, "split"_a, "blink"_a, "reach"_a, "tolerance"_a,
             "num_local_moves"_a)
        .def_ro("tolerance", &SearchParams::tolerance)
        .def_prop_ro("most_removed", &SearchParams::most_removed)
        .def("__getstate__",
             [](const SearchParams& p) {
                 return ParamsState(p.mean_removed, p.max_string, p.split,
                                    p.blink, p.reach, p.tolerance,
                                    p.num_local_moves);
             })
        .def("__setstate__", [](SearchParams& self, const ParamsState& state) {
            std::apply([&](auto... values) { make_params(&self, values...); },
                       state);
        });
}

RoutingProblem
make_problem(const Metric& metric, std::span<const int64_t> demands,
             int64_t capacity, MatrixView<const uint32_t> neighbours,
             MatrixView<const double> near, int64_t num_candidates,
             std::span<const double> round_trip, bool is_symmetric) {
    const auto num_nodes = std::ssize(demands);
    require(metric.coords.num_rows() == num_nodes &&
                std::cmp_equal(metric.num_nodes(), num_nodes) &&
                std::ssize(round_trip) == num_nodes,
            "the metric and round_trip must have a row for each demand.");
    require(!metric.matrix.empty() ||
                metric.rounding.kind <= LengthRule::Unrounded,
            "great circles need a matrix.");
    require(neighbours.num_rows() == num_nodes &&
                near.num_rows() == num_nodes &&
                near.num_columns() == neighbours.num_columns(),
            "neighbours and near must have a row for each demand.");
    require(all_below(neighbours.values(), demands.size()),
            "neighbours must be nodes.");
    return {metric, demands,        capacity,   neighbours,
            near,   num_candidates, round_trip, is_symmetric};
}

void bind_problem(nb::module_& m) {
    nb::class_<RoutingProblem>(m, "RoutingProblem")
        .def(
            "__init__",
            [](RoutingProblem* self, const Metric& metric,
               std::span<const int64_t> demands, int64_t capacity,
               MatrixView<const uint32_t> neighbours,
               MatrixView<const double> near, int64_t num_candidates,
               std::span<const double> round_trip, bool is_symmetric) {
                new (self) RoutingProblem(
                    make_problem(metric, demands, capacity, neighbours, near,
                                 num_candidates, round_trip, is_symmetric));
            },
            nb::kw_only(), "metric"_a, "demands"_a, "capacity"_a,
            "neighbours"_a, "near"_a, "num_candidates"_a, "round_trip"_a,
            "is_symmetric"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(),
            nb::keep_alive<1, 8>());
}

void bind_tables(nb::module_& m) {
    nb::class_<CenterTable>(m, "CenterTable")
        .def(
            "__init__",
            [](CenterTable* self, MatrixView<const int32_t> ids,
               MatrixView<const double> penalties,
               std::span<const double> far) {
                require(ids.num_columns() > 0 &&
                            penalties.num_rows() == ids.num_rows() &&
                            penalties.num_columns() == ids.num_columns() &&
                            std::ssize(far) == ids.num_rows(),
                        "ids, penalties and far must have a row for each "
                        "node.");
                for (int64_t node = 1; node < ids.num_rows(); ++node)
                    require(ids(node, 0) >= 0 || (penalties(node, 0) == 0.0 &&
                                                  far[node] == 0.0),
                            "each customer must have a center, or cost "
                            "nothing.");
                new (self) CenterTable{ids, penalties, far};
            },
            nb::kw_only(), "ids"_a, "penalties"_a, "far"_a,
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 4>());
    nb::class_<SameRouteTable>(m, "SameRouteTable")
        .def(
            "__init__",
            [](SameRouteTable* self, std::span<const int32_t> districts,
               std::span<const int32_t> num_others, double unit) {
                require(districts.size() == num_others.size(),
                        "districts and num_others must have an entry for each "
                        "node.");
                new (self) SameRouteTable{districts, num_others, unit};
            },
            nb::kw_only(), "districts"_a, "num_others"_a, "unit"_a,
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>());
}

// Python knows one class, with penalties or without.
struct AnySearch {
    std::variant<RoutingSearch<NoPenalty>, RoutingSearch<Penalties>> search;
};

// A method that does the same on a search with any penalties.
template <class... Args, class Call>
auto on_search(Call call) {
    return [call](AnySearch& self, Args... args) {
        return std::visit([&](auto& s) { return call(s, args...); },
                          self.search);
    };
}

// One entry of each element of a vector.
template <class Values, class T, class Element>
auto gather(const Values& values, T Element::* entry) {
    std::vector<T> found;
    found.reserve(values.size());
    for (const auto& value : values)
        found.push_back(value.*entry);
    return found;
}

void bind_routing_search(nb::module_& m) {
    nb::class_<AnySearch> bound(m, "RoutingSearch");
    bound
        .def(
            "__init__",
            [](AnySearch* self, const RoutingProblem& problem,
               const SearchParams& params, std::span<const uint32_t> nodes,
               std::span<const int64_t> starts, int64_t num_slots,
               uint64_t seed, const CenterTable* centers,
               const SameRouteTable* pairs) {
                const PenaltyTables tables{centers, pairs};
                check_routes(problem, nodes, starts, num_slots, seed);
                check_tables(tables, std::ssize(problem.demands));
                const auto begin = [&](auto penalties) {
                    using Search = RoutingSearch<decltype(penalties)>;
                    new (self) AnySearch{decltype(AnySearch::search)(
                        std::in_place_type<Search>, problem, params,
                        std::move(penalties), nodes, starts, num_slots, seed)};
                };
                if (centers == nullptr && pairs == nullptr)
                    begin(NoPenalty());
                else
                    begin(Penalties(tables, num_slots));
            },
            "problem"_a, "params"_a, "nodes"_a, "starts"_a, "num_slots"_a,
            "seed"_a, "centers"_a = nb::none(), "pairs"_a = nb::none(),
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 8>(),
            nb::keep_alive<1, 9>(), release_gil())
        .def("anneal", on_search<int64_t, double, double>([](auto&... args) {
                 return anneal(args...);
             }),
             "num_iterations"_a, "temperature"_a, "cooling"_a, release_gil())
        .def_prop_ro("cost", on_search([](auto& s) { return s.cost; }))
        .def_prop_ro("best_cost",
                     on_search([](auto& s) { return s.best_cost; }))
        .def_prop_ro("num_iterations",
                     on_search([](auto& s) { return s.num_iterations; }))
        .def("current_routes",
             on_search([](auto& s) { return to_arrays(s.current_routes()); }))
        .def("best_routes",
             on_search([](auto& s) { return to_arrays(s.best_routes()); }));
    // The parts of an annealing, one by one; a ruin is taken back, and tells
    // which customers it has removed.
    bound
        .def("ruin", on_search([](auto& s) {
                 s.begin_iteration();
                 ruin(s);
                 undo(s);
                 const auto removed =
                     std::span(s.removed).first(s.num_removed);
                 return to_array(gather(removed, &Removal::customer));
             }))
        .def("ruin_and_recreate", on_search<double>([](auto&... args) {
                 return ruin_and_recreate(args...);
             }),
             "limit"_a)
        .def("improve_locally", on_search<double>([](auto&... args) {
                 improve_locally(args...);
             }),
             "temperature"_a);
    // Copies of parts of the state.
    const auto add_copy = [&](const char* name, auto read) {
        bound.def_prop_ro(
            name, on_search([read](auto& s) { return to_array(read(s)); }),
            nb::rv_policy::move);
    };
    add_copy("next", [](auto& s) { return gather(s.nodes, &Node::next); });
    add_copy("prev", [](auto& s) { return gather(s.nodes, &Node::prev); });
    add_copy("to_next",
             [](auto& s) { return gather(s.nodes, &Node::to_next); });
    add_copy("to_prev",
             [](auto& s) { return gather(s.nodes, &Node::to_prev); });
    add_copy("sizes", [](auto& s) { return gather(s.routes, &Route::size); });
    add_copy("route_of", [](auto& s) { return s.route_of; });
    add_copy("loads", [](auto& s) { return s.loads; });
    add_copy("free_routes", [](auto& s) {
        const auto first = s.free_routes.begin();
        return std::vector<uint32_t>(first, first + s.num_free);
    });
    // Both are empty without such penalties.
    add_copy("center_of", [](auto& s) {
        if constexpr (requires { s.penalties.centers(); })
            if (s.penalties.centers())
                return s.penalties.centers()->center_of();
        return std::vector<int32_t>();
    });
    add_copy("district_counts", [](auto& s) {
        if constexpr (requires { s.penalties.pairs(); })
            if (s.penalties.pairs())
                return s.penalties.pairs()->counts();
        return std::vector<int32_t>();
    });
}

} // namespace

void search::check_tables(const PenaltyTables& tables, int64_t num_nodes) {
    require((tables.centers == nullptr ||
             tables.centers->num_nodes() == num_nodes) &&
                (tables.pairs == nullptr ||
                 tables.pairs->num_nodes() == num_nodes),
            "penalties must have a row for each node.");
}

void search::check_routes(const RoutingProblem& problem,
                          std::span<const uint32_t> nodes,
                          std::span<const int64_t> starts, int64_t num_slots,
                          uint64_t seed) {
    const auto num_nodes = std::ssize(problem.demands);
    require(!nodes.empty() && !starts.empty() && starts.front() == 0 &&
                starts.back() == std::ssize(nodes),
            "starts must lead from 0 to the number of nodes.");
    for (std::size_t route = 0; route + 1 < starts.size(); ++route)
        require(starts[route] < starts[route + 1], "no route may be empty.");
    require(are_customers(nodes, problem.demands.size()),
            "nodes must be different customers.");
    require(num_slots >= std::ssize(starts) - 1 &&
                num_slots < std::numeric_limits<uint32_t>::max() - num_nodes,
            "num_slots must be enough for the routes.");
    require(seed != 0, "the seed must not be 0.");
}

void bind_search(nb::module_& module) {
    nb::module_ m = module.def_submodule("search");
    bind_params(m);
    bind_problem(m);
    bind_tables(m);
    bind_routing_search(m);
}

} // namespace ncc

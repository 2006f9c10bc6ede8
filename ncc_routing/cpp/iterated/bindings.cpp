#include "bindings.h"
#include "casters.h"
#include "iterated/search.h"
#include "search/check_routes.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

namespace ncc {

namespace {

using namespace nb::literals;
using namespace iterated;

std::vector<uint32_t> sorted(std::span<const uint32_t> nodes) {
    std::vector<uint32_t> own(nodes.begin(), nodes.end());
    std::ranges::sort(own);
    return own;
}

using Ends = std::tuple<double, double>;
using ParamsState = std::tuple<int64_t, int64_t, Ends, Ends, double, double>;

void make_params(Params* self, int64_t num_near, int64_t window, Ends distance,
                 Ends threshold, double partner_share, double tolerance) {
    const auto schedule = [](Ends ends) {
        const auto [begin, end] = ends;
        require(begin > 0.0 && end > 0.0,
                "the ends of a schedule must be positive.");
        return Schedule{begin, end};
    };
    require(num_near > 0 && window > 0,
            "num_near and window must be positive.");
    new (self) Params{num_near,           window,
                      schedule(distance), schedule(threshold),
                      partner_share,      tolerance};
}

void bind_params(nb::module_& m) {
    nb::class_<Params>(m, "Params")
        .def("__init__", &make_params, nb::kw_only(), "num_near"_a, "window"_a,
             "distance"_a, "threshold"_a, "partner_share"_a, "tolerance"_a)
        .def("__getstate__",
             [](const Params& p) {
                 const auto ends = [](const Schedule& s) {
                     return Ends(s.begin, s.end);
                 };
                 return ParamsState(p.num_near, p.window, ends(p.distance),
                                    ends(p.threshold), p.partner_share,
                                    p.tolerance);
             })
        .def("__setstate__", [](Params& self, const ParamsState& state) {
            std::apply([&](auto... values) { make_params(&self, values...); },
                       state);
        });
}

} // namespace

void bind_iterated(nb::module_& module) {
    nb::module_ m = module.def_submodule("iterated");
    bind_params(m);
    // Python knows one class, whatever the lengths are.
    struct IteratedSearch {
        const search::RoutingProblem* problem;
        std::unique_ptr<Search> search;
    };
    using Self = const IteratedSearch&;
    nb::class_<IteratedSearch>(m, "IteratedSearch")
        .def(
            "__init__",
            [](IteratedSearch* self, const search::RoutingProblem& problem,
               const Params& params, std::span<const uint32_t> nodes,
               std::span<const int64_t> starts, int64_t num_slots,
               uint64_t seed) {
                search::check_routes(problem, nodes, starts, num_slots, seed);
                new (self) IteratedSearch{
                    &problem, make_search(problem, params, nodes, starts,
                                          num_slots, seed)};
            },
            "problem"_a, "params"_a, "nodes"_a, "starts"_a, "num_slots"_a,
            "seed"_a, nb::keep_alive<1, 2>(), release_gil())
        .def(
            "iterate",
            [](Self self, int64_t num_iterations, double begin, double end) {
                self.search->iterate(num_iterations, begin, end);
            },
            "num_iterations"_a, "begin"_a, "end"_a, release_gil())
        .def(
            "add_partner",
            [](IteratedSearch& self, std::span<const uint32_t> nodes,
               std::span<const int64_t> starts) {
                const auto num_routes = std::ssize(starts) - 1;
                search::check_routes(*self.problem, nodes, starts, num_routes,
                                     1);
                require(sorted(nodes) ==
                            sorted(self.search->current_routes().nodes),
                        "a partner must have the customers of the search.");
                self.search->add_partner(nodes, starts);
            },
            "nodes"_a, "starts"_a)
        .def_prop_ro("cost", [](Self self) { return self.search->cost(); })
        .def_prop_ro("best_cost",
                     [](Self self) { return self.search->best_cost(); })
        .def_prop_ro("num_iterations",
                     [](Self self) { return self.search->num_iterations(); })
        .def(
            "current_routes",
            [](Self self) { return to_arrays(self.search->current_routes()); })
        .def("best_routes",
             [](Self self) { return to_arrays(self.search->best_routes()); });
}

} // namespace ncc

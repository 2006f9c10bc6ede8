#include "bindings.h"
#include "casters.h"
#include "iterated/search.h"

#include <nanobind/stl/unique_ptr.h>

#include <limits>

namespace ncc {

namespace {

using namespace nb::literals;
using namespace iterated;

void bind_params(nb::module_& m) {
    nb::class_<Params>(m, "Params")
        .def(
            "__init__",
            [](Params* self, int64_t num_near, int64_t window,
               std::tuple<double, double> distance,
               std::tuple<double, double> threshold, double tolerance) {
                const auto schedule = [](std::tuple<double, double> ends) {
                    const auto [begin, end] = ends;
                    require(begin > 0.0 && end > 0.0,
                            "the ends of a schedule must be positive.");
                    return Schedule{begin, end};
                };
                require(num_near > 0 && window > 0,
                        "num_near and window must be positive.");
                new (self) Params{num_near, window, schedule(distance),
                                  schedule(threshold), tolerance};
            },
            nb::kw_only(), "num_near"_a, "window"_a, "distance"_a,
            "threshold"_a, "tolerance"_a);
}

} // namespace

void bind_iterated(nb::module_& module) {
    nb::module_ m = module.def_submodule("iterated");
    bind_params(m);
    nb::class_<Search>(m, "IteratedSearch")
        .def(nb::new_([](const search::RoutingProblem& problem,
                         const Params& params,
                         std::span<const uint32_t> nodes,
                         std::span<const int64_t> starts, int64_t num_slots,
                         uint64_t seed) {
                 return make_search(problem, params, nodes, starts, num_slots,
                                    seed);
             }),
             "problem"_a, "params"_a, "nodes"_a, "starts"_a, "num_slots"_a,
             "seed"_a)
        .def("iterate", &Search::iterate, "num_iterations"_a, "begin"_a,
             "end"_a, release_gil())
        .def_prop_ro("cost", &Search::cost)
        .def_prop_ro("best_cost", &Search::best_cost)
        .def_prop_ro("num_iterations", &Search::num_iterations)
        .def("current_routes",
             [](const Search& s) { return to_arrays(s.current_routes()); })
        .def("best_routes",
             [](const Search& s) { return to_arrays(s.best_routes()); });
}

} // namespace ncc

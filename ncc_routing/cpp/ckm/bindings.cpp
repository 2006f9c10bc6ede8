#include "bindings.h"
#include "casters.h"
#include "ckm/penalties.h"
#include "ckm/plan.h"
#include "ckm/pricing.h"
#include "ckm/problem.h"
#include "ckm/region.h"
#include "ckm/search.h"

#include <algorithm>

namespace nanobind::detail {

// The named tuple of vrp/preferences/penalties.py.
template <>
struct type_caster<ncc::ckm::ClusterPenalties> {
    NB_TYPE_CASTER(
        ncc::ckm::ClusterPenalties,
        const_name("ncc_routing.vrp.preferences.penalties.ClusterPenalties"))

    bool from_python(handle src, uint8_t flags,
                     cleanup_list* cleanup) noexcept {
        try {
            if (!places.from_python(object(src.attr("places")), flags,
                                    cleanup) ||
                !districts.from_python(object(src.attr("districts")), flags,
                                       cleanup) ||
                !district_sizes.from_python(object(src.attr("district_sizes")),
                                            flags, cleanup))
                return false;
            value = {places.value, cast<double>(src.attr("rate")),
                     districts.value, district_sizes.value,
                     cast<double>(src.attr("unit"))};
            return true;
        } catch (...) {
            PyErr_Clear();
            return false;
        }
    }

    make_caster<ncc::MatrixView<const double>> places;
    make_caster<std::span<const int32_t>> districts;
    make_caster<std::span<const int32_t>> district_sizes;
};

} // namespace nanobind::detail

namespace ncc {

namespace {

using namespace ckm;

// Whether all are customers of an instance with so many nodes.
template <class T>
bool are_customers(std::span<const T> nodes, int64_t num_nodes) {
    return std::ranges::all_of(
        nodes, [&](T node) { return 0 < node && node < num_nodes; });
}

// Whether the rows of customers list customers; that of the depot is not read.
bool lists_customers(MatrixView<const int32_t> lists, int64_t num_nodes) {
    return lists.num_rows() == num_nodes &&
           are_customers(
               std::span<const int32_t>(lists.values())
                   .subspan(static_cast<std::size_t>(lists.num_columns())),
               num_nodes);
}

bool fits(const clustering::PriorityFormula& formula, int64_t num_nodes) {
    return !formula.uses_affinity() ||
           (lists_customers(formula.neighbours, num_nodes) &&
            formula.affinity.num_rows() == num_nodes &&
            formula.affinity.num_columns() ==
                formula.neighbours.num_columns());
}

bool fits(const Problem& problem) {
    const int64_t num_nodes = problem.num_nodes();
    return num_nodes >= 2 && problem.capacity >= 1 &&
           std::cmp_equal(problem.metric.num_nodes(), num_nodes) &&
           problem.coords.num_rows() == num_nodes &&
           problem.coords.num_columns() == 2 &&
           std::ssize(problem.keys) == num_nodes;
}

bool fits(const ClusterPenalties& penalties, int64_t num_nodes) {
    const bool has_places = penalties.places.num_rows() == num_nodes &&
                            penalties.places.num_columns() == 2;
    const bool has_districts =
        std::ssize(penalties.districts) == num_nodes &&
        std::ssize(penalties.district_sizes) == num_nodes;
    return (has_places || !(penalties.rate > 0.0)) &&
           (has_districts || !(penalties.unit > 0.0));
}

nb::list clusters_of(const Plan& plan) {
    nb::list clusters;
    for (int64_t slot = 0; slot < plan.num_slots(); ++slot)
        if (!plan.is_free(slot))
            clusters.append(copy_of(plan.members(slot)));
    return clusters;
}

bool has_free_slots(const Plan& plan, int64_t count) {
    for (int64_t slot = 0; slot < plan.num_slots(); ++slot)
        count -= plan.is_free(slot);
    return count <= 0;
}

} // namespace

void bind_ckm(nb::module_& module) {
    using namespace nb::literals;
    nb::module_ m = module.def_submodule("ckm");

    nb::class_<Problem>(m, "Problem")
        .def(
            "__init__",
            [](Problem* self, const Metric& metric,
               MatrixView<const double> coords,
               std::span<const int64_t> demands, int64_t capacity,
               MatrixView<const int32_t> neighbours,
               std::span<const uint64_t> keys,
               const clustering::PriorityFormula& formula, bool is_symmetric) {
                const Problem problem{metric,   coords,      demands,
                                      capacity, neighbours,  keys,
                                      formula,  is_symmetric};
                require(fits(problem),
                        "all arrays must have an entry for each node.");
                require(lists_customers(neighbours, problem.num_nodes()) &&
                            fits(formula, problem.num_nodes()),
                        "neighbours must be customers, with a row for each "
                        "node.");
                new (self) Problem(problem);
            },
            "metric"_a, "coords"_a, "demands"_a, "capacity"_a, "neighbours"_a,
            "keys"_a, "formula"_a, "is_symmetric"_a, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
            nb::keep_alive<1, 6>(), nb::keep_alive<1, 7>(),
            nb::keep_alive<1, 8>());

    nb::class_<Plan>(m, "Plan")
        .def(
            "__init__",
            [](Plan* self, int64_t num_slots, int64_t num_nodes) {
                require(num_slots >= 1 && num_nodes >= 2,
                        "a plan has slots and customers.");
                new (self) Plan(num_slots, num_nodes);
            },
            "num_slots"_a, "num_nodes"_a)
        .def(
            "set_cluster",
            [](Plan& plan, int64_t slot, std::span<const int64_t> members,
               int64_t load, double cost) {
                require(0 <= slot && slot < plan.num_slots() &&
                            are_customers(members, plan.num_nodes()),
                        "the slot and the customers must exist.");
                plan.clear(slot);
                for (const int64_t node : members)
                    plan.put(node, slot);
                plan.set_totals(slot, load, cost);
            },
            "slot"_a, "members"_a, "load"_a, "cost"_a)
        .def(
            "add_penalties",
            [](Plan& plan, const ClusterPenalties& penalties) {
                require(fits(penalties, plan.num_nodes()),
                        "penalties must have an entry for each node.");
                plan.add_penalties(penalties);
            },
            "penalties"_a, release_gil())
        .def_prop_ro("clusters", clusters_of,
                     nb::sig("def clusters(self) -> "
                             "list[numpy.typing.NDArray[numpy.int64]]"))
        .def_prop_ro(
            "costs", [](const Plan& plan) { return copy_of(plan.costs()); },
            nb::rv_policy::move);

    nb::class_<RoutePricer>(m, "RoutePricer")
        .def(
            "__init__",
            [](RoutePricer* self, const Problem& problem,
               const ClusterPenalties& penalties, int64_t max_customers) {
                require(fits(penalties, problem.num_nodes()),
                        "penalties must have an entry for each node.");
                require(max_customers >= 1, "routes have customers.");
                new (self) RoutePricer(
                    problem, penalties,
                    std::min(max_customers, problem.num_nodes() - 1));
            },
            "problem"_a, "penalties"_a, "max_customers"_a,
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>());

    nb::class_<Region>(m, "Region")
        .def(
            "__init__",
            [](Region* self, const Problem& problem, int64_t max_points,
               int64_t max_clusters) {
                require(max_points >= 1 && max_clusters >= 1,
                        "a region has customers and clusters.");
                new (self) Region(problem, max_points, max_clusters);
            },
            "problem"_a, "max_points"_a, "max_clusters"_a,
            nb::keep_alive<1, 2>());

    m.def(
        "cluster_block",
        [](Plan& plan, RoutePricer& pricer, Region& region,
           std::span<const int64_t> customers, int64_t num_rounds,
           NumpyGenerator rng, int64_t num_clusters, double weight_power) {
            const int64_t num_nodes = pricer.problem().num_nodes();
            require(plan.num_nodes() == num_nodes &&
                        region.num_nodes() == num_nodes &&
                        are_customers(customers, num_nodes),
                    "plan, pricer, region and customers must be of one "
                    "problem.");
            require(1 <= std::ssize(customers) &&
                        std::ssize(customers) <= region.max_points() &&
                        1 <= num_clusters &&
                        num_clusters <= region.max_clusters() &&
                        num_rounds >= 1 && has_free_slots(plan, num_clusters),
                    "region and plan must have room for the clusters.");
            return cluster_block(plan, pricer, region, customers, num_clusters,
                                 num_rounds, weight_power, rng);
        },
        "plan"_a, "pricer"_a, "region"_a, "customers"_a, "num_rounds"_a,
        "rng"_a, "num_clusters"_a, "weight_power"_a, release_gil());

    nb::class_<TrialParams>(m, "TrialParams")
        .def(nb::init<int64_t, int64_t, double, double, double, double,
                      double>(),
             nb::kw_only(), "max_clusters"_a, "max_rounds"_a, "fewer_share"_a,
             "more_share"_a, "max_detour_share"_a, "max_weight_power"_a,
             "fullness_bonus"_a);

    nb::class_<RegionSearch>(m, "RegionSearch")
        .def(
            "__init__",
            [](RegionSearch* self, Plan& plan, RoutePricer& pricer,
               const TrialParams& params, int64_t max_points, double cost) {
                require(plan.num_nodes() == pricer.problem().num_nodes(),
                        "plan and pricer must be of one problem.");
                require(max_points >= 1 && params.max_clusters >= 2 &&
                            params.max_rounds >= 1,
                        "a trial takes customers, clusters and rounds.");
                new (self)
                    RegionSearch(plan, pricer, params, max_points, cost);
            },
            "plan"_a, "pricer"_a, "params"_a, "max_points"_a, "cost"_a,
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("run", &RegionSearch::run, "temperature"_a, "num_trials"_a,
             "rng"_a, release_gil())
        .def_prop_ro("cost", &RegionSearch::cost)
        .def_prop_ro("best_cost", &RegionSearch::best_cost)
        .def_prop_ro("best", &RegionSearch::best,
                     nb::rv_policy::reference_internal);
}

} // namespace ncc

#include "bindings.h"
#include "clustering/requirements.h"
#include "partition/descent.h"
#include "partition/kicks.h"
#include "partition/partition.h"
#include "partition/power_assignment.h"
#include "partition/relief.h"

#include <utility>
#include <vector>

namespace ncc {

namespace {

using namespace partition;
using namespace nb::literals;

using Labels = std::span<const int64_t>;
using Near = MatrixView<const int64_t>;

void require_near(const Problem& problem, Near near) {
    require(near.num_rows() == problem.num_clusters() &&
                near.num_columns() > 0 &&
                all_below(near.values(), problem.limits.upper.num_rows()),
            "near must have a row of clusters for each cluster.");
}

void bind_problem(nb::module_& m) {
    nb::class_<Problem>(m, "Problem")
        .def(
            "__init__",
            [](Problem* self, MatrixView<const double> coords,
               const Limits& limits, double scale) {
                require(coords.num_rows() == limits.num_points(),
                        "there must be a weight for each point.");
                new (self) Problem{coords, limits, scale};
            },
            "coords"_a, "limits"_a, "scale"_a, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>())
        .def_prop_ro("coords", viewing(&Problem::coords),
                     nb::rv_policy::automatic)
        .def_ro("limits", &Problem::limits)
        .def_ro("scale", &Problem::scale)
        .def_prop_ro("num_points", &Problem::num_points)
        .def_prop_ro("num_clusters", &Problem::num_clusters);
}

void bind_clusters(nb::module_& m) {
    nb::class_<Partition>(m, "Partition")
        .def(nb::init<const Problem&>(), "problem"_a, nb::keep_alive<1, 2>())
        .def_prop_ro("problem", &Partition::problem)
        .def(
            "assign",
            [](Partition& self, Labels labels) {
                require_labels(self.problem().limits, labels);
                return self.assign(labels);
            },
            "labels"_a, release_gil())
        .def(
            "rebuild",
            [](Partition& self) {
                require_assigned(self.groups());
                return self.rebuild();
            },
            release_gil())
        .def_prop_ro(
            "labels",
            [](const Partition& self) {
                return copy_of(self.groups().labels());
            },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "loads",
            [](const Partition& self) {
                return copy_of(self.groups().loads());
            },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "excess",
            [](const Partition& self) {
                std::vector<double> excess;
                for (int64_t k = 0; k < self.groups().num_clusters(); ++k)
                    excess.push_back(self.groups().excess(k));
                return to_array(std::move(excess));
            },
            nb::rv_policy::automatic)
        .def_prop_ro("means", copying(&Partition::means),
                     nb::rv_policy::automatic);
}

void bind_searches(nb::module_& m) {
    nb::class_<Descent>(m, "Descent")
        .def(
            "__init__",
            [](Descent* self, Partition& partition, Near near, int64_t most) {
                require_assigned(partition.groups());
                require_near(partition.problem(), near);
                new (self) Descent(partition, {near, most});
            },
            "partition"_a, "near"_a, "most"_a, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>())
        .def("run", &Descent::run, "num_steps"_a, "needed"_a, release_gil())
        .def_prop_ro("is_complete", &Descent::is_complete);

    nb::class_<Relief>(m, "Relief")
        .def(
            "__init__",
            [](Relief* self, Partition& partition, Near near, int64_t most) {
                require_assigned(partition.groups());
                require_near(partition.problem(), near);
                new (self) Relief(partition, {near, most});
            },
            "partition"_a, "near"_a, "most"_a, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>())
        .def(
            "run",
            [](Relief& self, Labels points, std::span<const double> heights,
               std::span<const double> depths, std::span<const double> prices,
               double spare) {
                const Problem& problem = self.partition().problem();
                require(all_below(points, problem.coords.num_rows()),
                        "points must be those of the partition.");
                for (const auto values : {heights, depths, prices})
                    require(std::ssize(values) == problem.num_clusters(),
                            "each cluster must have heights and a price.");
                return self.run(points, {heights, depths, prices, spare});
            },
            "points"_a, "heights"_a, "depths"_a, "prices"_a, "spare"_a,
            release_gil())
        .def(
            "settle",
            [](Relief& self, Labels points) {
                const Problem& problem = self.partition().problem();
                require(all_below(points, problem.coords.num_rows()),
                        "points must be those of the partition.");
                return self.settle(points);
            },
            "points"_a, release_gil());

    nb::class_<Kicks>(m, "Kicks")
        .def(
            "__init__",
            [](Kicks* self, Partition& partition, Near near) {
                require_assigned(partition.groups());
                require_near(partition.problem(), near);
                const int64_t everyone = partition.problem().num_points();
                new (self) Kicks(partition, {near, everyone});
            },
            "partition"_a, "near"_a, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>())
        .def(
            "run",
            [](Kicks& self, int64_t num_kicks, NumpyGenerator rng) {
                return self.run(num_kicks, rng);
            },
            "num_kicks"_a, "rng"_a, release_gil());

    m.def(
        "reseed",
        [](const Problem& problem, std::span<int64_t> labels,
           NumpyGenerator rng) {
            require(std::ssize(labels) == problem.num_points(),
                    "labels must be as many as points.");
            return Reseeding(problem).run_all(labels, rng);
        },
        "problem"_a, "labels"_a, "rng"_a, release_gil());
}

void bind_power_assignment(nb::module_& m) {
    nb::class_<PowerAssignment>(m, "PowerAssignment")
        .def(
            "__init__",
            [](PowerAssignment* self, const Problem& problem, Labels labels) {
                require_labels(problem.limits, labels);
                new (self) PowerAssignment(problem, labels);
            },
            "problem"_a, "labels"_a, nb::keep_alive<1, 2>())
        .def(
            "begin",
            [](PowerAssignment& self, MatrixView<const double> means,
               std::span<const double> prices, Near near) {
                const Problem& problem = self.problem();
                require(means.num_rows() == problem.num_clusters() &&
                            means.num_columns() == problem.num_dims() &&
                            std::ssize(prices) == problem.num_clusters(),
                        "each cluster must have a mean and a price.");
                require_near(problem, near);
                self.begin(means, prices, near);
            },
            "means"_a, "prices"_a, "near"_a)
        .def(
            "assign",
            [](PowerAssignment& self, int64_t low, int64_t high,
               int64_t stride) {
                require(self.has_begun(), "a round must have begun.");
                require(0 <= low && high <= self.problem().num_points() &&
                            stride > 0,
                        "there are no such points.");
                self.assign(low, high, stride);
            },
            "low"_a, "high"_a, "stride"_a, release_gil())
        .def_prop_ro("labels", copying(&PowerAssignment::labels),
                     nb::rv_policy::automatic)
        .def_prop_ro("margins", copying(&PowerAssignment::margins),
                     nb::rv_policy::automatic)
        .def_prop_ro("sums", copying(&PowerAssignment::sums),
                     nb::rv_policy::automatic);
}

} // namespace

void bind_partition(nb::module_& module) {
    nb::module_ m = module.def_submodule("partition");
    bind_problem(m);
    bind_clusters(m);
    bind_searches(m);
    bind_power_assignment(m);
}

} // namespace ncc

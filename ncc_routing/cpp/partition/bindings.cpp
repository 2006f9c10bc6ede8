#include "bindings.h"
#include "casters.h"
#include "partition/descent.h"
#include "partition/kicks.h"
#include "partition/partition.h"
#include "partition/power_assignment.h"
#include "partition/relief.h"

#include <nanobind/stl/vector.h>

#include <vector>

namespace ncc {

namespace {

using namespace partition;
using namespace nb::literals;

using Labels = std::span<const int64_t>;
using Near = MatrixView<const int64_t>;

void require_labels(const Problem& problem, Labels labels) {
    require(std::ssize(labels) == problem.num_points() &&
                all_below(labels, problem.limits.size()),
            "labels must give each point a cluster.");
}

void require_near(const Problem& problem, Near near) {
    require(near.num_rows() == problem.num_clusters() &&
                near.num_columns() > 0 &&
                all_below(near.values(), problem.limits.size()),
            "near must have a row of clusters for each cluster.");
}

// Until then no point is a member, and a search would look for one.
void require_assigned(const Partition& partition) {
    require(partition.is_assigned(), "the points must have clusters.");
}

void require_point(const Partition& partition, int64_t i) {
    require_assigned(partition);
    require(0 <= i && i < partition.problem().num_points(),
            "there is no such point.");
}

void require_cluster(const Partition& partition, int64_t k) {
    require(0 <= k && k < partition.problem().num_clusters(),
            "there is no such cluster.");
}

void bind_problem(nb::module_& m) {
    using Values = std::span<const double>;
    using Table = MatrixView<const double>;
    nb::class_<Problem>(m, "Problem")
        .def(
            "__init__",
            [](Problem* self, Table coords, Values weights, Values limits,
               double scale) {
                require(!coords.empty() &&
                            std::ssize(weights) == coords.num_rows(),
                        "there must be points, and a weight for each.");
                require(!limits.empty(),
                        "there must be one cluster at least.");
                new (self) Problem{coords, weights, limits, scale};
            },
            "coords"_a, "weights"_a, "limits"_a, "scale"_a,
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 4>())
        .def_prop_ro("coords", viewing(&Problem::coords),
                     nb::rv_policy::automatic)
        .def_prop_ro("weights", viewing(&Problem::weights),
                     nb::rv_policy::automatic)
        .def_prop_ro("limits", viewing(&Problem::limits),
                     nb::rv_policy::automatic)
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
                require_labels(self.problem(), labels);
                return self.assign(labels);
            },
            "labels"_a, release_gil())
        .def(
            "rebuild",
            [](Partition& self) {
                require_assigned(self);
                return self.rebuild();
            },
            release_gil())
        .def(
            "removal",
            [](const Partition& self, int64_t i) {
                require_point(self, i);
                return self.removal(i);
            },
            "i"_a)
        .def(
            "insertion",
            [](const Partition& self, int64_t i, int64_t k) {
                require_point(self, i);
                require_cluster(self, k);
                return self.insertion(i, k);
            },
            "i"_a, "k"_a)
        .def(
            "exchange",
            [](const Partition& self, int64_t i, int64_t j) {
                require_point(self, i);
                require_point(self, j);
                return self.exchange(i, j);
            },
            "i"_a, "j"_a)
        .def(
            "replacement",
            [](const Partition& self, int64_t i, int64_t j) {
                require_point(self, i);
                require_point(self, j);
                return self.replacement(i, j);
            },
            "i"_a, "j"_a)
        .def(
            "move",
            [](Partition& self, int64_t i, int64_t to) {
                require_point(self, i);
                require_cluster(self, to);
                self.move(i, to);
            },
            "i"_a, "to"_a)
        .def(
            "members",
            [](const Partition& self, int64_t k) {
                require_cluster(self, k);
                const MemberLists& lists = self.lists();
                std::vector<int64_t> members;
                for (int64_t i = lists.first(k); i != nobody;
                     i = lists.next(i))
                    members.push_back(i);
                return members;
            },
            "k"_a)
        .def_prop_ro(
            "labels",
            [](const Partition& self) {
                return copy_of(self.lists().labels());
            },
            nb::rv_policy::automatic)
        .def_prop_ro("loads", copying(&Partition::loads),
                     nb::rv_policy::automatic)
        .def_prop_ro("means", copying(&Partition::means),
                     nb::rv_policy::automatic);
}

void bind_searches(nb::module_& m) {
    nb::class_<Descent>(m, "Descent")
        .def(
            "__init__",
            [](Descent* self, Partition& partition, Near near, int64_t most) {
                require_assigned(partition);
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
                require_assigned(partition);
                require_near(partition.problem(), near);
                new (self) Relief(partition, {near, most});
            },
            "partition"_a, "near"_a, "most"_a, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>())
        .def(
            "run",
            [](Relief& self, Labels points, std::span<const double> heights,
               std::span<const double> prices, double spare) {
                const Problem& problem = self.partition().problem();
                require(all_below(points, problem.weights.size()),
                        "points must be those of the partition.");
                require(std::ssize(heights) == problem.num_clusters() &&
                            std::ssize(prices) == problem.num_clusters(),
                        "each cluster must have a height and a price.");
                return self.run(points, {heights, prices, spare});
            },
            "points"_a, "heights"_a, "prices"_a, "spare"_a, release_gil());

    nb::class_<Kicks>(m, "Kicks")
        .def(
            "__init__",
            [](Kicks* self, Partition& partition, Near near) {
                require_assigned(partition);
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
                require_labels(problem, labels);
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

#include "bindings.h"
#include "clustering/requirements.h"
#include "medians/annealing.h"

#include <tuple>

namespace ncc {

namespace {

using namespace medians;
using namespace nb::literals;

void bind_problem(nb::module_& m) {
    using Values = std::span<const double>;
    using Table = MatrixView<const double>;
    nb::class_<Problem>(m, "Problem")
        .def(
            "__init__",
            [](Problem* self, Table coords, Table matrix, bool rounds_down,
               bool uses_means, bool squares, const Limits& limits,
               Values point_limits, MatrixView<const int64_t> near) {
                const int64_t size = coords.num_rows();
                require(matrix.empty() || (matrix.num_rows() == size &&
                                           matrix.num_columns() == size),
                        "matrix must be empty or have a row for each point.");
                require(limits.num_points() == size &&
                            std::ssize(point_limits) == size,
                        "there must be a weight and a limit for each point.");
                require(near.num_rows() == size && near.num_columns() > 0 &&
                            all_below(near.values(), point_limits.size()),
                        "near must have a row of points for each point.");
                new (self) Problem{coords,  matrix, rounds_down,  uses_means,
                                   squares, limits, point_limits, near};
            },
            "coords"_a, "matrix"_a, "rounds_down"_a, "uses_means"_a,
            "squares"_a, "limits"_a, "point_limits"_a, "near"_a,
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 7>(), nb::keep_alive<1, 8>(),
            nb::keep_alive<1, 9>())
        .def_ro("limits", &Problem::limits)
        .def_prop_ro("point_limits", viewing(&Problem::point_limits),
                     nb::rv_policy::automatic);
}

void bind_clusters(nb::module_& m) {
    nb::class_<Clusters>(m, "Clusters")
        .def(nb::init<const Problem&>(), "problem"_a, nb::keep_alive<1, 2>())
        .def(
            "assign",
            [](Clusters& self, std::span<const int64_t> labels, double price) {
                require_labels(self.problem().limits, labels);
                self.assign(labels, price);
            },
            "labels"_a, "price"_a, release_gil())
        .def(
            "evaluate",
            [](const Clusters& self) {
                require_assigned(self.groups());
                const auto [distance, excess] = self.evaluate();
                return std::tuple(distance, excess);
            },
            release_gil())
        .def_prop_ro(
            "labels",
            [](const Clusters& self) {
                return copy_of(self.groups().labels());
            },
            nb::rv_policy::automatic);
}

void bind_openings(nb::module_& m) {
    nb::class_<Openings>(m, "Openings")
        .def(nb::init<Clusters&, double>(), "clusters"_a, "value"_a,
             nb::keep_alive<1, 2>())
        .def(
            "exchange",
            [](Openings& self, double temperature, double price,
               int64_t num_moves, NumpyGenerator rng) {
                require_assigned(self.clusters().groups());
                self.exchange(temperature, price, num_moves, rng);
            },
            "temperature"_a, "price"_a, "num_moves"_a, "rng"_a, release_gil());
}

void bind_annealing(nb::module_& m) {
    nb::class_<LocalParams>(m, "LocalParams")
        .def(
            "__init__",
            [](LocalParams* self, double highest_temperature,
               double lowest_temperature, double price_share, int64_t effort) {
                require(effort >= 0, "effort must not be negative.");
                new (self) LocalParams{highest_temperature, lowest_temperature,
                                       price_share, effort};
            },
            nb::kw_only(), "highest_temperature"_a, "lowest_temperature"_a,
            "price_share"_a, "effort"_a);

    nb::class_<Annealing>(m, "Annealing")
        .def(nb::init<Openings&, const LocalParams&>(), "openings"_a,
             "params"_a, nb::keep_alive<1, 2>())
        .def(
            "anneal",
            [](Annealing& self, double temperature, double price,
               int64_t num_moves, NumpyGenerator rng) {
                require_assigned(self.clusters().groups());
                self.anneal(temperature, price, num_moves, rng);
            },
            "temperature"_a, "price"_a, "num_moves"_a, "rng"_a, release_gil())
        .def(
            "anneal_locally",
            [](Annealing& self, double price, int64_t num_trials,
               NumpyGenerator rng) {
                require_assigned(self.clusters().groups());
                self.anneal_locally(price, num_trials, rng);
            },
            "price"_a, "num_trials"_a, "rng"_a, release_gil());
}

} // namespace

void bind_medians(nb::module_& module) {
    nb::module_ m = module.def_submodule("medians");
    bind_problem(m);
    bind_clusters(m);
    bind_openings(m);
    bind_annealing(m);
}

} // namespace ncc

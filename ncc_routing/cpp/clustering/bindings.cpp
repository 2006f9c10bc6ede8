#include "bindings.h"
#include "casters.h"
#include "clustering/assignment.h"
#include "clustering/centers.h"
#include "clustering/correlation.h"
#include "clustering/exchange.h"
#include "clustering/kmeans.h"
#include "clustering/partition.h"
#include "clustering/priority.h"
#include "clustering/requirements.h"
#include "clustering/scored.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

namespace ncc {

namespace {

using namespace clustering;

using Place = std::optional<std::span<const double>>;

Points make_points(MatrixView<const double> coords,
                   std::span<const double> weights) {
    require(coords.num_rows() == std::ssize(weights) && !weights.empty(),
            "points must have a weight each.");
    return {coords, weights};
}

// The coordinates of a depot, empty for none.
std::span<const double> depot_among(MatrixView<const double> coords,
                                    const Place& depot) {
    require(!depot || std::ssize(*depot) == coords.num_columns(),
            "a depot must have as many coordinates as a point.");
    return depot.value_or(std::span<const double>());
}

void require_centers(MatrixView<const double> coords,
                     MatrixView<const double> centers) {
    require(centers.num_columns() == coords.num_columns() &&
                centers.num_rows() > 0,
            "centers must have as many coordinates as points.");
}

// Labels may be -1, for points without a cluster.
void require_labels(std::span<const int64_t> labels, int64_t num_points,
                    int64_t num_clusters) {
    require(std::ssize(labels) == num_points &&
                std::ranges::all_of(
                    labels,
                    [&](int64_t k) { return -1 <= k && k < num_clusters; }),
            "labels must name a cluster for each point.");
}

void require_scores(MatrixView<const double> scores,
                    const Clusters& clusters) {
    require(scores.num_rows() == clusters.num_clusters() &&
                scores.num_columns() == clusters.num_points(),
            "scores must have a row a cluster and a column a point.");
}

void require_listed(MatrixView<const double> scores,
                    MatrixView<const int64_t> listed,
                    const Clusters& clusters) {
    require(scores.num_columns() == clusters.num_points() &&
                scores.num_rows() == listed.num_rows() &&
                scores.num_columns() == listed.num_columns() &&
                !scores.empty() &&
                all_below(std::span<const int64_t>(listed.values()),
                          clusters.loads().size()),
            "scores must be of listed clusters.");
}

void require_places(MatrixView<const double> coords,
                    MatrixView<const double> centers,
                    const Clusters& clusters) {
    require_centers(coords, centers);
    require(coords.num_rows() == clusters.num_points() &&
                centers.num_rows() == clusters.num_clusters(),
            "points and clusters must have a place each.");
}

void require_formula(const PriorityFormula& formula, int64_t num_points) {
    const auto& near = formula.neighbours;
    require(
        !formula.uses_affinity() ||
            (near.num_rows() == num_points &&
             formula.affinity.num_rows() == num_points &&
             formula.affinity.num_columns() == near.num_columns() &&
             all_below(near.values(), static_cast<std::size_t>(num_points))),
        "a priority must list points for each point.");
}

Workspace workspace_for(MatrixView<const double> coords,
                        MatrixView<const double> centers) {
    return {coords.num_rows(), centers.num_rows(), coords.num_columns()};
}

void bind_centers(nb::module_& m) {
    using namespace nb::literals;

    nb::enum_<Seeding>(m, "Seeding", "How first centers are chosen.")
        .value("RANDOM", Seeding::Random)
        .value("KMEANS", Seeding::KMeans)
        .value("CKM", Seeding::Ckm)
        .value("TOP_WEIGHTS", Seeding::TopWeights);

    m.def(
        "seed_centers",
        [](Seeding rule, MatrixView<const double> coords,
           std::span<const double> weights, MatrixView<double> centers,
           NumpyGenerator rng) {
            const Points points = make_points(coords, weights);
            require_centers(coords, centers);
            require(centers.num_rows() <= points.size(),
                    "there must be a point for each center.");
            Workspace work = workspace_for(coords, centers);
            seed_centers(rule, points, centers, work, rng);
        },
        "rule"_a, "coords"_a, "weights"_a, "centers"_a, "rng"_a, release_gil(),
        "Choose points as first centers.");

    m.def(
        "find_medoids",
        [](MatrixView<const double> coords, MatrixView<const double> centers,
           std::span<int64_t> medoids) {
            require_centers(coords, centers);
            require(std::ssize(medoids) == centers.num_rows(),
                    "medoids must be as many as centers.");
            find_medoids(coords, centers, medoids);
        },
        "coords"_a, "centers"_a, "medoids"_a, release_gil(),
        "Set the point nearest to each center.");

    m.def(
        "take_members",
        [](MatrixView<const double> coords, MatrixView<const double> centers,
           std::span<const int64_t> labels, std::span<int64_t> medoids) {
            require_centers(coords, centers);
            require_labels(labels, coords.num_rows(), centers.num_rows());
            require(std::ssize(medoids) == centers.num_rows(),
                    "medoids must be as many as centers.");
            take_members(coords, centers, labels, medoids);
        },
        "coords"_a, "centers"_a, "labels"_a, "medoids"_a, release_gil(),
        "Set the member nearest to each center.");

    m.def(
        "list_centers",
        [](MatrixView<const double> coords, MatrixView<const double> centers,
           MatrixView<int64_t> listed, MatrixView<double> lengths) {
            require_centers(coords, centers);
            require(listed.num_columns() == coords.num_rows() &&
                        lengths.num_columns() == coords.num_rows() &&
                        listed.num_rows() == lengths.num_rows() &&
                        0 < listed.num_rows() &&
                        listed.num_rows() <= centers.num_rows(),
                    "listed and lengths must have a column a point.");
            list_centers(coords, centers, listed, lengths);
        },
        "coords"_a, "centers"_a, "listed"_a, "lengths"_a, release_gil(),
        "List the nearest centers of each point, nearest first.");

    m.def(
        "update_centers",
        [](MatrixView<const double> coords, const Place& depot,
           std::span<const int64_t> labels, MatrixView<double> centers) {
            require_centers(coords, centers);
            require_labels(labels, coords.num_rows(), centers.num_rows());
            Workspace work = workspace_for(coords, centers);
            return update_centers(coords, depot_among(coords, depot), labels,
                                  centers, work);
        },
        "coords"_a, "depot"_a.none(), "labels"_a, "centers"_a, release_gil(),
        "Move centers to the means of their members; return how far.");

    m.def(
        "score",
        [](const PriorityFormula& formula, MatrixView<const double> coords,
           std::span<const double> weights, const Place& depot,
           MatrixView<const double> centers, MatrixView<double> scores) {
            const Points points = make_points(coords, weights);
            require_formula(formula, points.size());
            require_centers(coords, centers);
            require(scores.num_rows() == centers.num_rows() &&
                        scores.num_columns() == points.size(),
                    "scores must have a row a center and a column a point.");
            Workspace work = workspace_for(coords, centers);
            std::vector<int64_t> medoids(scores.num_rows(), 0);
            find_medoids(coords, centers, medoids);
            score(formula, {}, points, depot_among(coords, depot), centers,
                  medoids, work, scores);
        },
        "formula"_a, "coords"_a, "weights"_a, "depot"_a.none(), "centers"_a,
        "scores"_a, release_gil(),
        "Set the priority of each point for each center.");
}

void bind_clusters(nb::module_& m) {
    using namespace nb::literals;

    using Table = MatrixView<const double>;
    nb::class_<Rules>(m, "Rules", "What goes together, apart, or where.")
        .def(nb::init<>())
        .def_rw("leaders", &Rules::leaders)
        .def_rw("ring", &Rules::ring)
        .def_rw("homes", &Rules::homes)
        .def_rw("masses", &Rules::masses)
        .def_rw("quarrel", &Rules::quarrel)
        .def_rw("borders", &Rules::borders)
        .def_rw("is_contiguous", &Rules::is_contiguous)
        .def_rw("compactness", &Rules::compactness)
        .def_rw("consistency", &Rules::consistency)
        .def_rw("references", &Rules::references)
        .def_rw("centers", &Rules::centers)
        .def_rw("medoids", &Rules::medoids)
        .def_rw("num_fixed", &Rules::num_fixed)
        .def(
            "set_apart",
            [](Rules& self, std::vector<int64_t> begins,
               std::vector<int64_t> others) {
                self.apart = {std::move(begins), std::move(others)};
            },
            "begins"_a, "others"_a)
        .def(
            "set_graph",
            [](Rules& self, std::vector<int64_t> begins,
               std::vector<int64_t> others) {
                self.graph = {std::move(begins), std::move(others)};
            },
            "begins"_a, "others"_a);

    nb::class_<Limits>(m, "Limits", "What clusters may hold, by measures.")
        .def(
            "__init__",
            [](Limits* self, Table weights, Table lower, Table upper,
               std::span<const double> units, const Rules* rules) {
                require(!weights.values().empty() && !upper.empty(),
                        "there must be points, measures and clusters.");
                for (const Table& limits : {lower, upper})
                    require(limits.num_rows() == upper.num_rows() &&
                                limits.num_columns() == weights.num_columns(),
                            "each cluster must have its limits.");
                require(std::ssize(units) == weights.num_columns(),
                        "each measure must have a unit.");
                if (rules == nullptr)
                    rules = &no_rules;
                require_rules(*rules, weights.num_rows(), upper.num_rows());
                new (self) Limits{weights, lower, upper, units, rules};
            },
            "weights"_a, "lower"_a, "upper"_a, "units"_a,
            "rules"_a = nb::none(), nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
            nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>())
        .def_prop_ro("weights", viewing(&Limits::weights),
                     nb::rv_policy::automatic)
        .def_prop_ro("lower", viewing(&Limits::lower),
                     nb::rv_policy::automatic)
        .def_prop_ro("upper", viewing(&Limits::upper),
                     nb::rv_policy::automatic)
        .def_prop_ro("units", viewing(&Limits::units),
                     nb::rv_policy::automatic)
        .def_prop_ro("are_several", &Limits::are_several)
        .def(
            "are_kept",
            [](const Limits& self, std::span<const int64_t> labels) {
                require_labels(self, labels);
                Groups groups(self);
                groups.assign(labels);
                return groups.keeps_limits();
            },
            "labels"_a, "Whether the clusters keep all limits.");

    nb::class_<Clusters>(m, "Clusters", "Points in clusters under capacities.")
        .def(nb::init<std::span<const double>, std::span<const double>>(),
             "weights"_a, "capacities"_a, nb::keep_alive<1, 2>())
        .def_prop_ro("labels", copying(&Clusters::labels),
                     nb::rv_policy::automatic,
                     "The cluster of each point, -1 for none.")
        .def_prop_ro("loads", copying(&Clusters::loads),
                     nb::rv_policy::automatic)
        .def(
            "assign",
            [](Clusters& self, std::span<const int64_t> labels) {
                require_labels(labels, self.num_points(), self.num_clusters());
                self.assign(labels);
            },
            "labels"_a, "Put each point where its label says.")
        .def(
            "assign_by_regret",
            [](Clusters& self, MatrixView<const double> scores,
               double weight_power,
               std::optional<MatrixView<const int64_t>> listed) {
                if (listed)
                    require_listed(scores, *listed, self);
                else
                    require_scores(scores, self);
                Workspace work(self.num_points(), 0, 0);
                return assign_by_regret(
                    scores, self.view(), weight_power, work,
                    listed.value_or(MatrixView<const int64_t>()));
            },
            "scores"_a, "weight_power"_a = 0.0, "listed"_a = nb::none(),
            release_gil(),
            "Assign those first that lose most without their best cluster.")
        .def(
            "assign_cyclic",
            [](Clusters& self, MatrixView<const double> scores,
               int64_t num_left, NumpyGenerator rng) {
                require_scores(scores, self);
                return assign_cyclic(scores, self.view(), num_left, rng);
            },
            "scores"_a, "num_left"_a, "rng"_a, release_gil(),
            "Let the clusters take turns at their best point.")
        .def(
            "complete",
            [](Clusters& self, MatrixView<const double> scores,
               MatrixView<const double> coords,
               MatrixView<const double> centers, int64_t num_samples,
               NumpyGenerator rng) {
                require_scores(scores, self);
                require_places(coords, centers, self);
                return complete(scores, coords, self.view(), centers,
                                num_samples, rng);
            },
            "scores"_a, "coords"_a, "centers"_a, "num_samples"_a, "rng"_a,
            release_gil(),
            "Place the points that are left in the nearest cluster with room.")
        .def(
            "place_doubtful",
            [](Clusters& self, MatrixView<const double> scores,
               MatrixView<const int64_t> listed,
               MatrixView<const double> coords,
               MatrixView<const double> centers, int64_t num_left,
               int64_t num_samples, double noise, NumpyGenerator rng) {
                require_listed(scores, listed, self);
                require_places(coords, centers, self);
                return place_doubtful(scores, listed, coords, centers,
                                      self.view(),
                                      {num_left, num_samples, noise}, rng);
            },
            "scores"_a, "listed"_a, "coords"_a, "centers"_a, nb::kw_only(),
            "num_left"_a, "num_samples"_a, "noise"_a, "rng"_a, release_gil(),
            "Place the points of the least regrets again.")
        .def(
            "place_by_exchange",
            [](Clusters& self, MatrixView<const double> scores) {
                require_scores(scores, self);
                return place_by_exchange(scores, self.view());
            },
            "scores"_a, release_gil(),
            "Make room for points that fit nowhere.")
        .def(
            "swap_members",
            [](Clusters& self, MatrixView<const double> scores,
               int64_t max_passes) {
                require_scores(scores, self);
                swap_members(scores, self.view(), max_passes);
            },
            "scores"_a, "max_passes"_a, release_gil(),
            "Move and swap members while the sum of their scores rises.");
}

void bind_kmeans(nb::module_& m) {
    using namespace nb::literals;

    nb::enum_<AssignmentRule>(m, "AssignmentRule",
                              "How points are assigned to centers.")
        .value("SORTED", AssignmentRule::Sorted)
        .value("CYCLIC", AssignmentRule::Cyclic)
        .value("REGRET", AssignmentRule::Regret);

    nb::class_<KMeansRules>(m, "KMeansRules", "How capacitated k-means runs.")
        .def(
            "__init__",
            [](KMeansRules* self, Seeding seeding, AssignmentRule assignment,
               int64_t num_left, int64_t num_samples) {
                new (self)
                    KMeansRules{seeding, assignment, num_left, num_samples};
            },
            nb::kw_only(), "seeding"_a = Seeding::Ckm,
            "assignment"_a = AssignmentRule::Regret, "num_left"_a = 0,
            "num_samples"_a = 1);

    nb::class_<KMeans>(m, "KMeans", "Capacitated k-means on some points.")
        .def(
            "__init__",
            [](KMeans* self, MatrixView<const double> coords,
               std::span<const double> weights,
               std::span<const double> capacities, const Place& depot,
               const PriorityFormula& formula, const KMeansRules& rules) {
                const Points points = make_points(coords, weights);
                require(!capacities.empty() &&
                            std::ssize(capacities) <= points.size(),
                        "there must be a point for each cluster.");
                require_formula(formula, points.size());
                new (self) KMeans(points, capacities,
                                  depot_among(coords, depot), formula, rules);
            },
            "coords"_a, "weights"_a, "capacities"_a, "depot"_a.none(),
            "formula"_a, "rules"_a, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 6>())
        .def(
            "seed", [](KMeans& self, NumpyGenerator rng) { self.seed(rng); },
            "rng"_a, release_gil(), "Begin a start: choose first centers.")
        .def(
            "run_rounds",
            [](KMeans& self, int64_t num_rounds, NumpyGenerator rng) {
                return self.run_rounds(num_rounds, rng);
            },
            "num_rounds"_a, "rng"_a, release_gil(),
            "Assign and move centers; return whether none moved at last.")
        .def_prop_ro("best_inertia", &KMeans::best_inertia,
                     "Infinite while no round has placed every point.")
        .def_prop_ro("best_labels", copying(&KMeans::best_labels),
                     nb::rv_policy::automatic);
}

void bind_correlation(nb::module_& m) {
    using namespace nb::literals;

    nb::class_<Pairs>(m, "Pairs", "Which points belong together.")
        .def(
            "__init__",
            [](Pairs* self, std::span<const int64_t> starts,
               std::span<const int64_t> ends, std::span<const double> log_odds,
               double far_log_odds) {
                require(!starts.empty() && starts.front() == 0 &&
                            starts.back() == std::ssize(ends) &&
                            std::ranges::is_sorted(starts) &&
                            ends.size() == log_odds.size(),
                        "pairs must stand between the starts of points.");
                require(all_below(ends, starts.size() - 1),
                        "pairs must join points.");
                new (self) Pairs{starts, ends, log_odds, far_log_odds};
            },
            "starts"_a, "ends"_a, "log_odds"_a, "far_log_odds"_a,
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 4>())
        .def("__len__", [](const Pairs& self) { return self.ends.size(); })
        .def_prop_ro("starts", viewing(&Pairs::starts),
                     nb::rv_policy::automatic,
                     "Where the pairs of each point start, and the end.")
        .def_prop_ro("ends", viewing(&Pairs::ends), nb::rv_policy::automatic,
                     "The other point of each pair.")
        .def_prop_ro("log_odds", viewing(&Pairs::log_odds),
                     nb::rv_policy::automatic,
                     "Log-odds that the points of a pair share a cluster.")
        .def_ro("far_log_odds", &Pairs::far_log_odds,
                "Log-odds of pairs that are not listed.");

    nb::class_<CorrelationSearch>(m, "CorrelationSearch",
                                  "Annealing of clusters by pairs.")
        .def(
            "__init__",
            [](CorrelationSearch* self, const Pairs& pairs,
               std::span<const double> weights, std::span<const double> limits,
               std::span<const int64_t> labels) {
                const auto& starts = pairs.starts;
                require(starts.size() == labels.size() + 1 &&
                            weights.size() == labels.size() &&
                            std::ranges::adjacent_find(
                                starts, std::ranges::greater_equal{}) ==
                                starts.end(),
                        "every point must have a pair, a weight and a label.");
                require(all_below(labels, limits.size()),
                        "labels must be below the number of limits.");
                new (self) CorrelationSearch(pairs, weights, limits, labels);
            },
            "pairs"_a, "weights"_a, "limits"_a, "labels"_a,
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def(
            "anneal",
            [](CorrelationSearch& self, int64_t num_moves, double temperature,
               double cooling, double price, NumpyGenerator rng) {
                return self.anneal(num_moves, temperature, cooling, price,
                                   rng);
            },
            "num_moves"_a, nb::kw_only(), "temperature"_a, "cooling"_a,
            "price"_a, "rng"_a, release_gil(),
            "Try moves; return the change of the objective.")
        .def("agreement", &CorrelationSearch::agreement, release_gil(),
             "Sum the log-odds over all pairs that share a cluster.")
        .def("keeps_limits", &CorrelationSearch::keeps_limits)
        .def_prop_ro("labels", copying(&CorrelationSearch::labels),
                     nb::rv_policy::automatic);
}

} // namespace

void bind_clustering(nb::module_& module) {
    nb::module_ m = module.def_submodule("clustering");
    bind_centers(m);
    bind_clusters(m);
    bind_kmeans(m);
    bind_correlation(m);
}

} // namespace ncc

#include "bindings.h"
#include "casters.h"
#include "genetic/genetic_search.h"
#include "genetic/moves.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <new>

namespace ncc {

namespace {

using namespace nb::literals;
using namespace genetic;

bool is_consistent(const Problem& problem) {
    const std::size_t num_nodes = problem.demands.size();
    const auto size = static_cast<int64_t>(num_nodes);
    if (num_nodes < 2 || problem.matrix.num_rows() != size ||
        problem.matrix.num_columns() != size ||
        problem.coords.num_rows() != size ||
        problem.coords.num_columns() != 2 ||
        problem.bounds.size() != num_nodes + 1 || problem.bounds[0] != 0 ||
        problem.bounds.back() != std::ssize(problem.neighbours) ||
        !std::is_sorted(problem.bounds.begin(), problem.bounds.end()))
        return false;
    for (uint32_t node = 0; node < num_nodes; ++node)
        for (const uint32_t other : problem.neighbours_of(node))
            if (other == node || other == 0 || other >= num_nodes)
                return false;
    return true;
}

void require_tour(const Problem& problem, std::span<const uint32_t> tour) {
    require(tour.size() + 1 == problem.demands.size() &&
                search::are_customers(tour, problem.demands.size()),
            "all customers must be visited, each once.");
}

// Refuses routes that are not those of all customers.
void require_routes(const Problem& problem, uint32_t max_routes,
                    std::span<const uint32_t> nodes,
                    std::span<const int64_t> starts) {
    require(!starts.empty() && starts.size() <= max_routes + std::size_t{1} &&
                starts[0] == 0 && starts.back() == std::ssize(nodes) &&
                std::is_sorted(starts.begin(), starts.end()),
            "starts must bound routes, no more than there may be.");
    require_tour(problem, nodes);
}

Population::Kind kind_of(bool is_feasible) {
    return is_feasible ? Population::Feasible : Population::Infeasible;
}

void define_problem(nb::module_& m) {
    nb::class_<Problem>(m, "Problem")
        .def(
            "__init__",
            [](Problem* self, MatrixView<const double> matrix,
               std::span<const int64_t> demands, int64_t capacity,
               std::span<const uint32_t> neighbours,
               std::span<const int64_t> bounds,
               MatrixView<const double> coords) {
                const Problem problem{matrix,     demands, capacity,
                                      neighbours, bounds,  coords};
                require(is_consistent(problem),
                        "all arrays must fit the number of nodes, and "
                        "neighbours be other customers.");
                new (self) Problem(problem);
            },
            "matrix"_a, "demands"_a, "capacity"_a, "neighbours"_a, "bounds"_a,
            "coords"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(),
            nb::keep_alive<1, 7>())
        .def(
            "neighbours_of",
            [](const Problem& self, uint32_t customer) {
                require(customer < self.num_nodes(), "no such customer.");
                const auto near = self.neighbours_of(customer);
                return std::vector<uint32_t>(near.begin(), near.end());
            },
            "customer"_a);
}

void define_params(nb::module_& m) {
    constexpr Params usual;
    nb::class_<Params>(m, "Params")
        .def(
            "__init__",
            [](Params* self, int64_t min_size, int64_t generation_size,
               int64_t num_elite, int64_t num_close, int64_t num_founders,
               int64_t max_idle, double repair_share, double repair_factor,
               int64_t penalty_interval, double target_feasible,
               double tolerance, double penalty_increase,
               double penalty_decrease, double min_penalty,
               double max_penalty) {
                require(min_size > 0 && generation_size >= 0 &&
                            num_elite >= 0 && num_close > 0 &&
                            num_founders > 0 && max_idle > 0 &&
                            penalty_interval > 0,
                        "numbers of solutions must be positive.");
                new (self)
                    Params{min_size,         generation_size, num_elite,
                           num_close,        num_founders,    max_idle,
                           repair_share,     repair_factor,   penalty_interval,
                           target_feasible,  tolerance,       penalty_increase,
                           penalty_decrease, min_penalty,     max_penalty};
            },
            nb::kw_only(), "min_size"_a = usual.min_size,
            "generation_size"_a = usual.generation_size,
            "num_elite"_a = usual.num_elite, "num_close"_a = usual.num_close,
            "num_founders"_a = usual.num_founders,
            "max_idle"_a = usual.max_idle,
            "repair_share"_a = usual.repair_share,
            "repair_factor"_a = usual.repair_factor,
            "penalty_interval"_a = usual.penalty_interval,
            "target_feasible"_a = usual.target_feasible,
            "tolerance"_a = usual.tolerance,
            "penalty_increase"_a = usual.penalty_increase,
            "penalty_decrease"_a = usual.penalty_decrease,
            "min_penalty"_a = usual.min_penalty,
            "max_penalty"_a = usual.max_penalty)
        .def_ro("min_size", &Params::min_size)
        .def_ro("generation_size", &Params::generation_size)
        .def_ro("num_elite", &Params::num_elite)
        .def_ro("num_close", &Params::num_close);
}

void define_routes(nb::module_& m) {
    nb::class_<LinkedRoutes>(m, "LinkedRoutes")
        .def(
            "__init__",
            [](LinkedRoutes* self, const Problem& problem, uint32_t num_routes,
               std::span<const uint32_t> nodes,
               std::span<const int64_t> starts) {
                require_routes(problem, num_routes, nodes, starts);
                new (self) LinkedRoutes(problem, num_routes);
                self->load(nodes, starts);
            },
            "problem"_a, "num_routes"_a, "nodes"_a, "starts"_a,
            nb::keep_alive<1, 2>())
        .def("current_routes",
             [](const LinkedRoutes& self) {
                 return to_arrays(self.current_routes());
             })
        .def("to_tour",
             [](LinkedRoutes& self) {
                 std::vector<uint32_t> tour(self.problem->num_nodes() - 1);
                 self.write_tour(tour);
                 return tour;
             })
        .def("measure",
             [](const LinkedRoutes& self) {
                 const auto [length, excess] = self.measure();
                 return std::pair(length, excess);
             })
        .def("is_consistent", &LinkedRoutes::is_consistent);
}

void define_moves(nb::module_& m) {
    m.def(
        "make_best_move",
        [](LinkedRoutes& routes, uint32_t u, uint32_t v, double penalty) {
            const uint32_t num_nodes = routes.num_nodes;
            require(0 < u && u < num_nodes && 0 < v &&
                        v < num_nodes + routes.num_slots && u != v,
                    "u must be a customer, v another one or the depot of a "
                    "route.");
            const auto [kind, change] = make_best_move(routes, u, v, penalty);
            return std::pair(static_cast<int64_t>(kind), change);
        },
        "routes"_a, "u"_a, "v"_a, "penalty"_a);
    m.def(
        "swap_star",
        [](LinkedRoutes& routes, uint32_t a, uint32_t b, double penalty) {
            require(a < routes.num_slots && b < routes.num_slots && a != b,
                    "a and b must be two routes.");
            SwapStar swap_star(*routes.problem, routes.num_slots);
            return swap_star.improve(routes, a, b, penalty);
        },
        "routes"_a, "a"_a, "b"_a, "penalty"_a);
    m.def(
        "improve_locally",
        [](LinkedRoutes& routes, double penalty, uint64_t seed) {
            require(seed != 0, "seed must not be 0.");
            Xorshift rng(seed);
            LocalSearch local_search(*routes.problem, routes.num_slots);
            local_search.improve(routes, penalty, rng);
        },
        "routes"_a, "penalty"_a, "seed"_a, release_gil());
}

void define_tours(nb::module_& m) {
    m.def(
        "split",
        [](LinkedRoutes& routes, std::span<const uint32_t> tour,
           double penalty) {
            require_tour(*routes.problem, tour);
            Split(*routes.problem, routes.num_slots)
                .cut(tour, penalty, routes);
        },
        "routes"_a, "tour"_a, "penalty"_a, release_gil());
    m.def(
        "cross",
        [](std::span<const uint32_t> first, std::span<const uint32_t> second,
           uint64_t seed) {
            const std::size_t num_nodes = first.size() + 1;
            require(!first.empty() && second.size() == first.size() &&
                        all_below(first, num_nodes) &&
                        all_below(second, num_nodes),
                    "tours must visit the same customers.");
            require(seed != 0, "seed must not be 0.");
            Xorshift rng(seed);
            std::vector<uint32_t> child(first.size());
            OrderCrossover(static_cast<uint32_t>(num_nodes))
                .cross(first, second, rng, child);
            return child;
        },
        "first"_a, "second"_a, "seed"_a);
}

void define_population(nb::module_& m) {
    nb::class_<Individual>(m, "Individual")
        .def_ro("length", &Individual::length)
        .def_ro("excess", &Individual::excess)
        .def_ro("fitness", &Individual::fitness);

    nb::class_<Population>(m, "Population")
        .def(nb::init<const Problem&, const Params&, double>(), "problem"_a,
             "params"_a, "penalty"_a)
        .def(
            "add",
            [](Population& self, LinkedRoutes& routes) {
                require(routes.problem->num_nodes() ==
                            self.num_customers() + 1,
                        "routes must be those of the problem.");
                return self.add(routes);
            },
            "routes"_a, release_gil())
        .def("update_fitness",
             nb::overload_cast<>(&Population::update_fitness))
        .def(
            "select_parent",
            [](const Population& self, uint64_t seed) {
                require(self.size(Population::Feasible) +
                                self.size(Population::Infeasible) >
                            0,
                        "the population must have members.");
                require(seed != 0, "seed must not be 0.");
                Xorshift rng(seed);
                return self.select_parent(rng);
            },
            "seed"_a)
        .def("adapt_penalty", &Population::adapt_penalty, "is_feasible"_a)
        .def_prop_ro("penalty", &Population::penalty)
        .def_prop_ro("best_length", &Population::best_length)
        .def("best_routes", &Population::best_routes)
        .def(
            "members",
            [](const Population& self, bool is_feasible) {
                const auto kind = kind_of(is_feasible);
                std::vector<Individual> members;
                members.reserve(self.size(kind));
                for (std::size_t k = 0; k < self.size(kind); ++k)
                    members.push_back(self.member(kind, k));
                return members;
            },
            "is_feasible"_a)
        .def(
            "distance",
            [](const Population& self, bool is_feasible, std::size_t place,
               std::size_t other) {
                const auto kind = kind_of(is_feasible);
                require(place < self.size(kind) && other < self.size(kind),
                        "there is no such member.");
                return self.distance(kind, place, other);
            },
            "is_feasible"_a, "place"_a, "other"_a);
}

void define_search(nb::module_& m) {
    nb::class_<GeneticSearch>(m, "GeneticSearch")
        .def(
            "__init__",
            [](GeneticSearch* self, const Problem& problem,
               uint32_t max_routes, double penalty, uint64_t seed,
               const Params& params) {
                require(max_routes > 0, "max_routes must be positive.");
                require(seed != 0, "seed must not be 0.");
                new (self)
                    GeneticSearch(problem, max_routes, penalty, seed, params);
            },
            "problem"_a, "max_routes"_a, "penalty"_a, "seed"_a,
            "params"_a = Params(), nb::keep_alive<1, 2>())
        .def(
            "add",
            [](GeneticSearch& self, std::span<const uint32_t> nodes,
               std::span<const int64_t> starts) {
                require_routes(self.problem(), self.max_routes(), nodes,
                               starts);
                self.add(nodes, starts);
            },
            "nodes"_a, "starts"_a, release_gil())
        .def("evolve", &GeneticSearch::evolve, "num_offspring"_a,
             release_gil())
        .def_prop_ro("num_offspring", &GeneticSearch::num_offspring)
        .def_prop_ro("population", &GeneticSearch::population,
                     nb::rv_policy::reference_internal);
}

} // namespace

// Python drives GeneticSearch, batch by batch. Its parts are bound for the
// tests, which hold each of them against brute force.
void bind_genetic(nb::module_& module) {
    nb::module_ m = module.def_submodule("genetic");
    define_problem(m);
    define_params(m);
    define_routes(m);
    define_moves(m);
    define_tours(m);
    define_population(m);
    define_search(m);
}

} // namespace ncc

#include "bindings.h"
#include "casters.h"
#include "fleets/ejections.h"
#include "fleets/insertion.h"
#include "fleets/iterated.h"
#include "fleets/neighbours.h"
#include "fleets/paths.h"
#include "fleets/placing.h"
#include "fleets/problem.h"
#include "fleets/search.h"
#include "search/check_routes.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ncc {

namespace {

using namespace nb::literals;
using namespace fleets;
using search::SearchParams;

template <class T>
using ArcArray = nb::ndarray<const T, nb::numpy, nb::ndim<3>, nb::c_contig,
                             nb::device::cpu>;
using Arcs =
    std::variant<ArcArray<float>, ArcArray<double>, const PlaceLengths*>;

ArcLengths view_arcs(const Arcs& arcs) {
    if (const auto* places = std::get_if<const PlaceLengths*>(&arcs))
        return ArcLengths(**places);
    const auto view = [](const auto& array) -> ArcLengths {
        require(array.shape(1) == array.shape(2),
                "arcs must be a square matrix for each profile.");
        return {array.data(), static_cast<int64_t>(array.shape(0)),
                static_cast<int64_t>(array.shape(1))};
    };
    if (const auto* floats = std::get_if<ArcArray<float>>(&arcs))
        return view(*floats);
    return view(std::get<ArcArray<double>>(arcs));
}

bool are_alike(const ArcLengths& one, const ArcLengths& other) {
    return one.has_floats() == other.has_floats() &&
           one.has_places() == other.has_places() &&
           one.num_profiles() == other.num_profiles() &&
           one.num_places() == other.num_places();
}

// Whether vehicles have places and a profile, and the routes of one type
// follow those of the other.
bool are_vehicles(const FleetProblem& p) {
    int64_t end = 0;
    for (const VehicleType& vehicle : p.vehicles) {
        if (vehicle.start >= p.distances.num_places() ||
            vehicle.end >= p.distances.num_places() ||
            vehicle.profile >= p.distances.num_profiles() ||
            vehicle.first_route != end || vehicle.end_route < end)
            return false;
        end = vehicle.end_route;
    }
    return !p.vehicles.empty() &&
           end < std::numeric_limits<uint32_t>::max() - p.num_nodes();
}

void check_problem(const FleetProblem& p) {
    require(p.num_nodes() >= 2, "there must be a customer.");
    require(are_alike(p.distances, p.distances_back) &&
                are_alike(p.distances, p.durations) &&
                are_alike(p.distances, p.durations_back) &&
                are_alike(p.distances, p.lengths) &&
                p.distances.num_places() >= p.num_nodes(),
            "distances and durations must be of one shape and type, and hold "
            "all nodes.");
    require(std::ssize(p.round_trip) == p.num_nodes() &&
                p.neighbours.num_rows() == p.num_nodes() &&
                p.near.num_rows() == p.num_nodes(),
            "round_trip, neighbours and near must have a row for each "
            "node.");
    require(p.neighbours.num_columns() > 0 &&
                p.near.num_columns() == p.neighbours.num_columns() &&
                all_below(std::span<const uint32_t>(p.neighbours.values()),
                          p.demands.size()),
            "neighbours must be nodes, and as many as near.");
    require(all_features(p,
                         [&](const auto& feature) {
                             return feature.fits(p.num_nodes(), p.num_types());
                         }),
            "features must be of each node, and of each type.");
    require(p.in_progress.empty() ||
                std::ssize(p.in_progress) == p.num_types(),
            "in-progress routes must be of each type.");
    require(all_below(std::span<const uint32_t>(p.settled), p.demands.size()),
            "settled customers must be nodes.");
    for (const auto& served : p.in_progress)
        require(all_below(std::span<const uint32_t>(served), p.demands.size()),
                "in-progress routes must serve nodes.");
    require(are_vehicles(p), "vehicles must have places, a profile, and "
                             "routes that follow one another.");
}

// Whether each customer is on one route at most.
bool are_routes(const FleetProblem& p, std::span<const uint32_t> customers,
                std::span<const int64_t> starts) {
    return std::ssize(starts) == p.num_routes() + 1 && starts.front() == 0 &&
           starts.back() == std::ssize(customers) &&
           std::is_sorted(starts.begin(), starts.end()) &&
           search::are_customers(customers, p.demands.size());
}

std::vector<Visit> visits_of(std::span<const double> early,
                             std::span<const double> late,
                             std::span<const double> limit,
                             std::span<const double> service,
                             std::span<const double> release) {
    const std::size_t size = early.size();
    require(late.size() == size && limit.size() == size &&
                service.size() == size && release.size() == size,
            "there must be as many times of each kind.");
    std::vector<Visit> visits(size);
    for (std::size_t node = 0; node < size; ++node)
        visits[node] = {early[node], late[node], limit[node], service[node],
                        release[node]};
    return visits;
}

// Binds a property that copies something of each element of a member.
template <class Elements, class Get>
void def_copy(nb::class_<FleetSearch>& state, const char* name,
              Elements elements, Get get) {
    state.def_prop_ro(
        name,
        [elements, get](const FleetSearch& s) {
            using T =
                std::decay_t<decltype(std::invoke(get, (s.*elements)[0]))>;
            std::vector<T> values;
            values.reserve((s.*elements).size());
            for (const auto& element : s.*elements)
                values.push_back(std::invoke(get, element));
            return to_array(std::move(values));
        },
        nb::rv_policy::move);
}

void bind_places(nb::module_& m) {
    nb::class_<PlaceLengths>(m, "PlaceLengths")
        .def(
            "__init__",
            [](PlaceLengths* self, MatrixView<const double> points,
               int64_t kind, double scale, double shift) {
                require(points.num_columns() == 3,
                        "points must have x, y, z.");
                new (self) PlaceLengths(points, {kind, scale, shift});
            },
            "points"_a, "kind"_a, "scale"_a, "shift"_a)
        .def("at_speed", &PlaceLengths::at_speed, "speed"_a)
        .def("priced", &PlaceLengths::priced, "speed"_a, "of_length"_a,
             "of_time"_a);
    m.def(
        "find_neighbours",
        [](const PlaceLengths& distances, const PlaceLengths& durations,
           MatrixView<const double> places, double unit,
           std::span<const double> early, std::span<const double> late,
           std::span<const double> limit, std::span<const double> service,
           std::span<const double> release, MatrixView<const double> rates,
           std::pair<double, double> weights, int64_t degree, int64_t most,
           int64_t num_nodes) {
            const auto size = std::ssize(early);
            require(places.num_rows() == size && places.num_columns() == 2 &&
                        2 <= size && size <= num_nodes &&
                        size <= distances.num_places() &&
                        size <= durations.num_places(),
                    "there must be a place and times for each customer.");
            require(rates.num_rows() > 0 && rates.num_columns() == 2 &&
                        0 < degree && degree < size && degree <= most,
                    "there must be rates, and as many neighbours.");
            std::vector<Rates> costs;
            for (int64_t row = 0; row < rates.num_rows(); ++row)
                costs.push_back({rates(row, 0), rates(row, 1)});
            const auto visits =
                visits_of(early, late, limit, service, release);
            Neighbours found = [&] {
                const nb::gil_scoped_release release_lock;
                return find_neighbours(
                    distances, durations, places, unit, visits, costs,
                    {weights.first, weights.second}, degree, most, num_nodes);
            }();
            return std::make_tuple(to_array(std::move(found.nodes)),
                                   to_array(std::move(found.near)));
        },
        nb::kw_only(), "distances"_a, "durations"_a, "places"_a, "unit"_a,
        "early"_a, "late"_a, "limit"_a, "service"_a, "release"_a, "rates"_a,
        "weights"_a, "degree"_a, "most"_a, "num_nodes"_a);
}

void bind_vehicle_type(nb::module_& m) {
    nb::class_<VehicleType>(m, "VehicleType")
        .def(
            "__init__",
            [](VehicleType* self, int64_t capacity, double fixed_cost,
               double distance_cost, double duration_cost,
               std::vector<PriceStep> time_steps, double max_distance,
               double max_duration, double start_duration, double start_early,
               double start_late, double end_duration, double end_early,
               double end_late, uint32_t start, uint32_t end, uint32_t profile,
               int64_t first_route, int64_t end_route) {
                new (self) VehicleType{capacity,
                                       fixed_cost,
                                       distance_cost,
                                       duration_cost,
                                       std::move(time_steps),
                                       max_distance,
                                       max_duration,
                                       start_duration,
                                       start_early,
                                       start_late,
                                       end_duration,
                                       end_early,
                                       end_late,
                                       start,
                                       end,
                                       profile,
                                       first_route,
                                       end_route};
            },
            nb::kw_only(), "capacity"_a, "fixed_cost"_a, "distance_cost"_a,
            "duration_cost"_a, "time_steps"_a = std::vector<PriceStep>{},
            "max_distance"_a, "max_duration"_a, "start_duration"_a,
            "start_early"_a, "start_late"_a, "end_duration"_a, "end_early"_a,
            "end_late"_a, "start"_a, "end"_a, "profile"_a, "first_route"_a,
            "end_route"_a)
        .def_ro("capacity", &VehicleType::capacity)
        .def_rw("fixed_cost", &VehicleType::fixed_cost)
        .def_rw("distance_cost", &VehicleType::distance_cost)
        .def_ro("duration_cost", &VehicleType::duration_cost)
        .def_rw("max_distance", &VehicleType::max_distance)
        .def_rw("max_duration", &VehicleType::max_duration)
        .def_rw("time_steps", &VehicleType::time_steps)
        .def_rw("has_begun", &VehicleType::has_begun)
        .def_rw("start_duration", &VehicleType::start_duration)
        .def_rw("start_early", &VehicleType::start_early)
        .def_rw("start_late", &VehicleType::start_late)
        .def_rw("end_late", &VehicleType::end_late)
        .def_ro("start", &VehicleType::start)
        .def_ro("end", &VehicleType::end)
        .def_ro("profile", &VehicleType::profile)
        .def_ro("first_route", &VehicleType::first_route)
        .def_ro("end_route", &VehicleType::end_route);
}

// Binds what a feature tells a problem.
template <class T, class... Arguments, std::size_t... idx>
void bind_feature(nb::module_& m, T (*make)(Arguments...),
                  std::index_sequence<idx...>) {
    nb::class_<T>(m, T::name)
        .def(
            "__init__",
            [make](T* self, Arguments... arguments) {
                new (self) T(make(std::forward<Arguments>(arguments)...));
            },
            nb::kw_only(), nb::arg(T::arguments[idx])...);
}

void bind_features(nb::module_& m) {
    nb::class_<Break>(m, "Break")
        .def(
            "__init__",
            [](Break* self, double duration, std::span<const double> early,
               std::span<const double> limit, std::vector<int64_t> most_load) {
                require(early.size() == limit.size(),
                        "windows must have two ends.");
                new (self) Break{duration, {}, std::move(most_load)};
                for (std::size_t idx = 0; idx < early.size(); ++idx)
                    self->windows.push_back({early[idx], limit[idx]});
            },
            nb::kw_only(), "duration"_a, "early"_a, "limit"_a, "most_load"_a);
    nb::class_<Hours>(m, "Hours")
        .def(
            "__init__",
            [](Hours* self, double driving_block, double rest,
               double first_part, double second_part, bool service_counts,
               double work_block, double least_rest,
               std::vector<double> work_of_rests,
               std::vector<double> rests_in_all) {
                require(work_of_rests.size() == rests_in_all.size(),
                        "rests in all must be of a work each.");
                new (self) Hours{.driving_block = driving_block,
                                 .rest = rest,
                                 .first_part = first_part,
                                 .second_part = second_part,
                                 .service_counts = service_counts,
                                 .work_block = work_block,
                                 .least_rest = least_rest,
                                 .work_of_rests = std::move(work_of_rests),
                                 .rests_in_all = std::move(rests_in_all),
                                 .lengths = {}};
                self->complete();
            },
            nb::kw_only(), "driving_block"_a, "rest"_a, "first_part"_a,
            "second_part"_a, "service_counts"_a, "work_block"_a,
            "least_rest"_a, "work_of_rests"_a, "rests_in_all"_a)
        .def("__init__", [](Hours* self) { new (self) Hours; });
    nb::class_<HoursSoFar>(m, "HoursSoFar")
        .def(
            "__init__",
            [](HoursSoFar* self, double driven, double worked, double work,
               double rested, bool has_first) {
                new (self) HoursSoFar{driven, worked, work, rested, has_first};
            },
            nb::kw_only(), "driven"_a, "worked"_a, "work"_a, "rested"_a,
            "has_first"_a);
    ProblemFeatures features;
    std::apply(
        [&]<class... T>(T&...) {
            (bind_feature(m, &T::make,
                          std::make_index_sequence<T::arguments.size()>()),
             ...);
        },
        ProblemFeatures::all(features));
}

// Takes the features that there are, each by its type.
void set_features(FleetProblem& problem, const nb::list& features) {
    for (const nb::handle given : features) {
        bool is_known = false;
        const auto take = [&]<class T>(T& feature) {
            if (!nb::isinstance<T>(given))
                return;
            feature = nb::cast<const T&>(given);
            is_known = true;
        };
        std::apply([&](auto&... each) { (take(each), ...); },
                   ProblemFeatures::all(problem));
        require(is_known, "features must be those of this module.");
    }
}

void bind_problem(nb::module_& m) {
    nb::class_<FleetProblem>(m, "FleetProblem")
        .def(
            "__init__",
            [](FleetProblem* self, const Arcs& distances,
               const Arcs& distances_back, const Arcs& durations,
               const Arcs& durations_back, const Arcs& lengths,
               std::span<const int64_t> demands,
               std::span<const double> round_trip,
               MatrixView<const uint32_t> neighbours,
               MatrixView<const double> near, int64_t num_candidates,
               std::span<const double> early, std::span<const double> late,
               std::span<const double> limit, std::span<const double> service,
               std::span<const double> release,
               const std::vector<VehicleType>& vehicles,
               const nb::typed<nb::list, nb::object>& features,
               std::vector<std::vector<uint32_t>> in_progress,
               std::vector<uint32_t> settled, bool is_metric,
               bool has_short_cuts, bool has_forbidden_arcs, bool is_symmetric,
               bool is_timed, bool counts_duration, bool limits_distance,
               bool has_exact_lengths) {
                require(early.size() == demands.size(),
                        "times must be as many as demands.");
                FleetProblem problem;
                problem.distances = view_arcs(distances);
                problem.distances_back = view_arcs(distances_back);
                problem.durations = view_arcs(durations);
                problem.durations_back = view_arcs(durations_back);
                problem.lengths = view_arcs(lengths);
                problem.demands = demands;
                problem.round_trip = round_trip;
                problem.neighbours = neighbours;
                problem.near = near;
                problem.num_candidates = num_candidates;
                problem.visits =
                    visits_of(early, late, limit, service, release);
                problem.vehicles = vehicles;
                set_features(problem, features);
                problem.in_progress = std::move(in_progress);
                problem.settled = std::move(settled);
                problem.is_metric = is_metric;
                problem.has_short_cuts = has_short_cuts;
                problem.has_forbidden_arcs = has_forbidden_arcs;
                problem.is_symmetric = is_symmetric;
                problem.is_timed = is_timed;
                problem.counts_duration = counts_duration;
                problem.limits_distance = limits_distance;
                problem.has_exact_lengths = has_exact_lengths;
                check_problem(problem);
                problem.complete();
                new (self) FleetProblem(std::move(problem));
            },
            nb::kw_only(), "distances"_a.noconvert(),
            "distances_back"_a.noconvert(), "durations"_a.noconvert(),
            "durations_back"_a.noconvert(), "lengths"_a.noconvert(),
            "demands"_a, "round_trip"_a, "neighbours"_a, "near"_a,
            "num_candidates"_a, "early"_a, "late"_a, "limit"_a, "service"_a,
            "release"_a, "vehicles"_a, "features"_a,
            "in_progress"_a = std::vector<std::vector<uint32_t>>(),
            "settled"_a = std::vector<uint32_t>(), "is_metric"_a,
            "has_short_cuts"_a = false, "has_forbidden_arcs"_a = false,
            "is_symmetric"_a, "is_timed"_a, "counts_duration"_a,
            "limits_distance"_a, "has_exact_lengths"_a, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
            nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(),
            nb::keep_alive<1, 7>(), nb::keep_alive<1, 8>(),
            nb::keep_alive<1, 9>(), nb::keep_alive<1, 10>())
        .def_prop_ro(
            "has_optional",
            [](const FleetProblem& p) { return p.options.has_optional; })
        .def_prop_ro("num_nodes", &FleetProblem::num_nodes)
        .def_prop_ro("num_routes", &FleetProblem::num_routes)
        .def_prop_ro(
            "type_of",
            [](const FleetProblem& p) {
                return nb::ndarray<const uint32_t, nb::numpy, nb::ndim<1>,
                                   nb::c_contig>(p.type_of.data(),
                                                 {p.type_of.size()});
            },
            nb::rv_policy::reference_internal)
        .def_prop_ro(
            "single_costs",
            [](const FleetProblem& p) {
                return nb::ndarray<const double, nb::numpy, nb::ndim<2>,
                                   nb::c_contig>(
                    p.single_costs.data(),
                    {p.vehicles.size(), p.demands.size()});
            },
            nb::rv_policy::reference_internal)
        .def(
            "path_cost",
            [](const FleetProblem& p, std::span<const uint32_t> customers,
               int64_t type) {
                require(all_below(customers, p.demands.size()) && type >= 0 &&
                            type < p.num_types(),
                        "there must be such customers, and such a type.");
                return path_cost(p, customers, type);
            },
            "customers"_a, "type"_a, release_gil());
}

// Goes on by other parameters.
void set_params(FleetSearch& s, const SearchParams& params) {
    require(params.most_removed() <= std::ssize(s.removed),
            "a ruin must not remove more than max_removed customers.");
    s.params = params;
}

void check_start(const FleetProblem& problem,
                 std::span<const uint32_t> customers,
                 std::span<const int64_t> starts,
                 std::span<const uint32_t> members,
                 std::span<const uint8_t> closed, int64_t max_removed,
                 uint64_t seed) {
    require(are_routes(problem, customers, starts),
            "each customer must be on one route at most.");
    require(search::are_customers(members, problem.demands.size()),
            "members must be customers, each once.");
    require(closed.empty() || std::ssize(closed) == problem.num_routes(),
            "closed must be said of each route.");
    require(max_removed >= 0 && seed != 0,
            "max_removed and seed must be positive.");
}

void bind_fleet_search(nb::module_& m) {
    nb::class_<FleetSearch> state(m, "FleetSearch");
    state
        .def(
            "__init__",
            [](FleetSearch* self, const FleetProblem& problem,
               std::span<const uint32_t> customers,
               std::span<const int64_t> starts,
               std::span<const uint32_t> members,
               std::span<const uint8_t> closed, int64_t max_removed,
               uint64_t seed, const search::CenterTable* centers,
               const search::SameRouteTable* pairs,
               const shapes::HullTable* hulls) {
                const search::PenaltyTables tables{centers, pairs};
                check_start(problem, customers, starts, members, closed,
                            max_removed, seed);
                check_tables(tables, problem.num_nodes());
                require(hulls == nullptr ||
                            hulls->num_nodes() == problem.num_stops(),
                        "hulls must have a place for each customer.");
                new (self) FleetSearch(
                    problem, customers, starts, members, closed, max_removed,
                    seed, search::Penalties(tables, problem.num_routes()),
                    hulls == nullptr
                        ? shapes::HullOverlap()
                        : shapes::HullOverlap(*hulls, problem.num_routes()));
            },
            "problem"_a, "customers"_a, "starts"_a, "members"_a, "closed"_a,
            "max_removed"_a, "seed"_a, "centers"_a = nb::none(),
            "pairs"_a = nb::none(), "hulls"_a = nb::none(),
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 9>(),
            nb::keep_alive<1, 10>(), release_gil())
        .def(
            "anneal",
            [](FleetSearch& s, const SearchParams& params,
               int64_t num_iterations, double temperature, double cooling,
               double prize_rise, double end_temperature) {
                set_params(s, params);
                require(s.num_absent == 0 && !s.members.empty(),
                        "all customers must have a place.");
                return anneal_with_prizes(s, num_iterations, temperature,
                                          cooling,
                                          {prize_rise, end_temperature});
            },
            "params"_a, "num_iterations"_a, "temperature"_a, "cooling"_a,
            "prize_rise"_a = 0.0, "end_temperature"_a = 0.0, release_gil())
        .def(
            "place_absent",
            [](FleetSearch& s, const SearchParams& params,
               int64_t num_iterations, int64_t fewest, double temperature) {
                set_params(s, params);
                return place_absent(s, num_iterations, fewest, temperature);
            },
            "params"_a, "num_iterations"_a, "fewest"_a, "temperature"_a,
            release_gil())
        .def(
            "insert_all",
            [](FleetSearch& s, const SearchParams& params, bool along_curve,
               std::optional<int64_t> opened_type) {
                require(!opened_type || (*opened_type >= 0 &&
                                         *opened_type < s.num_types()),
                        "there must be such a type.");
                s.params = params;
                return insert_all(s, along_curve, opened_type);
            },
            "params"_a, "along_curve"_a = false, "opened_type"_a = nb::none(),
            release_gil())
        .def("close_empty", &FleetSearch::close_empty)
        .def(
            "insertion_cost",
            [](const FleetSearch& s, uint32_t customer, uint32_t before) {
                require(customer < s.num_nodes && before < s.nodes.size() &&
                            s.route_of[before] < s.num_slots &&
                            s.routes[s.route_of[before]].size > 0,
                        "there must be such a customer, and a route with such "
                        "a node.");
                return with_costs_of(s.problem, [&]<class Costs> {
                    const Costs costs(s, customer);
                    const Gap gap =
                        costs.gap_behind(s.route_of[before], before);
                    return costs.bound_in(gap) < infinity
                               ? costs.cost_in(gap, infinity)
                               : infinity;
                });
            },
            "customer"_a, "before"_a, release_gil())
        .def_ro("cost", &FleetSearch::cost)
        .def_ro("penalty_cost", &FleetSearch::penalty_cost)
        .def_ro("best_cost", &FleetSearch::best_cost)
        .def_ro("num_absent", &FleetSearch::num_absent)
        .def_ro("num_iterations", &FleetSearch::num_iterations)
        .def_prop_ro("num_routes", [](const FleetSearch& s) {
            return s.num_slots - s.num_free;
        });
    def_copy(state, "next", &FleetSearch::nodes, &Node::next);
    def_copy(state, "to_next", &FleetSearch::nodes, &Node::to_next);
    def_copy(state, "ready", &FleetSearch::nodes, &Node::ready);
    def_copy(state, "latest", &FleetSearch::nodes, &Node::latest);
    def_copy(state, "route_costs", &FleetSearch::routes, &Route::cost);
    def_copy(state, "route_of", &FleetSearch::route_of, std::identity());
    def_copy(state, "best_next", &FleetSearch::best_next, std::identity());
}

void bind_iterated_search(nb::module_& m) {
    nb::class_<IteratedSearch>(m, "IteratedSearch")
        .def(
            "__init__",
            [](IteratedSearch* self, FleetSearch& s,
               const SearchParams& search_params,
               const iterated::Params& params) {
                set_params(s, search_params);
                require(IteratedSearch::takes(s),
                        "all customers must have a place, and nothing but "
                        "routes may cost.");
                new (self) IteratedSearch(s, params);
            },
            "search"_a, "search_params"_a, "params"_a, nb::keep_alive<1, 2>(),
            release_gil())
        .def("iterate", &IteratedSearch::iterate, "num_iterations"_a,
             "begin"_a, "end"_a, release_gil());
}

} // namespace

void bind_fleets(nb::module_& module) {
    nb::module_ m = module.def_submodule("fleets");
    bind_places(m);
    bind_vehicle_type(m);
    bind_features(m);
    bind_problem(m);
    bind_fleet_search(m);
    bind_iterated_search(m);
}

} // namespace ncc

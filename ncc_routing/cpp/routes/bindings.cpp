#include "bindings.h"
#include "casters.h"
#include "routes/schedule.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ncc {

namespace {

using namespace nb::literals;
using namespace routes;

// Hours of service and breaks, where times are whole and where they are not.
using Day = std::pair<Hours, std::vector<Break>>;
// The number of a break, the stops before it, its begin, duration and
// distance.
using Had = std::tuple<int64_t, int64_t, double, double, double>;

using Windows = std::vector<std::pair<double, double>>;

// Returns a constructor that makes it of the same arguments.
template <class T, class... Arguments>
auto made_by(T (*make)(Arguments...)) {
    return [make](T* self, Arguments... arguments) {
        new (self) T(make(std::forward<Arguments>(arguments)...));
    };
}

RouteProblem make_problem(
    std::span<const double> early, std::span<const double> late,
    std::span<const double> release, MatrixView<const double> services,
    MatrixView<const double> setups, std::span<const int64_t> places,
    MatrixView<const int64_t> deliveries,
    MatrixView<const int64_t> load_changes, std::span<const int64_t> handled,
    const std::vector<int64_t>& depots,
    const std::vector<std::pair<int64_t, Windows>>& several,
    MatrixView<const double> preferred, std::vector<Vehicle> vehicles,
    std::vector<Past> in_progress, std::pair<double, double> tolerance) {
    const auto size = std::ssize(early);
    const auto num_types = std::ssize(vehicles);
    const auto are_of_nodes = [&](const MatrixView<const double>& work) {
        return work.num_columns() == size &&
               (work.num_rows() == 1 || work.num_rows() == num_types);
    };
    require(std::ssize(late) == size && std::ssize(release) == size &&
                std::ssize(places) == size && are_of_nodes(services) &&
                are_of_nodes(setups) && deliveries.num_rows() == size &&
                load_changes.num_rows() == size &&
                std::ssize(handled) == size &&
                load_changes.num_columns() == deliveries.num_columns(),
            "nodes must have times, places and loads.");
    require(preferred.empty() ||
                (preferred.num_rows() == size && preferred.num_columns() == 4),
            "preferred windows must be of each node.");
    require(all_below(std::span(depots), early.size()),
            "depots must be nodes.");
    RouteProblem made{.early = early,
                      .late = late,
                      .release = release,
                      .services = services,
                      .setups = setups,
                      .places = places,
                      .deliveries = deliveries,
                      .load_changes = load_changes,
                      .handled = handled,
                      .is_depot = std::vector<uint8_t>(size, 0),
                      .several = std::vector<std::vector<Window>>(size),
                      .preferred = {},
                      .vehicles = std::move(vehicles),
                      .in_progress = std::move(in_progress),
                      .tolerance = {tolerance.first, tolerance.second}};
    for (const int64_t depot : depots)
        made.is_depot[depot] = 1;
    for (const auto& [node, windows] : several) {
        require(0 <= node && node < size && !windows.empty(),
                "windows must be of nodes.");
        for (const auto& [opens, closes] : windows)
            made.several[node].push_back({opens, closes});
    }
    for (int64_t node = 0; node < preferred.num_rows(); ++node)
        made.preferred.push_back({preferred(node, 0), preferred(node, 1),
                                  preferred(node, 2), preferred(node, 3)});
    return made;
}

// Routes of a problem, one after the other, and what their arcs take.
struct Routes {
    std::span<const int64_t> starts; // (routes + 1,): of their visits
    std::span<const int64_t> visits;
    std::span<const double> legs; // to the next visit
    std::span<const double> travel;
    std::span<const int64_t> types;
    std::span<const int64_t> begun; // numbers of routes in progress, or -1

    void check(const RouteProblem& problem) const {
        const auto size = visits.size();
        require(starts.size() == types.size() + 1 &&
                    begun.size() == types.size() && starts.front() == 0 &&
                    std::cmp_equal(starts.back(), size) &&
                    legs.size() + 1 == size && travel.size() + 1 == size,
                "routes must have visits, and arcs between them.");
        require(all_below(visits, problem.early.size()) &&
                    all_below(types, problem.vehicles.size()),
                "routes must have nodes and vehicle types of the problem.");
        for (std::size_t idx = 0; idx < types.size(); ++idx) {
            const int64_t number = begun[idx];
            require(starts[idx] + 2 <= starts[idx + 1],
                    "routes must have two ends.");
            require(number < std::ssize(problem.in_progress),
                    "routes must go on with one in progress.");
            require(number < 0 ||
                        std::ssize(problem.in_progress[number].departures) <
                            starts[idx + 1] - starts[idx],
                    "routes must have the stops of those in progress.");
        }
    }

    [[nodiscard]] Route of(const RouteProblem& problem,
                           std::size_t idx) const {
        const auto first = static_cast<std::size_t>(starts[idx]);
        const auto size = static_cast<std::size_t>(starts[idx + 1]) - first;
        return {.type = types[idx],
                .visits = visits.subspan(first, size),
                .legs = legs.subspan(first, size - 1),
                .travel = travel.subspan(first, size - 1),
                .begun = begun[idx] < 0 ? nullptr
                                        : &problem.in_progress[begun[idx]]};
    }
};

} // namespace

void bind_routes(nb::module_& module) {
    nb::module_ m = module.def_submodule("routes");

    nb::class_<Vehicle>(m, "Vehicle")
        .def(
            "__init__",
            [](Vehicle* self, double fixed_cost, double distance_cost,
               double duration_cost, double driving_cost,
               double unpaid_duration, double max_duration, double early,
               double late, double latest_start,
               const std::vector<std::tuple<int64_t, double, double>>& steps,
               std::vector<int64_t> initial_load, Day whole, Day real) {
                require(whole.second.size() == real.second.size(),
                        "breaks must be the same.");
                std::vector<PriceStep> priced;
                for (const auto& [amount, beyond, unit_cost] : steps) {
                    require(0 <= amount && amount < std::ssize(Amounts::names),
                            "steps must be of amounts.");
                    priced.push_back({amount, beyond, unit_cost});
                }
                new (self) Vehicle{
                    .fixed_cost = fixed_cost,
                    .distance_cost = distance_cost,
                    .duration_cost = duration_cost,
                    .driving_cost = driving_cost,
                    .unpaid_duration = unpaid_duration,
                    .max_duration = max_duration,
                    .early = early,
                    .late = late,
                    .latest_start = latest_start,
                    .steps = std::move(priced),
                    .initial_load = std::move(initial_load),
                    .hours = {std::move(whole.first), std::move(real.first)},
                    .breaks = {std::move(whole.second),
                               std::move(real.second)}};
            },
            nb::kw_only(), "fixed_cost"_a, "distance_cost"_a,
            "duration_cost"_a, "driving_cost"_a, "unpaid_duration"_a,
            "max_duration"_a, "early"_a, "late"_a, "latest_start"_a, "steps"_a,
            "initial_load"_a, "whole"_a, "real"_a);

    nb::class_<Past>(m, "Past").def(
        "__init__",
        [](Past* self, std::vector<double> departures,
           std::vector<int64_t> on_board, int64_t num_reloads,
           std::vector<std::vector<int64_t>> undelivered, bool is_over,
           const std::vector<Had>& breaks,
           std::vector<std::pair<int64_t, double>> delays, HoursSoFar so_far) {
            const auto is_known = [](double time) {
                return !std::isnan(time);
            };
            require(departures.empty() ||
                        std::ranges::any_of(departures, is_known),
                    "a departure must be known.");
            require(undelivered.empty() ||
                        std::ssize(undelivered) == num_reloads + 1,
                    "each trip must have what it has on board.");
            for (const Had& had : breaks)
                require(0 <= std::get<1>(had) &&
                            std::get<1>(had) < std::ssize(departures),
                        "breaks must follow departures.");
            new (self) Past{.departures = std::move(departures),
                            .on_board = std::move(on_board),
                            .num_reloads = num_reloads,
                            .undelivered = std::move(undelivered),
                            .is_over = is_over,
                            .breaks = {},
                            .delays = std::move(delays),
                            .so_far = so_far};
            for (const auto& [number, place, begin, duration, distance] :
                 breaks)
                self->breaks.push_back(
                    {number, place, begin, duration, distance});
        },
        nb::kw_only(), "departures"_a, "on_board"_a, "num_reloads"_a,
        "undelivered"_a, "is_over"_a, "breaks"_a, "delays"_a, "so_far"_a);

    nb::class_<RouteProblem>(m, "RouteProblem")
        .def("__init__", made_by(make_problem), nb::kw_only(), "early"_a,
             "late"_a, "release"_a, "services"_a, "setups"_a, "places"_a,
             "deliveries"_a, "load_changes"_a, "handled"_a, "depots"_a,
             "several"_a, "preferred"_a, "vehicles"_a, "in_progress"_a,
             "tolerance"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
             nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(),
             nb::keep_alive<1, 6>(), nb::keep_alive<1, 7>(),
             nb::keep_alive<1, 8>(), nb::keep_alive<1, 9>(),
             nb::keep_alive<1, 10>())
        .def(
            "work_of",
            [](const RouteProblem& problem, int64_t type,
               std::span<const int64_t> visits) {
                require(all_below(visits, problem.early.size()) && 0 <= type &&
                            type < std::ssize(problem.vehicles),
                        "visits must be nodes, and the type one of them.");
                std::pair<std::vector<double>, std::vector<double>> work;
                int64_t before = visits.empty() ? 0 : visits.front();
                for (const int64_t node : visits) {
                    const auto [service, setup] =
                        problem.work_at(type, before, node);
                    work.first.push_back(service);
                    work.second.push_back(setup);
                    before = node;
                }
                return work;
            },
            "type"_a, "visits"_a,
            "Return the services and the set-ups of a route.")
        .def(
            "schedule",
            [](const RouteProblem& problem, int64_t type,
               std::span<const int64_t> visits, std::span<const double> legs,
               std::span<const double> travel, int64_t begun) {
                const std::array starts{int64_t{0}, std::ssize(visits)};
                const Routes one{.starts = starts,
                                 .visits = visits,
                                 .legs = legs,
                                 .travel = travel,
                                 .types = {&type, 1},
                                 .begun = {&begun, 1}};
                one.check(problem);
                const Route route = one.of(problem, 0);
                return std::make_pair(schedule(problem, route),
                                      loads_on_board(problem, route));
            },
            "type"_a, "visits"_a, "legs"_a, "travel"_a, "begun"_a,
            "Return the times of a route that cost least, and its loads.\n\n"
            "Legs and travel are those of its arcs. ``begun`` is the\n"
            "number of the route in progress that it goes on with, or -1.\n"
            "Loads are what is on board after each visit, row by row.")
        .def(
            "measure",
            [](const RouteProblem& problem, std::span<const int64_t> types,
               std::span<const int64_t> starts,
               std::span<const int64_t> visits, std::span<const double> legs,
               std::span<const double> travel, std::span<const int64_t> begun,
               std::span<const bool> is_added, MatrixView<double> found,
               MatrixView<int64_t> loads) {
                const Routes given{starts, visits, legs, travel, types, begun};
                require(!starts.empty(), "routes must have starts.");
                given.check(problem);
                require(std::ssize(is_added) == problem.num_nodes() &&
                            found.num_rows() == std::ssize(types) &&
                            found.num_columns() ==
                                std::ssize(Amounts::names) + 5 &&
                            loads.num_rows() == std::ssize(types) &&
                            loads.num_columns() == problem.num_dimensions(),
                        "there must be room for what each route takes.");
                for (std::size_t idx = 0; idx < types.size(); ++idx) {
                    const auto row = static_cast<int64_t>(idx);
                    const Excess each =
                        measure(problem, given.of(problem, idx), is_added);
                    const auto amounts = each.amounts.values();
                    std::copy(amounts.begin(), amounts.end(),
                              found.row(row).begin());
                    const std::array more{each.cost, each.start, each.added,
                                          each.others, each.end};
                    std::copy(more.begin(), more.end(),
                              found.row(row).end() - std::ssize(more));
                    std::copy(each.most_load.begin(), each.most_load.end(),
                              loads.row(row).begin());
                }
            },
            nb::kw_only(), "types"_a, "starts"_a, "visits"_a, "legs"_a,
            "travel"_a, "begun"_a, "is_added"_a, "found"_a, "loads"_a,
            release_gil(),
            "Set what many routes take, and by how much they are late.\n\n"
            "A row of ``found`` has the amounts and the cost, and by how\n"
            "much the start, added and other stops, and the end are late;\n"
            "one of ``loads`` the most on board. Each stop has the first of\n"
            "its windows that is open, and no break is taken.");

    m.def(
        "amount_names",
        [] {
            return std::vector<std::string>(Amounts::names.begin(),
                                            Amounts::names.end());
        },
        "Return the names of what a route has of all that is limited.");
    nb::class_<Schedule>(m, "Schedule")
        .def_ro("start", &Schedule::start)
        .def_ro("begins", &Schedule::begins)
        .def_ro("services", &Schedule::services)
        .def_ro("setups", &Schedule::setups)
        .def_ro("waits", &Schedule::waits)
        .def_ro("lateness", &Schedule::lateness)
        .def_prop_ro("amounts",
                     [](const Schedule& self) {
                         const auto values = self.amounts.values();
                         return std::vector<double>(values.begin(),
                                                    values.end());
                     })
        .def_ro("window_cost", &Schedule::window_cost)
        .def_ro("cost", &Schedule::cost)
        .def_ro("misses_break", &Schedule::misses_break)
        .def_ro("misses_rest", &Schedule::misses_rest)
        .def_ro("is_late", &Schedule::is_late)
        .def_prop_ro("breaks", [](const Schedule& self) {
            std::vector<
                std::tuple<int64_t, int64_t, double, double, double, double>>
                breaks;
            for (const DriverBreak& one : self.breaks)
                breaks.emplace_back(one.number, one.place, one.begin,
                                    one.duration, one.share, one.distance);
            return breaks;
        });
}

} // namespace ncc

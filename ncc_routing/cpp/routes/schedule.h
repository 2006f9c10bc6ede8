#pragma once

#include "routes/problem.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

// What a route takes: its distance, its times, its loads, its cost.
namespace ncc::routes {

// A route of a vehicle, and what its arcs take. It may go on with one in
// progress.
struct Route {
    int64_t type = 0;
    std::span<const int64_t> visits; // from end to end
    std::span<const double> legs;    // one less: distances
    std::span<const double> travel;
    const Past* begun = nullptr;

    // Returns what of its past has times.
    [[nodiscard]] const Past* past() const {
        return begun != nullptr && !begun->departures.empty() ? begun
                                                              : nullptr;
    }
};

// A break or rest before a visit, and the share of the arc driven before it.
struct DriverBreak {
    int64_t number = -1;
    int64_t place = 0;
    double begin = 0.0;
    double duration = 0.0;
    double share = 0.0;
    double distance = 0.0;
};

// What a route has of all that is limited. Waiting counts before the stops
// that lie ahead and, if there are some, before the end; the longest wait is
// before a stop. Reloads do not count among the number of stops.
struct Amounts {
    double distance = 0.0;
    double duration = 0.0;
    double driving = 0.0;
    double num_stops = 0.0;
    double waiting = 0.0;
    double longest_wait = 0.0;
    double load = 0.0; // what its customers add to the least load

    static constexpr std::array names{"distance",  "duration", "driving",
                                      "num_stops", "waiting",  "longest_wait",
                                      "load"};
    [[nodiscard]] std::array<double, names.size()> values() const {
        return {distance, duration,     driving, num_stops,
                waiting,  longest_wait, load};
    }
};

// When a vehicle is where. Times are of visits.
struct Schedule {
    Amounts amounts;
    double start = 0.0;
    std::vector<double> begins;
    std::vector<double> services; // with set-ups
    std::vector<double> setups;
    std::vector<double> waits;
    std::vector<double> lateness;
    std::vector<DriverBreak> breaks;
    double window_cost = 0.0;
    double cost = 0.0; // infinite with a forbidden arc
    bool misses_break = false;
    bool misses_rest = false;
    bool is_late = false;
};

// What a route takes and breaks if each stop has the first of its windows that
// is open, and no break is taken.
struct Excess {
    Amounts amounts;
    double cost = 0.0;
    // By how much the start, added and other stops, and the end are late.
    double start = 0.0;
    double added = 0.0;
    double others = 0.0;
    double end = 0.0;
    std::vector<int64_t> most_load; // (dimensions,)
};

// Returns the shortest times of a route, as early as that allows; with
// preferred windows those of least cost. A late visit begins at the end of its
// window, and what has happened is not late.
Schedule schedule(const RouteProblem& problem, const Route& route);

// Returns what a route breaks, if late visits begin when they are reached.
Excess measure(const RouteProblem& problem, const Route& route,
               std::span<const bool> is_added);

// Returns what is on board after each visit, row by row: nothing at the end.
// What is on board a route that has begun stays until the next depot.
std::vector<int64_t> loads_on_board(const RouteProblem& problem,
                                    const Route& route);

} // namespace ncc::routes

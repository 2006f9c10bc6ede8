#include "fleets/features/waiting.h"

#include "fleets/paths.h"
#include "fleets/search.h"

#include <algorithm>
#include <utility>

namespace ncc::fleets {

namespace {

// Returns how long a vehicle waits. What sums are rounded by is no wait, and
// whole numbers differ by more.
double wait_from(double arrival, double begin) {
    const double rounding = std::min(0.5e-9 * arrival, 0.5);
    return begin > arrival + rounding ? begin - arrival : 0.0;
}

// A stop of a path, and the time from the one before.
struct TimedVisit {
    double travel = 0.0;
    double early = 0.0;
    double limit = 0.0;
    double work = 0.0;
};

std::vector<TimedVisit> timed_visits(const FleetProblem& problem,
                                     std::span<const uint32_t> path,
                                     int64_t type) {
    const VehicleType& vehicle = problem.vehicles[type];
    std::vector<TimedVisit> visits;
    uint32_t last = vehicle.start;
    for (std::size_t idx = 0; idx < path.size(); ++idx) {
        const uint32_t node = path[idx];
        double early = problem.visits[node].early;
        if (problem.is_reload(node))
            early = std::max(early,
                             release_of_trip(problem, path.subspan(idx + 1)));
        visits.push_back({problem.durations(vehicle.profile, last, node),
                          early, problem.visits[node].limit,
                          problem.work_at(type, last, node)});
        last = node;
    }
    return visits;
}

} // namespace

WaitingLimits WaitingLimits::make(std::vector<double> in_all,
                                  std::vector<double> at_stops) {
    require(!in_all.empty() && in_all.size() == at_stops.size(),
            "limits must be of each vehicle type.");
    WaitingLimits made;
    made.in_all = std::move(in_all);
    made.at_stops = std::move(at_stops);
    return made;
}

bool WaitingLimits::judge(const FleetProblem& problem,
                          std::span<const uint32_t> path, int64_t type,
                          PathTotals&) const {
    if (path.empty() || std::min(in_all[type], at_stops[type]) == infinity)
        return true;
    const VehicleType& vehicle = problem.vehicles[type];
    const auto visits = timed_visits(problem, path, type);
    const double back =
        problem.durations(vehicle.profile, path.back(), vehicle.end);
    if (problem.shifts.is_any()) {
        // Breaks and windows are such that the route is the shortest.
        PathTotals totals = measure_path(problem, path, type);
        if (!problem.shifts.judge(problem, path, type, totals))
            return false;
        double work = vehicle.start_duration + back + vehicle.end_duration;
        for (const TimedVisit& visit : visits)
            work += visit.travel + visit.work;
        if (!problem.shifts.breaks.empty())
            for (const Break& own : problem.shifts.breaks[type])
                work += own.duration;
        return wait_from(work, totals.duration) <= in_all[type];
    }
    double latest = vehicle.end_late - back;
    for (auto visit = visits.rbegin(); visit != visits.rend(); ++visit)
        latest = std::min(visit->limit, latest - visit->work) - visit->travel;
    latest = std::min(vehicle.start_late, latest - vehicle.start_duration);
    double now = std::max({latest, vehicle.start_early,
                           release_of_trip(problem, path)}) +
                 vehicle.start_duration;
    double waiting = 0.0;
    for (const TimedVisit& visit : visits) {
        now += visit.travel;
        const double wait = wait_from(now, visit.early);
        waiting += wait;
        if (wait > at_stops[type] || waiting > in_all[type])
            return false;
        now = std::max(now, visit.early) + visit.work;
    }
    return waiting + wait_from(now + back, vehicle.end_early) <= in_all[type];
}

} // namespace ncc::fleets

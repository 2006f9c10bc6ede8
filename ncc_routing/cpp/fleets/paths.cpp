#include "fleets/paths.h"

namespace ncc::fleets {

double release_of_trip(const FleetProblem& problem,
                       std::span<const uint32_t> customers) {
    double release = 0.0;
    for (const uint32_t node : customers) {
        if (problem.is_reload(node))
            break;
        release = std::max(release, problem.visits[node].release);
    }
    return release;
}

PathTotals measure_path(const FleetProblem& problem,
                        std::span<const uint32_t> customers, int64_t type) {
    const VehicleType& vehicle = problem.vehicles[type];
    const int64_t profile = vehicle.profile;
    PathTotals totals;
    if (!keeps_order(problem, customers))
        return {.duration = infinity};
    DurationSegment head = start_of(vehicle);
    double last_start = head.late;
    const double release =
        problem.is_timed ? release_of_trip(problem, customers) : 0.0;
    uint32_t last = vehicle.start;
    for (std::size_t idx = 0; idx < customers.size(); ++idx) {
        const uint32_t node = customers[idx];
        totals.load += problem.demands[node];
        totals.length += problem.distances(profile, last, node);
        if (problem.is_timed) {
            Visit visit = problem.visits[node];
            visit.service = problem.work_at(type, last, node);
            if (problem.is_reload(node))
                visit.early = std::max(
                    visit.early,
                    release_of_trip(problem, customers.subspan(idx + 1)));
            const double travel = problem.durations(profile, last, node);
            if (visit.early > visit.limit ||
                head.early + head.duration + travel > visit.limit)
                return {.duration = infinity};
            last_start =
                std::min(last_start, visit.limit - head.duration - travel);
            head = join(head, travel, segment_of(visit));
        }
        last = node;
    }
    totals.length += problem.distances(profile, last, vehicle.end);
    if (problem.is_timed) {
        const double travel = problem.durations(profile, last, vehicle.end);
        const bool is_late =
            head.early + head.duration + travel > vehicle.end_late;
        last_start =
            std::min(last_start, vehicle.end_late - head.duration - travel);
        head = join(head, travel, end_of(vehicle));
        totals.duration =
            is_late || release > last_start ? infinity : head.duration;
    }
    return totals;
}

double cost_of(const FleetProblem& problem,
               std::span<const uint32_t> customers, int64_t type,
               PathTotals totals) {
    const VehicleType& vehicle = problem.vehicles[type];
    if (totals.duration == infinity || totals.load > vehicle.capacity ||
        totals.length > vehicle.max_distance ||
        totals.duration > vehicle.max_duration ||
        !judge_path(problem, customers, type, totals) ||
        totals.duration > vehicle.max_duration)
        return infinity;
    double cost = vehicle.fixed_cost + vehicle.distance_cost * totals.length;
    if (problem.is_timed)
        cost += vehicle.price(totals.duration);
    if (problem.steps.is_any())
        cost += problem.steps.price_of(problem, customers, type);
    return cost + price_path(problem, customers, type, totals.duration);
}

double path_cost(const FleetProblem& problem,
                 std::span<const uint32_t> customers, int64_t type) {
    if (customers.empty())
        return 0.0;
    return cost_of(problem, customers, type,
                   measure_path(problem, customers, type));
}

} // namespace ncc::fleets

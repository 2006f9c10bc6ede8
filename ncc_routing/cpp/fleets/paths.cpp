#include "fleets/paths.h"

namespace ncc::fleets {

namespace {

// Whether a vehicle of a type can carry what some customers need on the way.
bool can_carry(const FleetProblem& problem,
               std::span<const uint32_t> customers, int64_t type) {
    const auto capacity = problem.loads.capacity_of(type);
    for (std::size_t idx = 0; idx < capacity.size(); ++idx) {
        const auto dimension = static_cast<int64_t>(idx);
        LoadSegment load = problem.loads.start_of(type, dimension);
        for (const uint32_t node : customers) {
            if (problem.is_reload(node)) {
                if (load.largest() > capacity[idx])
                    return false;
                load = {};
            } else {
                load = join(load, problem.loads.of(node)[idx]);
            }
        }
        if (load.largest() > capacity[idx])
            return false;
    }
    return true;
}

// Returns when the goods are at the depot of the customers up to the next call
// there.
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

// Whether a vehicle of a type may call at the depots of a path, and brings
// goods to somebody after each call, or comes back over the last one alone.
bool has_trips(const FleetProblem& problem,
               std::span<const uint32_t> customers, int64_t type) {
    int64_t num_calls = 0;
    bool is_at_depot = problem.may_call_first[type] == 0;
    for (const uint32_t node : customers) {
        const bool is_call = problem.is_reload(node);
        if (is_call && (is_at_depot || !problem.reloads.may_call(type, node)))
            return false;
        num_calls += is_call ? 1 : 0;
        is_at_depot = is_call;
    }
    const std::size_t size = customers.size();
    if (is_at_depot &&
        (size < 2 || !problem.comes_back_by_call(type, customers[size - 2])))
        return false;
    return num_calls <= problem.reloads.most[type];
}

// Whether a vehicle of a type may serve all customers of a path.
bool may_serve(const FleetProblem& problem,
               std::span<const uint32_t> customers, int64_t type) {
    const auto* row = &problem.rules.may_serve[type * problem.num_nodes()];
    return std::all_of(customers.begin(), customers.end(),
                       [&](uint32_t node) { return row[node] != 0; });
}

} // namespace

PathTotals measure_path(const FleetProblem& problem,
                        std::span<const uint32_t> customers, int64_t type) {
    const VehicleType& vehicle = problem.vehicles[type];
    const int64_t profile = vehicle.profile;
    PathTotals totals;
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
               const PathTotals& totals) {
    const VehicleType& vehicle = problem.vehicles[type];
    if (totals.duration == infinity || totals.load > vehicle.capacity ||
        totals.length > vehicle.max_distance ||
        totals.duration > vehicle.max_duration)
        return infinity;
    if ((problem.has_reloads && !has_trips(problem, customers, type)) ||
        (problem.has_rules && !may_serve(problem, customers, type)) ||
        !can_carry(problem, customers, type))
        return infinity;
    double cost = vehicle.fixed_cost + vehicle.distance_cost * totals.length;
    if (problem.is_timed)
        cost += vehicle.price(totals.duration);
    return cost;
}

double path_cost(const FleetProblem& problem,
                 std::span<const uint32_t> customers, int64_t type) {
    if (customers.empty())
        return 0.0;
    return cost_of(problem, customers, type,
                   measure_path(problem, customers, type));
}

} // namespace ncc::fleets

#include "fleets/paths.h"

namespace ncc::fleets {

namespace {

// Whether a vehicle of a type can carry what some customers need on the way.
bool can_carry(const FleetProblem& problem,
               std::span<const uint32_t> customers, int64_t type) {
    const auto capacity = problem.loads.capacity_of(type);
    for (std::size_t idx = 0; idx < capacity.size(); ++idx) {
        LoadSegment load;
        for (const uint32_t node : customers)
            load = join(load, problem.loads.of(node)[idx]);
        if (load.largest() > capacity[idx])
            return false;
    }
    return true;
}

} // namespace

double path_cost(const FleetProblem& problem,
                 std::span<const uint32_t> customers, int64_t type) {
    if (customers.empty())
        return 0.0;
    const VehicleType& vehicle = problem.vehicles[type];
    const int64_t profile = vehicle.profile;
    int64_t load = 0;
    double length = 0.0;
    DurationSegment head = start_of(vehicle);
    double last_start = head.late;
    double release = 0.0;
    int64_t last = vehicle.start;
    for (const uint32_t node : customers) {
        load += problem.demands[node];
        length += problem.distances(profile, last, node);
        if (problem.is_timed) {
            const Visit& visit = problem.visits[node];
            const double travel = problem.durations(profile, last, node);
            if (head.early + head.duration + travel > visit.limit)
                return infinity;
            last_start =
                std::min(last_start, visit.limit - head.duration - travel);
            head = join(head, travel, segment_of(visit));
            release = std::max(release, visit.release);
        }
        last = node;
    }
    length += problem.distances(profile, last, vehicle.end);
    if (load > vehicle.capacity || length > vehicle.max_distance ||
        !can_carry(problem, customers, type))
        return infinity;
    double cost = vehicle.fixed_cost + vehicle.distance_cost * length;
    if (problem.is_timed) {
        const double travel = problem.durations(profile, last, vehicle.end);
        if (head.early + head.duration + travel > vehicle.end_late)
            return infinity;
        last_start =
            std::min(last_start, vehicle.end_late - head.duration - travel);
        head = join(head, travel, end_of(vehicle));
        if (head.duration > vehicle.max_duration || release > last_start)
            return infinity;
        cost += vehicle.price(head.duration);
    }
    return cost;
}

} // namespace ncc::fleets

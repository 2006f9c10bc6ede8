#include "fleets/problem.h"

#include "fleets/paths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace ncc::fleets {

void FleetProblem::complete() {
    has_releases =
        std::any_of(visits.begin(), visits.end(),
                    [](const Visit& visit) { return visit.release != 0.0; });
    in_progress.resize(num_types());
    starts.clear();
    for (const VehicleType& vehicle : vehicles)
        starts.push_back({vehicle.start, vehicle.start_early,
                          vehicle.start_late, vehicle.start_duration});
    begun.assign(num_types(), 0);
    for_each_feature(*this, [&](auto& feature) {
        feature.complete(*this);
        limits_routes |= feature.limits_routes;
        limits_order |= feature.limits_order;
        judges_paths |= feature.judges_paths;
        raises_totals |= feature.raises_totals;
        prices_paths |= feature.prices_paths;
    });
    has_prices = prices_paths || steps.is_any();
    is_special = options.is_any() || pairs.is_any() || reloads.is_any();
    is_settled.assign(num_nodes(), 0);
    for (const uint32_t node : settled)
        is_settled[node] = 1;
    std::vector<int64_t> stranded;
    for (int64_t type = 0; type < num_types(); ++type)
        if (vehicles[type].has_begun && !begin_route(type))
            stranded.push_back(type);
    travels_as.clear();
    for (int64_t type = 0; type < num_types(); ++type) {
        const auto alike = std::find_if(
            travels_as.begin(), travels_as.end(), [&](int64_t other) {
                return vehicles[other].travels_like(vehicles[type]) &&
                       (!work.is_any() || work.are_alike(other, type));
            });
        travels_as.push_back(alike == travels_as.end() ? type : *alike);
    }
    type_of.clear();
    single_costs.assign(num_types() * num_nodes(), infinity);
    for (int64_t type = 0; type < num_types(); ++type) {
        const VehicleType& vehicle = vehicles[type];
        type_of.resize(vehicle.end_route, static_cast<uint32_t>(type));
        for (int64_t customer = 1; customer < num_nodes(); ++customer) {
            const auto node = static_cast<uint32_t>(customer);
            std::array path{node, node};
            std::size_t size = 1;
            if (is_follower(node))
                continue;
            if (pairs.is_paired(node))
                path[size++] = pairs.partner_of(node);
            single_costs[type * num_nodes() + customer] =
                path_cost(*this, std::span(path).first(size), type);
        }
    }
    // A prize makes up for length.
    is_metric = is_metric && stranded.empty() && !options.is_any() &&
                !limits.prices_paths && !preferred.is_any();
    for (const int64_t type : stranded)
        reward_route(type);
    type_of.push_back(0);
    largest_capacity = 0;
    for (const VehicleType& vehicle : vehicles)
        largest_capacity = std::max(largest_capacity, vehicle.capacity);
    has_overtime = std::any_of(
        vehicles.begin(), vehicles.end(),
        [](const VehicleType& v) { return !v.time_steps.empty(); });
    times_are_lengths = durations == distances;
}

bool FleetProblem::begin_route(int64_t type) {
    const std::vector<uint32_t>& served = in_progress[type];
    VehicleType& vehicle = vehicles[type];
    const double alone =
        cost_of(*this, served, type, measure_path(*this, served, type));
    DurationSegment way = start_of(vehicle);
    double last_start = way.late;
    double release = 0.0;
    double length = 0.0;
    uint32_t last = vehicle.start;
    for (const uint32_t node : served) {
        Visit visit = visits[node];
        visit.service = work_at(type, last, node);
        const double travel = durations(vehicle.profile, last, node);
        last_start = std::min(last_start, visit.limit - way.duration - travel);
        way = join(way, travel, segment_of(visit));
        release = std::max(release, visit.release);
        length += distances(vehicle.profile, last, node);
        last = node;
        vehicle.capacity -= demands[node];
        for (int64_t idx = 0; idx < loads.num_dimensions; ++idx) {
            LoadSegment& start =
                loads.starts[(type * loads.num_dimensions) + idx];
            start = join(start, loads.of(node)[idx]);
        }
    }
    if (limits.is_any())
        limits.begin_route(*this, served, type);
    if (steps.is_any())
        steps.begin_route(*this, served, type);
    vehicle.start = last;
    vehicle.start_duration = way.duration;
    vehicle.start_early = std::max(way.early, release);
    vehicle.start_late = last_start;
    vehicle.max_distance -= length;
    vehicle.fixed_cost += vehicle.distance_cost * length;
    begun[type] = 1;
    if (alone == infinity)
        return false;
    vehicle.fixed_cost -= alone;
    return true;
}

std::span<const uint32_t>
FleetProblem::whole_route(std::span<const uint32_t> path, int64_t type) const {
    if (!has_begun(type))
        return path;
    thread_local std::vector<uint32_t> stops;
    stops = in_progress[type];
    stops.insert(stops.end(), path.begin(), path.end());
    return stops;
}

void FleetProblem::reward_route(int64_t type) {
    double reward = 1.0;
    for (const double prize : options.prizes)
        reward += prize;
    for (const double cost : single_costs)
        if (cost != infinity)
            reward += std::abs(cost);
    vehicles[type].fixed_cost -= reward;
    for (int64_t node = 0; node < num_nodes(); ++node)
        single_costs[(type * num_nodes()) + node] -= reward;
}

} // namespace ncc::fleets

#include "fleets/problem.h"

#include "fleets/paths.h"

#include <algorithm>

namespace ncc::fleets {

void FleetProblem::complete() {
    type_of.clear();
    single_costs.assign(num_types() * num_nodes(), infinity);
    for (int64_t type = 0; type < num_types(); ++type) {
        const VehicleType& vehicle = vehicles[type];
        type_of.resize(vehicle.end_route, static_cast<uint32_t>(type));
        for (int64_t customer = 1; customer < num_nodes(); ++customer) {
            const auto node = static_cast<uint32_t>(customer);
            single_costs[type * num_nodes() + customer] =
                path_cost(*this, {&node, 1}, type);
        }
    }
    type_of.push_back(0);
    largest_capacity = 0;
    for (const VehicleType& vehicle : vehicles)
        largest_capacity = std::max(largest_capacity, vehicle.capacity);
    has_overtime = std::any_of(
        vehicles.begin(), vehicles.end(),
        [](const VehicleType& v) { return v.overtime_cost > 0.0; });
    has_loads = loads.is_any();
    has_options = options.is_any();
    times_are_lengths = durations == distances;
    has_releases =
        std::any_of(visits.begin(), visits.end(),
                    [](const Visit& visit) { return visit.release != 0.0; });
}

} // namespace ncc::fleets

#include "fleets/problem.h"

#include "fleets/paths.h"

#include <algorithm>
#include <array>
#include <span>

namespace ncc::fleets {

void FleetProblem::complete() {
    has_loads = loads.is_any();
    has_options = options.is_any();
    has_pairs = pairs.is_any();
    has_reloads = reloads.is_any();
    has_releases =
        std::any_of(visits.begin(), visits.end(),
                    [](const Visit& visit) { return visit.release != 0.0; });
    may_call_first.assign(num_types(), has_releases ? 1 : 0);
    for (int64_t type = 0; type < num_types(); ++type)
        for (int64_t idx = 0; idx < loads.num_dimensions; ++idx)
            if (loads.start_of(type, idx).brought > 0)
                may_call_first[type] = 1;
    is_special = has_options || has_pairs || has_reloads;
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
            if (has_pairs && pairs.is_paired(node))
                path[size++] = pairs.partner[node];
            single_costs[type * num_nodes() + customer] =
                path_cost(*this, std::span(path).first(size), type);
        }
    }
    type_of.push_back(0);
    largest_capacity = 0;
    for (const VehicleType& vehicle : vehicles)
        largest_capacity = std::max(largest_capacity, vehicle.capacity);
    has_overtime = std::any_of(
        vehicles.begin(), vehicles.end(),
        [](const VehicleType& v) { return v.overtime_cost > 0.0; });
    times_are_lengths = durations == distances;
}

} // namespace ncc::fleets

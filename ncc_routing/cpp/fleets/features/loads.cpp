#include "fleets/features/loads.h"

#include "fleets/search.h"

#include <algorithm>

namespace ncc::fleets {

StopLoads StopLoads::make(MatrixView<const int64_t> deliveries,
                          MatrixView<const int64_t> pickups,
                          MatrixView<const int64_t> capacities,
                          MatrixView<const int64_t> initial) {
    StopLoads loads;
    loads.num_dimensions = deliveries.num_columns();
    require(pickups.num_columns() == loads.num_dimensions &&
                pickups.num_rows() == deliveries.num_rows() &&
                capacities.num_columns() == loads.num_dimensions,
            "loads must have the same dimensions.");
    require(initial.num_columns() == loads.num_dimensions &&
                initial.num_rows() == capacities.num_rows(),
            "initial loads must be as capacities.");
    for (std::size_t idx = 0; idx < deliveries.values().size(); ++idx) {
        const int64_t delivery = deliveries.values()[idx];
        const int64_t change = pickups.values()[idx] - delivery;
        loads.stops.push_back(
            {delivery, change, std::max<int64_t>(0, change)});
    }
    loads.capacities.assign(capacities.values().begin(),
                            capacities.values().end());
    for (const int64_t load : initial.values())
        loads.starts.push_back({load, 0, 0});
    return loads;
}

void StopLoads::complete(const FleetProblem& problem) {
    are_sums = !problem.reloads.is_any() &&
               std::ranges::all_of(stops, [](const LoadSegment& load) {
                   return load.change == -load.brought;
               });
}

bool StopLoads::fits(int64_t num_nodes, int64_t num_types) const {
    return std::ssize(stops) == num_nodes * num_dimensions &&
           std::ssize(capacities) == num_types * num_dimensions;
}

bool StopLoads::judge(const FleetProblem& problem,
                      std::span<const uint32_t> path, int64_t type,
                      PathTotals&) const {
    const auto capacity = capacity_of(type);
    for (std::size_t idx = 0; idx < capacity.size(); ++idx) {
        LoadSegment load = start_of(type, static_cast<int64_t>(idx));
        for (const uint32_t node : path) {
            if (problem.is_reload(node)) {
                if (load.largest() > capacity[idx])
                    return false;
                load = {};
            } else {
                load = join(load, of(node)[idx]);
            }
        }
        if (load.largest() > capacity[idx])
            return false;
    }
    return true;
}

SpareLoads::SpareLoads(const FleetProblem& problem)
    : loads_(problem.loads),
      num_dimensions_(loads_.are_sums ? loads_.num_dimensions : 0) {
    for (int64_t route = 0; is_any() && route < problem.num_routes(); ++route)
        for (int64_t idx = 0; idx < num_dimensions_; ++idx) {
            const int64_t type = problem.type_of[route];
            spare_.push_back(loads_.capacity_of(type)[idx] -
                             loads_.start_of(type, idx).largest());
        }
}

void SpareLoads::begin(const FleetSearch& s) {
    for (const uint32_t customer : s.members)
        if (!s.is_absent(customer))
            count(customer, s.route_of[customer], 1);
}

void SpareLoads::check([[maybe_unused]] const FleetSearch& s) const {
#ifdef NCC_DEBUG
    SpareLoads anew(s.problem);
    anew.begin(s);
    NCC_CHECK(spare_ == anew.spare_);
#endif
}

CarriedLoads::CarriedLoads(const FleetProblem& problem)
    : num_dimensions_(problem.loads.are_sums ? 0
                                             : problem.loads.num_dimensions),
      heads_((problem.num_nodes() + problem.num_routes()) * num_dimensions_),
      tails_(heads_.size()) {
    for (int64_t route = 0; route < problem.num_routes(); ++route)
        for (int64_t idx = 0; idx < num_dimensions_; ++idx)
            heads_[((problem.num_nodes() + route) * num_dimensions_) + idx] =
                problem.loads.start_of(problem.type_of[route], idx);
}

void CarriedLoads::schedule(FleetSearch& s, uint32_t route) {
    const LoadSegment* stops = s.problem.loads.stops.data();
    const int64_t num = num_dimensions_;
    const uint32_t depot = s.depot_of(route);
    for (int64_t idx = 0; idx < num; ++idx) {
        LoadSegment head = heads_[(depot * num) + idx];
        for (uint32_t node = s.nodes[depot].next; s.is_customer(node);
             node = s.nodes[node].next) {
            const int64_t place = (node * num) + idx;
            head = s.problem.is_reload(node) ? LoadSegment{}
                                             : join(head, stops[place]);
            heads_[place] = head;
        }
        LoadSegment tail;
        for (uint32_t node = s.nodes[depot].prev; s.is_customer(node);
             node = s.nodes[node].prev) {
            const int64_t place = (node * num) + idx;
            tail = s.problem.is_reload(node) ? LoadSegment{}
                                             : join(stops[place], tail);
            tails_[place] = tail;
        }
    }
}

bool CarriedLoads::can_carry(const FleetProblem& problem, int64_t type,
                             uint32_t before, uint32_t customer,
                             uint32_t after) const {
    const auto capacity = problem.loads.capacity_of(type);
    const auto own = problem.loads.of(customer);
    for (int64_t idx = 0; idx < num_dimensions_; ++idx) {
        const LoadSegment load =
            join(join(heads_[(before * num_dimensions_) + idx], own[idx]),
                 tails_[(after * num_dimensions_) + idx]);
        if (load.largest() > capacity[idx])
            return false;
    }
    return true;
}

} // namespace ncc::fleets

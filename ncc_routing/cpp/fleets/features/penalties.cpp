#include "fleets/features/penalties.h"

#include "fleets/search.h"

namespace ncc::fleets {

void RoutePenalties::begin(FleetSearch& s, std::span<const uint32_t> customers,
                           std::span<const int64_t> starts) {
    s.penalty_cost += load(customers, starts);
}

void RoutePenalties::count(FleetSearch& s, uint32_t customer, uint32_t route,
                           int change) {
    if (change < 0)
        count(customer, route, change);
    s.penalty_cost += change * cost(customer, route);
    if (change > 0)
        count(customer, route, change);
}

} // namespace ncc::fleets

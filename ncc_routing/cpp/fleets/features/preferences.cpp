#include "fleets/features/preferences.h"

#include "fleets/search.h"

#include <algorithm>

namespace ncc::fleets {

void RoutePenalties::count(FleetSearch& s, uint32_t customer, uint32_t route,
                           int change) {
    if (change < 0)
        count(customer, route, change);
    s.penalty_cost += change * cost(customer, route);
    if (change > 0)
        count(customer, route, change);
}

void Shapes::begin(FleetSearch& s) {
    for (uint32_t route = 0; route < s.num_slots; ++route)
        overlap_.set(route, s.customers_of(route));
    s.penalty_cost += cost();
    overlap_.begin();
}

double Shapes::most_saved(const FleetSearch& s) const {
    if (!is_any())
        return 0.0;
    // Those who lie inside a route that shrinks, and those who change routes.
    double most = overlap_.unit() * static_cast<double>(s.num_removed);
    for (const TouchedRoute& ruined : s.touched)
        most += overlap_.cost_inside(ruined.route);
    return most;
}

bool Shapes::settle(FleetSearch& s, double limit) {
    if (!is_any())
        return true;
    overlap_.begin();
    reshaped_.clear();
    const auto compare = [&](uint32_t customer) {
        if (!overlap_.has_place(customer))
            return;
        const uint32_t before = overlap_.route_of(customer);
        const uint32_t now = s.route_of[customer];
        if (before == now)
            return;
        for (const uint32_t route : {before, now})
            if (route < s.num_slots &&
                std::find(reshaped_.begin(), reshaped_.end(), route) ==
                    reshaped_.end())
                reshaped_.push_back(route);
        if (now == s.num_slots)
            overlap_.leave(customer);
    };
    for (int64_t idx = 0; idx < s.num_removed; ++idx)
        compare(s.removed[idx].customer);
    for (int64_t idx = 0; idx < s.num_inserted; ++idx)
        compare(s.inserted[idx].customer);
    for (const uint32_t route : reshaped_)
        overlap_.set(route, s.customers_of(route));
    const double change = overlap_.change();
    if (!(s.cost + change < limit)) {
        undo();
        return false;
    }
    s.penalty_cost += change;
    s.cost += change;
    return true;
}

double Shapes::reassign(const FleetSearch& s, const search::RoutePair& from,
                        const search::RoutePair& to) {
    if (!is_any())
        return 0.0;
    overlap_.begin();
    for (const uint32_t route : from)
        overlap_.set(route, {});
    for (std::size_t idx = 0; idx < to.size(); ++idx)
        if (to[idx] < s.num_slots)
            overlap_.set(to[idx], s.paths[idx].customers());
    return overlap_.change();
}

void Shapes::check([[maybe_unused]] const FleetSearch& s) const {
#ifdef NCC_DEBUG
    shapes::HullOverlap anew(overlap_);
    for (uint32_t route = 0; route < s.num_slots; ++route)
        anew.set(route, s.customers_of(route));
    NCC_CHECK(anew.cost() == cost());
#endif
}

} // namespace ncc::fleets

#include "fleets/features/shipments.h"

#include "fleets/paths.h"
#include "fleets/search.h"
#include "search/ruin.h"

#include <algorithm>
#include <vector>

namespace ncc::fleets {

namespace {

// Neighbours of an end of a shipment whose routes are looked at.
constexpr std::size_t num_near_ends = 20;

// How a vehicle has come to a node.
struct Way {
    uint32_t last = 0;
    double ready = 0.0;
    DurationSegment segment;
    double limit = infinity; // for the start
    double added = 0.0;      // length, less that of the edges left out
};

// The places on a route for both ends of a shipment.
class PairInsertion {
public:
    PairInsertion(FleetSearch& search, uint32_t pickup, Position& best)
        : s_(search), pickup_(pickup),
          delivery_(search.problem.pairs.partner[pickup]), best_(best),
          loads_(search.problem.loads.num_dimensions) {}

    void look_at(uint32_t route) {
        if (!s_.admits(pickup_, route))
            return;
        route_ = route;
        penalty_ = s_.penalty(pickup_, route) + s_.penalty(delivery_, route);
        extra_ = penalty_;
        if (s_.problem.prices_paths)
            extra_ += s_.sums.price_of(s_, pickup_, delivery_, route);
        const VehicleType& vehicle = s_.vehicle_of(route);
        const uint32_t depot = s_.depot_of(route);
        uint32_t before = depot;
        do {
            const uint32_t after = s_.nodes[before].next;
            Way way = way_to(before);
            way.added -= s_.nodes[before].to_next;
            const bool is_in_time = goes_to(way, pickup_);
            if (!is_in_time && !s_.problem.has_short_cuts)
                return;
            const double detour =
                way.added + s_.distance(route, pickup_, after);
            if (is_in_time &&
                (s_.problem.has_short_cuts || vehicle.prices_duration() ||
                 vehicle.distance_cost * detour + extra_ < best_.cost))
                deliver(way, before, after);
            before = after;
        } while (before != depot);
    }

private:
    [[nodiscard]] Way way_to(uint32_t node) {
        const auto heads = s_.carried.head_of(node);
        loads_.assign(heads.begin(), heads.end());
        const NodeSegments& known = s_.segments[node];
        return {node, s_.nodes[node].ready, known.head, known.head_limit, 0.0};
    }

    // Goes on to a customer; returns whether it is in time.
    bool goes_to(Way& way, uint32_t node) const {
        const FleetProblem& p = s_.problem;
        if (p.is_timed) {
            Visit visit = s_.visit_of(node);
            visit.service = p.service_of(p.type_of[route_], node);
            const double travel = s_.travel(route_, way.last, node);
            const double arrival = way.ready + travel;
            if (arrival > visit.limit)
                return false;
            way.ready = std::max(arrival, visit.early) + visit.service;
            if (p.counts_duration) {
                way.limit = std::min(
                    way.limit, visit.limit - way.segment.duration - travel);
                way.segment = join(way.segment, travel, segment_of(visit));
            }
        }
        way.added += s_.distance(route_, way.last, node);
        way.last = node;
        return true;
    }

    // Returns whether a vehicle can carry what it has after a customer.
    bool takes(uint32_t node) {
        const auto own = s_.problem.loads.of(node);
        const auto capacity =
            s_.problem.loads.capacity_of(s_.problem.type_of[route_]);
        bool fits = true;
        for (std::size_t idx = 0; idx < loads_.size(); ++idx) {
            loads_[idx] = join(loads_[idx], own[idx]);
            fits &= loads_[idx].largest() <= capacity[idx];
        }
        return fits;
    }

    // Whether the rest of the trip can be carried after the delivery.
    bool can_end_by(uint32_t after) {
        const auto own = s_.problem.loads.of(delivery_);
        const auto rest = s_.carried.tail_of(after);
        const auto capacity =
            s_.problem.loads.capacity_of(s_.problem.type_of[route_]);
        for (std::size_t idx = 0; idx < loads_.size(); ++idx) {
            const LoadSegment load =
                join(join(loads_[idx], own[idx]),
                     s_.problem.is_reload(after) ? LoadSegment{} : rest[idx]);
            if (load.largest() > capacity[idx])
                return false;
        }
        return true;
    }

    // Tries each place for the delivery from a node on.
    void deliver(Way way, uint32_t before, uint32_t node) {
        if (!takes(pickup_))
            return;
        uint32_t behind = before;
        while (true) {
            offer(way, before, behind, node);
            if (!s_.is_customer(node) || s_.problem.is_reload(node))
                return;
            way.added -= s_.nodes[node].to_next;
            if (!goes_to(way, node) || !takes(node))
                return;
            behind = node;
            node = s_.nodes[node].next;
        }
    }

    void offer(Way way, uint32_t before, uint32_t behind, uint32_t after) {
        const VehicleType& vehicle = s_.vehicle_of(route_);
        const Route& route = s_.routes[route_];
        if (!goes_to(way, delivery_))
            return;
        const double added = way.added + s_.distance(route_, delivery_, after);
        double cost = vehicle.distance_cost * added + extra_;
        if ((!vehicle.prices_duration() && cost >= best_.cost) ||
            route.distance + added > vehicle.max_distance ||
            !can_end_by(after))
            return;
        if (s_.problem.is_timed) {
            const double latest = s_.nodes[after].latest;
            const double travel = s_.travel(route_, delivery_, after);
            if (way.ready + travel > latest)
                return;
            if (s_.problem.counts_duration) {
                const NodeSegments& rest = s_.segments[after];
                const double limit = std::min(
                    way.limit, latest - way.segment.duration - travel);
                const double duration =
                    join(way.segment, travel,
                         {rest.tail_duration, rest.tail_early, latest})
                        .duration;
                if (duration > vehicle.max_duration || route.release > limit)
                    return;
                cost += vehicle.price(duration, route.duration);
            }
        }
        if ((s_.problem.shifts.is_any() || s_.problem.preferred.is_any() ||
             s_.problem.steps.is_any() || s_.problem.order.is_any() ||
             s_.problem.limits.limits_sums) &&
            (vehicle.prices_duration() || cost < best_.cost))
            cost = s_.change_by(route_, before, {&pickup_, 1},
                                {delivery_, behind}) +
                   penalty_;
        // The delivery comes first, and the pickup then before it.
        if (cost < best_.cost && s_.random.unit() >= s_.params.blink) {
            best_ = {before, 0, cost, {{{delivery_, behind}}}};
        }
    }

    FleetSearch& s_;
    uint32_t pickup_;
    uint32_t delivery_;
    Position& best_;
    std::vector<LoadSegment> loads_; // (dimensions,): on the way
    uint32_t route_ = 0;
    double penalty_ = 0.0;
    double extra_ = 0.0; // that, and what features price
};

} // namespace

Pairs Pairs::make(std::span<const uint32_t> pickups,
                  std::span<const uint32_t> deliveries, int64_t num_nodes) {
    require(pickups.size() == deliveries.size() && num_nodes > 0,
            "shipments must have two ends.");
    const auto size = static_cast<std::size_t>(num_nodes);
    require(all_below(pickups, size) && all_below(deliveries, size),
            "shipments must be between nodes.");
    Pairs pairs;
    pairs.partner.resize(size);
    pairs.is_delivery.resize(size);
    for (std::size_t idx = 0; idx < pickups.size(); ++idx) {
        pairs.partner[pickups[idx]] = deliveries[idx];
        pairs.partner[deliveries[idx]] = pickups[idx];
        pairs.is_delivery[deliveries[idx]] = 1;
    }
    return pairs;
}

bool Pairs::keeps_order(const FleetProblem& problem,
                        std::span<const uint32_t> path) const {
    int64_t num_open = 0;
    auto trip = path.begin();
    for (auto it = path.begin(); it != path.end(); ++it) {
        if (problem.is_reload(*it)) {
            if (num_open != 0)
                return false;
            trip = it;
        } else if (is_delivery[*it] != 0) {
            if (std::find(trip, it, partner[*it]) == it)
                return false;
            --num_open;
        } else if (partner[*it] != 0) {
            ++num_open;
        }
    }
    return num_open == 0;
}

bool Pairs::extend_ruin(FleetSearch& s) const {
    const int64_t end = s.num_removed;
    for (int64_t idx = 0; idx < end; ++idx) {
        const uint32_t other = partner[s.removed[idx].customer];
        if (other != 0 && !s.is_absent(other))
            search::remove_string(s, other, 1);
    }
    return true;
}

Position find_pair(FleetSearch& s, uint32_t pickup, Position best,
                   bool everywhere) {
    PairInsertion insertion(s, pickup, best);
    const int64_t look = ++s.num_looks;
    const auto look_at = [&](uint32_t route) {
        if (route == s.num_slots || s.routes[route].size == 0 ||
            s.looked_at[s.depot_of(route)] == look)
            return;
        s.looked_at[s.depot_of(route)] = look;
        insertion.look_at(route);
    };
    if (everywhere) {
        for (uint32_t route = 0; route < s.num_slots; ++route)
            look_at(route);
        return best;
    }
    for (int64_t number = 0; number < s.num_strings; ++number)
        look_at(s.route_of[s.strings[number].before]);
    for (const uint32_t end : {pickup, s.problem.pairs.partner[pickup]}) {
        const auto neighbours = s.problem.neighbours.row(end);
        for (const uint32_t near :
             neighbours.first(std::min(num_near_ends, neighbours.size())))
            look_at(s.route_of[near]);
    }
    return best;
}

} // namespace ncc::fleets

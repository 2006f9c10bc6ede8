#include "search/routing_search.h"

#include "search/annealing.h"
#include "search/lengths.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ncc::search {

template <class Penalty>
RoutingSearch<Penalty>::RoutingSearch(const RoutingProblem& problem_,
                                      const SearchParams& params_,
                                      Penalty penalties_,
                                      std::span<const uint32_t> customers,
                                      std::span<const int64_t> starts,
                                      int64_t num_slots_, uint64_t seed)
    : LinkedRoutes(std::ssize(problem_.demands), num_slots_,
                   params_.most_removed(), params_.most_removed(), seed),
      problem(problem_), params(params_), penalties(std::move(penalties_)),
      gaps_(strings.size()) {
    members.assign(customers.begin(), customers.end());
    const MatrixView<const double>& coords = problem.metric.coords;
    for (uint32_t node = 0; node < nodes.size(); ++node) {
        const uint32_t place = is_customer(node) ? node : 0;
        nodes[node].x = coords(place, 0);
        nodes[node].y = coords(place, 1);
    }
    std::fill_n(route_of.begin(), num_nodes, num_slots);
    loads[num_slots] = full_load;
    const auto num_routes = static_cast<uint32_t>(starts.size() - 1);
    for (uint32_t route = 0; route < num_slots; ++route) {
        const uint32_t depot = depot_of(route);
        route_of[depot] = route;
        routes[route] = {0, -1};
        uint32_t last = depot;
        if (route < num_routes)
            for (int64_t idx = starts[route]; idx < starts[route + 1]; ++idx) {
                const uint32_t node = members[idx];
                cost += link(*this, last, node);
                route_of[node] = route;
                loads[route] += demand(node);
                ++routes[route].size;
                last = node;
            }
        cost += link(*this, last, depot);
    }
    for (uint32_t route = num_slots; route > num_routes; --route)
        free_routes[num_free++] = route - 1;
    for (uint32_t node = 0; node < nodes.size(); ++node)
        best_next[node] = nodes[node].next;
    cost += penalties.load(members, starts);
    best_cost = cost;
    check();
}

template <class Penalty>
void RoutingSearch<Penalty>::insert(uint32_t customer,
                                    const Position& position) {
    const uint32_t before = position.before;
    const uint32_t route = route_of[before];
    if (num_free > 0 && free_routes[num_free - 1] == route) {
        --num_free;
        penalties.open_route(route, customer);
    }
    const uint32_t after = nodes[before].next;
    const double edge = nodes[before].to_next;
    set_edge(before, customer, position.edge_in);
    set_edge(customer, after, position.edge_out);
    route_of[customer] = route;
    loads[route] += demand(customer);
    ++routes[route].size;
    const double saved = edge - penalty(customer, route);
    count(customer, route, 1);
    cost += position.edge_in + position.edge_out - saved;
    note_inserted(customer, edge);
}

// Returns the gap to insert a customer into: where the strings were, and an
// empty route. The edge across a gap is long, so that it may be the best one
// for customers who are near neither of its ends.
//
// All detours are computed before one is compared, since the outcome of a
// comparison can seldom be predicted: 2 % faster.
template <class Penalty>
template <class Lengths>
Position RoutingSearch<Penalty>::find_gap(const Lengths& lengths,
                                          uint32_t customer, double budget) {
    // What a route with room costs more, and a full one: no branch.
    static constexpr std::array<double, 2> barrier{0.0, infinity};
    const int64_t room = problem.capacity - demand(customer);
    for (int64_t number = 0; number < num_strings; ++number) {
        const uint32_t before = strings[number].before;
        const uint32_t route = route_of[before];
        const Node& node = nodes[before];
        const double edge_in = lengths.from(before);
        const double edge_out = lengths.to(node.next);
        const double edge = node.to_next - penalty(customer, route);
        const double detour = edge_in + edge_out - edge;
        const bool is_full = loads[route] > room;
        gaps_[number] = {before, edge_in, edge_out, detour + barrier[is_full]};
    }
    const double round_trip = problem.round_trip[customer];
    Position best;
    best.cost = budget;
    const double opening = round_trip + penalties.least_cost(customer);
    if (num_free > 0 && opening < best.cost) {
        const uint32_t depot = depot_of(free_routes[num_free - 1]);
        const double edge_in = lengths.from(depot);
        best = {depot, edge_in, round_trip - edge_in, opening};
    }
    for (int64_t number = 0; number < num_strings; ++number)
        if (gaps_[number].cost < best.cost && random.unit() >= params.blink)
            best = gaps_[number];
    return best;
}

template <class Penalty>
Position RoutingSearch<Penalty>::find_position(uint32_t customer,
                                               double budget) {
    if (!problem.metric.matrix.empty())
        return find_position_by<MatrixLengths>(customer, budget);
    switch (problem.metric.rounding.kind) {
    case LengthRule::Floored:
        return find_position_by<PlaneLengths<LengthRule::Floored>>(customer,
                                                                   budget);
    case LengthRule::Ceiled:
        return find_position_by<PlaneLengths<LengthRule::Ceiled>>(customer,
                                                                  budget);
    default:
        return find_position_by<PlaneLengths<LengthRule::Unrounded>>(customer,
                                                                     budget);
    }
}

// The gaps that the ruin left, and the positions next to the nearest customers
// whose routes have room.
template <class Penalty>
template <class Lengths>
Position RoutingSearch<Penalty>::find_position_by(uint32_t customer,
                                                  double budget) {
    const Lengths lengths(problem, nodes, customer);
    const double to_depot = 0.5 * problem.round_trip[customer];
    Position best = find_gap(lengths, customer, budget);
    const auto offer = [&](uint32_t j, double near) {
        const Node& node = nodes[j];
        const double extra = penalty(customer, route_of[j]);
        // The other end of an edge of this neighbour is the depot, or no
        // nearer than the neighbour, or it came before.
        const double least = near + std::min(near, to_depot);
        // One test for both bounds: a mispredicted branch takes longer than
        // the distance that it saves.
        const auto improve = [&](uint32_t before, double edge_in,
                                 double edge_out, double edge) {
            const double detour = edge_in + edge_out - edge;
            if (std::max(detour, least - edge) < best.cost &&
                random.unit() >= params.blink)
                best = {before, edge_in, edge_out, detour};
        };
        improve(j, near >= 0.0 ? near : lengths.from(j), lengths.to(node.next),
                node.to_next - extra);
        improve(node.prev, lengths.from(node.prev),
                near >= 0.0 ? near : lengths.to(j), node.to_prev - extra);
        return true;
    };
    search_neighbours(*this, customer, best, offer);
    return best;
}

template <class Penalty>
double RoutingSearch<Penalty>::try_exchange(const Exchange& exchange,
                                            double change, double limit) {
    return try_priced(exchange, change, penalty_of(*this, exchange), limit);
}

template <class Penalty>
double RoutingSearch<Penalty>::try_priced(const Exchange& exchange,
                                          double change, double penalty,
                                          double limit) {
    change += penalty;
    if (change >= limit)
        return limit;
    relink(*this, exchange);
    return change;
}

template <class Penalty>
void RoutingSearch<Penalty>::check() const {
#ifdef NCC_DEBUG
    double total = 0.0;
    int64_t num_served = 0;
    int64_t num_empty = 0;
    for (uint32_t route = 0; route < num_slots; ++route) {
        const uint32_t depot = depot_of(route);
        int64_t load = 0;
        int64_t size = 0;
        uint32_t node = depot;
        do {
            const uint32_t after = nodes[node].next;
            const double edge = node == after ? 0.0 : length(node, after);
            NCC_CHECK(nodes[after].prev == node);
            NCC_CHECK(nodes[node].to_next == nodes[after].to_prev);
            NCC_CHECK(is_close(nodes[node].to_next, edge));
            NCC_CHECK(route_of[node] == route);
            NCC_CHECK(nodes[node].next == best_next[node] ||
                      is_dirty[node] != 0);
            total += edge;
            if (is_customer(node)) {
                load += demand(node);
                ++size;
                total += penalties.share(node, route);
            }
            node = after;
        } while (node != depot);
        NCC_CHECK(load == loads[route] && size == routes[route].size);
        num_served += size;
        num_empty += size == 0;
    }
    NCC_CHECK(num_served == std::ssize(members) && num_empty == num_free);
    for (int64_t idx = 0; idx < num_free; ++idx)
        NCC_CHECK(routes[free_routes[idx]].size == 0);
    NCC_CHECK(is_close(total, cost));
#endif
}

template struct RoutingSearch<NoPenalty>;
template struct RoutingSearch<Penalties>;
template int64_t anneal(RoutingSearch<NoPenalty>&, int64_t, double, double);
template int64_t anneal(RoutingSearch<Penalties>&, int64_t, double, double);

} // namespace ncc::search

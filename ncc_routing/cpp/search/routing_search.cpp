#include "search/routing_search.h"

#include "prefetch.h"
#include "search/lengths.h"
#include "search/moves/or_opt.h"
#include "search/moves/swap_tails.h"
#include "search/moves/swap_tails_reversed.h"
#include "search/moves/two_opt.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace ncc::search {

namespace {

// Share of the attempts to move a segment; the others exchange tails.
constexpr double segment_share = 0.5;

// Nearest neighbours that a customer may be joined to.
constexpr int64_t num_near = 20;

// Neighbours that are tested for room at once, without branches: 8 or 24 make
// the search 3 % slower.
constexpr std::size_t block_size = 16;

} // namespace

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
int64_t RoutingSearch<Penalty>::anneal(int64_t iterations, double temperature,
                                       double cooling) {
    int64_t num_accepted = 0;
    for (; iterations > 0; --iterations) {
        const double limit =
            cost - temperature * std::log(1.0 - random.unit());
        temperature *= cooling;
        num_accepted += ruin_and_recreate(limit);
        double left = params.num_local_moves;
        while (left > 0.0) {
            if (left >= 1.0 || random.unit() < left)
                improve_locally(temperature);
            left -= 1.0;
        }
    }
    return num_accepted;
}

template <class Penalty>
bool RoutingSearch<Penalty>::ruin_and_recreate(double limit) {
    clear_moves();
    ruin(*this, params);
    const double bound = problem.is_metric() ? limit : infinity;
    const bool is_accepted = recreate(bound) && cost < limit;
    if (is_accepted)
        commit(*this);
    else
        undo(*this);
    check();
    if (is_accepted)
        keep_if_best(params.tolerance);
    return is_accepted;
}

// Fills `inserted` with the removed customers in a random order.
template <class Penalty>
void RoutingSearch<Penalty>::order_removed() {
    const double rule = random.unit() * num_rules;
    for (int64_t idx = 0; idx < num_removed; ++idx) {
        const uint32_t customer = removed[idx].customer;
        const double round_trip = problem.round_trip[customer];
        keys[idx] = order_key(*this, customer, rule, round_trip);
        // Far apart in memory, and read once an iteration: 3 % faster for
        // 3,000 customers, 10 % for 10,000.
        prefetch(problem.neighbours.row(customer), block_size);
        prefetch(problem.near.row(customer), block_size);
    }
    rank_customers(num_removed,
                   [&](int64_t idx) { return removed[idx].customer; });
}

// Inserts the removed customers one by one at the cheapest position, in a
// random order. Returns false where no position is left that keeps the cost
// below `limit`.
template <class Penalty>
bool RoutingSearch<Penalty>::recreate(double limit) {
    order_removed();
    num_inserted = 0;
    for (; num_inserted < num_removed; ++num_inserted) {
        Insertion& insertion = inserted[num_inserted];
        const uint32_t customer = insertion.customer;
        const Position found = find_position(customer, limit - cost);
        const uint32_t before = found.before;
        if (before == 0)
            return false;
        const uint32_t route = route_of[before];
        if (num_free > 0 && free_routes[num_free - 1] == route) {
            --num_free;
            penalties.open_route(route, customer);
        }
        const uint32_t after = nodes[before].next;
        double edge = nodes[before].to_next;
        insertion.edge = edge;
        set_edge(before, customer, found.edge_in);
        set_edge(customer, after, found.edge_out);
        route_of[customer] = route;
        loads[route] += demand(customer);
        ++routes[route].size;
        edge -= penalty(customer, route);
        count(customer, route, 1);
        cost += found.edge_in + found.edge_out - edge;
    }
    return true;
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

// Returns which of some customers are on routes with a load of at most `most`:
// the first one by the lowest bit.
template <class Penalty>
uint32_t RoutingSearch<Penalty>::find_room(std::span<const uint32_t> customers,
                                           int64_t most) const {
    uint32_t mask = 0;
    for (std::size_t idx = 0; idx < customers.size(); ++idx)
        mask |= uint32_t{loads[route_of[customers[idx]]] <= most} << idx;
    return mask;
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
// whose routes have room. Neighbours much further away than the least detour
// so far are left out: where the vehicles are nearly full, most of the time
// would go into looking for room there. Each position is overlooked with
// probability `blink`; rolling that only for those which would be taken
// changes nothing in distribution.
template <class Penalty>
template <class Lengths>
Position RoutingSearch<Penalty>::find_position_by(uint32_t customer,
                                                  double budget) {
    const Lengths lengths(problem, nodes, customer);
    const int64_t room = problem.capacity - demand(customer);
    Position best = find_gap(lengths, customer, budget);
    const double to_depot = 0.5 * problem.round_trip[customer];
    const auto neighbours_here = problem.neighbours.row(customer);
    const auto distances = problem.near.row(customer);
    int64_t left = problem.num_candidates;
    for (std::size_t begin = 0; begin < neighbours_here.size();
         begin += block_size) {
        if (distances[begin] > params.reach * best.cost)
            break;
        // A block of known size is tested in a loop that is unrolled.
        const auto rest = neighbours_here.subspan(begin);
        uint32_t mask = rest.size() >= block_size
                            ? find_room(rest.first(block_size), room)
                            : find_room(rest, room);
        for (; mask != 0; mask &= mask - 1) {
            const std::size_t idx = begin + std::countr_zero(mask);
            const double near = distances[idx];
            if (near > params.reach * best.cost)
                return best;
            const uint32_t j = neighbours_here[idx];
            const Node& node = nodes[j];
            const double extra = penalty(customer, route_of[j]);
            // The other end of an edge of this neighbour is the depot, or no
            // nearer than the neighbour, or it came before.
            const double least = near + std::min(near, to_depot);
            // One test for both bounds: a mispredicted branch takes longer
            // than the distance that it saves.
            const auto offer = [&](uint32_t before, double edge_in,
                                   double edge_out, double edge) {
                const double detour = edge_in + edge_out - edge;
                if (std::max(detour, least - edge) < best.cost &&
                    random.unit() >= params.blink)
                    best = {before, edge_in, edge_out, detour};
            };
            offer(j, near >= 0.0 ? near : lengths.from(j),
                  lengths.to(node.next), node.to_next - extra);
            offer(node.prev, lengths.from(node.prev),
                  near >= 0.0 ? near : lengths.to(j), node.to_prev - extra);
            if (--left == 0)
                return best;
        }
    }
    return best;
}

// The new edge has to be shorter than the one that it replaces, but for what
// the temperature allows: of every exchange that passes, one of the edges is.
// The neighbours come nearest first, so that the first one that is too far
// ends the attempt, and the first move that passes is made.
template <class Penalty>
void RoutingSearch<Penalty>::improve_locally(double temperature) {
    const uint32_t i = members[random.below(std::ssize(members))];
    const double limit = -temperature * std::log(1.0 - random.unit());
    const double kind = random.unit();
    const bool forward = kind < 0.5 * segment_share;
    const double edge = forward ? nodes[i].to_prev : nodes[i].to_next;
    const auto neighbours_here = problem.neighbours.row(i);
    const auto distances = problem.near.row(i);
    const int64_t width = std::min(num_near, std::ssize(neighbours_here));
    for (int64_t idx = 0; idx < width; ++idx) {
        const uint32_t j = neighbours_here[idx];
        if (near_length(i, j, distances[idx]) - edge >= limit)
            break;
        // A lonely customer is its own neighbour.
        if (is_absent(j) || i == j)
            continue;
        double change = limit;
        if (kind < segment_share)
            change = or_opt(*this, i, j, forward, limit);
        else if (route_of[i] == route_of[j])
            change = two_opt(*this, i, j, limit);
        else if (kind < 0.5 * (1.0 + segment_share))
            change = swap_tails(*this, i, j, limit);
        else
            change = swap_tails_reversed(*this, i, j, limit);
        if (change < limit) {
            accept(change);
            break;
        }
    }
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
template struct RoutingSearch<ZonePenalty>;
template struct RoutingSearch<SameRoutePenalty>;

} // namespace ncc::search

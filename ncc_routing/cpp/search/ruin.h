#pragma once

#include "arrays.h"
#include "search/linked_routes.h"
#include "search/params.h"

#include <algorithm>
#include <concepts>
#include <cstdint>

// Ruin: strings of customers leave neighbouring routes, and can come back.
//
// J. Christiaens, G. Vanden Berghe (2020). Slack induction by string removals
// for vehicle routing problems. Transportation Science 54(2).
namespace ncc::search {

// What a ruin asks of a search. It derives from `LinkedRoutes`, and knows its
// problem:
// - edge_length(i, j): the distance from i to j, the next node of its route,
// - demand(customer),
// - penalty(customer, route): what a customer on a route costs beside the
//   ways, when `count` no longer counts it there,
// - count(customer, route, change): counts it on a route, by 1, or no longer,
//   by -1,
// A search without penalties returns 0.0, and counts nothing.
template <class T>
concept RuinedSearch = requires(T search, uint32_t node, uint32_t route) {
    { search.edge_length(node, node) } -> std::same_as<double>;
    { search.demand(node) } -> std::same_as<int64_t>;
    { search.penalty(node, route) } -> std::same_as<double>;
    search.count(node, route, 1);
};

// Cuts `num_customers` customers from `first` on out of their route. Returns
// the node that followed them.
template <RuinedSearch Search>
uint32_t remove_string(Search& s, uint32_t first, int64_t num_customers) {
    const int64_t start = s.num_removed;
    const int64_t end = start + num_customers;
    NCC_CHECK(end <= std::ssize(s.removed));
    const uint32_t before = s.nodes[first].prev;
    const uint32_t route = s.route_of[first];
    double lost = s.nodes[first].to_prev;
    int64_t load = 0;
    uint32_t node = first;
    for (int64_t idx = start; idx < end; ++idx) {
        NCC_CHECK(s.is_customer(node) && s.route_of[node] == route);
        s.removed[idx] = {node, s.nodes[node].to_prev, s.nodes[node].to_next};
        s.count(node, route, -1);
        lost += s.nodes[node].to_next + s.penalty(node, route);
        load += s.demand(node);
        s.route_of[node] = s.num_slots;
        node = s.nodes[node].next;
    }
    s.strings[s.num_strings++] = {start, end, before, node};
    s.loads[route] -= load;
    s.routes[route].size -= num_customers;
    s.cost += link(s, before, node) - lost;
    s.num_removed = end;
    return node;
}

// Returns where a random window of `span` customers begins. It lies inside
// the route and holds `centre`.
template <RuinedSearch Search>
uint32_t window_start(Search& s, uint32_t centre, int64_t span) {
    int64_t ahead = 0;
    uint32_t node = s.nodes[centre].next;
    while (ahead < span - 1 && s.is_customer(node)) {
        node = s.nodes[node].next;
        ++ahead;
    }
    int64_t behind = 0;
    uint32_t first = centre;
    while (behind < span - 1 && s.is_customer(s.nodes[first].prev)) {
        first = s.nodes[first].prev;
        ++behind;
    }
    const int64_t num_windows = ahead + behind - span + 2;
    for (int64_t left = s.random.below(num_windows); left > 0; --left)
        first = s.nodes[first].next;
    return first;
}

// Removes a random string that holds `centre` from its route. With
// probability `split` some customers inside the string stay.
template <RuinedSearch Search>
void ruin_route(Search& s, uint32_t centre, double max_length, double split) {
    const int64_t size = s.routes[s.route_of[centre]].size;
    const double longest = std::min(static_cast<double>(size), max_length);
    const auto num_out = static_cast<int64_t>(1.0 + s.random.unit() * longest);
    int64_t num_kept = 0;
    if (1 < num_out && num_out < size && s.random.unit() < split) {
        num_kept = 1;
        while (num_out + num_kept < size && s.random.unit() < 0.01)
            ++num_kept;
    }
    const uint32_t first = window_start(s, centre, num_out + num_kept);
    int64_t num_head = num_out;
    if (num_kept > 0)
        num_head = 1 + s.random.below(num_out - 1);
    uint32_t node = remove_string(s, first, num_head);
    if (num_kept > 0) {
        for (int64_t left = num_kept; left > 0; --left)
            node = s.nodes[node].next;
        remove_string(s, node, num_out - num_head);
    }
}

// Removes strings from neighbouring routes around a random customer.
template <RuinedSearch Search>
void ruin(Search& s) {
    const SearchParams& params = s.params;
    const auto num_members = static_cast<double>(s.members.size());
    const auto num_routes = static_cast<double>(s.num_slots - s.num_free);
    const double max_length =
        std::min(params.max_string, num_members / num_routes);
    const double max_strings =
        4.0 * params.mean_removed / (1.0 + max_length) - 1.0;
    auto left = static_cast<int64_t>(1.0 + s.random.unit() * max_strings);
    const uint32_t seed = s.members[s.random.below(std::ssize(s.members))];
    const MatrixView<const uint32_t>& neighbours = s.problem.neighbours;
    // Step -1 is the seed itself, then come its neighbours.
    uint32_t centre = seed;
    for (int64_t step = -1; step < neighbours.num_columns(); ++step) {
        if (step >= 0)
            centre = neighbours(seed, step);
        const uint32_t route = s.route_of[centre];
        if (route < s.num_slots &&
            s.routes[route].ruined != s.num_iterations) {
            ruin_route(s, centre, max_length, params.split);
            s.routes[route].ruined = s.num_iterations;
            if (--left <= 0)
                break;
        }
    }
}

// Puts strings back, those from `first` on, the last one first.
template <RuinedSearch Search>
void restore_strings(Search& s, int64_t first, int64_t end) {
    for (int64_t number = end - 1; number >= first; --number) {
        const String& string = s.strings[number];
        uint32_t last = string.before;
        const uint32_t route = s.route_of[last];
        int64_t load = 0;
        for (int64_t idx = string.first; idx < string.end; ++idx) {
            const uint32_t customer = s.removed[idx].customer;
            s.set_edge(last, customer, s.removed[idx].to_prev);
            s.route_of[customer] = route;
            s.count(customer, route, 1);
            load += s.demand(customer);
            last = customer;
        }
        s.set_edge(last, string.after, s.removed[string.end - 1].to_next);
        s.loads[route] += load;
        s.routes[route].size += string.end - string.first;
    }
}

// Takes back the insertions and removals of an iteration, the last one first.
template <RuinedSearch Search>
void undo(Search& s) {
    const int64_t num_ruined = s.num_strings - s.num_dropped;
    restore_strings(s, num_ruined, s.num_strings);
    for (int64_t idx = s.num_inserted - 1; idx >= 0; --idx) {
        const uint32_t customer = s.inserted[idx].customer;
        const uint32_t route = s.route_of[customer];
        s.loads[route] -= s.demand(customer);
        s.routes[route].size -= 1;
        s.count(customer, route, -1);
        s.set_edge(s.nodes[customer].prev, s.nodes[customer].next,
                   s.inserted[idx].edge);
    }
    restore_strings(s, 0, num_ruined);
    s.num_free = s.num_free_before;
    s.cost = s.cost_before;
}

// Keeps the change: notes what differs from the best, frees empty routes.
template <RuinedSearch Search>
void commit(Search& s) {
    for (int64_t number = 0; number < s.num_strings; ++number) {
        const uint32_t before = s.strings[number].before;
        s.mark_dirty(before);
        const uint32_t route = s.route_of[before];
        // Two strings of one route must not free it twice.
        if (s.routes[route].size == 0 && s.routes[route].ruined >= 0)
            s.free_route(route);
    }
    for (int64_t idx = 0; idx < s.num_inserted; ++idx) {
        const uint32_t customer = s.inserted[idx].customer;
        s.mark_dirty(customer);
        s.mark_dirty(s.nodes[customer].prev);
    }
}

} // namespace ncc::search

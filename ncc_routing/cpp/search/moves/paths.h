#pragma once

#include "search/routing_search.h"

#include <cstdint>
#include <utility>

// Paths along routes, which the moves turn round and exchange.
//
// A move is judged before anything changes, at the temperature of the
// annealing, so that nothing has to be undone; only the few that are accepted
// walk along routes. It returns the change of the cost, or its limit where
// nothing changed.
namespace ncc::search {

// Returns by how much the way back from `last` to `first` is longer.
template <class Penalty>
double turning_cost(const RoutingSearch<Penalty>& s, uint32_t first,
                    uint32_t last) {
    double change = 0.0;
    if (s.problem.is_symmetric)
        return change;
    uint32_t node = first;
    while (node != last) {
        const uint32_t following = s.nodes[node].next;
        change += s.length(following, node) - s.nodes[node].to_next;
        node = following;
    }
    return change;
}

// Lets a node belong to another route.
template <class Penalty>
void change_route(RoutingSearch<Penalty>& s, uint32_t node, uint32_t route) {
    if (s.is_customer(node)) {
        s.count(node, s.route_of[node], -1);
        s.count(node, route, 1);
    }
    s.route_of[node] = route;
}

// Turns the edges between `first` and `last` round, and sets the route. The
// two edges that lead into and out of the path are the caller's. Every node of
// the path is marked, as is its old predecessor by the caller.
template <class Penalty>
void reverse_path(RoutingSearch<Penalty>& s, uint32_t first, uint32_t last,
                  uint32_t route) {
    uint32_t node = first;
    while (true) {
        Node& turned = s.nodes[node];
        const uint32_t following = turned.next;
        std::swap(turned.next, turned.prev);
        std::swap(turned.to_next, turned.to_prev);
        change_route(s, node, route);
        s.mark_dirty(node);
        if (node == last)
            break;
        node = following;
    }
    while (!s.problem.is_symmetric && node != first) {
        const uint32_t following = s.nodes[node].next;
        s.set_edge(node, following, s.length(node, following));
        node = following;
    }
}

// Moves load and customers from route b to a; frees an empty one.
template <class Penalty>
void move_load(RoutingSearch<Penalty>& s, uint32_t a, uint32_t b, int64_t load,
               int64_t size) {
    s.loads[a] += load;
    s.loads[b] -= load;
    s.routes[a].size += size;
    s.routes[b].size -= size;
    for (const uint32_t route : {a, b})
        if (s.routes[route].size == 0)
            s.free_route(route);
}

// Load and number of some customers.
struct PathSize {
    int64_t load = 0;
    int64_t size = 0;
};

// Returns those of the customers from `first` to the end of the route.
template <class Penalty>
PathSize measure_tail(const RoutingSearch<Penalty>& s, uint32_t first) {
    PathSize tail;
    for (uint32_t node = first; s.is_customer(node);
         node = s.nodes[node].next) {
        tail.load += s.demand(node);
        ++tail.size;
    }
    return tail;
}

// Counts the customers of a path on route b instead of a. Returns by how much
// the penalties rise.
template <class Penalty>
double move_path(RoutingSearch<Penalty>& s, uint32_t first, uint32_t last,
                 uint32_t a, uint32_t b) {
    double change = 0.0;
    uint32_t node = first;
    while (true) {
        if (s.is_customer(node)) {
            s.count(node, a, -1);
            change += s.penalty(node, b) - s.penalty(node, a);
            s.count(node, b, 1);
        }
        if (node == last)
            return change;
        node = s.nodes[node].next;
    }
}

// Counts the customers of a path on route a again.
template <class Penalty>
void move_path_back(RoutingSearch<Penalty>& s, uint32_t first, uint32_t last,
                    uint32_t a, uint32_t b) {
    if constexpr (Penalty::counts_customers)
        move_path(s, first, last, b, a);
}

// Returns what the paths from `first` to `last` and from `other` to `end`, of
// different routes, cost more when exchanged. Depots do not count; nothing has
// changed at the end.
template <class Penalty>
double penalty_of_exchange(RoutingSearch<Penalty>& s, uint32_t first,
                           uint32_t last, uint32_t other, uint32_t end) {
    if constexpr (!Penalty::is_any)
        return 0.0;
    const uint32_t a = s.route_of[first];
    const uint32_t b = s.route_of[other];
    double change = move_path(s, first, last, a, b);
    change += move_path(s, other, end, b, a);
    move_path_back(s, first, last, a, b);
    move_path_back(s, other, end, b, a);
    return change;
}

} // namespace ncc::search

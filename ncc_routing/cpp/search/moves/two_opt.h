#pragma once

#include "search/exchange.h"

#include <cstdint>
#include <utility>

namespace ncc::search {

// Whether a path has more nodes than the one from `other` to `end`.
template <class Search>
bool is_longer(const Search& s, uint32_t first, uint32_t last, uint32_t other,
               uint32_t end) {
    while (first != last) {
        if (other == end)
            return true;
        first = s.nodes[first].next;
        other = s.nodes[other].next;
    }
    return false;
}

// Whether j follows i on its route.
template <class Search>
bool is_behind(const Search& s, uint32_t i, uint32_t j) {
    while (i != j && s.is_customer(i))
        i = s.nodes[i].next;
    return i == j;
}

// Returns the exchange that turns the path from behind i to j, a later node of
// its route, round.
template <class Search>
Exchange turned_path(const Search& s, uint32_t i, uint32_t j) {
    const Piece path = piece_between(s, s.nodes[i].next, j, true);
    return Exchange(
        {s.route_of[i], {head_to(s, i), path, tail_from(s, s.nodes[j].next)}});
}

// Joins i to j and the nodes that follow them (2-opt). Returns the change of
// the cost, or the limit if nothing changed.
//
// Both lie in one route. That is a ring where it begins and ends at one depot:
// the path between them by way of the depot may be turned round as well, if
// its ends may be, and where ways back are as long the shorter one is.
template <ExchangingSearch Search>
double two_opt(Search& s, uint32_t i, uint32_t j, double limit) {
    const uint32_t route = s.route_of[i];
    const bool is_ring = s.is_ring(route);
    if (!(is_ring && s.may_turn_ends()) && !is_behind(s, i, j))
        std::swap(i, j);
    uint32_t after_i = s.nodes[i].next;
    uint32_t after_j = s.nodes[j].next;
    if (after_i == j || after_j == i)
        return limit;
    const double near = s.length_on(route, i, j);
    const double lost = s.nodes[i].to_next + s.nodes[j].to_next;
    const double far = s.length_on(route, after_i, after_j);
    double change = near + far - lost;
    if (!s.may_pay(route, route, change, false, limit))
        return limit;
    change += turning_cost(s, after_i, j);
    if (!s.may_pay(route, route, change, false, limit))
        return limit;
    bool turns_depot = is_ring && !is_behind(s, i, j);
    if (is_ring && s.is_symmetric() && is_longer(s, after_i, j, after_j, i)) {
        std::swap(i, j);
        std::swap(after_i, after_j);
        turns_depot = !turns_depot;
    }
    if (!turns_depot)
        return s.try_exchange(turned_path(s, i, j), change, limit);
    const Exchange turned(
        {route,
         {tail_from(s, after_i, true), piece_between(s, after_j, i),
          head_to(s, j, true)}});
    return s.try_exchange(turned, change, limit);
}

} // namespace ncc::search

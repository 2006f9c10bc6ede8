#pragma once

#include "search/exchange.h"

#include <cstdint>

namespace ncc::search {

// Returns the exchange that joins i to j, and what follows i to what follows
// j.
template <class Search>
Exchange joined_heads(const Search& s, uint32_t i, uint32_t j) {
    const Piece left = tail_from(s, s.nodes[i].next, true);
    return {{s.route_of[j], {left, tail_from(s, s.nodes[j].next)}},
            {s.route_of[i], {head_to(s, i), head_to(s, j, true)}}};
}

// Joins i to j of another route, and what follows i to what follows j (2-opt*
// with reversal). Returns the change of the cost, or the limit if nothing
// changed.
//
// The way from the depot to j is turned round, and so is the way that followed
// i.
template <ExchangingSearch Search>
double two_opt_star_reversed(Search& s, uint32_t i, uint32_t j, double limit) {
    const uint32_t a = s.route_of[i];
    const uint32_t b = s.route_of[j];
    const uint32_t after_i = s.nodes[i].next;
    const uint32_t after_j = s.nodes[j].next;
    const double near = s.length_on(a, i, j);
    const double lost = s.nodes[i].to_next + s.nodes[j].to_next;
    const bool empties = !s.is_customer(after_i) && !s.is_customer(after_j);
    const double far = s.joint_length(b, after_i, after_j);
    double change = near + far - lost;
    if (!s.may_pay(a, b, change, empties, limit))
        return limit;
    const int64_t left = tail_load(s, after_i) + tail_load(s, after_j);
    const int64_t gained = s.loads[b] - left;
    if (!s.may_take(a, gained) || !s.may_take(b, -gained))
        return limit;
    change += turning_cost(s, after_i, s.depot_of(a));
    change += turning_cost(s, s.depot_of(b), j);
    return s.try_exchange(joined_heads(s, i, j), change, limit);
}

} // namespace ncc::search

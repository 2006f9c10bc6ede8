#pragma once

#include "search/exchange.h"

#include <cstdint>

namespace ncc::search {

// Returns the exchange that joins i to j, and what came before j to what came
// after i.
template <class Search>
Exchange swapped_tails(const Search& s, uint32_t i, uint32_t j) {
    const Piece left = tail_from(s, s.nodes[i].next);
    return {{s.route_of[j], {head_to(s, s.nodes[j].prev), left}},
            {s.route_of[i], {head_to(s, i), tail_from(s, j)}}};
}

// Joins i to j of another route, and what came before j to what came after i
// (2-opt*). Returns the change of the cost, or the limit if nothing changed.
//
// J.-Y. Potvin, J.-M. Rousseau (1995). An exchange heuristic for routeing
// problems with time windows. Journal of the Operational Research Society
// 46(12).
template <ExchangingSearch Search>
double two_opt_star(Search& s, uint32_t i, uint32_t j, double limit) {
    const uint32_t a = s.route_of[i];
    const uint32_t b = s.route_of[j];
    const uint32_t after = s.nodes[i].next;
    const uint32_t before = s.nodes[j].prev;
    const double near = s.length_on(a, i, j);
    const double lost = s.nodes[i].to_next + s.nodes[j].to_prev;
    const bool empties = !s.is_customer(before) && !s.is_customer(after);
    const double far = s.joint_length(b, before, after);
    const double change = near + far - lost;
    if (!s.may_pay(a, b, change, empties, limit))
        return limit;
    const int64_t gained = tail_load(s, j) - tail_load(s, after);
    if (!s.may_take(a, gained) || !s.may_take(b, -gained))
        return limit;
    return s.try_exchange(swapped_tails(s, i, j), change, limit);
}

} // namespace ncc::search

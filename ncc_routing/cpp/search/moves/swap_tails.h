#pragma once

#include "search/moves/paths.h"

#include <cstdint>

namespace ncc::search {

// Lets the customers from `first` to the end of its route belong to another.
template <class Penalty>
void relabel_tail(RoutingSearch<Penalty>& s, uint32_t first, uint32_t route) {
    for (uint32_t node = first; s.is_customer(node); node = s.nodes[node].next)
        change_route(s, node, route);
}

// Joins i to j of another route, and what came before j to what came after i
// (2-opt*).
//
// J.-Y. Potvin, J.-M. Rousseau (1995). An exchange heuristic for routeing
// problems with time windows. Journal of the Operational Research Society
// 46(12).
template <class Penalty>
double swap_tails(RoutingSearch<Penalty>& s, uint32_t i, uint32_t j,
                  double limit) {
    const uint32_t after = s.nodes[i].next;
    const uint32_t before = s.nodes[j].prev;
    const double near = s.length(i, j);
    const double lost = s.nodes[i].to_next + s.nodes[j].to_prev;
    const double far = s.length(before, after);
    double change = near + far - lost;
    if (change >= limit)
        return limit;
    const uint32_t a = s.route_of[i];
    const uint32_t b = s.route_of[j];
    const PathSize out = measure_tail(s, after);
    const PathSize in = measure_tail(s, j);
    const int64_t more = in.load - out.load;
    const int64_t capacity = s.problem.capacity;
    if (s.loads[a] + more > capacity || s.loads[b] - more > capacity)
        return limit;
    const uint32_t depot_a = s.depot_of(a);
    const uint32_t depot_b = s.depot_of(b);
    if constexpr (Penalty::is_any) {
        change += penalty_of_exchange(s, after, depot_a, j, depot_b);
        if (change >= limit)
            return limit;
    }
    const uint32_t last_a = s.nodes[depot_a].prev;
    const uint32_t last_b = s.nodes[depot_b].prev;
    const double home_a = s.nodes[depot_a].to_prev;
    const double home_b = s.nodes[depot_b].to_prev;
    relabel_tail(s, j, a);
    relabel_tail(s, after, b);
    s.mark_dirty(i);
    s.mark_dirty(before);
    s.mark_dirty(last_b);
    s.set_edge(i, j, near);
    s.set_edge(last_b, depot_a, home_b);
    if (after == depot_a) {
        // Nothing follows i: the other route ends where j was.
        s.set_edge(before, depot_b, far);
    } else {
        s.mark_dirty(last_a);
        s.set_edge(before, after, far);
        s.set_edge(last_a, depot_b, home_a);
    }
    move_load(s, a, b, more, in.size - out.size);
    return change;
}

} // namespace ncc::search

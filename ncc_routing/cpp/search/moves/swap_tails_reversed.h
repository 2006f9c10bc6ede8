#pragma once

#include "search/moves/paths.h"

#include <cstdint>

namespace ncc::search {

// Joins i to j of another route, and what follows i to what follows j (2-opt*
// with reversal).
//
// The way from the depot to j is turned round, and so is the way that followed
// i.
template <class Penalty>
double swap_tails_reversed(RoutingSearch<Penalty>& s, uint32_t i, uint32_t j,
                           double limit) {
    const uint32_t after_i = s.nodes[i].next;
    const uint32_t after_j = s.nodes[j].next;
    const double near = s.length(i, j);
    const double lost = s.nodes[i].to_next + s.nodes[j].to_next;
    const double far = s.length(after_i, after_j);
    double change = near + far - lost;
    if (change >= limit)
        return limit;
    const uint32_t a = s.route_of[i];
    const uint32_t b = s.route_of[j];
    const PathSize out = measure_tail(s, after_i);
    const PathSize left = measure_tail(s, after_j);
    const int64_t more = s.loads[b] - left.load - out.load;
    const int64_t size_in = s.routes[b].size - left.size;
    const int64_t capacity = s.problem.capacity;
    if (s.loads[a] + more > capacity || s.loads[b] - more > capacity)
        return limit;
    const uint32_t depot_a = s.depot_of(a);
    const uint32_t depot_b = s.depot_of(b);
    change += turning_cost(s, after_i, depot_a);
    change += turning_cost(s, depot_b, j);
    if constexpr (Penalty::is_any)
        change += penalty_of_exchange(s, after_i, depot_a, depot_b, j);
    if (change >= limit)
        return limit;
    const uint32_t last_a = s.nodes[depot_a].prev;
    double home_a = s.nodes[depot_a].to_prev;
    const uint32_t first_b = s.nodes[depot_b].next;
    double out_b = s.nodes[depot_b].to_next;
    if (!s.problem.is_symmetric) {
        home_a = s.length(depot_b, last_a);
        out_b = s.length(first_b, depot_a);
    }
    s.mark_dirty(i);
    s.mark_dirty(depot_b);
    reverse_path(s, first_b, j, a);
    if (after_i == depot_a) {
        // Nothing follows i: the other route begins behind j.
        s.set_edge(depot_b, after_j, far);
    } else {
        reverse_path(s, after_i, last_a, b);
        s.set_edge(depot_b, last_a, home_a);
        s.set_edge(after_i, after_j, far);
    }
    s.set_edge(i, j, near);
    s.set_edge(first_b, depot_a, out_b);
    move_load(s, a, b, more, size_in - out.size);
    return change;
}

} // namespace ncc::search

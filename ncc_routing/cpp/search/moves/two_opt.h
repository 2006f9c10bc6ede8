#pragma once

#include "search/moves/paths.h"

#include <cstdint>
#include <utility>

namespace ncc::search {

// Whether a path has more nodes than the one from `other` to `end`.
template <class Penalty>
bool is_longer(const RoutingSearch<Penalty>& s, uint32_t first, uint32_t last,
               uint32_t other, uint32_t end) {
    while (first != last) {
        if (other == end)
            return true;
        first = s.nodes[first].next;
        other = s.nodes[other].next;
    }
    return false;
}

// Joins i to j and the nodes that follow them (2-opt).
//
// Both lie in one route, a ring with the depot: where ways back are as long,
// the shorter of the two paths between them is turned round.
template <class Penalty>
double two_opt(RoutingSearch<Penalty>& s, uint32_t i, uint32_t j,
               double limit) {
    uint32_t after_i = s.nodes[i].next;
    uint32_t after_j = s.nodes[j].next;
    if (after_i == j || after_j == i)
        return limit;
    const double near = s.length(i, j);
    const double lost = s.nodes[i].to_next + s.nodes[j].to_next;
    const double far = s.length(after_i, after_j);
    double change = near + far - lost;
    if (change >= limit)
        return limit;
    change += turning_cost(s, after_i, j);
    if (change >= limit)
        return limit;
    if (s.problem.is_symmetric && is_longer(s, after_i, j, after_j, i)) {
        std::swap(i, j);
        std::swap(after_i, after_j);
    }
    s.mark_dirty(i);
    reverse_path(s, after_i, j, s.route_of[i]);
    s.set_edge(i, j, near);
    s.set_edge(after_i, after_j, far);
    return change;
}

} // namespace ncc::search

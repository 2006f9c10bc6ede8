#pragma once

#include "search/moves/paths.h"

#include <cstdint>
#include <utility>

namespace ncc::search {

// Customers of a moved segment at most.
inline constexpr double max_segment = 30.0;

// Moves a segment that begins with i next to j, customers of any routes
// (Or-opt).
//
// It is the first one, from i alone to a random length, whose move passes. It
// goes on along the route (`forward`) or against it, and is turned round where
// that makes i and j neighbours.
template <class Penalty>
double or_opt(RoutingSearch<Penalty>& s, uint32_t i, uint32_t j, bool forward,
              double limit) {
    const uint32_t a = s.route_of[i];
    const uint32_t b = s.route_of[j];
    // The other end goes to the successor or the predecessor of j.
    const bool follows = s.random.unit() < 0.5;
    const uint32_t other = follows ? s.nodes[j].next : s.nodes[j].prev;
    if (other == i)
        return limit;
    const uint32_t outer = forward ? s.nodes[i].prev : s.nodes[i].next;
    // The way counts: with a matrix it may differ from the way back.
    const double near = follows ? s.length(j, i) : s.length(i, j);
    double change = near;
    change -= follows ? s.nodes[j].to_next : s.nodes[j].to_prev;
    change -= forward ? s.nodes[i].to_prev : s.nodes[i].to_next;
    const bool is_turned = forward != follows;
    const auto most = 1 + static_cast<int64_t>(s.random.unit() * max_segment);
    int64_t load = 0;
    int64_t size = 0;
    double total = limit;
    double far = 0.0;
    double gap = 0.0;
    uint32_t k = i;
    uint32_t node = i;
    while (true) {
        load += s.demand(node);
        if (a != b && s.loads[b] + load > s.problem.capacity)
            break;
        k = node;
        ++size;
        if constexpr (Penalty::is_any)
            if (a != b)
                change += move_path(s, k, k, a, b);
        node = forward ? s.nodes[k].next : s.nodes[k].prev;
        const double edge = forward ? s.nodes[k].to_next : s.nodes[k].to_prev;
        far = follows ? s.length(k, other) : s.length(other, k);
        gap = 0.0;
        if (node != outer)
            gap = forward ? s.length(outer, node) : s.length(node, outer);
        total = change + far + gap - edge;
        if (total < limit || size >= most)
            break;
        if (!s.is_customer(node) || node == j || node == other)
            break;
        if (is_turned && !s.problem.is_symmetric)
            change += (forward ? s.length(node, k) : s.length(k, node)) - edge;
    }
    uint32_t first = forward ? i : k;
    uint32_t last = forward ? k : i;
    if constexpr (Penalty::is_any)
        if (a != b && size > 0)
            move_path_back(s, first, last, a, b);
    if (total >= limit)
        return limit;
    s.mark_dirty(j);
    s.mark_dirty(other);
    if (forward) {
        s.mark_dirty(outer);
        s.set_edge(outer, node, gap);
    } else {
        s.mark_dirty(node);
        s.set_edge(node, outer, gap);
    }
    // After j comes i; before j it is the last one.
    if (is_turned) {
        reverse_path(s, first, last, b);
        std::swap(first, last);
    } else {
        uint32_t moved = first;
        for (int64_t left = size; left > 0; --left) {
            change_route(s, moved, b);
            moved = s.nodes[moved].next;
        }
        s.mark_dirty(last);
    }
    if (follows) {
        s.set_edge(j, first, near);
        s.set_edge(last, other, far);
    } else {
        s.set_edge(other, first, far);
        s.set_edge(last, j, near);
    }
    if (a != b)
        move_load(s, b, a, load, size);
    return total;
}

} // namespace ncc::search

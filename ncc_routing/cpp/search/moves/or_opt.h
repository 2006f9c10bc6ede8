#pragma once

#include "search/exchange.h"
#include "search/moves/two_opt.h"

#include <cstdint>

namespace ncc::search {

// Customers of a moved segment at most.
inline constexpr double max_segment = 30.0;

// Returns the exchange that moves a segment between two nodes that follow one
// another.
template <class Search>
Exchange relocation(const Search& s, const Piece& segment, uint32_t spot,
                    uint32_t behind) {
    const uint32_t a = s.route_of[segment.first];
    const uint32_t b = s.route_of[spot];
    const uint32_t before = s.nodes[segment.first].prev;
    const uint32_t after = s.nodes[segment.last].next;
    const Piece head = head_to(s, before);
    const Piece tail = tail_from(s, after);
    if (a != b)
        return {{a, {head, tail}},
                {b, {head_to(s, spot), segment, tail_from(s, behind)}}};
    if (s.is_customer(spot) && is_behind(s, after, spot))
        return Exchange({a,
                         {head, piece_between(s, after, spot), segment,
                          tail_from(s, behind)}});
    return Exchange(
        {a,
         {head_to(s, spot), segment, piece_between(s, behind, before), tail}});
}

// Moves a segment that begins with i next to j, customers of any routes
// (Or-opt). Returns the change of the cost, or the limit if nothing changed.
//
// It is the first one, from i alone to a random length, whose move passes. It
// goes on along the route (`forward`) or against it, and is turned round where
// that makes i and j neighbours.
template <ExchangingSearch Search>
double or_opt(Search& s, uint32_t i, uint32_t j, bool forward, double limit) {
    const uint32_t a = s.route_of[i];
    const uint32_t b = s.route_of[j];
    // The other end goes to the successor or the predecessor of j.
    const bool follows = s.random.unit() < 0.5;
    const uint32_t other = follows ? s.nodes[j].next : s.nodes[j].prev;
    if (other == i)
        return limit;
    const uint32_t outer = forward ? s.nodes[i].prev : s.nodes[i].next;
    // The way counts: with a matrix it may differ from the way back.
    double change = follows ? s.length_on(b, j, i) : s.length_on(b, i, j);
    change -= follows ? s.nodes[j].to_next : s.nodes[j].to_prev;
    change -= forward ? s.nodes[i].to_prev : s.nodes[i].to_next;
    const bool is_turned = forward != follows;
    const auto most = 1 + static_cast<int64_t>(s.random.unit() * max_segment);
    // What the segment costs on its new route, while it counts there.
    const bool is_priced = a != b && s.has_penalties();
    double penalty = 0.0;
    int64_t load = 0;
    uint32_t node = i;
    Piece segment;
    for (int64_t size = 1; size <= most; ++size) {
        const uint32_t k = node;
        load += s.demand(k);
        if (a != b && !s.may_take(b, load))
            break;
        segment = forward ? Piece{i, k, is_turned} : Piece{k, i, is_turned};
        if (is_priced)
            penalty += move_piece(s, {k, k}, a, b);
        node = forward ? s.nodes[k].next : s.nodes[k].prev;
        const double edge = forward ? s.nodes[k].to_next : s.nodes[k].to_prev;
        const double far =
            follows ? s.length_on(b, k, other) : s.length_on(b, other, k);
        double gap = 0.0;
        if (node != outer)
            gap = forward ? s.length_on(a, outer, node)
                          : s.length_on(a, node, outer);
        const double total = change + far + gap - edge;
        if (s.may_pay(a, b, total, node == outer, limit - penalty)) {
            if (is_priced)
                count_piece(s, segment, b, a);
            const double found =
                s.try_priced(relocation(s, segment, follows ? j : other,
                                        follows ? other : j),
                             total, penalty, limit);
            if (found < limit)
                return found;
            if (is_priced)
                count_piece(s, segment, a, b);
        }
        if (!s.is_customer(node) || node == j || node == other)
            break;
        if (is_turned && !s.is_symmetric())
            change +=
                (forward ? s.length_on(b, node, k) : s.length_on(b, k, node)) -
                edge;
    }
    if (is_priced)
        count_piece(s, segment, b, a);
    return limit;
}

} // namespace ncc::search

#pragma once

#include "iterated/routes.h"

#include <algorithm>
#include <cstdint>
#include <vector>

// Moves within a route: 2-opt, relocate and swap of two nodes.
namespace ncc::iterated {

enum class InnerKind : uint8_t { None, TwoOpt, Relocate, Swap };

struct InnerMove {
    double change;
    InnerKind kind = InnerKind::None;
    uint32_t u = 0;
    uint32_t v = 0;

    void offer(double other, InnerKind other_kind, uint32_t i, uint32_t j) {
        if (other < change)
            *this = {other, other_kind, i, j};
    }
};

// Offers the moves that make u a neighbour of v, a node of the same route,
// or exchange them. In a long route their edge is to be shorter than one of
// theirs now: nearly every near customer passes the sum of them there.
template <class Lengths>
void offer_within(const Routes<Lengths>& routes, uint32_t u, uint32_t v,
                  bool is_long, InnerMove& best) {
    const Node& at_u = routes.nodes[u];
    const Node& at_v = routes.nodes[v];
    const double in_u = routes.nodes[at_u.prev].to_next;
    const double in_v = routes.nodes[at_v.prev].to_next;
    const auto row = routes.lengths.row(routes.place(u));
    const auto from_u = [&](uint32_t j) { return row.to(routes.place(j)); };
    const auto to_u = [&](uint32_t j) { return row.from(routes.place(j)); };
    const double uv = from_u(v);
    const double vu = to_u(v);
    const double longest = std::max({in_u, at_u.to_next, in_v, at_v.to_next});
    const double sum = in_u + at_u.to_next + in_v + at_v.to_next;
    if (std::min(uv, vu) >= (is_long ? longest : sum))
        return;
    const double gain_u =
        in_u + at_u.to_next - routes.length(at_u.prev, at_u.next);
    if (v != at_u.prev)
        best.offer(vu + from_u(at_v.next) - at_v.to_next - gain_u,
                   InnerKind::Relocate, u, v);
    if (v != at_u.next)
        best.offer(to_u(at_v.prev) + uv - in_v - gain_u, InnerKind::Relocate,
                   u, at_v.prev);
    if (v == at_u.prev || v == at_u.next)
        return;
    const double gain_v =
        in_v + at_v.to_next - routes.length(at_v.prev, at_v.next);
    best.offer(uv + routes.length(v, at_u.next) - at_u.to_next - gain_v,
               InnerKind::Relocate, v, u);
    best.offer(routes.length(at_u.prev, v) + vu - in_u - gain_v,
               InnerKind::Relocate, v, at_u.prev);
    if constexpr (Lengths::is_symmetric) {
        best.offer(uv + routes.length(at_u.next, at_v.next) - at_u.to_next -
                       at_v.to_next,
                   InnerKind::TwoOpt, u, v);
        best.offer(uv + routes.length(at_u.prev, at_v.prev) - in_u - in_v,
                   InnerKind::TwoOpt, at_u.prev, at_v.prev);
    }
    if (at_v.next != at_u.prev && at_v.prev != at_u.next)
        best.offer(to_u(at_v.prev) + from_u(at_v.next) +
                       routes.length(at_u.prev, v) +
                       routes.length(v, at_u.next) - in_u - at_u.to_next -
                       in_v - at_v.to_next,
                   InnerKind::Swap, u, v);
}

template <class Lengths>
void apply_within(Routes<Lengths>& routes, const InnerMove& move,
                  std::vector<uint32_t>& order) {
    routes.cost += move.change;
    if (move.kind == InnerKind::Relocate) {
        routes.move_behind(move.u, move.v);
        return;
    }
    if (move.kind == InnerKind::Swap) {
        routes.exchange(move.u, routes.nodes[move.v].prev, move.v,
                        routes.nodes[move.u].prev);
        return;
    }
    // The path from behind u to v is turned round.
    order.clear();
    for (uint32_t node = routes.nodes[move.u].next; node != move.v;
         node = routes.nodes[node].next)
        order.push_back(node);
    uint32_t last = move.u;
    const uint32_t after = routes.nodes[move.v].next;
    routes.link(last, move.v);
    last = move.v;
    for (std::size_t idx = order.size(); idx-- > 0;) {
        routes.link(last, order[idx]);
        last = order[idx];
    }
    routes.link(last, after);
}

} // namespace ncc::iterated

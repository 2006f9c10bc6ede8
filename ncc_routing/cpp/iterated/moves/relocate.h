#pragma once

#include "iterated/moves/node_pair.h"

// Relocate: a customer moves next to a node of another route.
namespace ncc::iterated {

template <class Lengths, class Judge>
NCC_ALWAYS_INLINE void offer_relocate(const NodePair<Lengths>& pair,
                                      Best<Judge>& best) {
    const auto& u = pair.u;
    const Loads& loads = pair.loads;
    const int64_t without_u = loads.a - pair.demand_u;
    const int64_t with_u = loads.b + pair.demand_u;
    if (u.is_customer && Judge::admits(loads, without_u, with_u)) {
        const double behind =
            pair.vu + pair.from_u(pair.after_v) - pair.out_v - u.gain;
        best.offer(loads, behind, without_u, with_u, MoveKind::Relocate,
                   u.node, pair.v);
        const double ahead =
            pair.to_u(pair.before_v) + pair.uv - pair.in_v - u.gain;
        best.offer(loads, ahead, without_u, with_u, MoveKind::Relocate, u.node,
                   pair.before_v);
    }
    const int64_t with_v = loads.a + pair.demand_v;
    const int64_t without_v = loads.b - pair.demand_v;
    if (pair.is_customer_v && Judge::admits(loads, with_v, without_v)) {
        const double gain = pair.gain_v();
        const double behind =
            pair.uv + pair.length(pair.v, u.after) - u.out - gain;
        best.offer(loads, behind, with_v, without_v, MoveKind::Relocate,
                   pair.v, u.node);
        const double ahead =
            pair.length(u.before, pair.v) + pair.vu - u.in - gain;
        best.offer(loads, ahead, with_v, without_v, MoveKind::Relocate, pair.v,
                   u.before);
    }
}

} // namespace ncc::iterated

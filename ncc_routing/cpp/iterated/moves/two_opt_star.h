#pragma once

#include "iterated/moves/node_pair.h"

#include <cstdint>
#include <vector>

// 2-opt*: two routes exchange what follows a node of each.
//
// J.-Y. Potvin, J.-M. Rousseau (1995). An exchange heuristic for routeing
// problems with time windows. Journal of the Operational Research Society
// 46(12).
namespace ncc::iterated {

// Offers the exchange that leaves `load_a` on the first route, and makes an
// edge from i to j beside what `change` counts.
template <class Lengths, class Judge>
NCC_ALWAYS_INLINE void offer_tails(const NodePair<Lengths>& pair,
                                   Best<Judge>& best, int64_t load_a,
                                   double change, uint32_t i, uint32_t j,
                                   MoveKind kind, uint32_t u, uint32_t v) {
    const Loads& loads = pair.loads;
    const int64_t load_b = loads.a + loads.b - load_a;
    if (Judge::admits(loads, load_a, load_b))
        best.offer(loads, change + pair.length(i, j), load_a, load_b, kind, u,
                   v);
}

template <class Lengths, class Judge>
NCC_ALWAYS_INLINE void offer_two_opt_star(const NodePair<Lengths>& pair,
                                          Best<Judge>& best) {
    const auto& u = pair.u;
    const Loads& loads = pair.loads;
    // The loads of the customers up to a node, and of those ahead of it.
    const int64_t up_to_u = pair.routes.nodes[u.node].load;
    const int64_t up_to_v = pair.routes.nodes[pair.v].load;
    const int64_t ahead_of_u =
        u.is_customer ? up_to_u - pair.demand_u : loads.a;
    const int64_t ahead_of_v =
        pair.is_customer_v ? up_to_v - pair.demand_v : loads.b;
    offer_tails(pair, best, up_to_u + loads.b - ahead_of_v,
                pair.uv - u.out - pair.in_v, pair.before_v, u.after,
                MoveKind::TwoOptStar, u.node, pair.before_v);
    offer_tails(pair, best, ahead_of_u + loads.b - up_to_v,
                pair.vu - u.in - pair.out_v, u.before, pair.after_v,
                MoveKind::TwoOptStar, u.before, pair.v);
    if constexpr (Lengths::is_symmetric) {
        offer_tails(pair, best, up_to_u + up_to_v,
                    pair.uv - u.out - pair.out_v, u.after, pair.after_v,
                    MoveKind::TwoOptStarTurned, u.node, pair.v);
        offer_tails(pair, best, ahead_of_u + ahead_of_v,
                    pair.uv - u.in - pair.in_v, u.before, pair.before_v,
                    MoveKind::TwoOptStarTurned, u.before, pair.before_v);
    }
}

// Exchanges what follows u and v.
template <class Lengths>
void exchange_tails(Routes<Lengths>& routes, const Move& move) {
    const uint32_t depot_u = routes.depot_of(move.route_u);
    const uint32_t depot_v = routes.depot_of(move.route_v);
    const uint32_t after_u = routes.nodes[move.u].next;
    const uint32_t after_v = routes.nodes[move.v].next;
    const uint32_t last_u = routes.nodes[depot_u].prev;
    const uint32_t last_v = routes.nodes[depot_v].prev;
    const auto join = [&](uint32_t end, uint32_t first, uint32_t last,
                          uint32_t own_depot) {
        if (!routes.is_customer(first))
            return routes.link(end, own_depot);
        routes.link(end, first);
        routes.link(last, own_depot);
    };
    join(move.u, after_v, last_v, depot_u);
    join(move.v, after_u, last_u, depot_v);
}

// Joins u to v and what followed u to what followed v: the customers up to v
// come to the route of u turned round, and so do those behind u to that of v.
template <class Lengths>
void exchange_tails_turned(Routes<Lengths>& routes, const Move& move,
                           std::vector<uint32_t>& order) {
    const uint32_t depot_u = routes.depot_of(move.route_u);
    const uint32_t depot_v = routes.depot_of(move.route_v);
    const uint32_t after_v = routes.nodes[move.v].next;
    order.clear();
    for (uint32_t node = move.v; node != depot_v;
         node = routes.nodes[node].prev)
        order.push_back(node);
    const std::size_t num_heads = order.size();
    for (uint32_t node = routes.nodes[depot_u].prev; node != move.u;
         node = routes.nodes[node].prev)
        order.push_back(node);
    uint32_t last = move.u;
    for (std::size_t idx = 0; idx < num_heads; ++idx) {
        routes.link(last, order[idx]);
        last = order[idx];
    }
    routes.link(last, depot_u);
    last = depot_v;
    for (std::size_t idx = num_heads; idx < order.size(); ++idx) {
        routes.link(last, order[idx]);
        last = order[idx];
    }
    routes.link(last, after_v);
}

} // namespace ncc::iterated

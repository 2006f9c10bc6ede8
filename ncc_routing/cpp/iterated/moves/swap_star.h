#pragma once

#include "iterated/cheapest_positions.h"
#include "iterated/moves/node_pair.h"

// SWAP*: two customers change routes, each to its best position there.
//
// T. Vidal (2022). Hybrid genetic search for the CVRP: open-source
// implementation and SWAP* neighborhood. Computers & Operations Research 140.
namespace ncc::iterated {

struct Place {
    double cost;
    uint32_t before;
};

// The cheapest position of a customer in the route of `out`, who leaves it;
// `instead` is that between the neighbours of `out`.
template <class Lengths>
Place place_without(const Routes<Lengths>& routes,
                    CheapestPositions& positions, uint32_t customer,
                    uint32_t out, double instead) {
    const auto& at = routes.nodes[out];
    Place best{instead, at.prev};
    const Positions& found = positions.find(routes, customer, at.route);
    for (std::size_t rank = 0; rank < found.costs.size(); ++rank) {
        const uint32_t before = found.before[rank];
        if (before == at.prev || before == out)
            continue;
        if (found.costs[rank] < best.cost)
            best = {found.costs[rank], before};
        break;
    }
    return best;
}

template <class Lengths, class Judge>
NCC_ALWAYS_INLINE void offer_swap_star(const NodePair<Lengths>& pair,
                                       CheapestPositions& positions,
                                       Best<Judge>& best) {
    const auto& u = pair.u;
    if (!u.is_customer || !pair.is_customer_v)
        return;
    const Loads& loads = pair.loads;
    const int64_t load_a = loads.a - pair.demand_u + pair.demand_v;
    const int64_t load_b = loads.b - pair.demand_v + pair.demand_u;
    if (!Judge::admits(loads, load_a, load_b))
        return;
    // An insertion costs something where lengths are metric.
    const auto is_too_long = [&](double least) {
        return best.judge.value(loads, least, load_a, load_b) >=
               best.move.value;
    };
    const double across_v = pair.length(pair.before_v, pair.after_v);
    double change = across_v - pair.in_v - pair.out_v - u.gain;
    if (is_too_long(change))
        return;
    const Place place_u = place_without(
        pair.routes, positions, u.node, pair.v,
        pair.to_u(pair.before_v) + pair.from_u(pair.after_v) - across_v);
    change += place_u.cost;
    if (is_too_long(change))
        return;
    const Place place_v = place_without(pair.routes, positions, pair.v, u.node,
                                        pair.length(u.before, pair.v) +
                                            pair.length(pair.v, u.after) -
                                            pair.length(u.before, u.after));
    best.offer(loads, change + place_v.cost, load_a, load_b,
               MoveKind::SwapStar, u.node, pair.v, place_u.before,
               place_v.before);
}

} // namespace ncc::iterated

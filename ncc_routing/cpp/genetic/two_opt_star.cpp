#include "genetic/two_opt_star.h"

namespace ncc::genetic {

namespace {

// The tail behind U goes behind V, and that behind V behind U.
void swap_tails(LinkedRoutes& routes, const NodePair& pair) {
    const uint32_t depot_u = routes.depot_of(pair.route_u);
    const uint32_t depot_v = routes.depot_of(pair.route_v);
    const uint32_t last_u = routes.node(depot_u).prev;
    const uint32_t last_v = routes.node(depot_v).prev;
    const bool has_tail_u = pair.x != depot_u;
    const bool has_tail_v = pair.y != depot_v;
    routes.join(pair.u, has_tail_v ? pair.y : depot_u);
    if (has_tail_v)
        routes.join(last_v, depot_u);
    routes.join(pair.v, has_tail_u ? pair.x : depot_v);
    if (has_tail_u)
        routes.join(last_u, depot_v);
}

// The head up to V goes behind U, and the tail behind U before Y, both
// reversed.
void swap_tail_with_head(LinkedRoutes& routes, const NodePair& pair) {
    const uint32_t depot_u = routes.depot_of(pair.route_u);
    const uint32_t depot_v = routes.depot_of(pair.route_v);
    const uint32_t last_u = routes.node(depot_u).prev;
    uint32_t last = pair.u;
    for (uint32_t at = pair.v; !routes.is_depot(at);) {
        const uint32_t following = routes.node(at).prev;
        routes.join(last, at);
        last = at;
        at = following;
    }
    routes.join(last, depot_u);
    last = depot_v;
    // Where no customer is behind U, it is the last of its route itself.
    for (uint32_t at = last_u; at != pair.u;) {
        const uint32_t following = routes.node(at).prev;
        routes.join(last, at);
        last = at;
        at = following;
    }
    routes.join(last, pair.y);
}

} // namespace

void make_two_opt_star(LinkedRoutes& routes, const NodePair& pair,
                       MoveKind kind) {
    if (kind == MoveKind::TwoOptStar)
        swap_tails(routes, pair);
    else
        swap_tail_with_head(routes, pair);
}

} // namespace ncc::genetic

#pragma once

#include "check.h"
#include "genetic/linked_routes.h"
#include "search/exchange.h"
#include "search/moves/or_opt.h"

#include <cstdint>

namespace ncc::genetic {

// The moves of a customer U and a near node V, with the numbers of HGS-CVRP;
// X follows U, and Y follows V.
enum class MoveKind : int64_t {
    None = 0,
    Relocate = 1,             // U behind V
    RelocatePair = 2,         // U X behind V
    RelocatePairReversed = 3, // X U behind V
    Swap = 4,                 // U for V
    SwapPairWithOne = 5,      // U X for V
    SwapPairs = 6,            // U X for V Y
    TwoOpt = 7,               // U V and X Y become edges of one route
    TwoOptStarReversed = 8,   // the same of two routes
    TwoOptStar = 9            // U Y and V X become edges: tails are swapped
};

// The best move found so far, and by how much it changes the cost.
struct Move {
    MoveKind kind = MoveKind::None;
    double change = -least_gain;

    // Takes another move if it is better.
    void update(MoveKind other, double other_change) {
        if (other_change < change) {
            kind = other;
            change = other_change;
        }
    }
};

// The customer U and the node V of a move, those after them, and what the
// loads of their routes cost.
struct NodePair {
    NodePair(const LinkedRoutes& routes, uint32_t first, uint32_t second,
             double penalty_)
        : u(first), x(routes.nodes[first].next), v(second),
          y(routes.nodes[second].next), route_u(routes.route_of[first]),
          route_v(routes.route_of[second]), load_u(routes.loads[route_u]),
          load_v(routes.loads[route_v]), problem(*routes.problem),
          penalty(penalty_) {
        if (!is_one_route())
            overload = problem.overload(load_u) + problem.overload(load_v);
    }

    [[nodiscard]] bool is_one_route() const { return route_u == route_v; }

    // Below this a change of the length is worth the look at the loads: no
    // move takes away more penalty than there is.
    [[nodiscard]] double bound(const Move& best) const {
        return best.change + penalty * static_cast<double>(overload);
    }

    // A change of the length with that of the penalty, when some load goes
    // from the route of U to that of V.
    [[nodiscard]] double with_penalty(double change, int64_t load) const {
        if (is_one_route())
            return change;
        const int64_t after =
            problem.overload(load_u - load) + problem.overload(load_v + load);
        return change + penalty * static_cast<double>(after - overload);
    }

    uint32_t u, x, v, y;
    uint32_t route_u, route_v;
    int64_t load_u, load_v;
    const Problem& problem;
    double penalty;
    int64_t overload = 0; // before the move; 0 where it is one route
};

// Makes a move of two routes, or of one, and holds it to the change of the
// cost that it claims.
template <class Make>
void make_move(LinkedRoutes& routes, uint32_t a, uint32_t b,
               [[maybe_unused]] double penalty, [[maybe_unused]] double change,
               Make make) {
#ifdef NCC_DEBUG
    const double before = routes.cost(penalty);
#endif
    ++routes.num_moves;
    make();
    routes.renew(a);
    if (a != b)
        routes.renew(b);
    NCC_CHECK(change < 0.0 && routes.is_consistent());
    NCC_CHECK(is_close(before + change, routes.cost(penalty)));
}

// Moves a piece of a route behind a node.
inline void move_behind(LinkedRoutes& routes, const search::Piece& piece,
                        uint32_t node) {
    relink(routes, relocation(routes, piece, node, routes.nodes[node].next));
}

} // namespace ncc::genetic

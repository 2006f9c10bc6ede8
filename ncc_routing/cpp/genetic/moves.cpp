#include "genetic/moves.h"

#include "genetic/relocate.h"
#include "genetic/swap.h"
#include "genetic/two_opt.h"
#include "genetic/two_opt_star.h"
#include "search/moves/two_opt_star.h"
#include "search/moves/two_opt_star_reversed.h"

namespace ncc::genetic {

namespace {

using search::Piece;

// Lets two pieces that are not adjacent change places.
void swap_pieces(LinkedRoutes& routes, const Piece& piece,
                 const Piece& other) {
    const uint32_t before = routes.nodes[piece.first].prev;
    move_behind(routes, piece, other.last);
    move_behind(routes, other, before);
}

void relink_by(LinkedRoutes& routes, const NodePair& pair, MoveKind kind) {
    const uint32_t u = pair.u, x = pair.x, v = pair.v, y = pair.y;
    switch (kind) {
    case MoveKind::None:
        return;
    case MoveKind::Relocate:
        return move_behind(routes, {u, u}, v);
    case MoveKind::RelocatePair:
        return move_behind(routes, {u, x}, v);
    case MoveKind::RelocatePairReversed:
        return move_behind(routes, {u, x, true}, v);
    case MoveKind::Swap:
        return swap_pieces(routes, {u, u}, {v, v});
    case MoveKind::SwapPairWithOne:
        return swap_pieces(routes, {u, x}, {v, v});
    case MoveKind::SwapPairs:
        return swap_pieces(routes, {u, x}, {v, y});
    case MoveKind::TwoOpt:
        return relink(routes, turned_path(routes, u, v));
    case MoveKind::TwoOptStarReversed:
        return relink(routes, joined_heads(routes, u, v));
    case MoveKind::TwoOptStar:
        return relink(routes, swapped_tails(routes, u, y));
    }
}

Move best_move(const LinkedRoutes& routes, const NodePair& pair) {
    Move best;
    judge_relocate(routes, pair, best);
    if (routes.is_customer(pair.v))
        judge_swap(routes, pair, best);
    if (pair.is_one_route())
        judge_two_opt(routes, pair, best);
    else
        judge_two_opt_star(routes, pair, best);
    return best;
}

} // namespace

Move make_best_move(LinkedRoutes& routes, uint32_t u, uint32_t v,
                    double penalty) {
    const NodePair pair(routes, u, v, penalty);
    const Move best = best_move(routes, pair);
    if (best.kind != MoveKind::None)
        make_move(
            routes, pair.route_u, pair.route_v, penalty, best.change,
            [&routes, pair, best] { relink_by(routes, pair, best.kind); });
    return best;
}

} // namespace ncc::genetic

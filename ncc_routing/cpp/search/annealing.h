#pragma once

#include "search/moves/or_opt.h"
#include "search/moves/two_opt.h"
#include "search/moves/two_opt_star.h"
#include "search/moves/two_opt_star_reversed.h"
#include "search/params.h"
#include "search/recreate.h"
#include "search/ruin.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>

// Ruin and recreate of routes, accepted by simulated annealing; each is
// followed by some moves of segments and tails. A change is undone edge by
// edge: the work of an iteration does not depend on the number of customers.
namespace ncc::search {

// Share of the attempts to move a segment; the others exchange tails.
inline constexpr double segment_share = 0.5;

// Nearest neighbours that a customer may be joined to.
inline constexpr int64_t num_near = 20;

// What an annealing asks of a search, beside what its parts do:
// - begin_iteration(): forgets what the last one changed,
// - keep_if_best(tolerance): keeps the routes if they are the best ones,
// - settle_ruined(), settle_undone(): bring up to date what follows from
//   edges,
// - keeps_limits(): whether no route breaks a limit but the load's,
// - most_saved_by_shapes(): how much less the shapes of routes may cost after
//   a recreate,
// - settle_shapes(limit): counts what they cost, unless the cost then reaches
//   the limit; returns whether it does not,
// - is_too_far(i, j, near, edge, limit): whether the edge to a neighbour is so
//   long beside the one that it replaces that no exchange pays,
// - is_metric(): whether no insertion saves length,
// - may_turn(), may_turn_ends(): whether paths within a route may be turned
//   round, and those from or to the depot,
// - try_own_move(i, limit): a move that other searches do not have; returns
//   what it costs more, or the limit.
template <class T>
concept AnnealedSearch =
    RuinedSearch<T> && RecreatedSearch<T> && ExchangingSearch<T> &&
    requires(T search, uint32_t node, double value) {
        search.begin_iteration();
        search.keep_if_best(value);
        search.settle_ruined();
        search.settle_undone();
        { search.keeps_limits() } -> std::same_as<bool>;
        { search.most_saved_by_shapes() } -> std::same_as<double>;
        { search.settle_shapes(value) } -> std::same_as<bool>;
        {
            search.is_too_far(node, node, value, value, value)
        } -> std::same_as<bool>;
        { search.is_metric() } -> std::same_as<bool>;
        { search.may_turn() } -> std::same_as<bool>;
        { search.may_turn_ends() } -> std::same_as<bool>;
        { search.try_own_move(node, value) } -> std::same_as<double>;
    };

// The answers of a search whose routes have loads and nothing else.
struct NoExtras {
    static void settle_ruined() {}
    static void settle_undone() {}
    static constexpr bool keeps_limits() { return true; }
    static constexpr double most_saved_by_shapes() { return 0.0; }
    static constexpr bool settle_shapes(double) { return true; }
    static constexpr bool may_turn() { return true; }
    static constexpr bool may_turn_ends() { return true; }
    static double try_own_move(uint32_t, double limit) { return limit; }
    static void prefetch_gaps(uint32_t) {}
    static int64_t begin_recreate(int64_t, double) { return 0; }
    static void end_recreate() {}
    static constexpr bool may_leave(uint32_t) { return false; }
};

// Returns the cost below which the next routes are accepted.
template <AnnealedSearch Search>
double draw_limit(Search& s, double temperature) {
    return s.cost - temperature * std::log(1.0 - s.random.unit());
}

// One iteration: kept where the cost stays below `limit`, taken back
// otherwise; returns which.
template <AnnealedSearch Search>
bool ruin_and_recreate(Search& s, double limit) {
    s.begin_iteration();
    ruin(s);
    s.settle_ruined();
    const int64_t num_customers = order_customers(s);
    // Without the triangle inequality an insertion may save length, so that no
    // partial cost says anything about the final one.
    const double most = limit + s.most_saved_by_shapes();
    const double bound = s.is_metric() ? most : infinity;
    const bool is_accepted = recreate(s, num_customers, bound) &&
                             s.cost < most && s.keeps_limits() &&
                             s.settle_shapes(limit);
    if (is_accepted) {
        commit(s);
    } else {
        undo(s);
        s.settle_undone();
    }
    s.check();
    if (is_accepted)
        s.keep_if_best(s.params.tolerance);
    return is_accepted;
}

// Counts what a move has changed, unless it reached its limit; returns whether
// it did not.
template <AnnealedSearch Search>
bool settle_move(Search& s, double change, double limit) {
    if (!(change < limit))
        return false;
    s.cost += change;
    s.check();
    s.keep_if_best(s.params.tolerance);
    return true;
}

// Tries a move that joins i to j; `kind` is drawn from [0, 1).
template <AnnealedSearch Search>
double try_move(Search& s, uint32_t i, uint32_t j, double kind, double limit) {
    if (kind < segment_share)
        return or_opt(s, i, j, kind < 0.5 * segment_share, limit);
    if (s.route_of[i] == s.route_of[j])
        return s.may_turn() ? two_opt(s, i, j, limit) : limit;
    if (kind < 0.5 * (1.0 + segment_share) || !s.may_turn_ends())
        return two_opt_star(s, i, j, limit);
    return two_opt_star_reversed(s, i, j, limit);
}

// Tries to join a random customer to a near one, at a temperature.
//
// The new edge has to be shorter than the one that it replaces, but for what
// the temperature allows: of every exchange that passes, one of the edges is.
// The neighbours come nearest first, so that the first one that is too far
// ends the attempt, and the first move that passes is made.
template <AnnealedSearch Search>
void improve_locally(Search& s, double temperature) {
    const uint32_t i = s.members[s.random.below(std::ssize(s.members))];
    const double limit = -temperature * std::log(1.0 - s.random.unit());
    const double kind = s.random.unit();
    const bool forward = kind < 0.5 * segment_share;
    const double edge = forward ? s.nodes[i].to_prev : s.nodes[i].to_next;
    const auto neighbours = s.problem.neighbours.row(i);
    const auto distances = s.problem.near.row(i);
    const int64_t width = std::min(num_near, std::ssize(neighbours));
    if (settle_move(s, s.try_own_move(i, limit), limit))
        return;
    for (int64_t idx = 0; idx < width; ++idx) {
        const uint32_t j = neighbours[idx];
        if (s.is_too_far(i, j, distances[idx], edge, limit))
            return;
        // A lonely customer is its own neighbour.
        if (s.is_absent(i) || s.is_absent(j) || i == j)
            continue;
        if (settle_move(s, try_move(s, i, j, kind, limit), limit))
            return;
    }
}

// Tries the moves that follow a ruin and recreate.
template <AnnealedSearch Search>
void improve_by_moves(Search& s, double temperature) {
    double left = s.params.num_local_moves;
    while (left > 0.0) {
        if (left >= 1.0 || s.random.unit() < left)
            improve_locally(s, temperature);
        left -= 1.0;
    }
}

// Runs iterations; returns how many ruins and recreates were accepted.
// `temperature` is that of the first one, in units of cost, `cooling` the
// factor on it from one iteration to the next.
template <AnnealedSearch Search>
int64_t anneal(Search& s, int64_t num_iterations, double temperature,
               double cooling) {
    int64_t num_accepted = 0;
    for (; num_iterations > 0; --num_iterations) {
        const double limit = draw_limit(s, temperature);
        temperature *= cooling;
        num_accepted += ruin_and_recreate(s, limit);
        improve_by_moves(s, temperature);
    }
    return num_accepted;
}

} // namespace ncc::search

#include "fleets/descent.h"

#include "search/moves/or_opt.h"
#include "search/moves/two_opt.h"
#include "search/moves/two_opt_star.h"
#include "search/moves/two_opt_star_reversed.h"

#include <algorithm>
#include <utility>

namespace ncc::fleets {

namespace {

using search::Exchange;
using search::Piece;

// Customers of a segment at most.
constexpr int64_t max_segment = 3;

// Returns the exchange in which segments of two routes change places.
Exchange swapped(const FleetSearch& s, const Piece& one, const Piece& other) {
    const auto with = [&](const Piece& old, const Piece& piece) {
        return search::NewRoute{
            s.route_of[old.first],
            {search::head_to(s, s.nodes[old.first].prev), piece,
             search::tail_from(s, s.nodes[old.last].next)}};
    };
    return {with(one, other), with(other, one)};
}

// A route seen in its own direction, or against it.
struct View {
    const FleetSearch& s;
    bool forward;

    [[nodiscard]] uint32_t next(uint32_t node) const {
        return forward ? s.nodes[node].next : s.nodes[node].prev;
    }
    [[nodiscard]] uint32_t prev(uint32_t node) const {
        return forward ? s.nodes[node].prev : s.nodes[node].next;
    }
    [[nodiscard]] double to_next(uint32_t node) const {
        return forward ? s.nodes[node].to_next : s.nodes[node].to_prev;
    }
    [[nodiscard]] double to_prev(uint32_t node) const {
        return forward ? s.nodes[node].to_prev : s.nodes[node].to_next;
    }
    [[nodiscard]] double length(uint32_t route, uint32_t i, uint32_t j) const {
        return forward ? s.joint_length(route, i, j)
                       : s.joint_length(route, j, i);
    }
    [[nodiscard]] Piece piece(uint32_t first, uint32_t last,
                              bool is_turned = false) const {
        return forward ? Piece{first, last, is_turned}
                       : Piece{last, first, is_turned};
    }
};

} // namespace

void Descent::run() {
    for (int64_t idx = 0; idx < s_.num_dirty; ++idx) {
        const uint32_t node = s_.dirty[idx];
        if (s_.nodes[node].next == s_.best_next[node])
            continue;
        enqueue(node);
        enqueue(s_.nodes[node].next);
    }
    while (!queue_.empty()) {
        const uint32_t node = queue_.back();
        queue_.pop_back();
        is_queued_[node] = 0;
        while (improve(node)) {
        }
    }
}

void Descent::enqueue(uint32_t node) {
    if (!s_.is_customer(node) || is_queued_[node] != 0)
        return;
    is_queued_[node] = 1;
    queue_.push_back(node);
}

// Counts a move, if there was one, and looks at its nodes again.
bool Descent::settle(double change, std::initializer_list<uint32_t> nodes) {
    if (!(change < limit()))
        return false;
    s_.cost += change;
    s_.check();
    for (const uint32_t node : nodes)
        if (s_.is_customer(node))
            for (const uint32_t near :
                 {s_.nodes[node].prev, node, s_.nodes[node].next})
                enqueue(near);
    return true;
}

// Makes a move of a node; returns whether one pays.
bool Descent::improve(uint32_t i) {
    moves_.clear();
    const Node& node = s_.nodes[i];
    for (const bool forward : {true, false})
        any_near(i, forward ? node.to_prev : node.to_next, [&](uint32_t j) {
            offer_relocations(i, j, forward);
            offer_swaps(i, j, forward);
            return false;
        });
    return try_moves() ||
           any_near(i, std::max(node.to_prev, node.to_next),
                    [&](uint32_t j) { return exchange_tails(i, j); });
}

// Visits near customers whose edge may be shorter than another one, until a
// visit returns true; returns whether one does.
template <class Visit>
bool Descent::any_near(uint32_t i, double edge, Visit visit) {
    const auto neighbours = s_.problem.neighbours.row(i);
    const auto near = s_.problem.near.row(i);
    const int64_t width = std::min(num_near_, std::ssize(neighbours));
    for (int64_t idx = 0; idx < width; ++idx) {
        const uint32_t j = neighbours[idx];
        if (s_.is_too_far(i, j, near[idx], edge, 0.0))
            return false;
        if (i != j && !s_.is_absent(j) && visit(j))
            return true;
    }
    return false;
}

void Descent::offer(uint32_t a, uint32_t b, bool empties, const Move& move) {
    if (s_.may_pay(a, b, move.change, empties, limit()))
        moves_.push_back(move);
}

// Offers moves of a segment that begins with i, along the route or against
// it, to both sides of j.
void Descent::offer_relocations(uint32_t i, uint32_t j, bool forward) {
    const View view{s_, forward};
    const uint32_t a = s_.route_of[i];
    const uint32_t b = s_.route_of[j];
    for (const bool follows : {true, false}) {
        const bool is_turned = forward != follows;
        const View target{s_, follows};
        const uint32_t other = target.next(j);
        if (other == i)
            continue;
        double begin =
            target.length(b, j, i) - target.to_next(j) - view.to_prev(i);
        int64_t load = 0;
        uint32_t last = i;
        for (int64_t size = 1; size <= max_segment; ++size) {
            if (!s_.is_customer(last) || last == j || last == other)
                break;
            load += s_.demand(last);
            if (a != b && !s_.may_take(b, load))
                break;
            const uint32_t rest = view.next(last);
            const double gap = view.length(a, view.prev(i), rest);
            const double change = begin + target.length(b, last, other) + gap -
                                  view.to_next(last);
            offer(a, b, view.prev(i) == rest,
                  {.change = change,
                   .segment = view.piece(i, last, is_turned),
                   .before = follows ? j : other,
                   .after = follows ? other : j});
            if (is_turned && !s_.is_symmetric())
                begin += (forward ? s_.length_on(b, rest, last)
                                  : s_.length_on(b, last, rest)) -
                         view.to_next(last);
            last = rest;
        }
    }
}

// Offers exchanges of segments of two routes that let i follow j, or precede
// it.
void Descent::offer_swaps(uint32_t i, uint32_t j, bool forward) {
    const View view{s_, forward};
    const uint32_t a = s_.route_of[i];
    const uint32_t b = s_.route_of[j];
    const uint32_t first = view.next(j);
    if (a == b || !s_.is_customer(first))
        return;
    const double begin = view.length(b, j, i) +
                         view.length(a, view.prev(i), first) -
                         view.to_next(j) - view.to_prev(i);
    int64_t load = 0;
    uint32_t last = i;
    for (int64_t size = 1; size <= max_segment && s_.is_customer(last);
         ++size, last = view.next(last)) {
        load += s_.demand(last);
        int64_t other_load = 0;
        uint32_t other = first;
        for (int64_t other_size = 1;
             other_size <= max_segment && s_.is_customer(other);
             ++other_size, other = view.next(other)) {
            other_load += s_.demand(other);
            if (!s_.may_take(b, load - other_load) ||
                !s_.may_take(a, other_load - load))
                continue;
            const double change = begin +
                                  view.length(b, last, view.next(other)) +
                                  view.length(a, other, view.next(last)) -
                                  view.to_next(last) - view.to_next(other);
            offer(a, b, false,
                  {.change = change,
                   .segment = view.piece(i, last),
                   .other = view.piece(first, other)});
        }
    }
}

// Makes the first move on offer that pays.
bool Descent::try_moves() {
    std::ranges::sort(moves_, {}, &Move::change);
    for (const Move& move : moves_) {
        const auto& [first, last, is_turned] = move.segment;
        const bool swaps = !move.other.is_empty();
        const uint32_t prev = s_.nodes[first].prev;
        const uint32_t next = s_.nodes[last].next;
        const uint32_t before =
            swaps ? s_.nodes[move.other.first].prev : move.before;
        const uint32_t after =
            swaps ? s_.nodes[move.other.last].next : move.after;
        const Exchange exchange =
            swaps ? swapped(s_, move.segment, move.other)
                  : search::relocation(s_, move.segment, before, after);
        if (settle(s_.try_exchange(exchange, move.change, limit()),
                   {prev, next, first, last, before, after}))
            return true;
    }
    return false;
}

// Joins i and j by their tails, or turns the path between them round.
bool Descent::exchange_tails(uint32_t i, uint32_t j) {
    const auto [prev_i, next_i] =
        std::pair(s_.nodes[i].prev, s_.nodes[i].next);
    const auto [prev_j, next_j] =
        std::pair(s_.nodes[j].prev, s_.nodes[j].next);
    const auto ends = {i, j, next_i, next_j};
    if (s_.route_of[i] == s_.route_of[j])
        return s_.may_turn() &&
               settle(search::two_opt(s_, i, j, limit()), ends);
    return settle(search::two_opt_star(s_, i, j, limit()),
                  {i, j, next_i, prev_j}) ||
           settle(search::two_opt_star(s_, j, i, limit()),
                  {i, j, next_j, prev_i}) ||
           (s_.may_turn_ends() &&
            settle(search::two_opt_star_reversed(s_, i, j, limit()), ends));
}

} // namespace ncc::fleets

#pragma once

#include "arrays.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ncc::iterated {

// Ways to change two routes.
enum class MoveKind : uint8_t {
    Relocate,        // u goes behind v
    SwapStar,        // u and v go behind other nodes of each other's route
    TwoOptStar,      // the customers behind u and v change routes
    TwoOptStarTurned // u is joined to v, and what follows u to what follows v
};

struct Move {
    double value = infinity; // what is compared, the least is the best
    double change = 0.0;     // of the cost
    MoveKind kind = MoveKind::Relocate;
    uint32_t u = 0;
    uint32_t v = 0;
    uint32_t before_u = 0; // where they go in a swap
    uint32_t before_v = 0;
    uint32_t route_u = 0;
    uint32_t route_v = 0;
};

// The best move of each pair of routes.
//
// Few routes change in an iteration, so that routes get numbers of their own
// when they are first met.
class BestMoves {
public:
    explicit BestMoves(std::size_t num_routes)
        : numbers_(num_routes, none), width_(32),
          table_(width_ * width_, none) {}

    void clear() {
        for (const Move& move : moves_)
            at(move.route_u, move.route_v) = at(move.route_v, move.route_u) =
                none;
        for (const uint32_t route : met_)
            numbers_[route] = none;
        moves_.clear();
        met_.clear();
    }

    [[nodiscard]] bool empty() const { return moves_.empty(); }

    // Gives the routes of a pair their numbers; `value` and `set` need them.
    void meet(uint32_t route) {
        if (numbers_[route] != none)
            return;
        numbers_[route] = static_cast<uint32_t>(met_.size());
        met_.push_back(route);
        if (met_.size() > width_)
            widen();
    }

    // The value of the best move of two routes, or `otherwise`.
    [[nodiscard]] double value(uint32_t a, uint32_t b,
                               double otherwise) const {
        const uint32_t idx = table_[numbers_[a] * width_ + numbers_[b]];
        return idx == none ? otherwise : moves_[idx].value;
    }

    void set(const Move& move) {
        uint32_t& idx = at(move.route_u, move.route_v);
        if (idx != none) {
            moves_[idx] = move;
            return;
        }
        idx = static_cast<uint32_t>(moves_.size());
        at(move.route_v, move.route_u) = idx;
        moves_.push_back(move);
    }

    [[nodiscard]] Move best() const {
        return *std::ranges::min_element(moves_, {}, &Move::value);
    }

    // Forgets the moves of two routes.
    void erase(uint32_t a, uint32_t b) {
        const auto is_stale = [&](const Move& move) {
            return move.route_u == a || move.route_u == b ||
                   move.route_v == a || move.route_v == b;
        };
        for (std::size_t idx = 0; idx < moves_.size();) {
            if (!is_stale(moves_[idx])) {
                ++idx;
                continue;
            }
            place(moves_[idx], none);
            if (idx + 1 < moves_.size()) {
                moves_[idx] = moves_.back();
                place(moves_[idx], static_cast<uint32_t>(idx));
            }
            moves_.pop_back();
        }
    }

private:
    static constexpr uint32_t none = ~uint32_t{0};

    uint32_t& at(uint32_t a, uint32_t b) {
        return table_[numbers_[a] * width_ + numbers_[b]];
    }

    void place(const Move& move, uint32_t idx) {
        at(move.route_u, move.route_v) = idx;
        at(move.route_v, move.route_u) = idx;
    }

    void widen() {
        width_ *= 2;
        table_.assign(width_ * width_, none);
        for (std::size_t idx = 0; idx < moves_.size(); ++idx)
            place(moves_[idx], static_cast<uint32_t>(idx));
    }

    std::vector<uint32_t> numbers_; // of the routes that were met
    std::vector<uint32_t> met_;
    std::vector<Move> moves_;
    std::size_t width_;
    std::vector<uint32_t> table_; // (width, width): places in `moves_`
};

} // namespace ncc::iterated

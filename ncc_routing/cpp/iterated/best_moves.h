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

// The best move of each pair of routes: a hash table, since a repair may meet
// tens of thousands of routes and know a move of few of their pairs.
class BestMoves {
public:
    BestMoves() { clear(); }

    void clear() {
        moves_.clear();
        slots_.assign(least_slots, Slot{});
    }

    [[nodiscard]] bool empty() const { return moves_.empty(); }

    // The value of the best move of two routes, or `otherwise`.
    [[nodiscard]] double value(uint32_t a, uint32_t b,
                               double otherwise) const {
        const Slot& slot = slots_[find(pair_of(a, b))];
        return slot.pair == none ? otherwise : moves_[slot.idx].value;
    }

    void set(const Move& move) {
        const uint64_t pair = pair_of(move);
        Slot& slot = slots_[find(pair)];
        if (slot.pair != none) {
            moves_[slot.idx] = move;
            return;
        }
        slot = {pair, static_cast<uint32_t>(moves_.size())};
        moves_.push_back(move);
        if (2 * moves_.size() > slots_.size())
            grow();
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
            vacate(find(pair_of(moves_[idx])));
            if (idx + 1 < moves_.size()) {
                moves_[idx] = moves_.back();
                slots_[find(pair_of(moves_[idx]))].idx =
                    static_cast<uint32_t>(idx);
            }
            moves_.pop_back();
        }
    }

private:
    static constexpr uint64_t none = ~uint64_t{0};
    static constexpr std::size_t least_slots = 64;

    struct Slot {
        uint64_t pair = none;
        uint32_t idx = 0; // in `moves_`
    };

    static uint64_t pair_of(uint32_t a, uint32_t b) {
        return uint64_t{std::min(a, b)} << 32 | std::max(a, b);
    }

    static uint64_t pair_of(const Move& move) {
        return pair_of(move.route_u, move.route_v);
    }

    [[nodiscard]] std::size_t next(std::size_t slot) const {
        return (slot + 1) & (slots_.size() - 1);
    }

    // Returns where the search for a pair begins.
    [[nodiscard]] std::size_t home_of(uint64_t pair) const {
        return (pair * 0x9E3779B97F4A7C15U >> 32) & (slots_.size() - 1);
    }

    // Returns the slot of a pair, or the empty one where it belongs.
    [[nodiscard]] std::size_t find(uint64_t pair) const {
        std::size_t slot = home_of(pair);
        while (slots_[slot].pair != none && slots_[slot].pair != pair)
            slot = next(slot);
        return slot;
    }

    // Empties a slot, and moves those up whose search passed it.
    void vacate(std::size_t slot) {
        const std::size_t last = slots_.size() - 1;
        for (std::size_t other = next(slot); slots_[other].pair != none;
             other = next(other)) {
            const std::size_t home = home_of(slots_[other].pair);
            if (((other - home) & last) < ((other - slot) & last))
                continue;
            slots_[slot] = slots_[other];
            slot = other;
        }
        slots_[slot] = {};
    }

    void grow() {
        slots_.assign(2 * slots_.size(), Slot{});
        for (std::size_t idx = 0; idx < moves_.size(); ++idx) {
            const uint64_t pair = pair_of(moves_[idx]);
            slots_[find(pair)] = {pair, static_cast<uint32_t>(idx)};
        }
    }

    std::vector<Move> moves_;
    std::vector<Slot> slots_; // by pair of routes, a power of two
};

} // namespace ncc::iterated

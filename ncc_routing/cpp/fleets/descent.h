#pragma once

#include "fleets/search.h"
#include "search/exchange.h"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace ncc::fleets {

// A local search around the nodes whose successors differ from those of the
// kept routes.
//
// A node makes the first of its moves that costs less and keeps all limits,
// those that shorten the routes most coming first: segments of at most three
// customers go elsewhere or change places, tails are exchanged, paths turned
// round. A move joins it to a near customer by an edge that is shorter than
// one of its own, unless lengths are not all that counts.
class Descent {
public:
    Descent(FleetSearch& search, int64_t num_near)
        : s_(search), num_near_(num_near), is_queued_(search.num_nodes) {}

    void run();

private:
    // A segment that goes between two nodes, or that changes places with
    // another one.
    struct Move {
        double change; // of the length
        search::Piece segment;
        search::Piece other{};
        uint32_t before = 0;
        uint32_t after = 0;
    };

    void enqueue(uint32_t node);
    bool improve(uint32_t i);
    template <class Visit>
    bool any_near(uint32_t i, double edge, Visit visit);
    void offer_relocations(uint32_t i, uint32_t j, bool forward);
    void offer_swaps(uint32_t i, uint32_t j, bool forward);
    void offer(uint32_t a, uint32_t b, bool empties, const Move& move);
    bool try_moves();
    bool exchange_tails(uint32_t i, uint32_t j);
    bool settle(double change, std::initializer_list<uint32_t> nodes);

    // What a move costs more has to stay below it.
    [[nodiscard]] double limit() const { return -s_.params.tolerance; }

    FleetSearch& s_;
    int64_t num_near_;
    std::vector<uint32_t> queue_;
    std::vector<uint8_t> is_queued_;
    std::vector<Move> moves_;
};

} // namespace ncc::fleets

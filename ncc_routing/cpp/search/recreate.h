#pragma once

#include "always_inline.h"
#include "prefetch.h"
#include "search/linked_routes.h"
#include "search/params.h"
#include "search/ruin.h"

#include <bit>
#include <concepts>
#include <cstdint>
#include <span>

// Recreate: removed customers come back where they cost least.
namespace ncc::search {

// Neighbours that are tested for room at once, without branches: 8 or 24 make
// the search 3 % slower.
inline constexpr std::size_t block_size = 16;

// Neighbours that an insertion mostly does not look beyond.
inline constexpr std::size_t num_prefetched = 16;

// Where to insert a customer: behind a node, 0 for nowhere, with the two new
// edges and the cost.
struct Position {
    uint32_t before = 0;
    double edge_in = 0.0;
    double edge_out = 0.0;
    double cost = infinity;
};

// What a recreate asks of a search, beside `RuinedSearch`:
// - num_rules(), order_key(customer, rule): orders of insertion, see
//   `order_key` below,
// - prefetch_gaps(customer): asks for what an insertion into the gaps reads,
// - begin_recreate(num_customers, limit): inserts some first customers in a
//   way of its own, and returns how many,
// - end_recreate(): what follows when all are inserted,
// - find_position(customer, budget): the position that costs least, below a
//   budget; a search that needs more than `Position` has its own,
// - may_leave(customer): whether nobody has to serve a customer,
// - insert(customer, position): notes what it inserts, see `note_inserted`.
template <class T>
concept RecreatedSearch = requires(T search, uint32_t customer, double value) {
    { search.num_rules() } -> std::same_as<double>;
    { search.order_key(customer, value) } -> std::same_as<double>;
    search.prefetch_gaps(customer);
    { search.begin_recreate(int64_t{}, value) } -> std::same_as<int64_t>;
    search.end_recreate();
    { search.may_leave(customer) } -> std::same_as<bool>;
    search.insert(customer, search.find_position(customer, value));
};

// The rank of a removed customer at random, by demand, far first or close
// first, with the weights 4, 4, 2 and 1 of the paper: `rule` is drawn from
// [0, 11).
inline constexpr double num_rules = 11.0;

template <class Search>
double order_key(Search& s, uint32_t customer, double rule) {
    if (rule < 4.0)
        return s.random.unit();
    if (rule < 8.0)
        return -static_cast<double>(s.demand(customer));
    const double round_trip = s.problem.round_trip[customer];
    return rule < 10.0 ? -round_trip : round_trip;
}

// Fills `queue` with the removed customers, those that have been absent,
// and those on offer, in a random order; returns how many there are.
template <RecreatedSearch Search>
int64_t order_customers(Search& s) {
    const double rule = s.random.unit() * s.num_rules();
    const int64_t num_needed = s.num_removed + s.num_absent;
    const int64_t num_customers = num_needed + std::ssize(s.offered);
    for (int64_t idx = 0; idx < num_customers; ++idx) {
        uint32_t customer = 0;
        if (idx < s.num_removed)
            customer = s.removed[idx].customer;
        else if (idx < num_needed)
            customer = s.absent[idx - s.num_removed];
        else
            customer = s.offered[idx - num_needed];
        s.waiting[idx] = customer;
        s.keys[idx] = s.order_key(customer, rule);
        // Far apart in memory, and read once an iteration: 3 % faster for
        // 3,000 customers, 10 % for 10,000.
        prefetch(s.problem.neighbours.row(customer), num_prefetched);
        prefetch(s.problem.near.row(customer), num_prefetched);
        s.prefetch_gaps(customer);
    }
    s.rank_customers(num_customers);
    return num_customers;
}

// Inserts customers one by one at the cheapest position, the first ones of
// `queue`. Returns false where no position is left that keeps the cost
// below `limit`, unless nobody has to serve the customer.
template <RecreatedSearch Search>
bool recreate(Search& s, int64_t num_customers, double limit) {
    const int64_t first = s.begin_recreate(num_customers, limit);
    for (int64_t idx = first; idx < num_customers; ++idx) {
        const uint32_t customer = s.queue[idx];
        const auto found = s.find_position(customer, limit - s.cost);
        if (found.before != 0)
            s.insert(customer, found);
        else if (!s.may_leave(customer))
            return false;
    }
    s.end_recreate();
    return true;
}

// Returns which of some customers are on routes with a load of at most `most`:
// the first one by the lowest bit.
template <class Search, std::size_t extent>
uint32_t find_room(const Search& s,
                   std::span<const uint32_t, extent> customers, int64_t most) {
    uint32_t mask = 0;
    for (std::size_t idx = 0; idx < customers.size(); ++idx)
        mask |= uint32_t{s.loads[s.route_of[customers[idx]]] <= most} << idx;
    return mask;
}

// Returns `best`, or a cheaper position for a customer: next to the nearest
// ones whose routes have room.
//
// Neighbours much further away than the least detour so far are left out:
// where the vehicles are nearly full, most of the time would go into looking
// for room there. `offer(best, neighbour, near)` tries the two positions
// beside one of them. Each position is overlooked with probability `blink`;
// rolling that only for those which would be taken changes nothing in
// distribution. Written out at its call the search is 10 % faster. It returns
// whether the neighbour counts, as one with room.
template <class Search, class Position, class Offer>
NCC_ALWAYS_INLINE void search_neighbours(Search& s, uint32_t customer,
                                         const Position& best, Offer offer) {
    const auto neighbours = s.problem.neighbours.row(customer);
    const auto distances = s.problem.near.row(customer);
    const int64_t room = s.capacity() - s.demand(customer);
    int64_t left = s.problem.num_candidates;
    for (std::size_t begin = 0; begin < neighbours.size();
         begin += block_size) {
        if (distances[begin] > s.params.reach * best.cost)
            break;
        // A block of known size is tested in a loop that is unrolled.
        const auto rest = neighbours.subspan(begin);
        uint32_t mask =
            rest.size() >= block_size
                ? find_room(s, rest.template first<block_size>(), room)
                : find_room(s, rest, room);
        for (; mask != 0; mask &= mask - 1) {
            const std::size_t idx = begin + std::countr_zero(mask);
            const double near = distances[idx];
            if (near > s.params.reach * best.cost)
                return;
            if (offer(neighbours[idx], near) && --left == 0)
                return;
        }
    }
}

} // namespace ncc::search

#pragma once

#include "genetic/linked_routes.h"
#include "genetic/swap_star.h"
#include "random.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ncc::genetic {

// Brings values into a random order.
template <class T>
void shuffle(std::vector<T>& values, Xorshift& rng) {
    for (auto idx = std::ssize(values) - 1; idx > 0; --idx)
        std::swap(values[idx], values[rng.below(idx + 1)]);
}

// Makes moves that shorten, until there is none left.
// T. Vidal (2022), section 3.2.
class LocalSearch {
public:
    LocalSearch(const Problem& problem, uint32_t num_routes);

    // Shortens routes; `penalty` is the cost of a unit of load above the
    // capacity.
    void improve(LinkedRoutes& routes, double penalty, Xorshift& rng);

private:
    // Tries moves 1 to 9 of each customer with those near it, where a route
    // has changed since. Returns whether one changed now. Moves into an empty
    // route wait for the second round.
    bool improve_customers(LinkedRoutes& routes, double penalty,
                           bool fills_empty);

    // Tries SWAP* between routes whose customers are near each other. Returns
    // whether a route changed.
    bool improve_routes(LinkedRoutes& routes, double penalty);

    SwapStar swap_star_;
    std::vector<uint32_t> order_; // customers in the order of their moves
    // The number of moves at the last trial of each customer and, for SWAP*,
    // of each route.
    std::vector<int64_t> customer_tested_;
    std::vector<int64_t> route_tested_;
    // The last route with which each was tried.
    std::vector<uint32_t> tried_with_;
};

} // namespace ncc::genetic

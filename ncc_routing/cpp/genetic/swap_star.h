#pragma once

#include "genetic/linked_routes.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ncc::genetic {

// SWAP*: two customers change routes, each to its best place there.
// T. Vidal (2022), section 3.2.
class SwapStar {
public:
    SwapStar(const Problem& problem, uint32_t num_routes);

    // Makes the best exchange of customers of two routes, or the best move of
    // one of them to the other route. Returns whether there was one that
    // shortens.
    bool improve(LinkedRoutes& routes, uint32_t a, uint32_t b, double penalty);

private:
    static constexpr std::size_t num_places = 3;

    // The cheapest places of a customer in a route, the best first.
    struct Places {
        std::array<double, num_places> costs{};
        std::array<uint32_t, num_places> after{}; // the nodes before them
        int64_t found_at = 0; // the number of moves when they were found
    };

    struct Place {
        double cost;
        uint32_t after;
    };

    [[nodiscard]] Places& places_of(uint32_t customer, uint32_t route) {
        return places_[static_cast<std::size_t>(route) * num_nodes_ +
                       customer];
    }

    // Measures what the customers of route a cost there and in b.
    void look_up(const LinkedRoutes& routes, uint32_t a, uint32_t b);

    // The cheapest place of u in a route without v, one of its customers.
    [[nodiscard]] Place place_instead(const LinkedRoutes& routes, uint32_t u,
                                      uint32_t v, uint32_t route);

    uint32_t num_nodes_;
    std::vector<Places> places_;   // of each customer in each route
    std::vector<double> removals_; // what leaving its route changes, of each
};

} // namespace ncc::genetic

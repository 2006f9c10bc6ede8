#pragma once

#include "genetic/linked_routes.h"

#include <array>
#include <cstdint>
#include <span>
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
    // The three cheapest places of a customer in a route, the best first.
    struct Places {
        std::array<double, 3> costs{infinity, infinity, infinity};
        std::array<uint32_t, 3> after{}; // the nodes before them

        // Written out: with a loop the search is 2 % slower.
        void add(double cost, uint32_t node) {
            if (cost >= costs[2])
                return;
            if (cost >= costs[1]) {
                costs[2] = cost;
                after[2] = node;
                return;
            }
            costs[2] = costs[1];
            after[2] = after[1];
            if (cost >= costs[0]) {
                costs[1] = cost;
                after[1] = node;
                return;
            }
            costs[1] = costs[0];
            after[1] = after[0];
            costs[0] = cost;
            after[0] = node;
        }
    };

    struct Place {
        double cost;
        uint32_t after;
    };

    // Between two successive nodes of a route.
    struct Gap {
        double edge;
        uint32_t before;      // a node
        uint32_t place_after; // the row of the other one in the matrix
    };

    [[nodiscard]] std::size_t index_of(uint32_t customer,
                                       uint32_t route) const {
        return static_cast<std::size_t>(route) * num_nodes_ + customer;
    }

    // Measures what the customers of route a cost there and in b.
    void look_up(const LinkedRoutes& routes, uint32_t a, uint32_t b);

    void list_gaps(const LinkedRoutes& routes, uint32_t route);

    // Finds the cheapest of the listed gaps for a customer.
    void find_places(std::span<const double> distances, Places& places) const;

    // The cheapest place of u in a route without v, one of its customers.
    [[nodiscard]] Place place_instead(const LinkedRoutes& routes, uint32_t u,
                                      uint32_t v, uint32_t route);

    uint32_t num_nodes_;
    // The places of each customer in each route, and the number of moves when
    // they were found.
    std::vector<Places> places_;
    std::vector<int64_t> found_at_;
    std::vector<double> removals_; // what leaving its route changes, of each
    std::vector<Gap> gaps_;
};

} // namespace ncc::genetic

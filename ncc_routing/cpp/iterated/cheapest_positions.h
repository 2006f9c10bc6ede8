#pragma once

#include "arrays.h"
#include "iterated/routes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace ncc::iterated {

// The three cheapest positions of a customer in a route, the best first.
struct Positions {
    int64_t version = 0; // of the route; 0 is that of none
    uint32_t customer = 0;
    std::array<uint32_t, 3> before{};
    std::array<double, 3> costs{infinity, infinity, infinity};

    void add(double cost, uint32_t node) {
        if (cost >= costs[2])
            return;
        if (cost >= costs[1]) {
            put(2, cost, node);
            return;
        }
        put(2, costs[1], before[1]);
        if (cost >= costs[0]) {
            put(1, cost, node);
            return;
        }
        put(1, costs[0], before[0]);
        put(0, cost, node);
    }

private:
    void put(std::size_t rank, double cost, uint32_t node) {
        costs[rank] = cost;
        before[rank] = node;
    }
};

// Remembers positions as long as the route stays, or comes back, as it was.
//
// The table has a fixed size, and one place for a customer and a route: it
// needs little memory however many routes there are.
class CheapestPositions {
public:
    CheapestPositions(std::size_t num_nodes, std::size_t num_routes)
        : num_routes_(num_routes),
          table_(std::bit_ceil(std::min(num_nodes * num_routes, max_size))) {}

    template <class Lengths>
    const Positions& find(const Routes<Lengths>& routes, uint32_t customer,
                          uint32_t route) {
        Positions& found =
            table_[(customer * num_routes_ + route) & (table_.size() - 1)];
        const int64_t version = routes.routes[route].version;
        if (found.version == version && found.customer == customer)
            return found;
        Positions best;
        best.version = version;
        best.customer = customer;
        const auto row = routes.lengths.row(customer);
        uint32_t node = routes.depot_of(route);
        double in = row.from(0);
        do {
            const Node& at = routes.nodes[node];
            const uint32_t after = routes.place(at.next);
            best.add(in + row.to(after) - at.to_next, node);
            node = at.next;
            in = row.from(after);
        } while (routes.is_customer(node));
        return found = best;
    }

private:
    static constexpr std::size_t max_size = std::size_t{1} << 17;

    std::size_t num_routes_;
    std::vector<Positions> table_;
};

} // namespace ncc::iterated

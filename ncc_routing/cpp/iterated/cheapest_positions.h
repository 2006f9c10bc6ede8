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
        std::size_t rank = 2;
        for (; rank > 0 && cost < costs[rank - 1]; --rank) {
            costs[rank] = costs[rank - 1];
            before[rank] = before[rank - 1];
        }
        costs[rank] = cost;
        before[rank] = node;
    }
};

// Remembers positions as long as the route stays, or comes back, as it was. On
// a long route they are those behind the near customers and the depot, as in
// AILS-II, and not all of its positions.
//
// The table has a fixed size, however many routes there are, and one place for
// a customer and a route.
class CheapestPositions {
public:
    CheapestPositions(std::size_t num_nodes, std::size_t num_routes,
                      MatrixView<const uint32_t> neighbours, int64_t num_near)
        : near_(neighbours), num_near_(num_near), num_routes_(num_routes),
          table_(std::bit_ceil(std::min(num_nodes * num_routes, max_size))) {}

    template <class Lengths>
    const Positions& find(const Routes<Lengths>& routes, uint32_t customer,
                          uint32_t route) {
        Positions& found =
            table_[(customer * num_routes_ + route) & (table_.size() - 1)];
        const int64_t version = routes.routes[route].version;
        if (found.version == version && found.customer == customer)
            return found;
        Positions best{version, customer};
        const auto row = routes.lengths.row(customer);
        const auto offer = [&](uint32_t before, double to_here) {
            const Node& at = routes.nodes[before];
            best.add(to_here + row.to(routes.place(at.next)) - at.to_next,
                     before);
        };
        uint32_t node = routes.depot_of(route);
        double in = row.from(0);
        if (routes.routes[route].size > num_near_) {
            offer(node, in);
            for (const uint32_t near : near_.row(customer).first(num_near_))
                if (routes.nodes[near].route == route)
                    offer(near, row.from(near));
            return found = best;
        }
        do {
            offer(node, in);
            node = routes.nodes[node].next;
            in = row.from(routes.place(node));
        } while (routes.is_customer(node));
        return found = best;
    }

private:
    static constexpr std::size_t max_size = std::size_t{1} << 17;

    MatrixView<const uint32_t> near_;
    int64_t num_near_;
    std::size_t num_routes_;
    std::vector<Positions> table_;
};

} // namespace ncc::iterated

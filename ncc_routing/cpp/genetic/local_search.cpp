#include "genetic/local_search.h"

#include "genetic/moves.h"

#include <numeric>

namespace ncc::genetic {

namespace {

// Nearest customers whose routes SWAP* tries with one's own.
constexpr std::size_t num_touching = 6;

} // namespace

LocalSearch::LocalSearch(const Problem& problem, uint32_t num_routes)
    : swap_star_(problem, num_routes), order_(problem.num_nodes() - 1),
      customer_tested_(problem.num_nodes()), route_tested_(num_routes),
      tried_with_(num_routes) {
    std::iota(order_.begin(), order_.end(), 1U);
}

void LocalSearch::improve(LinkedRoutes& routes, double penalty,
                          Xorshift& rng) {
    shuffle(order_, rng);
    std::fill(customer_tested_.begin(), customer_tested_.end(), -1);
    std::fill(route_tested_.begin(), route_tested_.end(), -1);
    const auto improve_by = [&](bool fills_empty) {
        const bool is_shorter =
            improve_customers(routes, penalty, fills_empty);
        return improve_routes(routes, penalty) || is_shorter;
    };
    improve_by(false);
    while (improve_by(true))
        continue;
    NCC_CHECK(routes.is_consistent());
}

bool LocalSearch::improve_customers(LinkedRoutes& routes, double penalty,
                                    bool fills_empty) {
    const uint32_t none = routes.num_slots;
    uint32_t empty = fills_empty ? routes.find_empty() : none;
    bool has_improved = false;
    for (const uint32_t u : order_) {
        const int64_t tested =
            std::exchange(customer_tested_[u], routes.num_moves);
        const auto try_with = [&](uint32_t v) {
            const Move made = make_best_move(routes, u, v, penalty);
            if (made.kind == MoveKind::None)
                return false;
            has_improved = true;
            if (fills_empty)
                empty = routes.find_empty();
            return true;
        };
        const auto has_changed = [&](uint32_t v) {
            return routes.last_changed(routes.route_of[u],
                                       routes.route_of[v]) > tested;
        };
        for (const uint32_t v : routes.problem->neighbours_of(u)) {
            if (!has_changed(v) || try_with(v))
                continue;
            // The first customer of a route stands for the depot as well.
            const uint32_t before = routes.nodes[v].prev;
            if (!routes.is_customer(before))
                try_with(before);
        }
        if (empty != none)
            try_with(routes.depot_of(empty));
    }
    return has_improved;
}

bool LocalSearch::improve_routes(LinkedRoutes& routes, double penalty) {
    std::fill(tried_with_.begin(), tried_with_.end(), routes.num_slots);
    bool has_improved = false;
    for (uint32_t a = 0; a < routes.num_slots; ++a) {
        const int64_t tested =
            std::exchange(route_tested_[a], routes.num_moves);
        uint32_t u = routes.first_of(a);
        while (routes.is_customer(u)) {
            const auto near = routes.problem->neighbours_of(u);
            // The exchange may move u to another route.
            const uint32_t following = routes.nodes[u].next;
            for (const uint32_t v :
                 near.first(std::min(num_touching, near.size()))) {
                const uint32_t b = routes.route_of[v];
                if (b <= a || tried_with_[b] == a)
                    continue;
                tried_with_[b] = a;
                if (routes.last_changed(a, b) > tested)
                    has_improved |= swap_star_.improve(routes, a, b, penalty);
            }
            if (routes.route_of[following] != a)
                break;
            u = following;
        }
    }
    return has_improved;
}

} // namespace ncc::genetic

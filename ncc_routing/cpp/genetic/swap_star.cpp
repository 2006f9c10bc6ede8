#include "genetic/swap_star.h"

#include "genetic/move.h"

namespace ncc::genetic {

SwapStar::SwapStar(const Problem& problem, uint32_t num_routes)
    : num_nodes_(problem.num_nodes()),
      places_(static_cast<std::size_t>(num_routes) * num_nodes_),
      removals_(num_nodes_) {}

void SwapStar::look_up(const LinkedRoutes& routes, uint32_t a, uint32_t b) {
    const uint32_t depot = routes.depot_of(b);
    for (uint32_t u = routes.first_of(a); !routes.is_depot(u);
         u = routes.node(u).next) {
        const Node& node = routes.node(u);
        removals_[u] = routes.distance(node.prev, node.next) - node.to_prev -
                       node.to_next;
        Places& places = places_of(u, b);
        if (routes.route(b).last_changed <= places.found_at)
            continue;
        places.found_at = routes.num_moves();
        places.costs.fill(infinity);
        uint32_t v = depot;
        double to_v = routes.distance(u, v);
        do {
            const uint32_t y = routes.node(v).next;
            const double to_y = routes.distance(u, y);
            const double cost = to_v + to_y - routes.node(v).to_next;
            std::size_t rank = num_places;
            while (rank > 0 && cost < places.costs[rank - 1]) {
                if (rank < num_places) {
                    places.costs[rank] = places.costs[rank - 1];
                    places.after[rank] = places.after[rank - 1];
                }
                --rank;
            }
            if (rank < num_places) {
                places.costs[rank] = cost;
                places.after[rank] = v;
            }
            v = y;
            to_v = to_y;
        } while (v != depot);
    }
}

SwapStar::Place SwapStar::place_instead(const LinkedRoutes& routes, uint32_t u,
                                        uint32_t v, uint32_t route) {
    const Node& left = routes.node(v);
    // The gap that v leaves.
    double cost =
        routes.distance(left.prev, u) + routes.distance(u, left.next);
    cost -= left.to_prev + left.to_next + removals_[v];
    Place best{cost, left.prev};
    const Places& places = places_of(u, route);
    for (std::size_t rank = 0; rank < num_places; ++rank) {
        const uint32_t after = places.after[rank];
        if (after != v && routes.node(after).next != v) {
            if (places.costs[rank] < best.cost)
                best = {places.costs[rank], after};
            break;
        }
    }
    return best;
}

bool SwapStar::improve(LinkedRoutes& routes, uint32_t a, uint32_t b,
                       double penalty) {
    look_up(routes, a, b);
    look_up(routes, b, a);
    const Problem& problem = routes.problem();
    const int64_t load_a = routes.route(a).load;
    const int64_t load_b = routes.route(b).load;
    const auto cost_of_overload = [&](int64_t load) {
        return penalty * static_cast<double>(problem.overload(load_a - load) +
                                             problem.overload(load_b + load));
    };
    const double before = cost_of_overload(0);
    const uint32_t nobody = num_nodes_;
    double best = -least_gain;
    uint32_t best_u = nobody;
    uint32_t best_v = nobody;
    uint32_t after_u = nobody;
    uint32_t after_v = nobody;
    for (uint32_t u = routes.first_of(a); !routes.is_depot(u);
         u = routes.node(u).next) {
        const int64_t demand = routes.node(u).demand;
        const double removal = removals_[u] - before;
        for (uint32_t v = routes.first_of(b); !routes.is_depot(v);
             v = routes.node(v).next) {
            double change = removal + removals_[v];
            change += cost_of_overload(demand - routes.node(v).demand);
            // Insertions cost something, at least where ways are metric.
            if (change >= best)
                continue;
            const Place place_u = place_instead(routes, u, v, b);
            if (change + place_u.cost >= best)
                continue;
            const Place place_v = place_instead(routes, v, u, a);
            change += place_u.cost + place_v.cost;
            if (change < best) {
                best = change;
                best_u = u;
                after_u = place_u.after;
                best_v = v;
                after_v = place_v.after;
            }
        }
        const Places& places = places_of(u, b);
        double change = removal + places.costs[0];
        change += cost_of_overload(demand);
        if (change < best) {
            best = change;
            best_u = u;
            after_u = places.after[0];
            best_v = nobody;
        }
    }
    for (uint32_t v = routes.first_of(b); !routes.is_depot(v);
         v = routes.node(v).next) {
        const Places& places = places_of(v, a);
        double change = removals_[v] - before + places.costs[0];
        change += cost_of_overload(-routes.node(v).demand);
        if (change < best) {
            best = change;
            best_v = v;
            after_v = places.after[0];
            best_u = nobody;
        }
    }
    if (best_u == nobody && best_v == nobody)
        return false;
#ifdef NCC_DEBUG
    const ChangeCheck check(routes, a, b, penalty, best);
#endif
    routes.count_move();
    if (best_u != nobody)
        routes.move_behind(best_u, after_u);
    if (best_v != nobody)
        routes.move_behind(best_v, after_v);
    routes.renew(a);
    routes.renew(b);
    return true;
}

} // namespace ncc::genetic

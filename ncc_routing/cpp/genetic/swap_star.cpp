#include "genetic/swap_star.h"

#include "genetic/move.h"

namespace ncc::genetic {

SwapStar::SwapStar(const Problem& problem, uint32_t num_routes)
    : num_nodes_(problem.num_nodes()),
      places_(static_cast<std::size_t>(num_routes) * num_nodes_),
      found_at_(places_.size()), removals_(num_nodes_) {}

void SwapStar::look_up(const LinkedRoutes& routes, uint32_t a, uint32_t b) {
    gaps_.clear();
    for (uint32_t u = routes.first_of(a); routes.is_customer(u);
         u = routes.nodes[u].next) {
        const Node& node = routes.nodes[u];
        removals_[u] = routes.distance(node.prev, node.next) - node.to_prev -
                       node.to_next;
        int64_t& found_at = found_at_[index_of(u, b)];
        if (routes.routes[b].last_changed <= found_at)
            continue;
        found_at = routes.num_moves;
        if (gaps_.empty())
            list_gaps(routes, b);
        find_places(routes.problem->matrix.row(node.place),
                    places_[index_of(u, b)]);
    }
}

void SwapStar::list_gaps(const LinkedRoutes& routes, uint32_t route) {
    uint32_t at = routes.depot_of(route);
    do {
        const Node& node = routes.nodes[at];
        gaps_.push_back({node.to_next, at, routes.nodes[node.next].place});
        at = node.next;
    } while (routes.is_customer(at));
}

void SwapStar::find_places(std::span<const double> distances,
                           Places& places) const {
    Places found;
    double to_before = distances[0];
    for (const Gap& gap : gaps_) {
        const double to_after = distances[gap.place_after];
        found.add(to_before + to_after - gap.edge, gap.before);
        to_before = to_after;
    }
    places = found;
}

SwapStar::Place SwapStar::place_instead(const LinkedRoutes& routes, uint32_t u,
                                        uint32_t v, uint32_t route) {
    const Node& left = routes.nodes[v];
    // The gap that v leaves.
    double cost =
        routes.distance(left.prev, u) + routes.distance(u, left.next);
    cost -= left.to_prev + left.to_next + removals_[v];
    Place best{cost, left.prev};
    const Places& places = places_[index_of(u, route)];
    for (std::size_t rank = 0; rank < places.costs.size(); ++rank) {
        const uint32_t after = places.after[rank];
        if (after != v && routes.nodes[after].next != v) {
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
    const Problem& problem = *routes.problem;
    const int64_t load_a = routes.loads[a];
    const int64_t load_b = routes.loads[b];
    const auto cost_of_overload = [&](int64_t load) {
        return penalty * static_cast<double>(problem.overload(load_a - load) +
                                             problem.overload(load_b + load));
    };
    const double before = cost_of_overload(0);
    // Node 0 is nobody.
    struct {
        double change = -least_gain;
        uint32_t u = 0, after_u = 0, v = 0, after_v = 0;
    } best;
    for (uint32_t u = routes.first_of(a); routes.is_customer(u);
         u = routes.nodes[u].next) {
        const int64_t demand = routes.nodes[u].demand;
        const double removal = removals_[u] - before;
        for (uint32_t v = routes.first_of(b); routes.is_customer(v);
             v = routes.nodes[v].next) {
            double change = removal + removals_[v];
            change += cost_of_overload(demand - routes.nodes[v].demand);
            // Insertions cost something, at least where ways are metric.
            if (change >= best.change)
                continue;
            const Place place_u = place_instead(routes, u, v, b);
            if (change + place_u.cost >= best.change)
                continue;
            const Place place_v = place_instead(routes, v, u, a);
            change += place_u.cost + place_v.cost;
            if (change < best.change)
                best = {change, u, place_u.after, v, place_v.after};
        }
        const Places& places = places_[index_of(u, b)];
        const double change =
            removal + places.costs[0] + cost_of_overload(demand);
        if (change < best.change)
            best = {change, u, places.after[0], 0, 0};
    }
    for (uint32_t v = routes.first_of(b); routes.is_customer(v);
         v = routes.nodes[v].next) {
        const Places& places = places_[index_of(v, a)];
        double change = removals_[v] - before + places.costs[0];
        change += cost_of_overload(-routes.nodes[v].demand);
        if (change < best.change)
            best = {change, 0, 0, v, places.after[0]};
    }
    if (best.u == 0 && best.v == 0)
        return false;
    make_move(routes, a, b, penalty, best.change, [&routes, best] {
        if (best.u != 0)
            move_behind(routes, {best.u, best.u}, best.after_u);
        if (best.v != 0)
            move_behind(routes, {best.v, best.v}, best.after_v);
    });
    return true;
}

} // namespace ncc::genetic

#include "genetic/linked_routes.h"

#include <cmath>

namespace ncc::genetic {

LinkedRoutes::LinkedRoutes(const Problem& problem, uint32_t num_routes)
    : problem_(&problem), num_nodes_(problem.num_nodes()),
      nodes_(num_nodes_ + num_routes), routes_(num_routes),
      directions_(num_routes) {
    for (uint32_t node = 0; node < num_nodes_; ++node) {
        nodes_[node].demand = problem.demands[node];
        nodes_[node].place = node;
    }
    for (uint32_t route = 0; route < num_routes; ++route) {
        Node& depot = nodes_[depot_of(route)];
        depot.prev = depot.next = depot_of(route);
        depot.route = route;
    }
}

void LinkedRoutes::swap(uint32_t u, uint32_t v) {
    const uint32_t before_u = nodes_[u].prev;
    const uint32_t after_u = nodes_[u].next;
    const uint32_t before_v = nodes_[v].prev;
    const uint32_t after_v = nodes_[v].next;
    join(before_u, v);
    join(v, after_u);
    join(before_v, u);
    join(u, after_v);
}

void LinkedRoutes::reverse(uint32_t x, uint32_t v) {
    const uint32_t before = nodes_[x].prev;
    const uint32_t after = nodes_[v].next;
    uint32_t node = x;
    while (node != after) {
        Node& turned = nodes_[node];
        node = turned.next;
        std::swap(turned.prev, turned.next);
        std::swap(turned.to_prev, turned.to_next);
    }
    join(before, v);
    join(x, after);
}

void LinkedRoutes::renew(uint32_t route) {
    const uint32_t depot = depot_of(route);
    int64_t load = 0;
    uint32_t position = 0;
    for (uint32_t at = nodes_[depot].next; at != depot; at = nodes_[at].next) {
        Node& node = nodes_[at];
        load += node.demand;
        node.load = load;
        node.position = ++position;
        node.route = route;
    }
    routes_[route] = {load, position, num_moves_};
}

void LinkedRoutes::lay(uint32_t route, std::span<const uint32_t> customers) {
    uint32_t last = depot_of(route);
    for (const uint32_t customer : customers) {
        join(last, customer);
        last = customer;
    }
    join(last, depot_of(route));
    renew(route);
}

void LinkedRoutes::load(std::span<const uint32_t> nodes,
                        std::span<const int64_t> starts) {
    count_move();
    for (uint32_t route = 0; route < num_routes(); ++route) {
        if (route + 1 < starts.size()) {
            const auto begin = static_cast<std::size_t>(starts[route]);
            const auto end = static_cast<std::size_t>(starts[route + 1]);
            lay(route, nodes.subspan(begin, end - begin));
        } else {
            lay(route, {});
        }
    }
}

uint32_t LinkedRoutes::find_empty() const {
    uint32_t route = 0;
    while (route < num_routes() && routes_[route].size > 0)
        ++route;
    return route;
}

Measure LinkedRoutes::measure() const {
    Measure total;
    for (std::size_t node = 1; node < nodes_.size(); ++node)
        total.length += nodes_[node].to_next;
    for (const Route& route : routes_)
        total.excess += problem_->overload(route.load);
    return total;
}

void LinkedRoutes::write_tour(std::span<uint32_t> tour) {
    for (uint32_t route = 0; route < num_routes(); ++route) {
        double x = 0.0;
        double y = 0.0;
        for (uint32_t at = first_of(route); !is_depot(at);
             at = nodes_[at].next) {
            x += problem_->coords(at, 0);
            y += problem_->coords(at, 1);
        }
        directions_[route] = {std::atan2(y, x), route};
    }
    std::sort(directions_.begin(), directions_.end());
    std::size_t end = 0;
    for (const auto& [angle, route] : directions_)
        for (uint32_t at = first_of(route); !is_depot(at);
             at = nodes_[at].next)
            tour[end++] = at;
    NCC_CHECK(end == tour.size());
}

std::vector<std::vector<uint32_t>> LinkedRoutes::to_lists() const {
    std::vector<std::vector<uint32_t>> lists(num_routes());
    for (uint32_t route = 0; route < num_routes(); ++route)
        for (uint32_t at = first_of(route); !is_depot(at);
             at = nodes_[at].next)
            lists[route].push_back(at);
    return lists;
}

double LinkedRoutes::cost_of(uint32_t route, double penalty) const {
    double length = 0.0;
    int64_t load = 0;
    uint32_t at = depot_of(route);
    do {
        const uint32_t next = nodes_[at].next;
        length += distance(at, next);
        load += nodes_[next].demand;
        at = next;
    } while (!is_depot(at));
    return length + penalty * static_cast<double>(problem_->overload(load));
}

bool LinkedRoutes::is_consistent() const {
    std::vector<char> is_met(nodes_.size(), 0);
    for (uint32_t route = 0; route < num_routes(); ++route) {
        const uint32_t depot = depot_of(route);
        int64_t load = 0;
        uint32_t position = 0;
        uint32_t last = depot;
        do {
            const uint32_t at = nodes_[last].next;
            const Node& node = nodes_[at];
            const double edge = distance(last, at);
            if (is_met[at] != 0 || node.prev != last || node.route != route ||
                node.to_prev != edge || nodes_[last].to_next != edge)
                return false;
            is_met[at] = 1;
            load += node.demand;
            if (at != depot &&
                (node.load != load || node.position != ++position))
                return false;
            last = at;
        } while (last != depot);
        if (routes_[route].load != load || routes_[route].size != position)
            return false;
    }
    return std::count(is_met.begin(), is_met.end(), 0) == 1;
}

} // namespace ncc::genetic

#include "genetic/linked_routes.h"

#include <cmath>

namespace ncc::genetic {

LinkedRoutes::LinkedRoutes(const Problem& problem_, uint32_t num_routes)
    : Links(problem_.num_nodes(), num_routes), problem(&problem_),
      directions_(num_routes) {
    for (uint32_t node = 0; node < num_nodes; ++node) {
        nodes[node].demand = problem->demands[node];
        nodes[node].place = node;
    }
    for (uint32_t route = 0; route < num_routes; ++route)
        route_of[depot_of(route)] = route;
}

void LinkedRoutes::renew(uint32_t route) {
    int64_t load = 0;
    uint32_t position = 0;
    for (uint32_t at = first_of(route); is_customer(at); at = nodes[at].next) {
        Node& node = nodes[at];
        load += node.demand;
        node.load = load;
        node.position = ++position;
    }
    loads[route] = load;
    routes[route] = {position, num_moves};
}

void LinkedRoutes::lay(uint32_t route, std::span<const uint32_t> customers) {
    uint32_t last = depot_of(route);
    for (const uint32_t customer : customers) {
        set_edge(last, customer, distance(last, customer));
        route_of[customer] = route;
        last = customer;
    }
    set_edge(last, depot_of(route), distance(last, depot_of(route)));
    renew(route);
}

void LinkedRoutes::load(std::span<const uint32_t> customers,
                        std::span<const int64_t> starts) {
    ++num_moves;
    for (uint32_t route = 0; route < num_slots; ++route) {
        const std::size_t end =
            std::min<std::size_t>(route + 1, starts.size() - 1);
        const std::size_t begin = std::min<std::size_t>(route, end);
        lay(route,
            customers.subspan(starts[begin], starts[end] - starts[begin]));
    }
}

uint32_t LinkedRoutes::find_empty() const {
    uint32_t route = 0;
    while (route < num_slots && routes[route].size > 0)
        ++route;
    return route;
}

Measure LinkedRoutes::measure() const {
    Measure total;
    for (std::size_t node = 1; node < nodes.size(); ++node)
        total.length += nodes[node].to_next;
    for (const int64_t load : loads)
        total.excess += problem->overload(load);
    return total;
}

double LinkedRoutes::cost(double penalty) const {
    const auto [length, excess] = measure();
    return length + penalty * static_cast<double>(excess);
}

void LinkedRoutes::write_tour(std::span<uint32_t> tour) {
    for (uint32_t route = 0; route < num_slots; ++route) {
        double x = 0.0;
        double y = 0.0;
        for (uint32_t at = first_of(route); is_customer(at);
             at = nodes[at].next) {
            x += problem->coords(at, 0);
            y += problem->coords(at, 1);
        }
        directions_[route] = {std::atan2(y, x), route};
    }
    std::sort(directions_.begin(), directions_.end());
    std::size_t end = 0;
    for (const auto& [angle, route] : directions_)
        for (uint32_t at = first_of(route); is_customer(at);
             at = nodes[at].next)
            tour[end++] = at;
    NCC_CHECK(end == tour.size());
}

bool LinkedRoutes::is_consistent() const {
    std::vector<char> is_met(nodes.size(), 0);
    for (uint32_t route = 0; route < num_slots; ++route) {
        const uint32_t depot = depot_of(route);
        int64_t load = 0;
        uint32_t position = 0;
        uint32_t last = depot;
        do {
            const uint32_t at = nodes[last].next;
            const Node& node = nodes[at];
            const double edge = distance(last, at);
            if (is_met[at] != 0 || node.prev != last ||
                route_of[at] != route || node.to_prev != edge ||
                nodes[last].to_next != edge)
                return false;
            is_met[at] = 1;
            load += node.demand;
            if (at != depot &&
                (node.load != load || node.position != ++position))
                return false;
            last = at;
        } while (last != depot);
        if (loads[route] != load || routes[route].size != position)
            return false;
    }
    return std::count(is_met.begin(), is_met.end(), 0) == 1;
}

} // namespace ncc::genetic

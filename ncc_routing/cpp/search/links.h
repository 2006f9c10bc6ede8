#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

// Routes as linked lists, for every search that changes them edge by edge.
//
// Nodes 1..n are the customers; node n + 1 + r is the depot at both ends of
// route r, so each route is a circular list. Node 0 is on no route.
namespace ncc::search {

// Routes one after another: r has the nodes from starts[r] to starts[r + 1].
struct RouteList {
    std::vector<uint32_t> nodes;
    std::vector<int64_t> starts{0};
};

// Returns the routes that are not empty, given what follows a node.
template <class Follow>
RouteList list_routes(uint32_t num_nodes, uint32_t num_slots, Follow follow) {
    RouteList list;
    list.nodes.reserve(num_nodes);
    for (uint32_t depot = num_nodes; depot < num_nodes + num_slots; ++depot) {
        uint32_t node = follow(depot);
        if (node >= num_nodes)
            continue;
        for (; node < num_nodes; node = follow(node))
            list.nodes.push_back(node);
        list.starts.push_back(std::ssize(list.nodes));
    }
    return list;
}

// Whether these are customers of so many nodes, each once at most.
inline bool are_customers(std::span<const uint32_t> customers,
                          std::size_t num_nodes) {
    std::vector<char> is_met(num_nodes, 0);
    for (const uint32_t customer : customers)
        if (customer == 0 || customer >= num_nodes ||
            std::exchange(is_met[customer], 1) != 0)
            return false;
    return true;
}

// Where each node is.
//
// A Node has at least
//     double to_prev, to_next;  // lengths of its edges
//     uint32_t prev, next;      // its neighbours
// and a Route
//     int64_t size;  // customers on it
//
// The arrays have their final size from the start: none grows in a search.
template <class Node, class Route>
struct Links {
    // Everything is zero; a search loads its routes.
    Links(uint32_t num_nodes_, uint32_t num_slots_)
        : num_nodes(num_nodes_), num_slots(num_slots_),
          nodes(std::size_t{num_nodes} + num_slots), route_of(nodes.size()),
          routes(num_slots + std::size_t{1}), loads(routes.size()) {}

    [[nodiscard]] bool is_customer(uint32_t node) const {
        return node < num_nodes;
    }

    [[nodiscard]] uint32_t depot_of(uint32_t route) const {
        return num_nodes + route;
    }

    [[nodiscard]] uint32_t first_of(uint32_t route) const {
        return nodes[depot_of(route)].next;
    }

    // Lets j follow i at the distance `edge`.
    void set_edge(uint32_t i, uint32_t j, double edge) {
        nodes[i].next = j;
        nodes[j].prev = i;
        nodes[i].to_next = edge;
        nodes[j].to_prev = edge;
    }

    // Returns the routes that are not empty, given what follows a node.
    template <class Follow>
    [[nodiscard]] RouteList list_routes(Follow follow) const {
        return search::list_routes(num_nodes, num_slots, follow);
    }

    [[nodiscard]] RouteList current_routes() const {
        return list_routes([&](uint32_t node) { return nodes[node].next; });
    }

    uint32_t num_nodes; // customers + 1
    uint32_t num_slots; // routes at most, the empty ones included
    std::vector<Node> nodes;
    // The route of each node, the number of slots for a customer without a
    // place. Apart from `nodes`, and the loads from `routes`, since an
    // insertion reads these two far more often than all else: they have to
    // stay in the nearest cache.
    std::vector<uint32_t> route_of;
    std::vector<Route> routes;  // (slots + 1,): the last one for these
    std::vector<int64_t> loads; // (slots + 1,)
};

// Lets j follow i in a search; returns the length of the edge.
template <class Search>
double link(Search& search, uint32_t i, uint32_t j) {
    // The ring of an empty route must cost nothing in any metric.
    const double edge = i == j ? 0.0 : search.edge_length(i, j);
    search.set_edge(i, j, edge);
    return edge;
}

} // namespace ncc::search

#pragma once

#include "check.h"
#include "search/links.h"
#include "search/problem.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

// Linked routes that may be overloaded, with a journal of what an iteration
// changes: it is taken back, or measured, without a look at the others.
namespace ncc::iterated {

// A node of a circular route, which begins and ends with a depot of its own.
struct Node {
    double to_next;  // length of its edge to `next`
    int64_t demand;  // 0 of a depot
    int64_t load;    // of its route from the depot up to here
    int64_t changed; // when its edges or its route last changed
    uint32_t prev;
    uint32_t next;
    uint32_t route; // num_slots without a place
    uint32_t noted; // the iteration that last noted it in the journal
};

struct Route {
    int64_t load;
    int64_t size;    // customers
    int64_t version; // another one for each state of the route
    int64_t settled; // when moves within it were last tried
    uint32_t noted;  // the iteration that last noted it in the journal
};

template <class Lengths>
class Routes {
public:
    // Begins with the routes of which r has the customers from starts[r] to
    // starts[r + 1]. All others are absent for good.
    Routes(const search::RoutingProblem& problem,
           std::span<const uint32_t> customers,
           std::span<const int64_t> starts, int64_t num_slots);

    [[nodiscard]] bool is_customer(uint32_t node) const {
        return node < num_nodes;
    }
    [[nodiscard]] uint32_t depot_of(uint32_t route) const {
        return num_nodes + route;
    }
    // The place of a node in the problem.
    [[nodiscard]] uint32_t place(uint32_t node) const {
        return node < num_nodes ? node : 0;
    }
    [[nodiscard]] double length(uint32_t i, uint32_t j) const {
        return lengths(place(i), place(j));
    }
    [[nodiscard]] int64_t excess(uint32_t route) const {
        return std::max<int64_t>(0, routes[route].load - capacity);
    }
    [[nodiscard]] bool is_absent(uint32_t customer) const {
        return nodes[customer].route == num_slots;
    }
    // Whether an edge or the route of a node changed in this iteration.
    [[nodiscard]] bool is_new(uint32_t node) const {
        return nodes[node].changed >= began;
    }
    // What the cost falls by when a node leaves its route.
    [[nodiscard]] double removal_gain(uint32_t node) const {
        const Node& at = nodes[node];
        return nodes[at.prev].to_next + at.to_next - length(at.prev, at.next);
    }

    void begin_iteration();

    // Lets j follow i.
    void link(uint32_t i, uint32_t j);
    void link(uint32_t i, uint32_t j, double edge);
    void remove(uint32_t customer);
    void insert(uint32_t customer, uint32_t before);
    // Moves a node of a route behind another one; loads are counted later.
    void move_behind(uint32_t node, uint32_t before) {
        link(nodes[node].prev, nodes[node].next);
        const uint32_t after = nodes[before].next;
        link(before, node);
        link(node, after);
    }

    // Moves u behind before_u and v behind before_v; the node before them
    // stands for where they were.
    void exchange(uint32_t u, uint32_t before_u, uint32_t v,
                  uint32_t before_v) {
        link(nodes[u].prev, nodes[u].next);
        link(nodes[v].prev, nodes[v].next);
        const auto put = [&](uint32_t node, uint32_t before) {
            const uint32_t after = nodes[before].next;
            link(before, node);
            link(node, after);
        };
        put(u, before_u);
        put(v, before_v);
    }

    // Counts a route anew after its links have changed.
    void renew(uint32_t route);
    // Counts the loads up to each node of a route anew.
    void add_up(uint32_t route);

    // Opens an empty route; returns num_slots where there is no slot left.
    uint32_t open_route();
    void close_empty_routes();

    // Whether no route that this iteration changed is overloaded.
    [[nodiscard]] bool is_feasible() const;
    // Edges of the routes now that the last accepted ones do not have.
    [[nodiscard]] int64_t count_new_edges() const;
    // Takes everything back that this iteration changed.
    void undo();
    // Accepts it, and keeps the routes if they are the best ones.
    void commit();

    // The routes that this iteration changed.
    [[nodiscard]] std::size_t num_changed() const {
        return old_routes_.size();
    }
    [[nodiscard]] uint32_t changed_route(std::size_t idx) const {
        return old_routes_[idx].route;
    }

    [[nodiscard]] search::RouteList current_routes() const {
        return search::list_routes(num_nodes, num_slots, [&](uint32_t node) {
            return nodes[node].next;
        });
    }
    [[nodiscard]] search::RouteList best_routes() const {
        return search::list_routes(num_nodes, num_slots, [&](uint32_t node) {
            return best_next_[node];
        });
    }

    // Holds links and loads of a route, or all and the cost, against those of
    // the routes, anew.
    void check_route(uint32_t route) const;
    void check() const;

    uint32_t num_nodes; // customers + 1
    uint32_t num_slots;
    int64_t capacity;
    Lengths lengths;
    std::vector<Node> nodes;       // customers, then the depots of the routes
    std::vector<Route> routes;     // (slots + 1,): the last one of the absent
    std::vector<uint32_t> members; // the customers of this search
    std::vector<uint32_t> open_routes; // in any order
    std::vector<uint32_t> free_routes; // a stack of the others
    double cost = 0.0;
    double best_cost = 0.0;
    int64_t clock = 1; // of the changes
    int64_t began = 1; // the time at which the iteration began
    uint32_t num_iterations = 0;

private:
    struct OldNode {
        uint32_t node;
        uint32_t prev;
        uint32_t next;
        uint32_t route;
        double to_next;
    };
    struct OldRoute {
        uint32_t route;
        int64_t load;
        int64_t size;
        int64_t version;
    };

    void note(uint32_t node);
    void note_route(uint32_t route);
    void note_slots();
    void keep_best();

    std::vector<OldNode> old_nodes_; // the journal
    std::vector<OldRoute> old_routes_;
    std::vector<uint32_t> old_open_; // where slots changed hands
    std::vector<uint32_t> old_free_;
    bool are_slots_noted_ = false;
    double old_cost_ = 0.0;
    int64_t last_version_ = 0;
    std::vector<uint32_t> best_next_;
    std::vector<uint32_t> dirty_; // whose successor may not be the best one's
    std::vector<uint8_t> is_dirty_;
};

template <class Lengths>
Routes<Lengths>::Routes(const search::RoutingProblem& problem,
                        std::span<const uint32_t> customers,
                        std::span<const int64_t> starts, int64_t num_slots_)
    : num_nodes(static_cast<uint32_t>(problem.demands.size())),
      num_slots(static_cast<uint32_t>(num_slots_)), capacity(problem.capacity),
      lengths(problem), nodes(std::size_t{num_nodes} + num_slots),
      routes(std::size_t{num_slots} + 1),
      members(customers.begin(), customers.end()), best_next_(nodes.size()),
      is_dirty_(nodes.size()) {
    for (uint32_t node = 0; node < nodes.size(); ++node) {
        const bool is_depot = !is_customer(node);
        nodes[node] = {};
        nodes[node].prev = nodes[node].next = node;
        nodes[node].route = is_depot ? node - num_nodes : num_slots;
        nodes[node].demand = is_depot ? 0 : problem.demands[node];
        best_next_[node] = node;
    }
    for (uint32_t route = num_slots; route > 0; --route)
        free_routes.push_back(route - 1);
    begin_iteration();
    for (std::size_t number = 0; number + 1 < starts.size(); ++number) {
        const uint32_t route = open_route();
        uint32_t last = depot_of(route);
        for (int64_t idx = starts[number]; idx < starts[number + 1]; ++idx) {
            insert(members[idx], last);
            last = members[idx];
        }
        add_up(route);
    }
    commit();
    check();
}

template <class Lengths>
void Routes<Lengths>::begin_iteration() {
    if (++num_iterations == 0) { // after days
        for (Node& node : nodes)
            node.noted = 0;
        for (Route& route : routes)
            route.noted = 0;
        num_iterations = 2; // the best routes are known
    }
    began = ++clock;
    old_nodes_.clear();
    old_routes_.clear();
    are_slots_noted_ = false;
    old_cost_ = cost;
}

template <class Lengths>
void Routes<Lengths>::note(uint32_t node) {
    Node& at = nodes[node];
    if (at.noted == num_iterations)
        return;
    at.noted = num_iterations;
    old_nodes_.push_back({node, at.prev, at.next, at.route, at.to_next});
}

template <class Lengths>
void Routes<Lengths>::note_route(uint32_t route) {
    Route& at = routes[route];
    if (at.noted != num_iterations) {
        at.noted = num_iterations;
        old_routes_.push_back({route, at.load, at.size, at.version});
    }
    at.version = ++last_version_;
}

template <class Lengths>
void Routes<Lengths>::note_slots() {
    if (std::exchange(are_slots_noted_, true))
        return;
    old_open_ = open_routes;
    old_free_ = free_routes;
}

template <class Lengths>
void Routes<Lengths>::link(uint32_t i, uint32_t j) {
    // The ring of an empty route must cost nothing in any metric.
    link(i, j, i == j ? 0.0 : length(i, j));
}

template <class Lengths>
void Routes<Lengths>::link(uint32_t i, uint32_t j, double edge) {
    note(i);
    note(j);
    nodes[i].next = j;
    nodes[j].prev = i;
    nodes[i].to_next = edge;
    nodes[i].changed = clock;
    nodes[j].changed = clock;
}

template <class Lengths>
void Routes<Lengths>::remove(uint32_t customer) {
    const uint32_t route = nodes[customer].route;
    cost -= removal_gain(customer);
    note(customer);
    note_route(route);
    link(nodes[customer].prev, nodes[customer].next);
    nodes[customer].route = num_slots;
    routes[route].load -= nodes[customer].demand;
    --routes[route].size;
}

template <class Lengths>
void Routes<Lengths>::insert(uint32_t customer, uint32_t before) {
    const uint32_t after = nodes[before].next;
    const uint32_t route = nodes[before].route;
    const double edge = nodes[before].to_next;
    note_route(route);
    link(before, customer);
    link(customer, after);
    cost += nodes[before].to_next + nodes[customer].to_next - edge;
    nodes[customer].route = route;
    routes[route].load += nodes[customer].demand;
    ++routes[route].size;
}

template <class Lengths>
void Routes<Lengths>::renew(uint32_t route) {
    note_route(route);
    int64_t load = 0;
    int64_t size = 0;
    for (uint32_t node = nodes[depot_of(route)].next; is_customer(node);
         node = nodes[node].next) {
        Node& at = nodes[node];
        load += at.demand;
        ++size;
        at.load = load;
        if (at.route != route) {
            note(node);
            at.route = route;
            at.changed = clock;
        }
    }
    routes[route].load = load;
    routes[route].size = size;
}

template <class Lengths>
void Routes<Lengths>::add_up(uint32_t route) {
    int64_t load = 0;
    for (uint32_t node = nodes[depot_of(route)].next; is_customer(node);
         node = nodes[node].next)
        nodes[node].load = load += nodes[node].demand;
}

template <class Lengths>
uint32_t Routes<Lengths>::open_route() {
    if (free_routes.empty())
        return num_slots;
    note_slots();
    const uint32_t route = free_routes.back();
    free_routes.pop_back();
    open_routes.push_back(route);
    note_route(route);
    link(depot_of(route), depot_of(route));
    return route;
}

template <class Lengths>
void Routes<Lengths>::close_empty_routes() {
    for (std::size_t idx = 0; idx < open_routes.size();) {
        const uint32_t route = open_routes[idx];
        if (routes[route].size > 0) {
            ++idx;
            continue;
        }
        note_slots();
        free_routes.push_back(route);
        open_routes[idx] = open_routes.back();
        open_routes.pop_back();
    }
}

template <class Lengths>
bool Routes<Lengths>::is_feasible() const {
    return std::ranges::all_of(old_routes_, [&](const OldRoute& old) {
        return routes[old.route].load <= capacity;
    });
}

template <class Lengths>
int64_t Routes<Lengths>::count_new_edges() const {
    int64_t count = 0;
    for (const OldNode& old : old_nodes_) {
        if (!is_customer(old.node))
            continue;
        const Node& now = nodes[old.node];
        const uint32_t before = place(old.prev);
        const uint32_t after = place(old.next);
        const auto is_old = [&](uint32_t other) {
            return other == after ||
                   (Lengths::is_symmetric && other == before);
        };
        count += !is_old(place(now.next));
        // Edges from the depot are counted at their customers.
        if (!is_customer(now.prev))
            count += before != 0 && !(Lengths::is_symmetric && after == 0);
    }
    return count;
}

template <class Lengths>
void Routes<Lengths>::undo() {
    for (const OldNode& old : old_nodes_) {
        Node& at = nodes[old.node];
        at.prev = old.prev;
        at.next = old.next;
        at.route = old.route;
        at.to_next = old.to_next;
    }
    for (const OldRoute& old : old_routes_) {
        Route& at = routes[old.route];
        at.load = old.load;
        at.size = old.size;
        at.version = old.version;
        add_up(old.route);
    }
    if (are_slots_noted_) {
        open_routes = old_open_;
        free_routes = old_free_;
    }
    cost = old_cost_;
}

template <class Lengths>
void Routes<Lengths>::commit() {
    for (const OldNode& old : old_nodes_)
        if (is_dirty_[old.node] == 0) {
            is_dirty_[old.node] = 1;
            dirty_.push_back(old.node);
        }
    if (num_iterations == 1 || cost < best_cost)
        keep_best();
}

template <class Lengths>
void Routes<Lengths>::keep_best() {
    for (const uint32_t node : dirty_) {
        best_next_[node] = nodes[node].next;
        is_dirty_[node] = 0;
    }
    dirty_.clear();
    best_cost = cost;
}

template <class Lengths>
void Routes<Lengths>::check_route([[maybe_unused]] uint32_t route) const {
#ifdef NCC_DEBUG
    int64_t load = 0;
    int64_t size = 0;
    uint32_t node = depot_of(route);
    do {
        const Node& at = nodes[node];
        load += at.demand;
        size += is_customer(node);
        NCC_CHECK(at.route == route && nodes[at.next].prev == node);
        NCC_CHECK(!is_customer(node) || at.load == load);
        NCC_CHECK(at.to_next ==
                  (at.next == node ? 0.0 : length(node, at.next)));
        node = at.next;
    } while (is_customer(node));
    NCC_CHECK(node == depot_of(route));
    NCC_CHECK(routes[route].load == load && routes[route].size == size);
#endif
}

template <class Lengths>
void Routes<Lengths>::check() const {
#ifdef NCC_DEBUG
    double total = 0.0;
    std::size_t num_visits = 0;
    for (uint32_t route = 0; route < num_slots; ++route) {
        check_route(route);
        uint32_t node = depot_of(route);
        do {
            total += nodes[node].to_next;
            num_visits += is_customer(node);
            node = nodes[node].next;
        } while (is_customer(node));
    }
    NCC_CHECK(num_visits == members.size());
    NCC_CHECK(open_routes.size() + free_routes.size() == num_slots);
    NCC_CHECK(is_close(total, cost));
#endif
}

} // namespace ncc::iterated

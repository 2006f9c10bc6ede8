#pragma once

#include "genetic/problem.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ncc::genetic {

// A customer, or the depot of a route. It fills one cache line.
struct alignas(64) Node {
    double to_prev = 0.0; // lengths of its two edges
    double to_next = 0.0;
    int64_t demand = 0;
    int64_t load = 0; // of its route up to it
    uint32_t prev = 0;
    uint32_t next = 0;
    uint32_t route = 0;
    uint32_t position = 0; // on its route, from 1 on
    uint32_t place = 0;    // its row of the matrix
};

struct Route {
    int64_t load = 0;
    int64_t size = 0;
    int64_t last_changed = 0; // the number of moves by then
};

struct Measure {
    double length = 0.0; // of all routes
    int64_t excess = 0;  // load above the capacity, summed over routes
};

// The routes that are being improved, as doubly linked lists. Customers are
// the nodes below num_nodes, 0 is not used; the depot of route r is
// num_nodes + r, and each route has its own.
class LinkedRoutes {
public:
    LinkedRoutes(const Problem& problem, uint32_t num_routes);

    [[nodiscard]] const Problem& problem() const { return *problem_; }
    [[nodiscard]] const Node& node(uint32_t node) const {
        return nodes_[node];
    }
    [[nodiscard]] const Route& route(uint32_t route) const {
        return routes_[route];
    }
    [[nodiscard]] uint32_t num_routes() const {
        return static_cast<uint32_t>(routes_.size());
    }
    [[nodiscard]] bool is_depot(uint32_t node) const {
        return node >= num_nodes_;
    }
    [[nodiscard]] uint32_t depot_of(uint32_t route) const {
        return num_nodes_ + route;
    }
    [[nodiscard]] uint32_t first_of(uint32_t route) const {
        return nodes_[depot_of(route)].next;
    }

    // The number of moves so far: the clock of what was tested when.
    [[nodiscard]] int64_t num_moves() const { return num_moves_; }

    [[nodiscard]] double distance(uint32_t i, uint32_t j) const {
        return problem_->matrix(nodes_[i].place, nodes_[j].place);
    }

    // Counts a move that is about to begin.
    void count_move() { ++num_moves_; }

    // Lets j follow i. Loads and positions of their routes wait for `renew`,
    // as they do in `move_behind`, `swap` and `reverse`.
    void join(uint32_t i, uint32_t j) {
        const double edge = distance(i, j);
        nodes_[i].next = j;
        nodes_[j].prev = i;
        nodes_[i].to_next = edge;
        nodes_[j].to_prev = edge;
    }

    // Moves a customer behind another node.
    void move_behind(uint32_t node, uint32_t after) {
        join(nodes_[node].prev, nodes_[node].next);
        const uint32_t following = nodes_[after].next;
        join(after, node);
        join(node, following);
    }

    // Lets two customers that are not adjacent change places.
    void swap(uint32_t u, uint32_t v);

    // Reverses the path from x to v, a later node of its route.
    void reverse(uint32_t x, uint32_t v);

    // Counts loads and positions of a changed route anew.
    void renew(uint32_t route);

    // Lets a route visit some customers, in this order.
    void lay(uint32_t route, std::span<const uint32_t> customers);

    // Takes the routes nodes[starts[r]:starts[r + 1]] of all customers; those
    // beyond them become empty.
    void load(std::span<const uint32_t> nodes,
              std::span<const int64_t> starts);

    // An empty route, or num_routes where there is none.
    [[nodiscard]] uint32_t find_empty() const;

    [[nodiscard]] Measure measure() const;

    // Writes all routes one after another, by the direction in which the
    // middle of each lies from the depot.
    void write_tour(std::span<uint32_t> tour);

    [[nodiscard]] std::vector<std::vector<uint32_t>> to_lists() const;

    // Length and penalty of a route, reckoned anew: for the checks.
    [[nodiscard]] double cost_of(uint32_t route, double penalty) const;

    // Whether all that is known of nodes and routes is so: for the checks.
    [[nodiscard]] bool is_consistent() const;

private:
    const Problem* problem_;
    uint32_t num_nodes_;
    int64_t num_moves_ = 0;
    std::vector<Node> nodes_;
    std::vector<Route> routes_;
    std::vector<std::pair<double, uint32_t>> directions_;
};

} // namespace ncc::genetic

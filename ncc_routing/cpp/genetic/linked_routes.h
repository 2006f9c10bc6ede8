#pragma once

#include "genetic/problem.h"
#include "search/links.h"

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
    uint32_t position = 0; // on its route, from 1 on
    uint32_t place = 0;    // its row of the matrix
};

struct Route {
    int64_t size = 0;
    int64_t last_changed = 0; // the number of moves by then
};

struct Measure {
    double length = 0.0; // of all routes
    int64_t excess = 0;  // load above the capacity, summed over routes
};

// The routes that are being improved.
struct LinkedRoutes : search::Links<Node, Route> {
    LinkedRoutes(const Problem& problem_, uint32_t num_routes);

    [[nodiscard]] double distance(uint32_t i, uint32_t j) const {
        return problem->matrix(nodes[i].place, nodes[j].place);
    }

    // What the exchanges ask for, see `search::relink`.
    [[nodiscard]] static constexpr bool is_symmetric() { return true; }
    [[nodiscard]] int64_t demand(uint32_t customer) const {
        return nodes[customer].demand;
    }
    [[nodiscard]] double length_on(uint32_t, uint32_t i, uint32_t j) const {
        return distance(i, j);
    }
    [[nodiscard]] double joint_length(uint32_t, uint32_t i, uint32_t j) const {
        return distance(i, j);
    }
    void count(uint32_t, uint32_t, int) {}
    void mark_dirty(uint32_t) {}
    void free_route(uint32_t) {}

    // Counts loads and positions of a changed route anew.
    void renew(uint32_t route);

    // Lets a route visit some customers, in this order.
    void lay(uint32_t route, std::span<const uint32_t> customers);

    // Takes the routes nodes[starts[r]:starts[r + 1]] of all customers; those
    // beyond them become empty.
    void load(std::span<const uint32_t> customers,
              std::span<const int64_t> starts);

    // The number of moves by the last change of one of two routes.
    [[nodiscard]] int64_t last_changed(uint32_t a, uint32_t b) const {
        return std::max(routes[a].last_changed, routes[b].last_changed);
    }

    // An empty route, or num_slots where there is none.
    [[nodiscard]] uint32_t find_empty() const;

    [[nodiscard]] Measure measure() const;

    // Length and penalty of all routes.
    [[nodiscard]] double cost(double penalty) const;

    // Writes all routes one after another, by the direction in which the
    // middle of each lies from the depot.
    void write_tour(std::span<uint32_t> tour);

    // Whether all that is known of nodes and routes is so: for the checks.
    [[nodiscard]] bool is_consistent() const;

    const Problem* problem;
    int64_t num_moves = 0; // so far: the clock of what was tested when

private:
    std::vector<std::pair<double, uint32_t>> directions_;
};

} // namespace ncc::genetic

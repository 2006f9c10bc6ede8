#pragma once

#include "search/linked_routes.h"
#include "search/params.h"
#include "search/penalties.h"
#include "search/problem.h"
#include "search/ruin.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ncc::search {

// A node of the linked routes: its place, its edges and its neighbours. None
// lies across two lines of the cache, which makes the search 2 % faster.
struct alignas(64) Node {
    double x;
    double y;
    double to_prev;
    double to_next;
    uint32_t prev;
    uint32_t next;
};

// A route: customers on it, and the iteration that last ruined it.
struct Route {
    int64_t size;
    int64_t ruined;
};

// Where to insert a customer: behind a node, 0 for nowhere, with the two new
// edges and the cost.
struct Position {
    uint32_t before = 0;
    double edge_in = 0.0;
    double edge_out = 0.0;
    double cost = infinity;
};

// Ruin and recreate of routes with one capacity, accepted by simulated
// annealing; each is followed by some moves of segments and tails. A change is
// undone edge by edge: the work of an iteration does not depend on the number
// of customers.
template <class Penalty>
struct RoutingSearch : LinkedRoutes<Node, Route> {
    // Begins with the routes of which r has the `nodes` from starts[r] to
    // starts[r + 1]; all other customers are absent. There is room for
    // `num_slots` routes.
    RoutingSearch(const RoutingProblem& problem, const SearchParams& params,
                  Penalty penalties, std::span<const uint32_t> customers,
                  std::span<const int64_t> starts, int64_t num_slots,
                  uint64_t seed);

    // Runs iterations; returns how many ruins and recreates were accepted.
    // `temperature` is that of the first one, in units of cost, `cooling` the
    // factor on it from one iteration to the next.
    int64_t anneal(int64_t num_iterations, double temperature, double cooling);

    // One iteration of it: kept where the cost stays below `limit`, taken back
    // otherwise; returns which.
    bool ruin_and_recreate(double limit);

    // Tries to join a random customer to a near one, at a temperature.
    void improve_locally(double temperature);

    // Returns the position for a customer at a cost below `budget`.
    Position find_position(uint32_t customer, double budget);

    // The distance between two nodes, depots of routes included.
    [[nodiscard]] double length(uint32_t i, uint32_t j) const {
        const MatrixView<const double>& matrix = problem.metric.matrix;
        if (!matrix.empty())
            return matrix(is_customer(i) ? i : 0, is_customer(j) ? j : 0);
        const double dx = nodes[i].x - nodes[j].x;
        const double dy = nodes[i].y - nodes[j].y;
        return problem.metric.rounding.apply(std::sqrt(dx * dx + dy * dy));
    }

    // The same, known as `near` or -inf.
    [[nodiscard]] double near_length(uint32_t i, uint32_t j,
                                     double near) const {
        return near >= 0.0 ? near : length(i, j);
    }

    [[nodiscard]] double edge_length(uint32_t i, uint32_t j) const {
        return length(i, j);
    }

    [[nodiscard]] int64_t demand(uint32_t customer) const {
        return problem.demands[customer];
    }

    [[nodiscard]] double penalty(uint32_t customer, uint32_t route) const {
        return penalties.cost(customer, route);
    }

    void count(uint32_t customer, uint32_t route, int change) {
        penalties.count(customer, route, change);
    }

    [[nodiscard]] MatrixView<const uint32_t> neighbours() const {
        return problem.neighbours;
    }

    // Adds what an accepted move costs.
    void accept(double change) {
        cost += change;
        check();
        keep_if_best(params.tolerance);
    }

    // Holds links, loads and costs against those of the routes, anew.
    void check() const;

    RoutingProblem problem;
    SearchParams params;
    Penalty penalties;

private:
    bool recreate(double limit);
    template <class Lengths>
    Position find_position_by(uint32_t customer, double budget);
    template <class Lengths>
    Position find_gap(const Lengths& lengths, uint32_t customer,
                      double budget);
    [[nodiscard]] uint32_t find_room(std::span<const uint32_t> customers,
                                     int64_t most) const;
    void order_removed();

    std::vector<Position> gaps_; // that an insertion chooses from
};

extern template struct RoutingSearch<NoPenalty>;
extern template struct RoutingSearch<ZonePenalty>;
extern template struct RoutingSearch<SameRoutePenalty>;

} // namespace ncc::search

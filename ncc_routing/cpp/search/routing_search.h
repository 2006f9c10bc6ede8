#pragma once

#include "search/annealing.h"
#include "search/exchange.h"
#include "search/linked_routes.h"
#include "search/params.h"
#include "search/penalties.h"
#include "search/problem.h"
#include "search/recreate.h"

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

// Routes with one capacity, whose edges are all that they cost beside the
// penalties.
template <class Penalty>
struct RoutingSearch : LinkedRoutes<Node, Route>, NoExtras {
    // Begins with the routes of which r has the `nodes` from starts[r] to
    // starts[r + 1]; all other customers are absent. There is room for
    // `num_slots` routes.
    RoutingSearch(const RoutingProblem& problem, const SearchParams& params,
                  Penalty penalties, std::span<const uint32_t> customers,
                  std::span<const int64_t> starts, int64_t num_slots,
                  uint64_t seed);

    // The distance between two nodes, depots of routes included.
    [[nodiscard]] double length(uint32_t i, uint32_t j) const {
        const MatrixView<const double>& matrix = problem.metric.matrix;
        if (!matrix.empty())
            return matrix(is_customer(i) ? i : 0, is_customer(j) ? j : 0);
        const double dx = nodes[i].x - nodes[j].x;
        const double dy = nodes[i].y - nodes[j].y;
        return problem.metric.rounding.apply(std::sqrt(dx * dx + dy * dy));
    }

    // What the ruin asks for, see `RuinedSearch`.
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

    // What the recreate asks for, see `RecreatedSearch`.
    [[nodiscard]] int64_t capacity() const { return problem.capacity; }
    [[nodiscard]] double num_rules() const { return search::num_rules; }
    [[nodiscard]] double order_key(uint32_t customer, double rule) {
        return search::order_key(*this, customer, rule);
    }
    Position find_position(uint32_t customer, double budget);
    void insert(uint32_t customer, const Position& position);

    // What the moves ask for, see `ExchangingSearch`.
    [[nodiscard]] bool has_penalties() const { return penalties.is_any(); }
    [[nodiscard]] bool is_symmetric() const { return problem.is_symmetric; }
    [[nodiscard]] static constexpr bool is_ring(uint32_t) { return true; }
    [[nodiscard]] bool may_take(uint32_t route, int64_t load) const {
        return loads[route] + load <= problem.capacity;
    }
    [[nodiscard]] double length_on(uint32_t, uint32_t i, uint32_t j) const {
        return length(i, j);
    }
    [[nodiscard]] double joint_length(uint32_t, uint32_t i, uint32_t j) const {
        return length(i, j);
    }
    [[nodiscard]] bool may_pay(uint32_t, uint32_t, double change, bool,
                               double limit) const {
        return change < limit;
    }
    double try_exchange(const Exchange& exchange, double change, double limit);
    double try_priced(const Exchange& exchange, double change, double penalty,
                      double limit);

    // What the annealing asks for, see `AnnealedSearch`.
    void begin_iteration() { clear_moves(); }
    void keep_if_best(double tolerance) { keep_if_better(cost, tolerance); }
    [[nodiscard]] bool is_metric() const { return problem.is_metric(); }
    [[nodiscard]] bool is_too_far(uint32_t i, uint32_t j, double near,
                                  double edge, double limit) const {
        return (near >= 0.0 ? near : length(i, j)) - edge >= limit;
    }

    // Holds links, loads and costs against those of the routes, anew.
    void check() const;

    RoutingProblem problem;
    SearchParams params;
    Penalty penalties;

private:
    template <class Lengths>
    Position find_position_by(uint32_t customer, double budget);
    template <class Lengths>
    Position find_gap(const Lengths& lengths, uint32_t customer,
                      double budget);

    std::vector<Position> gaps_; // that an insertion chooses from
};

extern template struct RoutingSearch<NoPenalty>;
extern template struct RoutingSearch<Penalties>;
extern template int64_t anneal(RoutingSearch<NoPenalty>&, int64_t, double,
                               double);
extern template int64_t anneal(RoutingSearch<Penalties>&, int64_t, double,
                               double);

} // namespace ncc::search

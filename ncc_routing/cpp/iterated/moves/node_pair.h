#pragma once

#include "always_inline.h"
#include "iterated/best_moves.h"
#include "iterated/judges.h"
#include "iterated/routes.h"

#include <algorithm>
#include <cstdint>

namespace ncc::iterated {

// A node u, which stays for many pairs, and its edges.
template <class Lengths>
struct FirstNode {
    FirstNode(const Routes<Lengths>& routes, uint32_t u)
        : node(u), before(routes.nodes[u].prev), after(routes.nodes[u].next),
          in(routes.nodes[before].to_next), out(routes.nodes[u].to_next),
          gain(in + out - routes.length(before, after)),
          is_customer(routes.is_customer(u)),
          row(routes.lengths.row(routes.place(u))) {}

    uint32_t node;
    uint32_t before;
    uint32_t after;
    double in;   // the length of the edge from `before`
    double out;  // and of that to `after`
    double gain; // what the route is shorter without it
    bool is_customer;
    Lengths::Row row;
};

// Two nodes of different routes, and what the moves need to know of them.
template <class Lengths>
struct NodePair {
    NCC_ALWAYS_INLINE NodePair(const Routes<Lengths>& routes_,
                               const FirstNode<Lengths>& u_, uint32_t v_)
        : routes(routes_), u(u_), v(v_), before_v(routes.nodes[v].prev),
          after_v(routes.nodes[v].next), in_v(routes.nodes[before_v].to_next),
          out_v(routes.nodes[v].to_next), uv(u.row.to(routes.place(v))),
          vu(u.row.from(routes.place(v))), route_u(routes.nodes[u.node].route),
          route_v(routes.nodes[v].route),
          demand_u(routes.nodes[u.node].demand),
          demand_v(routes.nodes[v].demand),
          is_customer_v(routes.is_customer(v)),
          loads{routes.capacity, routes.routes[route_u].load,
                routes.routes[route_v].load} {}

    [[nodiscard]] NCC_ALWAYS_INLINE double length(uint32_t i,
                                                  uint32_t j) const {
        return routes.length(i, j);
    }
    [[nodiscard]] NCC_ALWAYS_INLINE double from_u(uint32_t j) const {
        return u.row.to(routes.place(j));
    }
    [[nodiscard]] NCC_ALWAYS_INLINE double to_u(uint32_t j) const {
        return u.row.from(routes.place(j));
    }
    [[nodiscard]] NCC_ALWAYS_INLINE double gain_v() const {
        return in_v + out_v - length(before_v, after_v);
    }
    [[nodiscard]] NCC_ALWAYS_INLINE double longest_edge() const {
        return std::max(std::max(u.in, u.out), std::max(in_v, out_v));
    }

    const Routes<Lengths>& routes;
    const FirstNode<Lengths>& u;
    uint32_t v;
    uint32_t before_v;
    uint32_t after_v;
    double in_v;
    double out_v;
    double uv;
    double vu;
    uint32_t route_u;
    uint32_t route_v;
    int64_t demand_u;
    int64_t demand_v;
    bool is_customer_v;
    Loads loads;
};

// The best move of a pair of routes so far, as a judge sees it.
template <class Judge>
struct Best {
    // Takes a move if it is better; it must be admitted.
    NCC_ALWAYS_INLINE void offer(const Loads& loads, double change,
                                 int64_t load_a, int64_t load_b, MoveKind kind,
                                 uint32_t u, uint32_t v, uint32_t before_u = 0,
                                 uint32_t before_v = 0) {
        const double value = judge.value(loads, change, load_a, load_b);
        if (value >= move.value)
            return;
        move.value = value;
        move.change = change;
        move.kind = kind;
        move.u = u;
        move.v = v;
        move.before_u = before_u;
        move.before_v = before_v;
        is_found = true;
    }

    const Judge& judge;
    Move move;
    bool is_found = false;
};

} // namespace ncc::iterated

#pragma once

#include "genetic/linked_routes.h"

#include <cmath>
#include <cstdint>

namespace ncc::genetic {

// The moves of a customer U and a near node V, with the numbers of HGS-CVRP;
// X follows U, and Y follows V.
enum class MoveKind : int64_t {
    None = 0,
    Relocate = 1,             // U behind V
    RelocatePair = 2,         // U X behind V
    RelocatePairReversed = 3, // X U behind V
    Swap = 4,                 // U for V
    SwapPairWithOne = 5,      // U X for V
    SwapPairs = 6,            // U X for V Y
    TwoOpt = 7,               // U V and X Y become edges of one route
    TwoOptStarReversed = 8,   // the same of two routes
    TwoOptStar = 9            // U Y and V X become edges: tails are swapped
};

// The best move found so far, and by how much it changes the cost.
struct Move {
    MoveKind kind = MoveKind::None;
    double change = -least_gain;

    // Takes another move if it is better.
    void update(MoveKind other, double other_change) {
        if (other_change < change) {
            kind = other;
            change = other_change;
        }
    }
};

// The customer U and the node V of a move, those after them, and what the
// loads of their routes cost.
struct NodePair {
    uint32_t u, x, v, y;
    uint32_t route_u, route_v;

    NodePair(const LinkedRoutes& routes, uint32_t first, uint32_t second,
             double penalty)
        : u(first), x(routes.node(first).next), v(second),
          y(routes.node(second).next), route_u(routes.node(first).route),
          route_v(routes.node(second).route), problem_(&routes.problem()),
          penalty_(penalty), load_u_(routes.route(route_u).load),
          load_v_(routes.route(route_v).load) {
        if (route_u != route_v)
            overload_ =
                problem_->overload(load_u_) + problem_->overload(load_v_);
    }

    [[nodiscard]] bool is_one_route() const { return route_u == route_v; }
    [[nodiscard]] int64_t load_u() const { return load_u_; }
    [[nodiscard]] int64_t load_v() const { return load_v_; }

    // Below this a change of the length is worth the look at the loads: no
    // move takes away more penalty than there is.
    [[nodiscard]] double bound(const Move& best) const {
        return best.change + penalty_ * static_cast<double>(overload_);
    }

    // A change of the length with that of the penalty, when some load goes
    // from the route of U to that of V.
    [[nodiscard]] double with_penalty(double change, int64_t load) const {
        if (is_one_route())
            return change;
        const int64_t after = problem_->overload(load_u_ - load) +
                              problem_->overload(load_v_ + load);
        return change + penalty_ * static_cast<double>(after - overload_);
    }

private:
    const Problem* problem_;
    double penalty_;
    int64_t load_u_;
    int64_t load_v_;
    int64_t overload_ = 0; // before the move; 0 where it is one route
};

#ifdef NCC_DEBUG
// Holds a move between its making and its end to the change that it claims.
class ChangeCheck {
public:
    ChangeCheck(const LinkedRoutes& routes, uint32_t route, uint32_t other,
                double penalty, double change)
        : routes_(routes), route_(route), other_(other), penalty_(penalty),
          change_(change), before_(cost()) {}

    ~ChangeCheck() {
        const double after = cost();
        const double scale = 1.0 + std::abs(before_) + std::abs(after);
        NCC_CHECK(std::abs(after - before_ - change_) <= 1e-6 * scale);
        NCC_CHECK(change_ < 0.0);
    }

    ChangeCheck(const ChangeCheck&) = delete;
    ChangeCheck& operator=(const ChangeCheck&) = delete;

private:
    [[nodiscard]] double cost() const {
        const double one = routes_.cost_of(route_, penalty_);
        return route_ == other_ ? one
                                : one + routes_.cost_of(other_, penalty_);
    }

    const LinkedRoutes& routes_;
    uint32_t route_;
    uint32_t other_;
    double penalty_;
    double change_;
    double before_;
};
#endif

} // namespace ncc::genetic

#pragma once

#include "iterated/best_moves.h"
#include "iterated/cheapest_positions.h"
#include "iterated/judges.h"
#include "iterated/moves/node_pair.h"
#include "iterated/moves/relocate.h"
#include "iterated/moves/swap_star.h"
#include "iterated/moves/two_opt_star.h"
#include "iterated/moves/within_route.h"
#include "iterated/routes.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace ncc::iterated {

// The local search of changed routes: the best move of all first.
template <class Lengths>
class LocalSearch {
public:
    LocalSearch(Routes<Lengths>& routes, MatrixView<const uint32_t> neighbours,
                int64_t num_near, double tolerance, double unit)
        : routes_(routes), neighbours_(neighbours),
          num_near_(std::min(num_near, neighbours.num_columns())),
          cheaper_{tolerance}, per_excess_{unit},
          positions_(routes.num_nodes, routes.num_slots, neighbours,
                     num_near_),
          known_(routes.num_slots), last_browsed_(routes.num_slots),
          reach_(routes.num_nodes) {
        if (num_near_ > 0)
            for (const uint32_t customer : routes.members)
                reach_[customer] = routes.length(
                    customer, neighbours(customer, num_near_ - 1));
    }

    // Moves customers from overloaded routes until none is left; a route is
    // opened where no move helps. Returns whether that went well.
    bool repair() {
        while (!routes_.is_feasible()) {
            descend(per_excess_, false);
            if (routes_.is_feasible())
                break;
            descend(per_excess_, true);
            if (routes_.is_feasible())
                break;
            if (routes_.open_route() == routes_.num_slots)
                return false;
        }
        for (std::size_t idx = 0; idx < routes_.num_changed(); ++idx)
            improve_within(routes_.changed_route(idx));
        routes_.close_empty_routes();
        return true;
    }

    // Shortens feasible routes.
    void shorten() {
        descend(cheaper_, false);
        routes_.close_empty_routes();
    }

private:
    // Makes the best move of two routes until there is none.
    template <class Judge>
    void descend(const Judge& judge, bool takes_depots) {
        moves_.clear();
        first_browse_ = num_browses_;
        for (std::size_t idx = 0; idx < routes_.num_changed(); ++idx)
            browse(judge, routes_.changed_route(idx), takes_depots);
        while (!moves_.empty()) {
            const Move move = moves_.best();
            apply(move);
            for (const uint32_t route : {move.route_u, move.route_v})
                improve_within(route);
            moves_.erase(move.route_u, move.route_v);
            first_browse_ = num_browses_;
            for (const uint32_t route : {move.route_u, move.route_v})
                browse(judge, route, takes_depots);
        }
    }

    // Looks for moves of the new nodes of a route and their neighbours.
    template <class Judge>
    void browse(const Judge& judge, uint32_t route, bool takes_depots) {
        if (routes_.routes[route].size == 0)
            return;
        ++num_browses_;
        const bool is_over = routes_.excess(route) > 0;
        const auto visit = [&](const FirstNode<Lengths>& u, uint32_t v) {
            const uint32_t other = routes_.nodes[v].route;
            if (other == route || other == routes_.num_slots)
                return;
            if constexpr (Judge::repairs)
                if ((routes_.excess(other) > 0) == is_over)
                    return;
            const NodePair<Lengths> pair(routes_, u, v);
            if (!is_tried(pair))
                try_pair(judge, pair);
        };
        uint32_t node = routes_.depot_of(route);
        do {
            if (routes_.is_new(node)) {
                const FirstNode<Lengths> u(routes_, node);
                const auto near = neighbours_.row(routes_.place(node));
                for (const uint32_t v : near.first(num_near_))
                    visit(u, v);
                if (u.is_customer && (takes_depots || is_near_depot(u, near)))
                    visit_depots([&](uint32_t depot) { visit(u, depot); });
            }
            node = routes_.nodes[node].next;
        } while (routes_.is_customer(node));
        last_browsed_[route] = num_browses_;
    }

    // Whether the pair has been tried since the last move, as that of v and u.
    [[nodiscard]] bool is_tried(const NodePair<Lengths>& pair) const {
        return Lengths::is_symmetric && pair.u.is_customer &&
               pair.is_customer_v &&
               last_browsed_[pair.route_v] > first_browse_ &&
               pair.uv < reach_[pair.v] && routes_.is_new(pair.v);
    }

    // Visits the depots of open routes, of so many at most by turns: an
    // overloaded route soon finds one with room.
    template <class Visit>
    void visit_depots(Visit visit) {
        const auto& open = routes_.open_routes;
        const std::size_t count = std::min(open.size(), max_depots);
        for (std::size_t idx = 0; idx < count; ++idx)
            visit(routes_.depot_of(open[(next_depot_ + idx) % open.size()]));
        next_depot_ = count < open.size() ? next_depot_ + count : 0;
    }

    // Whether the depot is one of the neighbours that moves look at.
    [[nodiscard]] bool is_near_depot(const FirstNode<Lengths>& u,
                                     std::span<const uint32_t> near) const {
        return u.row.to(0) < u.row.to(near[num_near_ - 1]);
    }

    template <class Judge>
    void try_pair(const Judge& judge, const NodePair<Lengths>& pair) {
        Best<Judge> best{judge, {}};
        Known& known = known_[pair.route_v];
        if (known.browse != num_browses_)
            known = {num_browses_,
                     moves_.value(pair.route_u, pair.route_v, judge.worst())};
        best.move.value = known.value;
        // A new edge has to be shorter than one that it replaces, but where
        // loads are what counts.
        if (Judge::repairs ||
            std::min(pair.uv, pair.vu) < pair.longest_edge()) {
            offer_relocate(pair, best);
            offer_two_opt_star(pair, best);
        }
        offer_swap_star(pair, positions_, best);
        if (!best.is_found)
            return;
        best.move.route_u = routes_.nodes[best.move.u].route;
        best.move.route_v = pair.route_u + pair.route_v - best.move.route_u;
        known.value = best.move.value;
        moves_.set(best.move);
    }

    void apply(const Move& move) {
        routes_.cost += move.change;
        switch (move.kind) {
        case MoveKind::Relocate:
            routes_.move_behind(move.u, move.v);
            break;
        case MoveKind::SwapStar:
            routes_.exchange(move.u, move.before_u, move.v, move.before_v);
            break;
        case MoveKind::TwoOptStar:
            exchange_tails(routes_, move);
            break;
        case MoveKind::TwoOptStarTurned:
            exchange_tails_turned(routes_, move, order_);
            break;
        }
        routes_.renew(move.route_u);
        routes_.renew(move.route_v);
        routes_.check_route(move.route_u);
        routes_.check_route(move.route_v);
    }

    // Makes the best move within a route until there is none.
    void improve_within(uint32_t route) {
        Route& own = routes_.routes[route];
        if (own.size < 2)
            return;
        const int64_t since = std::max(routes_.began, own.settled);
        members_.clear();
        uint32_t node = routes_.depot_of(route);
        do {
            members_.push_back(node);
            node = routes_.nodes[node].next;
        } while (routes_.is_customer(node));
        const bool sees_all = std::ssize(members_) <= num_near_;
        bool is_changed = false;
        while (true) {
            InnerMove best{-cheaper_.tolerance};
            for (std::size_t idx = 0; idx < members_.size(); ++idx) {
                const uint32_t u = members_[idx];
                if (routes_.nodes[u].changed < since)
                    continue;
                const auto visit = [&](uint32_t v) {
                    if (v != u && routes_.nodes[v].route == route)
                        offer_within(routes_, u, v, !sees_all, best);
                };
                if (sees_all) {
                    // Both orders of two nodes make the same moves.
                    for (std::size_t other = 0; other < members_.size();
                         ++other) {
                        const uint32_t v = members_[other];
                        if (other > idx || routes_.nodes[v].changed < since)
                            visit(v);
                    }
                    continue;
                }
                const auto near = neighbours_.row(routes_.place(u));
                std::ranges::for_each(near.first(num_near_), visit);
                visit(routes_.depot_of(route));
            }
            if (best.kind == InnerKind::None)
                break;
            apply_within(routes_, best, order_);
            is_changed = true;
        }
        if (is_changed) {
            routes_.renew(route);
            routes_.check_route(route);
        }
        own.settled = ++routes_.clock;
    }

    static constexpr std::size_t max_depots = 200;

    // The value of the best move of the browsed route and another one.
    struct Known {
        int64_t browse = 0;
        double value = 0.0;
    };

    Routes<Lengths>& routes_;
    MatrixView<const uint32_t> neighbours_;
    int64_t num_near_;
    Cheaper cheaper_;
    PerExcess per_excess_;
    CheapestPositions positions_;
    BestMoves moves_;
    std::vector<uint32_t> members_;
    std::vector<uint32_t> order_;
    std::size_t next_depot_ = 0;
    std::vector<Known> known_;          // by route
    std::vector<int64_t> last_browsed_; // by route
    std::vector<double> reach_;         // to the last near customer of each
    int64_t num_browses_ = 0;
    int64_t first_browse_ = 0; // those up to here were before the last move
};

} // namespace ncc::iterated

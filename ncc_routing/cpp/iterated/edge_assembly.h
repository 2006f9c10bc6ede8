#pragma once

#include "arrays.h"
#include "iterated/exchange_cycle.h"
#include "iterated/routes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ncc::iterated {

// Edge assembly: the own edges of a cycle give way to those of the partner.
//
// The routes fall into segments, which are joined anew. Segments that are left
// without a depot are inserted where they cost least. Loads do not count.
template <class Lengths>
class EdgeAssembly {
public:
    EdgeAssembly(Routes<Lengths>& routes,
                 MatrixView<const uint32_t> neighbours)
        : routes_(routes), neighbours_(neighbours), cycle_(routes),
          cut_(routes.nodes.size()), ends_(routes.num_nodes),
          changed_in_(routes.num_slots), loose_in_(routes.num_nodes) {}

    // Changes the routes; returns whether there was a cycle.
    bool perturb(const Partner& partner, Xorshift& random) {
        const auto edges = cycle_.find(partner, random);
        if (edges.empty())
            return false;
        ++stamp_;
        cut(edges);
        join(edges);
        order_.clear();
        lists_.clear();
        follow_all();
        for (const List& list : lists_)
            if (list.route != none)
                link_route(list);
            else
                for (const uint32_t node : members(list))
                    loose_in_[node] = stamp_;
        for (const List& list : lists_)
            if (list.route == none)
                insert_best(members(list));
        for (const uint32_t route : changed_)
            routes_.renew(route);
        return true;
    }

private:
    static constexpr uint32_t none = ~uint32_t{0};
    static constexpr std::size_t num_near = 10; // of each loose customer

    // Customers that follow each other; 2 i and 2 i + 1 are the ends of the
    // segment with number i.
    struct Segment {
        uint32_t first = none; // none of a depot alone
        uint32_t last = none;
        uint32_t route = none;
        bool is_from_depot = false;
        bool is_to_depot = false;
        bool is_followed = false;
    };
    struct Ends {
        uint64_t stamp = 0;
        std::array<uint32_t, 2> ids{none, none};
    };
    // Customers of `order_`, on a route, or loose.
    struct List {
        std::size_t begin;
        std::size_t end;
        uint32_t route;
    };

    [[nodiscard]] std::span<const uint32_t> members(const List& list) const {
        return std::span(order_).subspan(list.begin, list.end - list.begin);
    }

    void change(uint32_t route) {
        if (std::exchange(changed_in_[route], stamp_) != stamp_)
            changed_.push_back(route);
    }

    void cut(std::span<const CycleEdge> edges) {
        changed_.clear();
        segments_.clear();
        depot_ends_.clear();
        for (const CycleEdge& edge : edges) {
            if (!edge.is_own()) {
                routes_.cost += routes_.length(edge.customer, edge.other);
                continue;
            }
            const Node& at = routes_.nodes[edge.customer];
            const uint32_t before = edge.slot == 1 ? edge.customer : at.prev;
            routes_.cost -= routes_.nodes[before].to_next;
            cut_[before] = stamp_;
            change(at.route);
        }
        for (const uint32_t route : changed_)
            add_segments(route);
    }

    void add_segments(uint32_t route) {
        Segment own{.route = route, .is_from_depot = true};
        uint32_t node = routes_.depot_of(route);
        do {
            if (routes_.is_customer(node)) {
                own.last = node;
                if (own.first == none)
                    own.first = node;
            }
            if (cut_[node] == stamp_) {
                add(own);
                own = {.route = route};
            }
            node = routes_.nodes[node].next;
        } while (routes_.is_customer(node));
        own.is_to_depot = true;
        add(own);
    }

    void add(const Segment& segment) {
        const auto first_end = static_cast<uint32_t>(2 * segments_.size());
        segments_.push_back(segment);
        const auto loosen = [&](uint32_t node, uint32_t side) {
            if (node == none) {
                depot_ends_.push_back(first_end + side);
                return;
            }
            Ends& own = ends_[node];
            if (own.stamp != stamp_)
                own = {.stamp = stamp_};
            own.ids[side] = first_end + side;
        };
        if (!segment.is_from_depot)
            loosen(segment.first, 0);
        if (!segment.is_to_depot)
            loosen(segment.last, 1);
    }

    // Joins ends of segments by the edges of the partner.
    void join(std::span<const CycleEdge> edges) {
        joined_.assign(2 * segments_.size(), none);
        const auto take = [&](uint32_t place) {
            if (place == 0) {
                const uint32_t end = depot_ends_.back();
                depot_ends_.pop_back();
                return end;
            }
            auto& ids = ends_[place].ids;
            return std::exchange(ids[ids[0] == none ? 1 : 0], none);
        };
        for (const CycleEdge& edge : edges) {
            if (edge.is_own())
                continue;
            const uint32_t a = take(edge.customer);
            const uint32_t b = take(edge.other);
            joined_[a] = b;
            joined_[b] = a;
        }
    }

    // Lists the customers of each route, and of each cycle without a depot.
    void follow_all() {
        const auto count = static_cast<uint32_t>(segments_.size());
        ++stamp_;
        for (uint32_t idx = 0; idx < count; ++idx)
            if (segments_[idx].is_from_depot && !segments_[idx].is_followed)
                follow(2 * idx, keep(segments_[idx].route));
        // Between two ends of routes, as many as are left.
        std::size_t next = 0;
        for (uint32_t idx = 0; idx < count; ++idx)
            if (segments_[idx].is_to_depot && !segments_[idx].is_followed) {
                while (changed_in_[changed_[next]] == stamp_)
                    ++next;
                follow(2 * idx + 1, keep(changed_[next]));
            }
        for (uint32_t idx = 0; idx < count; ++idx)
            if (!segments_[idx].is_followed)
                follow(2 * idx, none);
    }

    uint32_t keep(uint32_t route) {
        changed_in_[route] = stamp_;
        return route;
    }

    void follow(uint32_t end, uint32_t route) {
        const std::size_t begin = order_.size();
        while (true) {
            Segment& own = segments_[end / 2];
            if (std::exchange(own.is_followed, true))
                break; // all of a cycle
            const bool is_forward = end % 2 == 0;
            uint32_t node = is_forward ? own.first : own.last;
            const uint32_t last = is_forward ? own.last : own.first;
            while (node != none) {
                order_.push_back(node);
                if (node == last)
                    break;
                const Node& at = routes_.nodes[node];
                node = is_forward ? at.next : at.prev;
            }
            if (is_forward ? own.is_to_depot : own.is_from_depot)
                break;
            end = joined_[end ^ 1U];
        }
        lists_.push_back({begin, order_.size(), route});
    }

    void link_route(const List& list) {
        const auto relink = [&](uint32_t i, uint32_t j) {
            if (routes_.nodes[i].next != j || routes_.nodes[j].prev != i)
                routes_.link(i, j);
        };
        uint32_t last = routes_.depot_of(list.route);
        for (const uint32_t node : members(list)) {
            relink(last, node);
            last = node;
        }
        relink(last, routes_.depot_of(list.route));
    }

    // Where a cycle opens, and the edge of a route that takes it in.
    struct Opening {
        double change = infinity;
        std::size_t from = 0; // the customer that becomes a neighbour of
        uint32_t near = none; // this node
        bool is_up = false;   // the others follow in their order
        bool is_behind = false;
    };

    void insert_best(std::span<const uint32_t> cycle) {
        Opening best;
        for (std::size_t idx = 0; idx < cycle.size(); ++idx) {
            const auto near = neighbours_.row(cycle[idx]);
            for (const uint32_t v :
                 near.first(std::min(num_near, near.size())))
                if (!routes_.is_absent(v) && loose_in_[v] != stamp_)
                    offer(cycle, idx, v, best);
        }
        if (best.near == none)
            offer(cycle, 0, routes_.depot_of(changed_[0]), best);
        routes_.cost += best.change;
        change(routes_.nodes[best.near].route);
        uint32_t before =
            best.is_behind ? best.near : routes_.nodes[best.near].prev;
        const uint32_t after = routes_.nodes[before].next;
        const std::size_t size = cycle.size();
        for (std::size_t count = 0; count < size; ++count) {
            // Towards the near node where this is the one behind.
            const std::size_t steps =
                best.is_behind ? count : size - 1 - count;
            const uint32_t node =
                cycle[(best.from + (best.is_up ? steps : size - steps)) %
                      size];
            routes_.link(before, node);
            loose_in_[node] = 0;
            before = node;
        }
        routes_.link(before, after);
    }

    void offer(std::span<const uint32_t> cycle, std::size_t from,
               uint32_t near, Opening& best) const {
        const std::size_t size = cycle.size();
        const uint32_t first = cycle[from];
        for (const bool is_up : {false, true}) {
            const uint32_t last =
                cycle[(from + (is_up ? size - 1 : 1)) % size];
            for (const bool is_behind : {false, true}) {
                const Node& at = routes_.nodes[near];
                const uint32_t other = is_behind ? at.next : at.prev;
                const double change =
                    routes_.length(near, first) + routes_.length(last, other) -
                    routes_.length(first, last) -
                    (is_behind ? at : routes_.nodes[other]).to_next;
                if (change < best.change)
                    best = {change, from, near, is_up, is_behind};
            }
        }
    }

    Routes<Lengths>& routes_;
    MatrixView<const uint32_t> neighbours_;
    ExchangeCycle<Lengths> cycle_;
    uint64_t stamp_ = 0;
    std::vector<uint64_t> cut_; // whether the edge behind a node is cut
    std::vector<Ends> ends_;    // of each customer
    std::vector<uint64_t> changed_in_;
    std::vector<uint64_t> loose_in_;
    std::vector<uint32_t> changed_; // routes
    std::vector<Segment> segments_;
    std::vector<uint32_t> depot_ends_;
    std::vector<uint32_t> joined_; // the end that each one is joined to
    std::vector<uint32_t> order_;
    std::vector<List> lists_;
};

} // namespace ncc::iterated

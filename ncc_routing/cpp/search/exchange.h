#pragma once

#include "check.h"
#include "search/links.h"

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

// Exchanges: what a move makes of one or two routes, as pieces of the old
// ones.
//
// A move is judged before anything changes, so that nothing has to be undone;
// only the few that are accepted walk along routes.
namespace ncc::search {

// The customers from `first` to `last` of a route, which go somewhere as they
// are, or turned round. `first` is 0 where there are none.
struct Piece {
    uint32_t first = 0;
    uint32_t last = 0;
    bool is_turned = false;

    [[nodiscard]] bool is_empty() const { return first == 0; }
    [[nodiscard]] uint32_t front() const { return is_turned ? last : first; }
    [[nodiscard]] uint32_t back() const { return is_turned ? first : last; }
};

// A route as it will be.
struct NewRoute {
    uint32_t route = 0;
    std::array<Piece, 4> pieces{};

    [[nodiscard]] bool is_empty() const {
        for (const Piece& piece : pieces)
            if (!piece.is_empty())
                return false;
        return true;
    }
};

// The routes that change: each customer of theirs is on one of them.
class Exchange {
public:
    explicit Exchange(const NewRoute& route) : routes_{route}, size_(1) {}
    Exchange(const NewRoute& first, const NewRoute& second)
        : routes_{first, second}, size_(2) {}

    [[nodiscard]] std::span<const NewRoute> routes() const {
        return {routes_.data(), size_};
    }

private:
    std::array<NewRoute, 2> routes_;
    std::size_t size_;
};

// What an exchange asks of a search, beside `RuinedSearch`:
// - length_on(route, i, j): the distance from i to j on a route,
// - joint_length(route, i, j): the same, 0 from depot to depot: such a route
//   is not driven,
// - is_symmetric(): whether lengths are the same in both directions,
// - is_ring(route): whether a route ends where it starts,
// - has_penalties(): whether customers cost something beside the routes,
// - may_pay(a, b, change, empties, limit): whether an exchange between two
//   routes may cost less than a limit where its edges are longer by `change`,
//   and one of the routes may be left `empties`,
// - may_take(route, load): whether a route may get so much more; a search that
//   chooses the vehicles afterwards counts the largest,
// - try_exchange(exchange, change, limit): makes it if it breaks no limit and
//   costs less than a limit; returns what it costs more, or the limit,
// - try_priced(exchange, change, penalty, limit): the same where it is known
//   by how much the penalties rise.
template <class T>
concept ExchangingSearch =
    requires(T search, uint32_t node, const Exchange& exchange, double value) {
        { search.length_on(node, node, node) } -> std::same_as<double>;
        { search.joint_length(node, node, node) } -> std::same_as<double>;
        { search.is_symmetric() } -> std::same_as<bool>;
        { search.is_ring(node) } -> std::same_as<bool>;
        { search.has_penalties() } -> std::same_as<bool>;
        { search.may_take(node, int64_t{}) } -> std::same_as<bool>;
        {
            search.may_pay(node, node, value, true, value)
        } -> std::same_as<bool>;
        {
            search.try_exchange(exchange, value, value)
        } -> std::same_as<double>;
        {
            search.try_priced(exchange, value, value, value)
        } -> std::same_as<double>;
    };

// Returns the customers between two nodes of a route; none where one of the
// nodes is a depot.
template <class Search>
Piece piece_between(const Search& s, uint32_t first, uint32_t last,
                    bool is_turned = false) {
    if (!s.is_customer(first) || !s.is_customer(last))
        return {};
    return {first, last, is_turned};
}

// Returns the customers of a route up to a node.
template <class Search>
Piece head_to(const Search& s, uint32_t last, bool is_turned = false) {
    const uint32_t depot = s.depot_of(s.route_of[last]);
    return piece_between(s, s.nodes[depot].next, last, is_turned);
}

// Returns the customers of a route from a node on.
template <class Search>
Piece tail_from(const Search& s, uint32_t first, bool is_turned = false) {
    const uint32_t depot = s.depot_of(s.route_of[first]);
    return piece_between(s, first, s.nodes[depot].prev, is_turned);
}

// Returns the load of the customers of a route from a node on.
template <class Search>
int64_t tail_load(const Search& s, uint32_t first) {
    int64_t load = 0;
    for (uint32_t node = first; s.is_customer(node); node = s.nodes[node].next)
        load += s.demand(node);
    return load;
}

// Calls a function with each customer of a piece, as they follow one another
// on the old route.
template <class Search, class Function>
void walk(const Search& s, const Piece& piece, Function function) {
    if (piece.is_empty())
        return;
    for (uint32_t node = piece.first;; node = s.nodes[node].next) {
        function(node);
        if (node == piece.last)
            return;
    }
}

// Calls a function with each customer of a new route, in its order.
template <class Search, class Function>
void walk(const Search& s, const NewRoute& route, Function function) {
    for (const Piece& piece : route.pieces) {
        if (piece.is_empty())
            continue;
        for (uint32_t node = piece.front();; node = piece.is_turned
                                                        ? s.nodes[node].prev
                                                        : s.nodes[node].next) {
            function(node);
            if (node == piece.back())
                break;
        }
    }
}

// Lets the penalties count the customers of a piece on another route.
template <class Search>
void count_piece(Search& s, const Piece& piece, uint32_t from, uint32_t to) {
    if (!s.penalties.depends_on_others())
        return;
    walk(s, piece, [&](uint32_t node) {
        s.penalties.count(node, from, -1);
        s.penalties.count(node, to, 1);
    });
}

// The same; returns by how much the penalties rise.
template <class Search>
double move_piece(Search& s, const Piece& piece, uint32_t from, uint32_t to) {
    double change = 0.0;
    walk(s, piece, [&](uint32_t node) {
        s.penalties.count(node, from, -1);
        change += s.penalties.cost(node, to) - s.penalties.cost(node, from);
        s.penalties.count(node, to, 1);
    });
    return change;
}

// Calls a function with each piece that an exchange moves, and with its old
// and its new route.
template <class Search, class Function>
void for_moved(const Search& s, const Exchange& exchange, Function function) {
    for (const NewRoute& route : exchange.routes())
        for (const Piece& piece : route.pieces)
            if (!piece.is_empty() && s.route_of[piece.first] != route.route)
                function(piece, s.route_of[piece.first], route.route);
}

// Returns by how much the penalties rise in an exchange; nothing has changed
// at the end.
template <class Search>
double penalty_of(Search& s, const Exchange& exchange) {
    double change = 0.0;
    if (!s.has_penalties())
        return change;
    for_moved(s, exchange,
              [&](const Piece& piece, uint32_t from, uint32_t to) {
                  change += move_piece(s, piece, from, to);
              });
    for_moved(s, exchange,
              [&](const Piece& piece, uint32_t from, uint32_t to) {
                  count_piece(s, piece, to, from);
              });
    return change;
}

// Load and number of the customers whom the first route of an exchange gets
// from the second, less those whom it gives.
struct Transfer {
    int64_t load = 0;
    int64_t size = 0;
};

template <class Search>
Transfer measure_transfer(const Search& s, const Exchange& exchange) {
    Transfer transfer;
    for_moved(s, exchange, [&](const Piece& piece, uint32_t, uint32_t to) {
        const int64_t sign = to == exchange.routes()[0].route ? 1 : -1;
        walk(s, piece, [&](uint32_t node) {
            transfer.load += sign * s.demand(node);
            transfer.size += sign;
        });
    });
    return transfer;
}

// Lets the customers of a piece belong to a route, and turns it round. Their
// edges, but those at the ends, are then as they have to be.
template <class Search>
void place_piece(Search& s, const Piece& piece, uint32_t route) {
    const uint32_t from = s.route_of[piece.first];
    if (from == route && !piece.is_turned)
        return;
    uint32_t node = piece.first;
    while (true) {
        auto& moved = s.nodes[node];
        const uint32_t following = moved.next;
        if (from != route) {
            s.count(node, from, -1);
            s.count(node, route, 1);
            s.route_of[node] = route;
        }
        if (piece.is_turned) {
            std::swap(moved.next, moved.prev);
            std::swap(moved.to_next, moved.to_prev);
            s.mark_dirty(node);
        }
        if (node == piece.last)
            break;
        node = following;
    }
    if (!piece.is_turned || s.is_symmetric())
        return;
    while (node != piece.first) {
        const uint32_t following = s.nodes[node].next;
        s.set_edge(node, following, s.length_on(route, node, following));
        node = following;
    }
}

// Makes an exchange: sets edges, routes, loads and numbers of customers, and
// frees the routes that are left empty.
template <class Search>
void relink(Search& s, const Exchange& exchange) {
    const Transfer transfer = measure_transfer(s, exchange);
    struct Joint {
        uint32_t from;
        uint32_t to;
        double length;
    };
    std::array<Joint, 10> joints;
    std::size_t num_joints = 0;
    for (const NewRoute& route : exchange.routes()) {
        uint32_t last = s.depot_of(route.route);
        const auto join = [&](uint32_t to) {
            if (s.nodes[last].next != to)
                joints[num_joints++] = {last, to,
                                        s.joint_length(route.route, last, to)};
        };
        for (const Piece& piece : route.pieces)
            if (!piece.is_empty()) {
                join(piece.front());
                last = piece.back();
            }
        join(s.depot_of(route.route));
    }
    for (const NewRoute& route : exchange.routes())
        for (const Piece& piece : route.pieces)
            if (!piece.is_empty())
                place_piece(s, piece, route.route);
    for (std::size_t idx = 0; idx < num_joints; ++idx) {
        s.mark_dirty(joints[idx].from);
        s.set_edge(joints[idx].from, joints[idx].to, joints[idx].length);
    }
    if (exchange.routes().size() == 1)
        return;
    const uint32_t a = exchange.routes()[0].route;
    const uint32_t b = exchange.routes()[1].route;
    s.loads[a] += transfer.load;
    s.loads[b] -= transfer.load;
    s.routes[a].size += transfer.size;
    s.routes[b].size -= transfer.size;
    for (const uint32_t route : {a, b})
        if (s.routes[route].size == 0)
            s.free_route(route);
}

// Returns by how much the way back from `last` to `first` is longer: one that
// leaves the depot then ends there.
template <class Search>
double turning_cost(const Search& s, uint32_t first, uint32_t last) {
    double change = 0.0;
    const uint32_t route = s.route_of[first];
    if (s.is_symmetric() && s.is_ring(route))
        return change;
    uint32_t node = first;
    while (node != last) {
        const uint32_t following = s.nodes[node].next;
        change += s.length_on(route, following, node) - s.nodes[node].to_next;
        node = following;
    }
    return change;
}

} // namespace ncc::search

#pragma once

#include "arrays.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// What customers on routes cost beside the ways: policies of a search, of
// which `NoPenalty` is compiled away. Each has
// - is_any(): whether anything costs something,
// - cost(customer, route): what a customer costs on a route that does not
//   count it,
// - least_cost(customer): what it costs on a route of its own,
// - share(customer, route): the part of the total of a customer of a route,
// - depends_on_others(): whether these depend on who else is on the route,
// - open_route(route, customer): an empty route gets its first customer,
// - count(customer, route, change): a route counts a customer, by 1, or no
//   longer, by -1,
// - load(nodes, starts): begins with some routes, of which r has the nodes
//   from starts[r] to starts[r + 1]; returns the total.
namespace ncc::search {

using RoutePair = std::array<uint32_t, 2>;

// Only ways cost.
struct NoPenalty {
    static constexpr bool is_any() { return false; }
    [[nodiscard]] double cost(uint32_t, uint32_t) const { return 0.0; }
    [[nodiscard]] double least_cost(uint32_t) const { return 0.0; }
    [[nodiscard]] double share(uint32_t, uint32_t) const { return 0.0; }
    static constexpr bool depends_on_others() { return false; }
    void open_route(uint32_t, uint32_t) {}
    void count(uint32_t, uint32_t, int) {}
    double load(std::span<const uint32_t>, std::span<const int64_t>) {
        return 0.0;
    }
};

// Penalties of customers in centers, sparse.
struct CenterTable {
    // (n + 1, k): centers with the least penalties, least first; -1: none. A
    // node without any costs nothing.
    MatrixView<const int32_t> ids;
    MatrixView<const double> penalties; // (n + 1, k), in units of cost
    std::span<const double> far; // (n + 1,): what every other center costs

    [[nodiscard]] int64_t num_nodes() const { return ids.num_rows(); }
};

// Customers cost on routes that are bound to centers, an empty one by its
// first customer.
class CenterPenalty {
public:
    CenterPenalty(const CenterTable& table, int64_t num_slots)
        : table_(table), center_of_(num_slots) {}

    [[nodiscard]] double cost(uint32_t customer, uint32_t route) const {
        const int32_t center = center_of_[route];
        const auto ids = table_.ids.row(customer);
        for (std::size_t idx = 0; idx < ids.size(); ++idx)
            if (ids[idx] == center)
                return table_.penalties.row(customer)[idx];
        return table_.far[customer];
    }

    [[nodiscard]] double least_cost(uint32_t customer) const {
        return table_.penalties(customer, 0);
    }

    void open_route(uint32_t route, uint32_t customer) {
        center_of_[route] = std::max(table_.ids(customer, 0), 0);
    }

    // Two routes get the centers of two; there may be no such route.
    void move_centers(const RoutePair& from, const RoutePair& to) {
        const std::array centers{center_of_[from[0]], center_of_[from[1]]};
        for (std::size_t idx = 0; idx < centers.size(); ++idx)
            if (to[idx] < center_of_.size())
                center_of_[to[idx]] = centers[idx];
    }

    // Binds each route to the center where its customers cost least.
    double load(std::span<const uint32_t> nodes,
                std::span<const int64_t> starts);

    // The center of each route, (slots,).
    [[nodiscard]] const std::vector<int32_t>& center_of() const {
        return center_of_;
    }

private:
    CenterTable table_;
    std::vector<int32_t> center_of_;
};

// What it costs that customers of one district are on different routes.
struct SameRouteTable {
    std::span<const int32_t> districts;  // (n + 1,): of each node, or negative
    std::span<const int32_t> num_others; // further customers of that district
    double unit; // cost of each of them on another route

    [[nodiscard]] int64_t num_nodes() const { return std::ssize(districts); }
};

// Counts of the customers of each district on each route make the cost exact,
// move by move: a route need not be bound to a district, and what a customer
// costs there changes with who joins it.
class SameRoutePenalty {
public:
    SameRoutePenalty(const SameRouteTable& table, int64_t num_slots);

    [[nodiscard]] double cost(uint32_t customer, uint32_t route) const {
        const int32_t district = table_.districts[customer];
        if (district < 0)
            return 0.0;
        const int64_t parted =
            table_.num_others[customer] - counts_[place(route, district)];
        return table_.unit * static_cast<double>(parted);
    }

    [[nodiscard]] double least_cost(uint32_t customer) const {
        return table_.unit * table_.num_others[customer];
    }

    // Half the cost of each pair of which the customer is one.
    [[nodiscard]] double share(uint32_t customer, uint32_t route) const {
        const bool is_paired = table_.districts[customer] >= 0;
        return is_paired ? 0.5 * (cost(customer, route) + table_.unit) : 0.0;
    }

    void count(uint32_t customer, uint32_t route, int change) {
        const int32_t district = table_.districts[customer];
        if (district >= 0)
            counts_[place(route, district)] += change;
    }

    double load(std::span<const uint32_t> nodes,
                std::span<const int64_t> starts);

    // Customers of each district on each route, (slots, districts).
    [[nodiscard]] const std::vector<int32_t>& counts() const {
        return counts_;
    }

private:
    [[nodiscard]] int64_t place(int64_t route, int64_t district) const {
        return route * num_districts_ + district;
    }

    SameRouteTable table_;
    int64_t num_districts_;
    std::vector<int32_t> counts_;
};

// Tables of penalties; each may be missing.
struct PenaltyTables {
    const CenterTable* centers = nullptr;
    const SameRouteTable* pairs = nullptr;
};

// The sum of both penalties, each of which may be missing.
class Penalties {
public:
    Penalties() = default;
    Penalties(const PenaltyTables& tables, int64_t num_slots) {
        if (tables.centers != nullptr)
            centers_.emplace(*tables.centers, num_slots);
        if (tables.pairs != nullptr)
            pairs_.emplace(*tables.pairs, num_slots);
    }

    [[nodiscard]] bool is_any() const { return centers_ || pairs_; }

    [[nodiscard]] double cost(uint32_t customer, uint32_t route) const {
        return sum([=](const auto& p) { return p.cost(customer, route); });
    }
    [[nodiscard]] double least_cost(uint32_t customer) const {
        return sum([=](const auto& p) { return p.least_cost(customer); });
    }
    // What a customer costs at least, whichever route it is on.
    [[nodiscard]] double least_of_all(uint32_t customer) const {
        return centers_ && !pairs_ ? centers_->least_cost(customer) : 0.0;
    }
    [[nodiscard]] double share(uint32_t customer, uint32_t route) const {
        return (centers_ ? centers_->cost(customer, route) : 0.0) +
               (pairs_ ? pairs_->share(customer, route) : 0.0);
    }
    [[nodiscard]] bool depends_on_others() const { return pairs_.has_value(); }
    void open_route(uint32_t route, uint32_t customer) {
        if (centers_)
            centers_->open_route(route, customer);
    }
    void count(uint32_t customer, uint32_t route, int change) {
        if (pairs_)
            pairs_->count(customer, route, change);
    }
    // Two routes get the centers of two others.
    void move_centers(const RoutePair& from, const RoutePair& to) {
        if (centers_)
            centers_->move_centers(from, to);
    }
    double load(std::span<const uint32_t> nodes,
                std::span<const int64_t> starts) {
        return (centers_ ? centers_->load(nodes, starts) : 0.0) +
               (pairs_ ? pairs_->load(nodes, starts) : 0.0);
    }

    [[nodiscard]] const std::optional<CenterPenalty>& centers() const {
        return centers_;
    }
    [[nodiscard]] const std::optional<SameRoutePenalty>& pairs() const {
        return pairs_;
    }

private:
    template <class Function>
    [[nodiscard]] double sum(Function function) const {
        if (!pairs_)
            return centers_ ? function(*centers_) : 0.0;
        return centers_ ? function(*centers_) + function(*pairs_)
                        : function(*pairs_);
    }

    std::optional<CenterPenalty> centers_;
    std::optional<SameRoutePenalty> pairs_;
};

} // namespace ncc::search

#pragma once

#include "columns/graph.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ncc::columns {

inline constexpr int ratio_bits = 10;

// The cheapest walks from the depot without cycles of two nodes, by level and
// last node (Christofides, Mingozzi and Toth 1981). Costs are rounded down to
// units of 2^shift, so that they are lower bounds in 32 bits.
class Walks {
public:
    // The least cost of a walk that ends at a node on this level; not the one
    // before it being `excluded`.
    [[nodiscard]] int64_t cost(int32_t level, int64_t node,
                               int32_t excluded) const {
        const std::size_t k = at(level, static_cast<std::size_t>(node));
        const int32_t value = before_[k] == excluded ? second_[k] : best_[k];
        return value >= far ? no_arc : int64_t{value} << shift_;
    }

    [[nodiscard]] int64_t num_nodes() const {
        return static_cast<int64_t>(num_nodes_);
    }

protected:
    static constexpr int32_t far = int32_t{1} << 29;

    Walks(std::size_t num_nodes, int64_t num_levels, std::size_t num_arcs)
        : num_nodes_(num_nodes),
          best_(num_nodes * static_cast<std::size_t>(num_levels)),
          second_(best_.size()), before_(best_.size()), costs_(num_arcs),
          sums_(num_nodes) {}

    std::size_t num_nodes_;
    int shift_ = 0;
    // By level, then node.
    std::vector<int32_t> best_;
    std::vector<int32_t> second_;
    std::vector<int32_t> before_;
    std::vector<int32_t> costs_; // by head, then tail or place in a list
    std::vector<int32_t> sums_;  // of the walks to a node, by tail

    [[nodiscard]] std::size_t at(int32_t level, std::size_t node) const {
        return static_cast<std::size_t>(level) * num_nodes_ + node;
    }

    // Begins with the costs of arcs, of which a walk has at most so many.
    void start(MatrixView<const int64_t> costs, int64_t num_arcs);
    // Forgets all walks, and chooses units for such costs.
    void clear(int64_t largest, int64_t num_arcs);
    [[nodiscard]] int32_t scaled(int64_t cost) const {
        return cost >= no_arc ? far : static_cast<int32_t>(cost >> shift_);
    }
    // Writes the best two of `sums_`, of which `least` is the least.
    void settle(std::size_t index, int32_t least);
};

// The arcs that each node has a list of: those from some tails, the depot
// among them. All others lead from the cell of the tail to that of the head,
// at one cost for each pair of cells.
struct ListedArcs {
    MatrixView<const int32_t> tails; // by head
    std::span<const int32_t> cells;  // of each node, that of the depot unused
    int32_t num_cells = 0;
};

struct ListedCosts {
    MatrixView<const int64_t> listed; // by head, then place in its list
    MatrixView<const int64_t> others; // by cell of the head, then of the tail
    // Added to every arc at its tail and at its head.
    std::span<const int64_t> of_nodes;
    // The largest of all arcs, in both directions: it sets the unit.
    int64_t largest = 0;
};

// Walks by load: each level is a load.
class LoadWalks : public Walks {
public:
    // Loads are up to `capacity`, and each node has one of at least 1. Lists
    // of arcs are kept as a view.
    LoadWalks(std::span<const int32_t> loads, int32_t capacity,
              const ListedArcs& arcs = {});

    // Computes the walks; costs(i, j) is that of the arc from i to j.
    void run(MatrixView<const int64_t> costs);
    void run(const ListedCosts& costs);

    // The nodes without the hubs of cells.
    [[nodiscard]] int64_t num_nodes() const {
        return Walks::num_nodes() - int64_t{2} * arcs_.num_cells;
    }
    [[nodiscard]] const ListedArcs& arcs() const { return arcs_; }

    // Whether the costs of both walks are in the same units.
    [[nodiscard]] bool is_like(const LoadWalks& other) const {
        return num_nodes_ == other.num_nodes_ &&
               capacity_ == other.capacity_ && shift_ == other.shift_;
    }

    // Lets every load stand for all smaller ones too.
    void accumulate();

    [[nodiscard]] int32_t capacity() const { return capacity_; }

    // The least cost by load of a route through each customer, a walk of
    // these and one of `ends` backwards, rounded down to units of
    // 2^-ratio_bits; no_arc where there is none.
    std::vector<int64_t> least_ratios(const LoadWalks& ends);

    // Whether the last call has found a route through a customer.
    [[nodiscard]] bool has_route(int32_t customer) const {
        return 0 < customer && std::cmp_less(customer, pairs_.size()) &&
               pairs_[static_cast<std::size_t>(customer)].start.load > 0;
    }

    // Adds to `visits` how often the routes of the last call through the
    // chosen customers visit each node, if each is driven so often that it
    // carries the load of its customer.
    void add_visits(const LoadWalks& ends, std::span<const int32_t> customers,
                    std::span<double> visits) const;

    // The least cost of the walks on both sides of each arc, by tail and head,
    // without the arc itself; accumulated walks of these and of `ends`.
    std::vector<int64_t> least_through(const LoadWalks& ends) const;

private:
    struct Walk {
        int32_t cost;
        int32_t load;
        bool is_second;
    };
    struct Pair {
        Walk start;
        Walk end;
    };

    std::vector<int32_t> loads_;
    int32_t capacity_;
    // A walk leaves a cell by its first hub, and enters one by its second:
    // these nodes follow the others.
    ListedArcs arcs_;
    std::vector<std::vector<int32_t>> members_; // of each cell
    std::vector<int32_t> others_;
    std::vector<int32_t> of_nodes_;
    std::vector<Pair> pairs_; // by node, the route of the least ratio

    [[nodiscard]] bool is_listed() const { return arcs_.num_cells > 0; }
    [[nodiscard]] bool is_hub(std::size_t node) const {
        return std::cmp_greater_equal(node, num_nodes());
    }
    [[nodiscard]] int64_t most_arcs() const;
    // Calls `visit` with each tail of a head, but for the entry of a cell, and
    // the cost of the arc.
    template <class Visit>
    void for_each_tail(std::size_t head, Visit visit) const;
    // Whether a walk to `tail`, which ends at `index`, must not be the best
    // one on its way to `head`. Any node may follow on another by hubs.
    [[nodiscard]] bool turns(std::size_t index, std::size_t head) const {
        return before_[index] == static_cast<int32_t>(head) && !is_hub(head);
    }

    void pull(int32_t load, std::size_t node);
    void pull_listed(int32_t load, std::size_t node);
    void enter(int32_t load, std::size_t cell);
    [[nodiscard]] bool find_pair(const LoadWalks& ends, std::size_t node,
                                 int64_t ratio, Pair& pair) const;
    void count(Walk walk, std::size_t node, double times,
               std::span<double> visits) const;
};

// Walks by time: each level is a number of units, rounded down, by which a
// walk has arrived. There are none where arcs are too short for a unit.
class TimeWalks : public Walks {
public:
    TimeWalks(const RouteGraph& graph, bool is_backward);

    [[nodiscard]] bool empty() const { return unit_ == 0; }

    // Computes the walks; costs(i, j) is that of the arc in their direction.
    void run(MatrixView<const int64_t> costs);

    // The least cost of a walk that has arrived by a time, or less.
    [[nodiscard]] int64_t cost_by(int32_t time, int64_t node,
                                  int32_t excluded) const {
        return cost(static_cast<int32_t>((time + 0.5) * per_unit_), node,
                    excluded);
    }

    // As for loads, by the walks of the other direction.
    std::vector<int64_t> least_through(const TimeWalks& ends) const;

private:
    int32_t unit_;
    double per_unit_ = 0.0; // for divisions without a remainder
    int32_t num_levels_ = 0;
    std::vector<int32_t> steps_; // by head, then tail
    std::vector<int32_t> early_;
    std::vector<int32_t> late_;

    [[nodiscard]] static int32_t unit_of(const RouteGraph& graph);
    void pull(int32_t level, std::size_t node);
};

} // namespace ncc::columns

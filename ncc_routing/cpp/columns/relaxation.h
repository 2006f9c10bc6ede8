#pragma once

#include "columns/graph.h"

#include <cstdint>
#include <vector>

namespace ncc::columns {

inline constexpr int ratio_bits = 10;

// The cheapest walks from the depot without cycles of two nodes, by load and
// last node (Christofides, Mingozzi and Toth 1981). Costs are rounded down to
// units of 2^shift, so that they are lower bounds in 32 bits.
class LoadWalks {
public:
    // Loads are up to `capacity`, and each node has one of at least 1.
    LoadWalks(std::span<const int32_t> loads, int32_t capacity);

    // Computes the walks; costs(i, j) is that of the arc from i to j.
    void run(MatrixView<const int64_t> costs);

    // The least cost of a walk that ends at a node with exactly this load, or
    // with at most this load after `accumulate`; not the one before it
    // being `excluded`.
    [[nodiscard]] int64_t cost(int32_t load, int64_t node,
                               int32_t excluded) const {
        const std::size_t at =
            static_cast<std::size_t>(load) * num_nodes_ + node;
        const int32_t value =
            before_[at] == excluded ? second_[at] : best_[at];
        return value >= far ? no_arc : int64_t{value} << shift_;
    }

    // Lets every load stand for all smaller ones too.
    void accumulate();

    [[nodiscard]] int64_t num_nodes() const { return std::ssize(loads_); }
    [[nodiscard]] int32_t capacity() const { return capacity_; }

    // The least cost by load of a route through each customer, a walk of
    // these and one of `ends` backwards, rounded down to units of
    // 2^-ratio_bits; no_arc where there is none. Adds to `visits` how often
    // these routes visit each customer, if each is driven so often that it
    // carries the load of its customer.
    std::vector<int64_t> least_ratios(const LoadWalks& ends,
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

    static constexpr int32_t far = int32_t{1} << 29;

    std::vector<int32_t> loads_;
    int32_t capacity_;
    std::size_t num_nodes_;
    int shift_ = 0;
    // By load, then node.
    std::vector<int32_t> best_;
    std::vector<int32_t> second_;
    std::vector<int32_t> before_;
    std::vector<int32_t> costs_; // by head, then tail
    std::vector<int32_t> sums_;

    void scale(MatrixView<const int64_t> costs);
    void pull(int32_t load, std::size_t node);
    [[nodiscard]] std::size_t at(int32_t load, std::size_t node) const {
        return static_cast<std::size_t>(load) * num_nodes_ + node;
    }
    [[nodiscard]] bool find_pair(const LoadWalks& ends, std::size_t node,
                                 int64_t ratio, Pair& pair) const;
    void count(Walk walk, std::size_t node, double times,
               std::span<double> visits) const;
};

} // namespace ncc::columns

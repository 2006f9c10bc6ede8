#pragma once

#include "columns/graph.h"

#include <cstdint>
#include <vector>

namespace ncc::columns {

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

    [[nodiscard]] int32_t capacity() const { return capacity_; }
    [[nodiscard]] std::span<const int32_t> loads() const { return loads_; }
    [[nodiscard]] int32_t before(int32_t load, int64_t node) const {
        return before_[static_cast<std::size_t>(load) * num_nodes_ + node];
    }

private:
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
};

} // namespace ncc::columns

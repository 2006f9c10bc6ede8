#pragma once

#include "columns/cuts.h"
#include "columns/graph.h"
#include "columns/labels.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::columns {

// Subset rows whose memory is all nodes, and the price of a pair.
class PairPrices {
public:
    PairPrices(int64_t num_nodes, const SetList& sets,
               std::span<const int64_t> prices);

    [[nodiscard]] int64_t of(std::span<const int32_t> route) const;

private:
    std::vector<std::vector<int32_t>> sets_of_; // by node
    std::vector<int64_t> prices_;
    mutable std::vector<uint8_t> is_odd_; // by set, none between two calls
};

// Elementary routes of a vehicle type, one for each set of rows: the cheapest.
// Where these are all that matter, looking through them is pricing.
class Pool {
public:
    explicit Pool(int64_t num_nodes) : num_nodes_(num_nodes) {}

    // Adds a route, which must be the only one of its customers.
    void add(std::span<const int32_t> customers, int64_t weight);

    [[nodiscard]] int64_t num_nodes() const { return num_nodes_; }
    [[nodiscard]] std::size_t size() const { return weights_.size(); }
    [[nodiscard]] std::span<const int32_t> customers(std::size_t r) const {
        return std::span(nodes_).subspan(starts_[r],
                                         starts_[r + 1] - starts_[r]);
    }

    // As that of a `Pricer`; the routes are the cheapest through each
    // customer.
    [[nodiscard]] Pricing price(MatrixView<const int64_t> costs,
                                const PairPrices& pairs) const;

    // The routes that cost at most a limit.
    [[nodiscard]] Pool within(MatrixView<const int64_t> costs,
                              const PairPrices& pairs, int64_t limit) const;

private:
    int64_t num_nodes_;
    std::vector<int32_t> nodes_;
    std::vector<std::size_t> starts_{0};
    std::vector<int64_t> weights_;

    [[nodiscard]] int64_t cost_of(std::size_t r,
                                  MatrixView<const int64_t> costs,
                                  const PairPrices& pairs) const;
};

} // namespace ncc::columns

#pragma once

#include "columns/cuts.h"

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace ncc::columns {

// Subset-row inequalities: of each set of three rows, routes of an integral
// solution hold at most one pair (Jepsen et al. 2008). With a memory, a set of
// nodes, a pair counts only on a part of a route within it (Pecin et al.
// 2017).
class SubsetRows {
public:
    static constexpr std::size_t max_size = 128;

    // Of each inequality, whether a route has an odd number of its nodes since
    // it came into the memory.
    using Parities = std::array<uint64_t, max_size / 64>;

    // The nodes and the memory of each inequality, and its price of a pair;
    // those without a price are left out.
    SubsetRows(std::size_t num_nodes, const SetList& sets,
               const SetList& memories, std::span<const int64_t> prices);

    [[nodiscard]] bool empty() const { return is_empty_; }
    [[nodiscard]] int64_t num_nodes() const { return std::ssize(sets_); }

    // Goes on to a node, and returns the price of the pairs that it completes.
    int64_t visit(std::size_t node, Parities& parities) const {
        int64_t price = 0;
        for (std::size_t w = 0; w < parities.size(); ++w) {
            const uint64_t kept = parities[w] & memories_[node][w];
            price += price_of(w, kept & sets_[node][w]);
            parities[w] = kept ^ sets_[node][w];
        }
        return price;
    }

    // The price of pairs for what one has and the other has too, or not.
    [[nodiscard]] int64_t of_both(const Parities& one,
                                  const Parities& other) const {
        int64_t price = 0;
        for (std::size_t w = 0; w < one.size(); ++w)
            price += price_of(w, one[w] & other[w]);
        return price;
    }
    [[nodiscard]] int64_t of_first(const Parities& one,
                                   const Parities& other) const {
        int64_t price = 0;
        for (std::size_t w = 0; w < one.size(); ++w)
            price += price_of(w, one[w] & ~other[w]);
        return price;
    }

    // Adds the pairs of a route to the count of each inequality.
    void count(std::span<const int32_t> route,
               std::span<int32_t> counts) const;

private:
    bool is_empty_ = true;
    std::vector<Parities> sets_; // by node, the inequalities that hold it
    std::vector<Parities> memories_;
    std::array<int64_t, max_size> prices_{};

    [[nodiscard]] int64_t price_of(std::size_t word, uint64_t bits) const {
        int64_t price = 0;
        for (; bits != 0; bits &= bits - 1)
            price += prices_[word * 64 +
                             static_cast<std::size_t>(std::countr_zero(bits))];
        return price;
    }
};

// Finds sets of three rows whose pairs the routes use more than once, by more
// than `least`, the most violated first; `routes` are lists of rows.
std::vector<std::array<int32_t, 3>>
find_subset_rows(int64_t num_rows, const SetList& routes,
                 std::span<const double> uses, double least);

} // namespace ncc::columns

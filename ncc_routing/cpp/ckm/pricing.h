#pragma once

#include "ckm/penalties.h"
#include "ckm/problem.h"
#include "tours/local_search.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::ckm {

// Prices clusters: the length of a good route through each, and its penalty.
//
// A cluster seen before keeps the price found then: a direct-mapped table
// holds them by the xor of the keys of the members, as Zobrist hashes do.
class RoutePricer {
public:
    // Routes of up to so many customers are priced. The problem and the
    // arrays of the penalties stay their owner's.
    RoutePricer(const Problem& problem, const ClusterPenalties& penalties,
                int64_t max_customers);

    [[nodiscard]] const Problem& problem() const { return *problem_; }

    // The price of a cluster; 0 for one that is empty or beyond
    // `max_customers`, which is never part of a region again.
    double cost_of(std::span<const int64_t> customers);

private:
    struct Entry {
        uint64_t key = 0;
        double cost = 0.0;
    };

    const Problem* problem_;
    ClusterPenalties penalties_;
    int64_t max_customers_;
    std::vector<Entry> memo_;
    std::vector<int64_t> nodes_;
    std::vector<int64_t> order_;
    std::vector<double> distances_;
    tours::LocalSearch search_;

    double route_length(std::span<const int64_t> customers);
};

} // namespace ncc::ckm

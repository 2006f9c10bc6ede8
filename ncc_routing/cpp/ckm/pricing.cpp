#include "ckm/pricing.h"

#include "tours/tour.h"

#include <algorithm>

namespace ncc::ckm {

namespace {

// Places of the table of prices, a power of two: 2 MiB, about a second-level
// cache.
constexpr std::size_t memo_size = 1 << 17;

} // namespace

RoutePricer::RoutePricer(const Problem& problem,
                         const ClusterPenalties& penalties,
                         int64_t max_customers)
    : problem_(&problem), penalties_(penalties), max_customers_(max_customers),
      memo_(memo_size), nodes_(max_customers + 1), order_(max_customers + 1),
      distances_((max_customers + 1) * (max_customers + 1)),
      search_(max_customers + 1) {}

double RoutePricer::cost_of(std::span<const int64_t> customers) {
    if (customers.empty() || std::ssize(customers) > max_customers_)
        return 0.0;
    uint64_t key = 0;
    for (const int64_t i : customers)
        key ^= problem_->keys[i];
    Entry& entry = memo_[key & (memo_size - 1)];
    if (entry.key != key)
        entry = {key, route_length(customers) + penalties_.cost_of(customers)};
    return entry.cost;
}

double RoutePricer::route_length(std::span<const int64_t> customers) {
    const std::size_t size = customers.size() + 1;
    const auto order = std::span(order_).first(size);
    const auto rows = static_cast<int64_t>(size);
    const MatrixView<double> dist(distances_.data(), rows, rows);
    std::ranges::copy(customers, nodes_.begin() + 1);
    problem_->metric.fill_block(std::span<const int64_t>(nodes_).first(size),
                                dist);
    tours::fill_nearest_neighbour_tour(dist, order);
    // All orders of two customers are the same tour.
    if (size <= 3 && problem_->is_symmetric)
        return tours::tour_length(dist, order);
    search_.start(dist, problem_->is_symmetric, order);
    search_.descend();
    return search_.length();
}

} // namespace ncc::ckm

#include "search/penalties.h"

#include <algorithm>

namespace ncc::search {

double CenterPenalty::load(std::span<const uint32_t> nodes,
                           std::span<const int64_t> starts) {
    double total = 0.0;
    const auto& values = table_.ids.values();
    int32_t last = 0;
    for (const int32_t center : values)
        last = std::max(last, center);
    // What the customers of a route save in each center.
    std::vector<double> savings(last + 1);
    for (std::size_t route = 0; route + 1 < starts.size(); ++route) {
        const auto customers =
            nodes.subspan(starts[route], starts[route + 1] - starts[route]);
        if (customers.empty())
            continue;
        int32_t best = std::max(table_.ids(customers[0], 0), 0);
        for (const uint32_t customer : customers) {
            const double far = table_.far[customer];
            total += far;
            for (int64_t k = 0; k < table_.ids.num_columns(); ++k) {
                const int32_t center = table_.ids(customer, k);
                if (center < 0)
                    break;
                savings[center] += far - table_.penalties(customer, k);
                if (savings[center] > savings[best])
                    best = center;
            }
        }
        center_of_[route] = best;
        total -= savings[best];
        for (const uint32_t customer : customers)
            for (const int32_t center : table_.ids.row(customer))
                if (center >= 0)
                    savings[center] = 0.0;
    }
    return total;
}

SameRoutePenalty::SameRoutePenalty(const SameRouteTable& table,
                                   int64_t num_slots)
    : table_(table), num_districts_(1) {
    for (const int32_t district : table.districts)
        num_districts_ = std::max<int64_t>(num_districts_, district + 1);
    counts_.resize(num_slots * num_districts_);
}

double SameRoutePenalty::load(std::span<const uint32_t> nodes,
                              std::span<const int64_t> starts) {
    const auto num_routes = static_cast<uint32_t>(starts.size() - 1);
    for (uint32_t route = 0; route < num_routes; ++route)
        for (int64_t idx = starts[route]; idx < starts[route + 1]; ++idx)
            count(nodes[idx], route, 1);
    int64_t parted = 0;
    for (uint32_t route = 0; route < num_routes; ++route)
        for (int64_t idx = starts[route]; idx < starts[route + 1]; ++idx) {
            const int32_t district = table_.districts[nodes[idx]];
            if (district >= 0)
                parted += table_.num_others[nodes[idx]] + 1 -
                          counts_[place(route, district)];
        }
    return 0.5 * table_.unit * static_cast<double>(parted);
}

} // namespace ncc::search

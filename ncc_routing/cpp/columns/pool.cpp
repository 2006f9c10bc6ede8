#include "columns/pool.h"

#include <algorithm>

namespace ncc::columns {

PairPrices::PairPrices(int64_t num_nodes, const SetList& sets,
                       std::span<const int64_t> prices)
    : sets_of_(static_cast<std::size_t>(num_nodes)),
      prices_(prices.begin(), prices.end()), is_odd_(prices.size()) {
    for (std::size_t k = 0; k < sets.size(); ++k)
        for (const int32_t node : sets[k])
            sets_of_[static_cast<std::size_t>(node)].push_back(
                static_cast<int32_t>(k));
}

int64_t PairPrices::of(std::span<const int32_t> route) const {
    int64_t price = 0;
    for (const int32_t node : route)
        for (const int32_t set : sets_of_[static_cast<std::size_t>(node)]) {
            const auto k = static_cast<std::size_t>(set);
            price += is_odd_[k] * prices_[k];
            is_odd_[k] ^= 1;
        }
    for (const int32_t node : route)
        for (const int32_t set : sets_of_[static_cast<std::size_t>(node)])
            is_odd_[static_cast<std::size_t>(set)] = 0;
    return price;
}

void Pool::add(std::span<const int32_t> customers, int64_t weight) {
    nodes_.insert(nodes_.end(), customers.begin(), customers.end());
    starts_.push_back(nodes_.size());
    weights_.push_back(weight);
}

int64_t Pool::cost_of(std::size_t r, MatrixView<const int64_t> costs,
                      const PairPrices& pairs) const {
    int64_t cost = 0;
    int64_t last = 0;
    for (const int32_t node : customers(r)) {
        cost = std::min(no_arc, cost + costs(last, node));
        last = node;
    }
    return std::min(no_arc, cost + costs(last, 0) + pairs.of(customers(r)));
}

Pricing Pool::price(MatrixView<const int64_t> costs,
                    const PairPrices& pairs) const {
    Pricing found;
    found.is_complete = true;
    struct Best {
        int64_t cost = 0;
        std::size_t route = 0;
    };
    std::vector<Best> best(static_cast<std::size_t>(costs.num_rows()));
    for (std::size_t r = 0; r < size(); ++r) {
        const int64_t cost = cost_of(r, costs, pairs);
        if (cost >= 0)
            continue;
        found.note(cost, weights_[r]);
        for (const int32_t node : customers(r)) {
            Best& of_node = best[static_cast<std::size_t>(node)];
            if (cost < of_node.cost)
                of_node = {cost, r};
        }
    }
    std::vector<Best> chosen;
    std::ranges::copy_if(best, std::back_inserter(chosen),
                         [](const Best& each) { return each.cost < 0; });
    std::ranges::sort(chosen, {}, &Best::route);
    const auto again = std::ranges::unique(chosen, {}, &Best::route);
    chosen.erase(again.begin(), again.end());
    for (const Best& each : chosen) {
        const auto list = customers(each.route);
        found.routes.push_back(
            {each.cost, weights_[each.route], {list.begin(), list.end()}});
    }
    return found;
}

Pool Pool::within(MatrixView<const int64_t> costs, const PairPrices& pairs,
                  int64_t limit) const {
    Pool kept(num_nodes_);
    for (std::size_t r = 0; r < size(); ++r)
        if (cost_of(r, costs, pairs) <= limit)
            kept.add(customers(r), weights_[r]);
    return kept;
}

} // namespace ncc::columns

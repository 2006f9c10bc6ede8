#include "columns/relaxation.h"

#include <algorithm>

namespace ncc::columns {

LoadWalks::LoadWalks(std::span<const int32_t> loads, int32_t capacity)
    : loads_(loads.begin(), loads.end()), capacity_(capacity),
      num_nodes_(loads.size()), best_(num_nodes_ * (capacity + 1)),
      second_(best_.size()), before_(best_.size()),
      costs_(num_nodes_ * num_nodes_), sums_(num_nodes_) {}

void LoadWalks::scale(MatrixView<const int64_t> costs) {
    int64_t largest = 1;
    for (const int64_t cost : costs.values())
        if (cost < no_arc)
            largest = std::max(largest, std::abs(cost));
    int32_t least = capacity_;
    for (std::size_t node = 1; node < num_nodes_; ++node)
        least = std::min(least, loads_[node]);
    const int64_t arcs = capacity_ / std::max(least, 1) + 2;
    shift_ = 0;
    while (((largest >> shift_) + 1) * arcs >= far / 2)
        ++shift_;
    for (std::size_t head = 0; head < num_nodes_; ++head)
        for (std::size_t tail = 0; tail < num_nodes_; ++tail) {
            const int64_t cost = costs(static_cast<int64_t>(tail),
                                       static_cast<int64_t>(head));
            costs_[head * num_nodes_ + tail] =
                cost >= no_arc || head == tail
                    ? far
                    : static_cast<int32_t>(cost >> shift_);
        }
}

void LoadWalks::run(MatrixView<const int64_t> costs) {
    scale(costs);
    std::ranges::fill(best_, far);
    std::ranges::fill(second_, far);
    std::ranges::fill(before_, -1);
    best_[0] = 0;
    for (int32_t load = 1; load <= capacity_; ++load)
        for (std::size_t node = 1; node < num_nodes_; ++node)
            if (loads_[node] <= load)
                pull(load, node);
}

void LoadWalks::pull(int32_t load, std::size_t node) {
    const std::size_t row =
        static_cast<std::size_t>(load - loads_[node]) * num_nodes_;
    const int32_t* best = best_.data() + row;
    const int32_t* second = second_.data() + row;
    const int32_t* before = before_.data() + row;
    const int32_t* costs = costs_.data() + node * num_nodes_;
    int32_t* sums = sums_.data();
    const auto own = static_cast<int32_t>(node);
    int32_t least = far;
    for (std::size_t tail = 0; tail < num_nodes_; ++tail) {
        const int32_t from = before[tail] == own ? second[tail] : best[tail];
        const int32_t sum = from + costs[tail];
        sums[tail] = sum;
        least = std::min(least, sum);
    }
    if (least >= far / 2)
        return;
    std::size_t tail = 0;
    while (sums[tail] != least)
        ++tail;
    sums[tail] = far;
    int32_t next = far;
    for (std::size_t other = 0; other < num_nodes_; ++other)
        next = std::min(next, sums[other]);
    const std::size_t at = static_cast<std::size_t>(load) * num_nodes_ + node;
    best_[at] = least;
    before_[at] = static_cast<int32_t>(tail);
    second_[at] = next >= far / 2 ? far : next;
}

void LoadWalks::accumulate() {
    for (std::size_t at = num_nodes_; at < best_.size(); ++at) {
        const std::size_t less = at - num_nodes_;
        if (best_[less] < best_[at]) {
            if (before_[less] != before_[at])
                second_[at] = std::min(best_[at], second_[less]);
            else
                second_[at] = std::min(second_[at], second_[less]);
            best_[at] = best_[less];
            before_[at] = before_[less];
        } else {
            second_[at] = std::min(second_[at], before_[less] == before_[at]
                                                    ? second_[less]
                                                    : best_[less]);
        }
    }
}

} // namespace ncc::columns

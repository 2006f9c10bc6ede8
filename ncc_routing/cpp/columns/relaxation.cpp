#include "columns/relaxation.h"

#include <algorithm>

namespace ncc::columns {

namespace {

// Levels of walks by time: so many where arcs are long enough, and at most.
constexpr int32_t usual_levels = 600;
constexpr int32_t most_levels = 2000;

// The largest cost of an arc that is there, without its sign.
int64_t largest_of(std::span<const int64_t> costs) {
    int64_t largest = 1;
    for (const int64_t cost : costs)
        if (cost < no_arc)
            largest = std::max(largest, std::abs(cost));
    return largest;
}

} // namespace

void Walks::start(MatrixView<const int64_t> costs, int64_t num_arcs) {
    clear(largest_of(costs.values()), num_arcs);
    for (std::size_t head = 0; head < num_nodes_; ++head)
        for (std::size_t tail = 0; tail < num_nodes_; ++tail)
            costs_[head * num_nodes_ + tail] =
                head == tail ? far
                             : scaled(costs(static_cast<int64_t>(tail),
                                            static_cast<int64_t>(head)));
}

void Walks::clear(int64_t largest, int64_t num_arcs) {
    shift_ = 0;
    while (((largest >> shift_) + 1) * num_arcs >= far / 2)
        ++shift_;
    std::ranges::fill(best_, far);
    std::ranges::fill(second_, far);
    std::ranges::fill(before_, -1);
}

void Walks::settle(std::size_t index, int32_t least) {
    if (least >= far / 2)
        return;
    std::size_t tail = 0;
    while (sums_[tail] != least)
        ++tail;
    sums_[tail] = far;
    int32_t next = far;
    for (const int32_t sum : sums_)
        next = std::min(next, sum);
    best_[index] = least;
    before_[index] = static_cast<int32_t>(tail);
    second_[index] = next >= far / 2 ? far : next;
}

LoadWalks::LoadWalks(std::span<const int32_t> loads, int32_t capacity,
                     const ListedArcs& arcs)
    : Walks(loads.size() + 2 * static_cast<std::size_t>(arcs.num_cells),
            int64_t{capacity} + 1,
            arcs.num_cells == 0 ? loads.size() * loads.size()
                                : arcs.tails.values().size()),
      loads_(loads.begin(), loads.end()), capacity_(capacity), arcs_(arcs),
      members_(arcs.num_cells), others_(members_.size() * members_.size()),
      of_nodes_(arcs.cells.size()) {
    loads_.resize(num_nodes_, 0);
    for (std::size_t node = 1; node < arcs.cells.size(); ++node)
        members_[static_cast<std::size_t>(arcs.cells[node])].push_back(
            static_cast<int32_t>(node));
}

int64_t LoadWalks::most_arcs() const {
    int32_t least = capacity_;
    for (std::size_t node = 1; std::cmp_less(node, num_nodes()); ++node)
        least = std::min(least, loads_[node]);
    return capacity_ / std::max(least, 1) + 2;
}

void LoadWalks::run(const ListedCosts& costs) {
    clear(costs.largest + 2 * largest_of(costs.of_nodes), 3 * most_arcs());
    const auto scale = [&](std::span<const int64_t> values,
                           std::vector<int32_t>& out) {
        std::ranges::transform(values, out.begin(),
                               [&](int64_t cost) { return scaled(cost); });
    };
    scale(costs.others.values(), others_);
    scale(costs.of_nodes, of_nodes_);
    const auto width = static_cast<std::size_t>(costs.listed.num_columns());
    for (std::size_t head = 1; head < costs.of_nodes.size(); ++head)
        for (std::size_t k = 0; k < width; ++k) {
            const std::size_t at = head * width + k;
            const int64_t cost = costs.listed.values()[at];
            const auto tail =
                static_cast<std::size_t>(arcs_.tails.values()[at]);
            costs_[at] = cost >= no_arc ? far
                                        : scaled(cost + costs.of_nodes[tail] +
                                                 costs.of_nodes[head]);
        }
    best_[0] = 0;
    const std::size_t entries = num_nodes_ - members_.size();
    for (int32_t load = 1; load <= capacity_; ++load) {
        for (std::size_t node = 1; node < entries; ++node)
            if (loads_[node] <= load)
                pull_listed(load, node);
        for (std::size_t cell = 0; cell < members_.size(); ++cell)
            enter(load, cell);
    }
}

void LoadWalks::enter(int32_t load, std::size_t cell) {
    const std::size_t count = members_.size();
    const std::size_t exits = at(load, num_nodes_ - 2 * count);
    const int32_t* from = best_.data() + exits;
    const int32_t* costs = others_.data() + cell * count;
    int32_t least = far;
    for (std::size_t other = 0; other < count; ++other)
        least = std::min(least, from[other] + costs[other]);
    if (least >= far / 2)
        return;
    std::size_t other = 0;
    while (from[other] + costs[other] != least)
        ++other;
    best_[exits + count + cell] = least;
    before_[exits + count + cell] =
        static_cast<int32_t>(num_nodes_ - 2 * count + other);
}

template <class Visit>
void LoadWalks::for_each_tail(std::size_t head, Visit visit) const {
    if (!is_listed()) {
        for (std::size_t tail = 0; tail < num_nodes_; ++tail)
            visit(tail, costs_[head * num_nodes_ + tail]);
        return;
    }
    const std::size_t count = members_.size();
    const std::size_t first = num_nodes_ - 2 * count;
    if (head >= first) {
        for (const int32_t tail : members_[head - first])
            visit(static_cast<std::size_t>(tail),
                  of_nodes_[static_cast<std::size_t>(tail)]);
    } else {
        const auto row = arcs_.tails.row(static_cast<int64_t>(head));
        const int32_t* costs = costs_.data() + head * row.size();
        for (std::size_t k = 0; k < row.size(); ++k)
            visit(static_cast<std::size_t>(row[k]), costs[k]);
        const auto cell = static_cast<std::size_t>(arcs_.cells[head]);
        visit(first + count + cell, of_nodes_[head]);
    }
}

void LoadWalks::pull_listed(int32_t load, std::size_t node) {
    const std::size_t row = at(load - loads_[node], 0);
    int32_t least = far;
    int32_t next = far;
    std::size_t before = 0;
    for_each_tail(node, [&](std::size_t tail, int32_t cost) {
        const std::size_t k = row + tail;
        const int32_t sum = (turns(k, node) ? second_[k] : best_[k]) + cost;
        if (sum < least) {
            next = least;
            least = sum;
            before = tail;
        } else if (sum < next) {
            next = sum;
        }
    });
    if (least >= far / 2)
        return;
    const std::size_t here = at(load, node);
    best_[here] = least;
    before_[here] = static_cast<int32_t>(before);
    second_[here] = next >= far / 2 ? far : next;
}

void LoadWalks::run(MatrixView<const int64_t> costs) {
    start(costs, most_arcs());
    best_[0] = 0;
    for (int32_t load = 1; load <= capacity_; ++load)
        for (std::size_t node = 1; node < num_nodes_; ++node)
            if (loads_[node] <= load)
                pull(load, node);
}

void LoadWalks::pull(int32_t load, std::size_t node) {
    const std::size_t row = at(load - loads_[node], 0);
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
    settle(at(load, node), least);
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

std::vector<int64_t> LoadWalks::least_through(const LoadWalks& ends) const {
    std::vector<int32_t> least(num_nodes_ * num_nodes_, 2 * far);
    for (int32_t load = 0; load <= capacity_; ++load) {
        const int32_t* heads = ends.best_.data() + at(capacity_ - load, 0);
        for (std::size_t i = 0; i < num_nodes_; ++i) {
            const int32_t start = best_[at(load, i)];
            if (start >= far)
                continue;
            int32_t* row = least.data() + i * num_nodes_;
            for (std::size_t j = 0; j < num_nodes_; ++j)
                row[j] = std::min(row[j], start + heads[j]);
        }
    }
    std::vector<int64_t> scaled(least.size());
    for (std::size_t k = 0; k < least.size(); ++k)
        scaled[k] = least[k] >= far / 2 ? no_arc : int64_t{least[k]} << shift_;
    return scaled;
}

std::vector<int64_t> LoadWalks::least_ratios(const LoadWalks& ends) {
    const auto size = static_cast<std::size_t>(num_nodes());
    std::vector<int64_t> ratios(size, no_arc);
    pairs_.assign(size, {});
    for (std::size_t node = 1; node < size; ++node) {
        // Dinkelbach 1967: the ratio of the best pair at the last ratio.
        int64_t ratio = int64_t{1} << 40;
        Pair pair{};
        while (find_pair(ends, node, ratio, pair)) {
            const int64_t load =
                pair.start.load + pair.end.load - loads_[node];
            const int64_t cost = (int64_t{pair.start.cost} + pair.end.cost) *
                                 (int64_t{1} << ratio_bits);
            const int64_t next = cost / load - (cost % load < 0 ? 1 : 0);
            pairs_[node] = pair;
            if (next >= ratio)
                break;
            ratio = next;
        }
        if (ratio == int64_t{1} << 40)
            continue;
        ratios[node] = ratio * (int64_t{1} << shift_);
    }
    return ratios;
}

void LoadWalks::add_visits(const LoadWalks& ends,
                           std::span<const int32_t> customers,
                           std::span<double> visits) const {
    for (const int32_t customer : customers) {
        const auto node = static_cast<std::size_t>(customer);
        const auto& [start, end] = pairs_[node];
        const int32_t load = start.load + end.load - loads_[node];
        const double times = static_cast<double>(loads_[node]) / load;
        count(start, node, times, visits);
        ends.count(end, node, times, visits);
        visits[node] -= times;
        visits[0] += times;
    }
}

bool LoadWalks::find_pair(const LoadWalks& ends, std::size_t node,
                          int64_t ratio, Pair& pair) const {
    const auto worth = [&](int32_t cost, int32_t load) {
        return int64_t{cost} * (int64_t{1} << ratio_bits) - ratio * load;
    };
    const auto at = [&](int32_t load) {
        return static_cast<std::size_t>(load) * num_nodes_ + node;
    };
    // Ends of growing loads, with the best and the best by another neighbour.
    Walk first{far, 0, false};
    Walk other{far, 0, false};
    int64_t first_worth = no_arc;
    int64_t other_worth = no_arc;
    int32_t before = -1;
    int64_t least = -ratio * loads_[node];
    bool is_found = false;
    const auto consider = [&](const Walk& start, const Walk& end,
                              int64_t end_worth) {
        if (start.cost >= far || end.cost >= far)
            return;
        const int64_t sum = worth(start.cost, start.load) + end_worth;
        if (sum < least) {
            least = sum;
            pair = {start, end};
            is_found = true;
        }
    };
    const int32_t own = loads_[node];
    for (int32_t load = own; load <= capacity_; ++load) {
        const std::size_t add = at(load);
        if (ends.best_[add] < far) {
            const Walk one{ends.best_[add], load, false};
            const Walk two{ends.second_[add], load, true};
            const int64_t one_worth = worth(one.cost, load);
            const int64_t two_worth =
                two.cost < far ? worth(two.cost, load) : no_arc;
            if (one_worth < first_worth) {
                if (ends.before_[add] != before) {
                    other = first;
                    other_worth = first_worth;
                }
                if (two_worth < other_worth) {
                    other = two;
                    other_worth = two_worth;
                }
                first = one;
                first_worth = one_worth;
                before = ends.before_[add];
            } else if (ends.before_[add] != before) {
                if (one_worth < other_worth) {
                    other = one;
                    other_worth = one_worth;
                }
            } else if (two_worth < other_worth) {
                other = two;
                other_worth = two_worth;
            }
        }
        const std::size_t start = at(capacity_ + own - load);
        const Walk one{best_[start], capacity_ + own - load, false};
        if (before_[start] != before || before == 0 ||
            is_hub(static_cast<std::size_t>(before))) {
            consider(one, first, first_worth);
        } else {
            consider(one, other, other_worth);
            consider({second_[start], one.load, true}, first, first_worth);
        }
    }
    return is_found;
}

void LoadWalks::count(Walk walk, std::size_t node, double times,
                      std::span<double> visits) const {
    int32_t load = walk.load;
    bool is_second = walk.is_second;
    while (node != 0) {
        if (!is_hub(node))
            visits[node] += times;
        const std::size_t here = at(load, node);
        load -= loads_[node];
        auto tail = static_cast<std::size_t>(before_[here]);
        if (is_second) {
            const auto first = tail;
            for_each_tail(node, [&](std::size_t i, int32_t cost) {
                const std::size_t k = at(load, i);
                const int32_t from = turns(k, node) ? second_[k] : best_[k];
                if (tail == first && i != first &&
                    from + cost == second_[here])
                    tail = i;
            });
        }
        is_second = turns(at(load, tail), node);
        node = tail;
    }
}

int32_t TimeWalks::unit_of(const RouteGraph& graph) {
    if (graph.main_is_weight)
        return 0;
    int32_t shortest = graph.horizon() + 1;
    for (int64_t i = 0; i < graph.num_nodes(); ++i)
        for (int64_t j = 1; j < graph.num_nodes(); ++j)
            if (i != j)
                shortest = std::min(shortest, graph.steps(i, j));
    const int32_t unit =
        std::min(shortest, graph.horizon() / usual_levels + 1);
    return graph.horizon() / unit < most_levels ? unit : 0;
}

TimeWalks::TimeWalks(const RouteGraph& graph, bool is_backward)
    : Walks(static_cast<std::size_t>(graph.num_nodes()),
            unit_of(graph) == 0 ? 0 : graph.horizon() / unit_of(graph) + 1,
            static_cast<std::size_t>(graph.num_nodes() * graph.num_nodes())),
      unit_(unit_of(graph)) {
    if (unit_ == 0)
        return;
    per_unit_ = 1.0 / unit_;
    num_levels_ = graph.horizon() / unit_ + 1;
    const int64_t size = graph.num_nodes();
    for (int64_t j = 0; j < size; ++j) {
        early_.push_back(is_backward ? graph.horizon() - graph.late[j]
                                     : graph.early[j]);
        late_.push_back(is_backward ? graph.horizon() - graph.early[j]
                                    : graph.late[j]);
        early_.back() /= unit_;
        late_.back() /= unit_;
        for (int64_t i = 0; i < size; ++i)
            steps_.push_back(
                (is_backward ? graph.steps(j, i) : graph.steps(i, j)) / unit_);
    }
}

void TimeWalks::run(MatrixView<const int64_t> costs) {
    start(costs, num_levels_ + 1);
    for (int32_t level = 0; level < num_levels_; ++level) {
        if (level >= early_[0])
            best_[at(level, 0)] = 0;
        for (std::size_t node = 1; node < num_nodes_; ++node)
            if (early_[node] <= std::min(level, late_[node]))
                pull(level, node);
    }
}

void TimeWalks::pull(int32_t level, std::size_t node) {
    const std::size_t here = at(level, node);
    if (level > late_[node]) {
        best_[here] = best_[here - num_nodes_];
        second_[here] = second_[here - num_nodes_];
        before_[here] = before_[here - num_nodes_];
        return;
    }
    const int32_t* costs = costs_.data() + node * num_nodes_;
    const int32_t* steps = steps_.data() + node * num_nodes_;
    int32_t least = far;
    for (std::size_t tail = 0; tail < num_nodes_; ++tail) {
        int32_t sum = far;
        if (costs[tail] < far && steps[tail] <= level) {
            const std::size_t from = at(level - steps[tail], tail);
            sum = costs[tail] + (before_[from] == static_cast<int32_t>(node)
                                     ? second_[from]
                                     : best_[from]);
        }
        sums_[tail] = sum;
        least = std::min(least, sum);
    }
    settle(here, least);
}

std::vector<int64_t> TimeWalks::least_through(const TimeWalks& ends) const {
    std::vector<int64_t> least(num_nodes_ * num_nodes_, no_arc);
    for (std::size_t j = 0; j < num_nodes_; ++j)
        for (std::size_t i = 0; i < num_nodes_; ++i) {
            const int32_t last = num_levels_ - 1 - steps_[j * num_nodes_ + i];
            int32_t sum = 2 * far;
            for (int32_t level = early_[i]; level <= last; ++level)
                sum = std::min(sum, best_[at(level, i)] +
                                        ends.best_[at(last - level, j)]);
            if (sum < far / 2)
                least[i * num_nodes_ + j] = int64_t{sum} << shift_;
        }
    return least;
}

} // namespace ncc::columns

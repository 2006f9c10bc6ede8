#include "columns/labels.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace ncc::columns {

namespace {

std::size_t at(int64_t index) {
    return static_cast<std::size_t>(index);
}

// Costs from this on are no improvement: a proof needs all others.
constexpr int64_t no_gain = 0;

} // namespace

Side::Side(const RouteGraph& graph)
    : graph_(graph), arcs_(at(graph.num_nodes())),
      masks_(at(graph.num_nodes() * graph.num_nodes())), levels_(graph, 16, 8),
      buckets_(at(graph.num_nodes()) * levels_.size()),
      first_(buckets_.size()), least_(buckets_.size()) {
    read_near();
}

void Side::read_near() {
    const MatrixView<const int32_t> near = graph_.near;
    std::ranges::fill(masks_, uint16_t{0});
    for (int64_t i = 1; i < near.num_rows(); ++i)
        for (int64_t k = 0; k < near.num_columns(); ++k)
            if (near(i, k) >= 0)
                masks_[at(near(i, k) * near.num_rows() + i)] =
                    static_cast<uint16_t>(1U << k);
}

void Levels::accumulate(std::vector<int64_t>& least) const {
    for (std::size_t k = 0; k < least.size(); ++k) {
        if (k % of_extra_ != 0)
            least[k] = std::min(least[k], least[k - 1]);
        if (k / of_extra_ % of_main_ != 0)
            least[k] = std::min(least[k], least[k - of_extra_]);
    }
}

void Side::start(MatrixView<const int64_t> costs) {
    const int64_t size = graph_.num_nodes();
    const int32_t horizon = graph_.horizon();
    early_.assign(graph_.early.begin(), graph_.early.end());
    late_.assign(graph_.late.begin(), graph_.late.end());
    if (is_backward_)
        for (std::size_t i = 0; i < early_.size(); ++i) {
            early_[i] = horizon - graph_.late[i];
            late_[i] = horizon - graph_.early[i];
        }
    for (int64_t i = 0; i < size; ++i) {
        auto& arcs = arcs_[at(i)];
        arcs.clear();
        for (int64_t j = 0; j < size; ++j) {
            if (i == j || costs(i, j) >= no_arc)
                continue;
            const int64_t tail = is_backward_ ? j : i;
            const int64_t head = is_backward_ ? i : j;
            Arc arc = graph_.arc(tail, head, costs(i, j));
            arc.head = static_cast<uint16_t>(j);
            arc.in_memory = masks_[at(j * size + i)];
            arcs.push_back(arc);
        }
    }
    labels_.clear();
    num_pending_ = 0;
    if (!is_exact_)
        least_pending_.assign(at(size) * (at(horizon) + 1), no_arc);
    pending_.resize(at(horizon) + 1);
    for (std::size_t b = 0; b < buckets_.size(); ++b)
        if (first_[b] < no_arc)
            buckets_[b].clear();
    std::ranges::fill(first_, no_arc);
}

bool Side::run(MatrixView<const int64_t> costs, bool is_backward,
               int32_t limit, const Completions& completions,
               const SubsetRows& rows, bool exact, Effort& effort) {
    rows_ = rows.empty() ? nullptr : &rows;
    is_backward_ = is_backward;
    is_exact_ = exact;
    start(costs);
    Label root;
    root.main = early_[0];
    labels_.push_back(root);
    extend(0, completions);
    bool is_complete = true;
    for (int32_t main = 0; main <= graph_.horizon(); ++main) {
        auto& level = pending_[at(main)];
        std::ranges::sort(level, {}, &Label::cost);
        for (const Label& label : level) {
            is_complete =
                is_complete && !effort.is_spent(labels_.size() + num_pending_);
            if (!is_complete)
                break;
            if (is_dominated(label))
                continue;
            keep(label);
            if (main <= limit)
                extend(static_cast<int32_t>(labels_.size()) - 1, completions);
        }
        num_pending_ -= level.size();
        level = {};
    }
    settle_minima();
    return is_complete;
}

void Side::settle_minima() {
    least_ = first_;
    levels_.accumulate(least_);
}

bool Side::is_needed(const Label& label) {
    if (is_exact_)
        return !is_dominated(label);
    int64_t& least =
        least_pending_[at(label.main * graph_.num_nodes() + label.node)];
    if (label.cost >= least)
        return false;
    least = label.cost;
    return true;
}

bool Side::is_dominated(const Label& label) const {
    const auto outside =
        is_exact_ ? static_cast<uint16_t>(~label.memory) : uint16_t{0};
    Room room{label.main, label.extras, outside};
    std::size_t last = levels_.extra(label.extras[0]);
    if (!is_exact_) {
        room.extras.fill(std::numeric_limits<int32_t>::max());
        last = levels_.of_extra() - 1;
    }
    const SubsetRows* rows = is_exact_ ? rows_ : nullptr;
    for (std::size_t m = levels_.main(label.main) + 1; m-- > 0;)
        for (std::size_t e = last + 1; e-- > 0;) {
            const std::size_t b = place(label.node, m, e);
            if (first_[b] <= label.cost &&
                buckets_[b].dominates(label, room, rows))
                return true;
        }
    return false;
}

void Side::keep(const Label& label) {
    const std::size_t b =
        levels_.index(label.node, label.main, label.extras[0]);
    first_[b] = std::min(first_[b], label.cost);
    buckets_[b].insert(label, static_cast<int32_t>(labels_.size()));
    labels_.push_back(label);
}

void Side::Bucket::clear() {
    costs.clear();
    rooms.clear();
    parities.clear();
    labels.clear();
}

void Side::Bucket::insert(const Label& label, int32_t number) {
    const auto place =
        std::ranges::upper_bound(costs, label.cost) - costs.begin();
    costs.insert(costs.begin() + place, label.cost);
    rooms.insert(rooms.begin() + place,
                 {label.main, label.extras, label.memory});
    parities.insert(parities.begin() + place, label.parities);
    labels.insert(labels.begin() + place, number);
}

bool Side::Bucket::dominates(const Label& label, const Room& room,
                             const SubsetRows* rows) const {
    const auto end =
        at(std::ranges::upper_bound(costs, label.cost) - costs.begin());
    for (std::size_t k = 0; k < end; ++k)
        if (room.holds(rooms[k]) &&
            (rows == nullptr ||
             costs[k] + rows->of_first(parities[k], label.parities) <=
                 label.cost))
            return true;
    return false;
}

uint16_t Side::project(const Label& label, int64_t next) const {
    uint16_t memory = 0;
    const int64_t size = graph_.num_nodes();
    for (unsigned left = label.memory; left != 0; left &= left - 1) {
        const int64_t node = graph_.near(label.node, std::countr_zero(left));
        memory |= masks_[at(node * size + next)];
    }
    return memory;
}

bool Side::is_worthless(const Label& label, const Completions& completions,
                        int32_t excluded) const {
    const int32_t node = label.node;
    if (!completions.times.empty() &&
        label.cost + completions.times.cost_by(graph_.horizon() - label.main,
                                               node, excluded) >=
            completions.limit)
        return true;
    // Labels forwards count the weight of their node, as all walks do.
    const int32_t twice = is_backward_ ? 0 : graph_.weights[node];
    const int32_t used = graph_.main_is_weight ? label.main : label.extras[0];
    const int32_t left = completions.loads.capacity() - used + twice;
    return label.cost + completions.loads.cost(left, node, excluded) >=
           completions.limit;
}

void Side::extend(int32_t from, const Completions& completions) {
    const Label label = labels_[at(from)];
    const int64_t size = graph_.num_nodes();
    std::array<const uint16_t*, 16> rows;
    std::size_t num_rows = 0;
    for (unsigned left = label.memory; left != 0; left &= left - 1)
        rows[num_rows++] =
            masks_.data() +
            at(graph_.near(label.node, std::countr_zero(left)) * size);
    const int32_t excluded = label.node == 0 ? -2 : label.node;
    for (const Arc& arc : arcs_[label.node]) {
        if (arc.head == 0 || (label.memory & arc.in_memory) != 0)
            continue;
        Label next;
        next.cost = label.cost + arc.cost;
        next.main = std::max(label.main + arc.step, early_[arc.head]);
        if (next.main > late_[arc.head])
            continue;
        bool fits = true;
        for (std::size_t k = 0; k < graph_.extras.size(); ++k) {
            next.extras[k] = label.extras[k] + arc.extras[k];
            fits = fits && next.extras[k] <= graph_.extras[k].limit;
        }
        if (!fits)
            continue;
        next.node = arc.head;
        if (is_worthless(next, completions, excluded))
            continue;
        if (rows_ != nullptr) {
            next.parities = label.parities;
            next.cost += rows_->visit(arc.head, next.parities);
            if (is_worthless(next, completions, excluded))
                continue;
        }
        next.memory = masks_[at(arc.head * size + arc.head)];
        for (std::size_t r = 0; r < num_rows; ++r)
            next.memory |= rows[r][arc.head];
        next.parent = from;
        if (!is_needed(next))
            continue;
        pending_[at(next.main)].push_back(next);
        ++num_pending_;
    }
}

void Side::trace(int32_t label, std::vector<int32_t>& route) const {
    for (; label > 0; label = labels_[at(label)].parent)
        route.push_back(labels_[at(label)].node);
}

LeastCosts::LeastCosts(const RouteGraph& graph, const Side& side)
    : levels_(graph, graph.extras.empty() ? 2048 : 64, 64),
      least_(at(graph.num_nodes()) * levels_.size(), no_arc) {
    for (const Label& label : side.labels()) {
        int64_t& cost =
            least_[levels_.index(label.node, label.main, label.extras[0])];
        cost = std::min(cost, label.cost);
    }
    levels_.accumulate(least_);
}

Pricer::Pricer(const RouteGraph& graph)
    : graph_(graph), forward_(graph_), backward_(graph_),
      starts_(graph.weights, graph.capacity()),
      ends_(graph.weights, graph.is_symmetric ? 0 : graph.capacity()),
      times_(graph, false), times_back_(graph, true),
      transposed_(at(graph.num_nodes() * graph.num_nodes())),
      of_first_(at(graph.num_nodes())), of_second_(of_first_.size()),
      middle_((graph.early[0] + graph.horizon()) / 2) {}

void Pricer::walk(MatrixView<const int64_t> costs) {
    const int64_t size = graph_.num_nodes();
    const MatrixView<int64_t> flipped(transposed_.data(), size, size);
    for (int64_t i = 0; i < size; ++i)
        for (int64_t j = 0; j < size; ++j)
            flipped(j, i) = costs(i, j);
    starts_.run(costs);
    starts_.accumulate();
    if (!graph_.is_symmetric) {
        ends_.run(flipped);
        ends_.accumulate();
    }
    if (!times_.empty()) {
        times_.run(costs);
        times_back_.run(flipped);
    }
}

bool Pricer::label(MatrixView<const int64_t> costs, const SubsetRows& rows,
                   bool exact, Effort& effort) {
    const int64_t size = graph_.num_nodes();
    is_whole_ = false;
    walk(costs);
    if (!forward_.run(costs, false, middle_, {ends(), times_back_, no_gain},
                      rows, exact, effort))
        return false;
    return graph_.is_symmetric ||
           backward_.run({transposed_.data(), size, size}, true,
                         graph_.horizon() - middle_ - 1,
                         {starts_, times_, no_gain}, rows, exact, effort);
}

bool Pricer::label_wholly(MatrixView<const int64_t> costs,
                          const SubsetRows& rows, int64_t limit,
                          Effort& effort) {
    const int64_t size = graph_.num_nodes();
    const int32_t horizon = graph_.horizon();
    walk(costs);
    is_whole_ =
        forward_.run(costs, false, horizon, {ends(), times_back_, limit + 1},
                     rows, true, effort) &&
        (graph_.is_symmetric ||
         backward_.run({transposed_.data(), size, size}, true, horizon,
                       {starts_, times_, limit + 1}, rows, true, effort));
    return is_whole_;
}

Pricing Pricer::price(MatrixView<const int64_t> costs, const SubsetRows& rows,
                      bool exact, Effort& effort) {
    Pricing found;
    found.is_complete = label(costs, rows, exact, effort);
    if (!found.is_complete)
        return found;
    std::ranges::fill(of_first_, Meeting{});
    std::ranges::fill(of_second_, Meeting{});
    meet(rows, found, effort);
    if (!found.is_complete)
        return found;
    std::vector<Meeting> best;
    for (const auto& list : {of_first_, of_second_})
        for (const Meeting& meeting : list)
            if (meeting.head >= 0)
                best.push_back(meeting);
    std::ranges::sort(best, {}, &Meeting::cost);
    for (const Meeting& meeting : best) {
        Route route = route_of(meeting);
        const auto is_same = [&](const Route& other) {
            return other.cost == route.cost &&
                   (other.customers == route.customers ||
                    std::ranges::equal(
                        other.customers.rbegin(), other.customers.rend(),
                        route.customers.begin(), route.customers.end()));
        };
        if (std::ranges::none_of(found.routes, is_same))
            found.routes.push_back(std::move(route));
    }
    return found;
}

int64_t Pricer::drop_arcs(MatrixView<const int64_t> costs, int64_t limit,
                          MatrixView<int64_t> out) const {
    const int64_t size = graph_.num_nodes();
    std::vector<int64_t> least = starts_.least_through(ends());
    if (!times_.empty()) {
        const auto by_time = times_.least_through(times_back_);
        std::ranges::transform(least, by_time, least.begin(),
                               std::ranges::max);
    }
    int64_t count = 0;
    for (int64_t i = 0; i < size; ++i)
        for (int64_t j = 0; j < size; ++j)
            if (costs(i, j) < no_arc &&
                least[at(i * size + j)] + costs(i, j) > limit) {
                out(i, j) = no_arc;
                ++count;
            }
    return count;
}

void Pricer::drop_arcs(const SubsetRows& rows, int64_t limit,
                       MatrixView<int64_t> out, Effort& effort) const {
    const int64_t size = graph_.num_nodes();
    std::vector<uint8_t> is_needed(at(size * size));
    std::vector<Label> starts(forward_.labels().begin() + 1,
                              forward_.labels().end());
    std::ranges::sort(starts, {}, &Label::cost);
    for (const Label& start : starts) {
        if (effort.is_spent(0))
            return;
        for (const Arc& arc : forward_.arcs(start.node)) {
            uint8_t& needed = is_needed[at(start.node * size + arc.head)];
            if (!needed && arc.head > 0)
                needed = has_end(start, arc, backward(), rows, limit);
        }
    }
    for (int64_t i = 1; i < size; ++i)
        for (int64_t j = 1; j < size; ++j)
            if (!is_needed[at(i * size + j)])
                out(i, j) = no_arc;
}

Room Pricer::room_after(const Label& start, const Arc& arc,
                        int32_t main) const {
    Room room{main, {}, 0};
    for (std::size_t k = 0; k < graph_.extras.size(); ++k)
        room.extras[k] =
            graph_.extras[k].limit - start.extras[k] - arc.extras[k];
    return room;
}

bool Pricer::has_end(const Label& start, const Arc& arc, const Side& ends,
                     const SubsetRows& rows, int64_t limit) const {
    if ((start.memory & arc.in_memory) != 0)
        return false;
    const int32_t own = graph_.is_symmetric ? graph_.weights[arc.head] : 0;
    const int32_t left = graph_.horizon() - start.main - arc.step + own;
    const int64_t most = limit - start.cost - arc.cost;
    Room room = room_after(start, arc, left);
    if (ends.least_cost(arc.head, room) > most)
        return false;
    room.memory = forward_.project(start, arc.head);
    bool found = false;
    ends.for_each(
        arc.head, room, most + 1, [&](const Label& end, int64_t so_far) {
            found =
                end.cost + rows.of_both(start.parities, end.parities) <= most;
            return found ? -no_arc : so_far;
        });
    return found;
}

void Pricer::meet(const SubsetRows& rows, Pricing& found, Effort& effort) {
    const Side& ends = backward();
    const int32_t horizon = graph_.horizon();
    const bool is_load = graph_.main_is_weight;
    const auto labels = forward_.labels();
    for (int32_t number = 0; std::cmp_less(number, labels.size()); ++number) {
        const Label& label = labels[at(number)];
        if (label.main > middle_ && number > 0)
            continue;
        if (effort.is_spent(at(number))) {
            found.is_complete = false;
            return;
        }
        for (const Arc& arc : forward_.arcs(label.node)) {
            const int32_t arrival = label.main + arc.step;
            const int64_t cost = label.cost + arc.cost;
            if (arc.head == 0) {
                bool fits = arrival <= horizon;
                for (std::size_t k = 0; k < graph_.extras.size(); ++k)
                    fits = fits && label.extras[k] + arc.extras[k] <=
                                       graph_.extras[k].limit;
                if (fits && cost < no_gain)
                    note({cost, is_load ? label.main : label.extras[0], number,
                          -1},
                         label.node, label.node, found);
                continue;
            }
            if ((label.memory & arc.in_memory) != 0 ||
                std::max(arrival, graph_.early[arc.head]) <= middle_)
                continue;
            // Forward labels that serve as ends count their last load.
            const int32_t own =
                graph_.is_symmetric ? graph_.weights[arc.head] : 0;
            const int32_t left = horizon - arrival + own;
            const int64_t weight =
                is_load ? arrival : label.extras[0] + arc.extras[0];
            // What neither changes the ratio nor is the best of a node.
            const auto limit_of = [&] {
                const int64_t by_ratio =
                    ((found.ratio * weight) >> ratio_bits) + 1;
                return std::min(no_gain,
                                std::max({by_ratio, of_first_[label.node].cost,
                                          of_second_[arc.head].cost})) -
                       cost;
            };
            const int64_t limit = limit_of();
            Room room = room_after(label, arc, left);
            if (ends.least_cost(arc.head, room) >= limit)
                continue;
            room.memory = forward_.project(label, arc.head);
            ends.for_each(
                arc.head, room, limit, [&](const Label& end, int64_t) {
                    const int64_t more =
                        is_load ? end.main - own : end.extras[0];
                    const auto tail =
                        static_cast<int32_t>(&end - ends.labels().data());
                    const int64_t pairs =
                        rows.of_both(label.parities, end.parities);
                    note(
                        {cost + end.cost + pairs, weight + more, number, tail},
                        label.node, arc.head, found);
                    return limit_of();
                });
        }
    }
}

void Pricer::note(const Meeting& meeting, int64_t first, int64_t second,
                  Pricing& found) {
    found.note(meeting.cost, meeting.weight);
    for (Meeting* best : {&of_first_[at(first)], &of_second_[at(second)]})
        if (meeting.cost < best->cost)
            *best = meeting;
}

Route Pricer::route_of(const Meeting& meeting) const {
    const Side& ends = backward();
    Route route{meeting.cost, meeting.weight, {}};
    forward_.trace(meeting.head, route.customers);
    std::ranges::reverse(route.customers);
    if (meeting.tail >= 0)
        ends.trace(meeting.tail, route.customers);
    return route;
}

} // namespace ncc::columns

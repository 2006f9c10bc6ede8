#include "tours/local_search.h"

#include <algorithm>
#include <cmath>

namespace ncc::tours {

namespace {

// Longest segment that Or-opt moves, as Or proposed.
constexpr int64_t max_segment = 3;

// Longest segment that a kick moves: a long one costs more to repair.
constexpr int64_t max_kick_segment = 30;

// Least gain of a move, as a share of the length of the first tour: far above
// the rounding errors of a move, far below any real gain.
constexpr double relative_tolerance = 1e-10;

#ifdef NCC_DEBUG
// Whether a move changed the length as it claims.
bool agrees(double before, double delta, double after) {
    return std::abs(before + delta - after) <= 1e-6 * before;
}
#endif

bool is_symmetric(MatrixView<const double> dist) {
    for (int64_t i = 0; i < dist.num_rows(); ++i)
        for (int64_t j = 0; j < i; ++j)
            if (dist(i, j) != dist(j, i))
                return false;
    return true;
}

} // namespace

void LocalSearch::start(MatrixView<const double> dist, bool symmetric,
                        std::span<const int64_t> order) {
    NCC_CHECK(dist.num_rows() == std::ssize(order));
    dist_ = dist;
    symmetric_ = symmetric;
    tour_.assign(order);
    tolerance_ = relative_tolerance * length();
    std::fill_n(is_active_.begin(), order.size(), 1);
}

void LocalSearch::restore(std::span<const int64_t> order) {
    tour_.assign(order);
}

void LocalSearch::descend() {
    if (symmetric_)
        descend_by<true>();
    else
        descend_by<false>();
}

template <bool symmetric>
void LocalSearch::descend_by() {
    const int64_t size = tour_.size();
    int64_t place = 0;
    int64_t idle = 0;
    while (idle < size) {
        const int64_t node = tour_.order()[place];
        if (is_active_[node]) {
            idle = 0;
            double delta = try_two_opt<symmetric>(node);
            delta += try_or_opt<symmetric>(node);
            if (delta < 0.0)
                continue;
            is_active_[node] = 0;
        }
        ++idle;
        place = place + 1 < size ? place + 1 : 0;
    }
}

// Applies the best 2-opt move at the two edges of a node; returns the change
// of the length, 0 where no move gains more than the tolerance.
template <bool symmetric>
double LocalSearch::try_two_opt(int64_t node) {
    const std::span<const int64_t> order = tour_.order();
    const int64_t size = tour_.size();
    const int64_t none = size;
    double best = -tolerance_;
    int64_t best_start = none;
    int64_t best_count = none;
    for (int64_t side = 0; side < 2; ++side) {
        int64_t place = tour_.place_of(node) - 1 + side;
        if (place < 0)
            place = size - 1;
        const int64_t tail = order[place];
        place = place + 1 < size ? place + 1 : 0;
        const int64_t start = place;
        const int64_t head = order[place];
        place = place + 1 < size ? place + 1 : 0;
        const std::span<const double> from_tail = dist_.row(tail);
        const std::span<const double> from_head = dist_.row(head);
        const double removed = from_tail[head];
        // What turning the stretch from head to last around costs.
        double turned = 0.0;
        int64_t last = head;
        int64_t after = order[place];
        for (int64_t count = 2; count < size; ++count) {
            const int64_t before = last;
            last = after;
            place = place + 1 < size ? place + 1 : 0;
            after = order[place];
            if constexpr (!symmetric)
                turned += dist_(last, before) - dist_(before, last);
            double delta = from_tail[last] + from_head[after] + turned;
            delta -= removed + dist_(last, after);
            if (delta < best) {
                best = delta;
                best_start = start;
                best_count = count;
            }
        }
    }
    if (best_start == none)
        return 0.0;
    const int64_t end = (best_start + best_count - 1) % size;
    for (const int64_t place : {best_start - 1, best_start, end, end + 1})
        activate(place);
#ifdef NCC_DEBUG
    const double before = length();
#endif
    if (symmetric && 2 * best_count > size)
        tour_.reverse(end + 1, size - best_count);
    else
        tour_.reverse(best_start, best_count);
    NCC_CHECK(agrees(before, best, length()));
    return best;
}

// Moves the best segment that starts or ends at a node; returns the change of
// the length, as `try_two_opt`.
//
// Segments of up to `max_segment` nodes are tried in every other place, in
// both directions.
template <bool symmetric>
double LocalSearch::try_or_opt(int64_t node) {
    const std::span<const int64_t> order = tour_.order();
    const int64_t size = tour_.size();
    const int64_t none = size;
    double best = -tolerance_;
    int64_t best_start = none;
    int64_t best_length = none;
    int64_t best_gap = none;
    bool best_is_turned = false;
    // First the node alone; then those it starts, and those it ends.
    for (int64_t option = 0; option < 2 * max_segment - 1; ++option) {
        const int64_t length = option > 0 ? (option + 3) / 2 : 1;
        if (length > size - 2)
            break;
        int64_t start = tour_.place_of(node);
        if (option % 2 == 0 && option > 0)
            start -= length - 1;
        if (start < 0)
            start += size;
        const int64_t end = (start + length - 1) % size;
        int64_t place = end + 1 < size ? end + 1 : 0;
        const int64_t before = tour_.at(start - 1);
        const int64_t first = order[start];
        const int64_t last = order[end];
        int64_t head = order[place];
        const std::span<const double> from_last = dist_.row(last);
        const std::span<const double> from_first = dist_.row(first);
        const double removed =
            dist_(before, first) + from_last[head] - dist_(before, head);
        double turned = 0.0;
        if constexpr (symmetric) {
            // Nothing is gained by taking out a segment that is no detour.
            if (removed <= tolerance_)
                continue;
        } else {
            for (int64_t k = 0; k + 1 < length; ++k) {
                const int64_t a = tour_.at(start + k);
                const int64_t b = tour_.at(start + k + 1);
                turned += dist_(b, a) - dist_(a, b);
            }
        }
        for (int64_t gap = 1; gap < size - length; ++gap) {
            const int64_t tail = head;
            place = place + 1 < size ? place + 1 : 0;
            head = order[place];
            const std::span<const double> from_tail = dist_.row(tail);
            const double base = from_tail[head] + removed;
            const double delta = from_tail[first] + from_last[head] - base;
            double turned_delta = from_tail[last] + from_first[head] - base;
            turned_delta += turned;
            if (delta < best || turned_delta < best) {
                best = std::min(delta, turned_delta);
                best_is_turned = turned_delta < delta;
                best_start = start;
                best_length = length;
                best_gap = gap;
            }
        }
    }
    if (best_start == none)
        return 0.0;
    const int64_t end = (best_start + best_length - 1) % size;
    const int64_t target = (end + best_gap) % size;
    for (const int64_t place :
         {best_start - 1, best_start, end, end + 1, target, target + 1})
        activate(place);
#ifdef NCC_DEBUG
    const double before = length();
#endif
    const int64_t first = order[best_start];
    tour_.move_segment(best_start, best_length, best_gap);
    if (best_is_turned)
        tour_.reverse(tour_.place_of(first), best_length);
    NCC_CHECK(agrees(before, best, length()));
    return best;
}

void LocalSearch::kick(NumpyGenerator& rng) {
    const int64_t size = tour_.size();
    const int64_t limit = std::min(max_kick_segment, (size - 2) / 2);
    const int64_t start = rng.below(size);
    const int64_t length = 1 + rng.below(limit);
    const int64_t gap = 1 + rng.below(limit);
    const int64_t middle = start + length;
    const int64_t end = middle + gap;
    for (const int64_t place :
         {start - 1, start, middle - 1, middle, end - 1, end})
        activate(place);
    tour_.move_segment(start, length, gap);
}

double optimize_tour(MatrixView<const double> dist, std::span<int64_t> order,
                     int64_t num_kicks, NumpyGenerator& rng,
                     LocalSearch& search) {
    double length = tour_length(dist, order);
    if (order.size() < 3)
        return length;
    if (order.size() < 5)
        num_kicks = 0;
    search.start(dist, is_symmetric(dist), order);
    for (int64_t kick = 0; kick <= num_kicks; ++kick) {
        if (kick > 0)
            search.kick(rng);
        search.descend();
        const double found = search.length();
        if (found <= length) {
            length = found;
            std::ranges::copy(search.order(), order.begin());
        } else {
            search.restore(order);
        }
    }
    return length;
}

} // namespace ncc::tours

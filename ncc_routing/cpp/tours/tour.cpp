#include "tours/tour.h"

#include <numeric>
#include <utility>

namespace ncc::tours {

Tour::Tour(int64_t max_size) : places_(max_size) {
    order_.reserve(max_size);
}

void Tour::assign(std::span<const int64_t> order) {
    NCC_CHECK(order.size() <= places_.size());
    order_.assign(order.begin(), order.end());
    for (int64_t place = 0; place < size(); ++place)
        places_[order_[place]] = place;
}

void Tour::reverse(int64_t start, int64_t count) {
    const int64_t num_nodes = size();
    int64_t i = start % num_nodes;
    int64_t j = (start + count - 1) % num_nodes;
    for (int64_t left = count / 2; left > 0; --left) {
        std::swap(order_[i], order_[j]);
        places_[order_[i]] = i;
        places_[order_[j]] = j;
        i = i + 1 < num_nodes ? i + 1 : 0;
        j = j > 0 ? j - 1 : num_nodes - 1;
    }
}

void Tour::move_segment(int64_t start, int64_t length, int64_t gap) {
    const int64_t back = size() - length - gap;
    int64_t first = gap;
    int64_t second = length;
    if (gap > back) {
        start += size() - back;
        first = length;
        second = back;
    }
    // Reversing the whole stretch, then each of its parts, swaps the parts.
    reverse(start, first + second);
    reverse(start, first);
    reverse(start + first, second);
}

double tour_length(MatrixView<const double> dist,
                   std::span<const int64_t> order) {
    double total = dist(order.back(), order.front());
    for (std::size_t i = 1; i < order.size(); ++i)
        total += dist(order[i - 1], order[i]);
    return total;
}

void fill_nearest_neighbour_tour(MatrixView<const double> dist,
                                 std::span<int64_t> order) {
    std::iota(order.begin(), order.end(), 0);
    const int64_t size = std::ssize(order);
    for (int64_t i = 1; i + 1 < size; ++i) {
        const std::span<const double> row = dist.row(order[i - 1]);
        int64_t best = i;
        for (int64_t j = i + 1; j < size; ++j)
            if (row[order[j]] < row[order[best]])
                best = j;
        std::swap(order[i], order[best]);
    }
}

} // namespace ncc::tours

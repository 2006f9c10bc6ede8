#include "fleets/neighbours.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ncc::fleets {

namespace {

// Mean number of customers in a cell of the grid.
constexpr double cell_size = 3.0;

// Customers by the cells of a square grid over a map.
class Grid {
public:
    explicit Grid(MatrixView<const double> places)
        : places_(places), count_(places.num_rows() - 1) {
        double high_x = -infinity;
        double high_y = -infinity;
        for (int64_t node = 1; node <= count_; ++node) {
            low_x_ = std::min(low_x_, places(node, 0));
            low_y_ = std::min(low_y_, places(node, 1));
            high_x = std::max(high_x, places(node, 0));
            high_y = std::max(high_y, places(node, 1));
        }
        const double width = high_x - low_x_;
        const double height = high_y - low_y_;
        const double num_cells = std::max(1.0, count_ / cell_size);
        // A line of customers has cells along it alone.
        side_ = std::max({std::sqrt(width * height / num_cells),
                          width / num_cells, height / num_cells});
        if (!(side_ > 0.0))
            side_ = 1.0;
        num_columns_ = static_cast<int64_t>(width / side_) + 1;
        num_rows_ = static_cast<int64_t>(height / side_) + 1;
        starts_.assign((num_columns_ * num_rows_) + 1, 0);
        for (int64_t node = 1; node <= count_; ++node)
            ++starts_[cell_of(node) + 1];
        for (std::size_t cell = 1; cell < starts_.size(); ++cell)
            starts_[cell] += starts_[cell - 1];
        nodes_.resize(count_);
        std::vector<int64_t> ends(starts_.begin(), starts_.end() - 1);
        for (int64_t node = 1; node <= count_; ++node)
            nodes_[ends[cell_of(node)]++] = static_cast<uint32_t>(node);
    }

    // Calls a function with all nodes of the ring of cells around that of a
    // node; false where the ring lies outside.
    template <class Function>
    bool look(int64_t node, int64_t ring, Function function) const {
        const int64_t column = column_of(node);
        const int64_t row = row_of(node);
        bool is_inside = false;
        for (int64_t y = row - ring; y <= row + ring; ++y) {
            if (y < 0 || y >= num_rows_)
                continue;
            const bool is_whole = std::abs(y - row) == ring;
            const int64_t step = is_whole ? 1 : std::max<int64_t>(2 * ring, 1);
            for (int64_t x = column - ring; x <= column + ring; x += step) {
                if (x < 0 || x >= num_columns_)
                    continue;
                is_inside = true;
                const int64_t cell = (y * num_columns_) + x;
                for (int64_t idx = starts_[cell]; idx < starts_[cell + 1];
                     ++idx)
                    function(nodes_[idx]);
            }
        }
        return is_inside;
    }

    [[nodiscard]] double side() const { return side_; }

private:
    [[nodiscard]] int64_t column_of(int64_t node) const {
        return static_cast<int64_t>((places_(node, 0) - low_x_) / side_);
    }
    [[nodiscard]] int64_t row_of(int64_t node) const {
        return static_cast<int64_t>((places_(node, 1) - low_y_) / side_);
    }
    [[nodiscard]] int64_t cell_of(int64_t node) const {
        return (row_of(node) * num_columns_) + column_of(node);
    }

    MatrixView<const double> places_;
    int64_t count_;
    double low_x_ = infinity;
    double low_y_ = infinity;
    double side_ = 1.0;
    int64_t num_columns_ = 1;
    int64_t num_rows_ = 1;
    std::vector<int64_t> starts_; // of each cell, in the nodes
    std::vector<uint32_t> nodes_;
};

// Returns what it costs at least to go from one visit to another.
double cost_between(double length, double time, const Visit& tail,
                    const Visit& head, std::span<const Rates> rates,
                    TimeWeights weights) {
    const double wait =
        std::max(0.0, head.early - time - (tail.late + tail.service));
    const double late =
        std::max(0.0, tail.early + tail.service + time - head.late);
    double least = infinity;
    for (const Rates& rate : rates)
        least = std::min(least, rate.distance * length +
                                    rate.duration * (time + wait));
    return least + weights.waiting * wait + weights.lateness * late;
}

} // namespace

Neighbours find_neighbours(const PlaceLengths& distances,
                           const PlaceLengths& durations,
                           MatrixView<const double> places, double unit,
                           std::span<const Visit> visits,
                           std::span<const Rates> rates, TimeWeights weights,
                           int64_t degree, int64_t most, int64_t num_nodes) {
    Neighbours found{std::vector<uint32_t>(num_nodes * degree),
                     std::vector<double>(num_nodes * degree, infinity)};
    double least_rate = infinity;
    for (const Rates& rate : rates)
        least_rate = std::min(least_rate, rate.distance);
    const Grid grid(places);
    using Near = std::pair<double, uint32_t>;
    std::vector<Near> nearest; // a heap, the farthest one first
    const auto size = std::ssize(visits);
    for (int64_t node = 0; node < num_nodes; ++node) {
        std::fill_n(found.nodes.begin() + (node * degree), degree,
                    static_cast<uint32_t>(node));
        if (node == 0 || node >= size)
            continue;
        nearest.clear();
        int64_t num_looked_at = 0;
        const auto look = [&](uint32_t other) {
            if (other == node || num_looked_at == most)
                return;
            ++num_looked_at;
            const auto& a = distances.point(node);
            const auto& b = distances.point(other);
            const double length = distances.between(a, b);
            const double time = durations.between(a, b);
            const double cost =
                std::min(cost_between(length, time, visits[node],
                                      visits[other], rates, weights),
                         cost_between(length, time, visits[other],
                                      visits[node], rates, weights));
            const Near near{cost, other};
            if (std::ssize(nearest) == degree) {
                if (!(near < nearest.front()))
                    return;
                std::pop_heap(nearest.begin(), nearest.end());
                nearest.pop_back();
            }
            nearest.push_back(near);
            std::push_heap(nearest.begin(), nearest.end());
        };
        for (int64_t ring = 0; grid.look(node, ring, look); ++ring) {
            const double reach =
                static_cast<double>(ring) * grid.side() * unit * least_rate;
            if (num_looked_at == most || (std::ssize(nearest) == degree &&
                                          nearest.front().first <= reach))
                break;
        }
        std::sort_heap(nearest.begin(), nearest.end());
        for (std::size_t idx = 0; idx < nearest.size(); ++idx) {
            found.near[(node * degree) + idx] = nearest[idx].first;
            found.nodes[(node * degree) + idx] = nearest[idx].second;
        }
    }
    return found;
}

} // namespace ncc::fleets

#include "fleets/neighbours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace ncc::fleets {

namespace {

// Customers of a branch that is cut no further.
constexpr int64_t leaf_size = 16;

// Customers in a tree of boxes, each cut in halves across its longer side.
class Tree {
public:
    explicit Tree(MatrixView<const double> places) : places_(places) {
        nodes_.resize(places.num_rows() - 1);
        std::iota(nodes_.begin(), nodes_.end(), 1U);
        grow(0, std::ssize(nodes_));
    }

    // Calls a function with customers, those in nearer boxes first, while the
    // distance to a box is below a bound.
    template <class Bound, class Function>
    void look(int64_t customer, Bound bound, Function function) const {
        look(0, places_.row(customer), bound, function);
    }

private:
    struct Branch {
        std::array<double, 2> low{infinity, infinity};
        std::array<double, 2> high{-infinity, -infinity};
        int64_t begin = 0;
        int64_t end = 0;
        int64_t left = 0; // 0 for a leaf
        int64_t right = 0;
    };

    int64_t grow(int64_t begin, int64_t end) {
        Branch branch{.begin = begin, .end = end};
        for (int64_t idx = begin; idx < end; ++idx)
            for (int64_t axis = 0; axis < 2; ++axis) {
                const double value = places_(nodes_[idx], axis);
                branch.low[axis] = std::min(branch.low[axis], value);
                branch.high[axis] = std::max(branch.high[axis], value);
            }
        const auto number = std::ssize(branches_);
        branches_.push_back(branch);
        if (end - begin <= leaf_size)
            return number;
        const int64_t axis =
            branch.high[1] - branch.low[1] > branch.high[0] - branch.low[0]
                ? 1
                : 0;
        const int64_t middle = (begin + end) / 2;
        std::nth_element(nodes_.begin() + begin, nodes_.begin() + middle,
                         nodes_.begin() + end, [&](uint32_t a, uint32_t b) {
                             return places_(a, axis) < places_(b, axis);
                         });
        const int64_t left = grow(begin, middle);
        const int64_t right = grow(middle, end);
        branches_[number].left = left;
        branches_[number].right = right;
        return number;
    }

    [[nodiscard]] double distance(int64_t number,
                                  std::span<const double> place) const {
        const Branch& branch = branches_[number];
        double square = 0.0;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const double apart = std::max({0.0, branch.low[axis] - place[axis],
                                           place[axis] - branch.high[axis]});
            square += apart * apart;
        }
        return std::sqrt(square);
    }

    template <class Bound, class Function>
    void look(int64_t number, std::span<const double> place,
              const Bound& bound, const Function& function) const {
        const Branch& branch = branches_[number];
        if (branch.left == 0) {
            for (int64_t idx = branch.begin; idx < branch.end; ++idx)
                function(nodes_[idx]);
            return;
        }
        std::array<std::pair<double, int64_t>, 2> halves{
            {{distance(branch.left, place), branch.left},
             {distance(branch.right, place), branch.right}}};
        if (halves[1].first < halves[0].first)
            std::swap(halves[0], halves[1]);
        for (const auto& [apart, half] : halves)
            if (apart < bound())
                look(half, place, bound, function);
    }

    MatrixView<const double> places_;
    std::vector<uint32_t> nodes_;
    std::vector<Branch> branches_;
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
    const Tree tree(places);
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
        const auto bound = [&] {
            if (num_looked_at == most)
                return 0.0;
            return std::ssize(nearest) < degree || least_rate == 0.0
                       ? infinity
                       : nearest.front().first / (unit * least_rate);
        };
        tree.look(node, bound, look);
        std::sort_heap(nearest.begin(), nearest.end());
        for (std::size_t idx = 0; idx < nearest.size(); ++idx) {
            found.near[(node * degree) + idx] = nearest[idx].first;
            found.nodes[(node * degree) + idx] = nearest[idx].second;
        }
    }
    return found;
}

} // namespace ncc::fleets

#pragma once

#include "arrays.h"

#include <cstdint>
#include <span>
#include <vector>

// Closed tours through the nodes 0..size - 1 of a dense matrix of distances,
// which may be asymmetric.
namespace ncc::tours {

// The order of the nodes, and the place of each node in it.
class Tour {
public:
    // Has room for so many nodes, and none yet.
    explicit Tour(int64_t max_size);

    // Takes a permutation of the nodes.
    void assign(std::span<const int64_t> order);

    [[nodiscard]] int64_t size() const { return std::ssize(order_); }
    [[nodiscard]] std::span<const int64_t> order() const { return order_; }
    [[nodiscard]] int64_t place_of(int64_t node) const {
        return places_[node];
    }

    // The node at a place, counted round the tour.
    [[nodiscard]] int64_t at(int64_t place) const {
        return order_[wrapped(place)];
    }

    // Reverses the `count` nodes from place `start` on, round the tour.
    void reverse(int64_t start, int64_t count);

    // Moves the segment of `length` nodes from place `start` on forward, past
    // `gap` nodes.
    //
    // The shorter of the two ways round the tour is taken: both give the same
    // cycle.
    void move_segment(int64_t start, int64_t length, int64_t gap);

private:
    std::vector<int64_t> order_;
    std::vector<int64_t> places_;

    // A place from -size on.
    [[nodiscard]] int64_t wrapped(int64_t place) const {
        return (place + size()) % size();
    }
};

// The length of a closed tour of at least one node.
double tour_length(MatrixView<const double> dist,
                   std::span<const int64_t> order);

// Fills a tour: from node 0 always on to the nearest node left.
void fill_nearest_neighbour_tour(MatrixView<const double> dist,
                                 std::span<int64_t> order);

} // namespace ncc::tours

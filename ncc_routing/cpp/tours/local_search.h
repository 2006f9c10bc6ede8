#pragma once

#include "arrays.h"
#include "random.h"
#include "tours/tour.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::tours {

// 2-opt, Or-opt and kicks on a tour, at the edges of active nodes.
//
// All moves are priced with directed distances, so that an asymmetric matrix
// gets true costs; a symmetric one takes the cheaper formulas. The buffers
// serve one tour after another.
//
// References
// G. Croes (1958). A method for solving traveling-salesman problems (2-opt).
// I. Or (1976). Traveling salesman-type combinatorial problems (Or-opt).
// J. Bentley (1992). Fast algorithms for geometric traveling salesman
// problems (don't-look bits).
// O. Martin, S. Otto and E. Felten (1991). Large-step Markov chains for the
// traveling salesman problem (double-bridge kicks); here the kick swaps two
// short neighbouring segments, so that only six nodes are looked at anew.
class LocalSearch {
public:
    // Has room for tours of so many nodes.
    explicit LocalSearch(int64_t max_size)
        : tour_(max_size), is_active_(max_size) {}

    // Takes a tour, all nodes of which are active. `dist` is of shape (size,
    // size), and stays the caller's.
    void start(MatrixView<const double> dist, bool symmetric,
               std::span<const int64_t> order);

    // Goes on from another tour through the same nodes, none of them active.
    void restore(std::span<const int64_t> order);

    [[nodiscard]] std::span<const int64_t> order() const {
        return tour_.order();
    }
    [[nodiscard]] double length() const {
        return tour_length(dist_, tour_.order());
    }

    // Applies moves at active nodes until none gains; no node stays active.
    void descend();

    // Swaps two random neighbouring segments and activates their six ends.
    // The tour has at least 4 nodes.
    void kick(NumpyGenerator& rng);

private:
    MatrixView<const double> dist_;
    bool symmetric_ = false;
    double tolerance_ = 0.0;
    Tour tour_;
    std::vector<char> is_active_;

    template <bool symmetric>
    void descend_by();
    template <bool symmetric>
    double try_two_opt(int64_t node);
    template <bool symmetric>
    double try_or_opt(int64_t node);

    void activate(int64_t place) { is_active_[tour_.at(place)] = 1; }
};

// Improves a tour by 2-opt and Or-opt, then by kicks and repair; returns its
// length, added up anew.
//
// `dist` is of shape (size, size), finite and >= 0, symmetric or not. `order`
// is the start, modified in place; node 0 can end up anywhere in it. Without
// kicks nothing is drawn from the generator. `search` lends its buffers.
double optimize_tour(MatrixView<const double> dist, std::span<int64_t> order,
                     int64_t num_kicks, NumpyGenerator& rng,
                     LocalSearch& search);

} // namespace ncc::tours

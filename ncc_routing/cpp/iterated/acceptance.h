#pragma once

#include "arrays.h"
#include "iterated/params.h"

#include <algorithm>
#include <array>
#include <cstdint>

// What an iterated local search adapts while it runs.
//
// V. Máximo, J.-F. Cordeau, M. Nascimento (2024). AILS-II: an adaptive
// iterated local search heuristic for the large-scale capacitated vehicle
// routing problem. INFORMS Journal on Computing 36(4).
namespace ncc::iterated {

// The mean of about the last `window` values.
class RunningMean {
public:
    explicit RunningMean(int64_t window) : window_(window) {}

    void add(double value) {
        count_ = std::min(count_ + 1, window_);
        mean_ += (value - mean_) / static_cast<double>(count_);
    }

    [[nodiscard]] double value() const { return mean_; }

private:
    int64_t window_;
    int64_t count_ = 0;
    double mean_ = 0.0;
};

// The cost up to which a local optimum is accepted: it lies between the best
// and the mean one of the last iterations.
class Threshold {
public:
    explicit Threshold(int64_t window) : window_(window), mean_(window) {}

    // Counts a cost, and returns the threshold with a share in [0, 1].
    double add(double cost, double share) {
        mean_.add(cost);
        if (++count_ % window_ == 0)
            best_ = std::exchange(next_best_, infinity);
        next_best_ = std::min(next_best_, cost);
        best_ = std::min(best_, cost);
        return at(share);
    }

    // Returns it without counting a cost.
    [[nodiscard]] double at(double share) const {
        if (count_ == 0)
            return -infinity;
        return best_ + share * (mean_.value() - best_);
    }

private:
    int64_t window_;
    RunningMean mean_;
    int64_t count_ = 0;
    double best_ = infinity; // of one to two windows
    double next_best_ = infinity;
};

// The size of a ruin, steered so that the local optimum after it differs from
// the routes before it by a given number of edges.
class RuinSize {
public:
    RuinSize(double size, double max_size, int64_t window)
        : size_(std::min(size, max_size)), max_size_(max_size),
          window_(window), mean_(window) {}

    [[nodiscard]] double value() const { return size_; }

    void add(double distance, double target) {
        mean_.add(distance);
        if (++count_ % window_ == 0)
            size_ = std::clamp(size_ * target / std::max(mean_.value(), 1e-3),
                               1.0, max_size_);
    }

private:
    double size_;
    double max_size_;
    int64_t window_;
    RunningMean mean_;
    int64_t count_ = 0;
};

} // namespace ncc::iterated

#pragma once

#include "check.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ncc {

// No point, or no cluster.
inline constexpr int64_t nobody = -1;

// Which cluster each point belongs to, and the members of each cluster as a
// doubly linked list: a point changes its cluster in O(1).
//
//     for (int64_t i = lists.first(k); i != nobody; i = lists.next(i))
class MemberLists {
public:
    // No point has a cluster until labels are assigned.
    MemberLists(int64_t num_points, int64_t num_clusters)
        : labels_(num_points, nobody), first_(num_clusters, nobody),
          next_(num_points, nobody), previous_(num_points, nobody) {}

    [[nodiscard]] int64_t num_points() const { return std::ssize(labels_); }
    [[nodiscard]] int64_t num_clusters() const { return std::ssize(first_); }

    // The cluster of each point.
    [[nodiscard]] std::span<const int64_t> labels() const { return labels_; }
    [[nodiscard]] int64_t label(int64_t i) const { return labels_[i]; }

    // The first member of cluster k, and the one that follows member i.
    [[nodiscard]] int64_t first(int64_t k) const { return first_[k]; }
    [[nodiscard]] int64_t next(int64_t i) const { return next_[i]; }

    // Sets the clusters of all points; the last point of each comes first.
    void assign(std::span<const int64_t> labels) {
        NCC_CHECK(labels.size() == labels_.size());
        first_.assign(first_.size(), nobody);
        for (int64_t i = 0; i < num_points(); ++i) {
            labels_[i] = labels[i];
            link(i, labels[i]);
        }
    }

    // Moves point i to the front of the list of another cluster.
    void move(int64_t i, int64_t to) {
        NCC_CHECK(labels_[i] != nobody);
        const int64_t left = previous_[i];
        const int64_t right = next_[i];
        if (left != nobody)
            next_[left] = right;
        else
            first_[labels_[i]] = right;
        if (right != nobody)
            previous_[right] = left;
        link(i, to);
        labels_[i] = to;
    }

private:
    void link(int64_t i, int64_t k) {
        const int64_t right = first_[k];
        previous_[i] = nobody;
        next_[i] = right;
        if (right != nobody)
            previous_[right] = i;
        first_[k] = i;
    }

    std::vector<int64_t> labels_;
    std::vector<int64_t> first_;
    std::vector<int64_t> next_;
    std::vector<int64_t> previous_;
};

} // namespace ncc

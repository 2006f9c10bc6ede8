#pragma once

#include "casters.h"
#include "clustering/groups.h"

// What callers from Python must respect; each names what is wrong.
namespace ncc {

// Until then nobody is a member, and a search would look for one.
inline void require_assigned(const Groups& groups) {
    require(groups.is_assigned(), "the points must have clusters.");
}

inline void require_point(const Groups& groups, int64_t i) {
    require_assigned(groups);
    require(0 <= i && i < groups.num_points(), "there is no such point.");
}

inline void require_cluster(const Groups& groups, int64_t k) {
    require(0 <= k && k < groups.num_clusters(), "there is no such cluster.");
}

inline void require_labels(const Limits& limits,
                           std::span<const int64_t> labels) {
    require(std::ssize(labels) == limits.num_points() &&
                all_below(labels, limits.upper.num_rows()),
            "labels must give each point a cluster.");
}

} // namespace ncc

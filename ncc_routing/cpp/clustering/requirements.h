#pragma once

#include "casters.h"
#include "clustering/groups.h"

// What callers from Python must respect; each names what is wrong.
namespace ncc {

// Until then nobody is a member, and a search would look for one.
inline void require_assigned(const Groups& groups) {
    require(groups.is_assigned(), "the points must have clusters.");
}

inline void require_rules(const Rules& rules, int64_t num_points,
                          int64_t num_clusters) {
    using Indices = std::span<const int64_t>;
    const auto fit = [&](Indices values, int64_t limit, int64_t size) {
        for (const int64_t value : values)
            if (value < nobody || value >= limit)
                return false;
        return values.empty() || std::ssize(values) == size;
    };
    bool is_right = rules.num_fixed <= num_clusters;
    for (const Indices points : {rules.leaders, rules.ring})
        is_right &= fit(points, num_points, num_points);
    for (const Indices clusters : {rules.homes, rules.references})
        is_right &= fit(clusters, num_clusters, num_points);
    for (const Adjacency& each : {rules.apart, rules.graph})
        is_right &=
            fit(each.begins, std::ssize(each.others) + 1, num_points + 1) &&
            fit(each.others, num_points, std::ssize(each.others));
    is_right &= fit(rules.medoids, num_points, rules.num_fixed);
    is_right &= rules.compactness == 0.0 ||
                rules.borders.size() == rules.graph.others.size();
    is_right &= rules.consistency == 0.0 || !rules.references.empty();
    is_right &= rules.masses.empty() || std::ssize(rules.masses) == num_points;
    require(is_right, "rules must be those of the points.");
}

inline void require_labels(const Limits& limits,
                           std::span<const int64_t> labels) {
    require(std::ssize(labels) == limits.num_points() &&
                all_below(labels, limits.upper.num_rows()),
            "labels must give each point a cluster.");
}

} // namespace ncc

#pragma once

#include "arrays.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc {

// No point, or no cluster.
inline constexpr int64_t nobody = -1;

// Mass of a fixed center: what a point adds to it is lost in rounding.
inline constexpr double anchor_mass = 0x1p60;

// A smaller share of the mass of a cluster may be rounding alone.
inline constexpr double least_rest = 1e-12;

// Other points of each point, in one list.
struct Adjacency {
    std::vector<int64_t> begins; // one more than there are points, or empty
    std::vector<int64_t> others;

    [[nodiscard]] bool empty() const { return others.empty(); }

    [[nodiscard]] std::span<const int64_t> row(int64_t i) const {
        if (begins.empty())
            return {};
        return {others.data() + begins[i], others.data() + begins[i + 1]};
    }
};

// Which points go together, apart, or to a given place. What is empty is no
// rule.
struct Rules {
    // Points that must be together form a ring; the first one is the leader,
    // which has their weight.
    std::vector<int64_t> leaders;
    std::vector<int64_t> ring;
    // The only cluster of each point, nobody for any.
    std::vector<int64_t> homes;
    // What each point counts in the objective, 1 by default.
    std::vector<double> masses;
    // Leaders that must not be together; what one pair counts as excess.
    Adjacency apart;
    double quarrel = 0.0;
    // Neighbours of points, the length of the border with each, and whether
    // clusters must hang together.
    Adjacency graph;
    std::vector<double> borders;
    bool is_contiguous = false;
    // Price of a unit of border between clusters, and of a point outside its
    // cluster of reference, nobody for none.
    double compactness = 0.0;
    double consistency = 0.0;
    std::vector<int64_t> references;
    // Centers of the first clusters: coordinates, row by row, or points.
    std::vector<double> centers;
    std::vector<int64_t> medoids;
    int64_t num_fixed = 0;

    [[nodiscard]] double mass(int64_t i) const {
        return masses.empty() ? 1.0 : masses[i];
    }
    [[nodiscard]] int64_t leader(int64_t i) const {
        return leaders.empty() ? i : leaders[i];
    }
    [[nodiscard]] bool has_prices() const {
        return compactness > 0.0 || consistency > 0.0;
    }

    // Calls `visit` for a point and those that must be with it.
    template <class Visit>
    void for_each_tied(int64_t i, Visit visit) const {
        visit(i);
        if (!ring.empty())
            for (int64_t p = ring[i]; p != i; p = ring[p])
                visit(p);
    }
};

inline const Rules no_rules;

} // namespace ncc

#pragma once

#include "arrays.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ncc::columns {

// Reduced costs are whole numbers of a small unit; an arc that is not there
// costs this, and no sum of others comes near.
inline constexpr int64_t no_arc = int64_t{1} << 55;

// Resources beside the main one.
inline constexpr std::size_t max_extras = 2;

// What is consumed on each arc, of which a route has no more than a limit.
struct Extra {
    MatrixView<const int32_t> steps;
    int32_t limit = 0;
};

// An arc as a route takes it.
struct Arc {
    int64_t cost;
    int32_t step;
    std::array<int32_t, max_extras> extras;
    uint16_t head;
    uint16_t in_memory = 0; // the head in the ng set of the tail
};

// The routes of a vehicle type: node 0 is the depot at both ends, and a visit
// to j after i is at max(main_i + steps(i, j), early_j) <= late_j. The main
// resource is a load or a time; each visit consumes at least 1 of it.
struct RouteGraph {
    MatrixView<const int32_t> steps;
    std::span<const int32_t> early;
    std::span<const int32_t> late; // of the depot: at the end of a route
    std::vector<Extra> extras;
    // The weight of each node, at least 1, and what counts it: the main
    // resource, or the first extra.
    std::span<const int32_t> weights;
    bool main_is_weight = true;
    // The ng set of each node but the depot, up to 16 nodes, -1 for none.
    MatrixView<const int32_t> near;
    // Whether a route backwards costs and consumes the same, and the main
    // resource is the weight.
    bool is_symmetric = false;

    [[nodiscard]] int64_t num_nodes() const { return steps.num_rows(); }
    [[nodiscard]] int32_t horizon() const { return late[0]; }
    [[nodiscard]] Arc arc(int64_t tail, int64_t head, int64_t cost) const {
        Arc arc{cost, steps(tail, head), {}, static_cast<uint16_t>(head)};
        for (std::size_t k = 0; k < extras.size(); ++k)
            arc.extras[k] = extras[k].steps(tail, head);
        return arc;
    }
    [[nodiscard]] int32_t capacity() const {
        return main_is_weight ? horizon() : extras[0].limit;
    }
};

} // namespace ncc::columns

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

// What vehicles carry, where goods are brought and picked up, or are of
// several kinds.
namespace ncc::fleets {

// A part of a route in one dimension of load: what comes along from the depot
// for it, by how much the load changes on it, and by how much it rises at
// most.
//
// G. Hiermann, M. Schiffer (2026), European Journal of Operational Research,
// doi 10.1016/j.ejor.2026.01.037.
struct LoadSegment {
    int64_t brought = 0;
    int64_t change = 0;
    int64_t rise = 0;

    // Returns the largest load on the way.
    [[nodiscard]] int64_t largest() const { return brought + rise; }

    bool operator==(const LoadSegment&) const = default;
};

inline LoadSegment join(const LoadSegment& first, const LoadSegment& second) {
    return {first.brought + second.brought, first.change + second.change,
            std::max(first.rise, first.change + second.rise)};
}

inline LoadSegment load_of(int64_t delivery, int64_t pickup) {
    const int64_t change = pickup - delivery;
    return {delivery, change, std::max<int64_t>(0, change)};
}

// Loads of all nodes, a row for each: none where a sum of demands says all.
struct StopLoads {
    int64_t num_dimensions = 0;
    std::vector<LoadSegment> stops;  // (n + 1, dimensions)
    std::vector<int64_t> capacities; // (types, dimensions)
    // (types, dimensions): on board at first.
    std::vector<LoadSegment> starts;

    [[nodiscard]] bool is_any() const { return num_dimensions > 0; }

    [[nodiscard]] std::span<const LoadSegment> of(int64_t node) const {
        return std::span(stops).subspan(node * num_dimensions, num_dimensions);
    }

    // Returns what a vehicle of a type has on board when it starts.
    [[nodiscard]] LoadSegment start_of(int64_t type, int64_t idx) const {
        return starts[(type * num_dimensions) + idx];
    }

    [[nodiscard]] std::span<const int64_t> capacity_of(int64_t type) const {
        return std::span(capacities)
            .subspan(type * num_dimensions, num_dimensions);
    }
};

} // namespace ncc::fleets

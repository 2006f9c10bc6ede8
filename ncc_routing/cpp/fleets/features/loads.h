#pragma once

#include "arrays.h"
#include "fleets/features/feature.h"

#include <algorithm>
#include <array>
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

// Loads of all nodes, a row for each: none where a sum of demands says all.
struct StopLoads : ProblemFeature {
    static constexpr const char* name = "StopLoads";
    static constexpr std::array arguments{"deliveries", "pickups",
                                          "capacities", "initial"};
    static StopLoads make(MatrixView<const int64_t> deliveries,
                          MatrixView<const int64_t> pickups,
                          MatrixView<const int64_t> capacities,
                          MatrixView<const int64_t> initial);

    int64_t num_dimensions = 0;
    std::vector<LoadSegment> stops;  // (n + 1, dimensions)
    std::vector<int64_t> capacities; // (types, dimensions)
    // (types, dimensions): on board at first.
    std::vector<LoadSegment> starts;
    // Nothing is picked up, or loaded on the way: most is on board at first.
    bool are_sums = false;

    void complete(const FleetProblem& problem);

    [[nodiscard]] bool is_any() const { return num_dimensions > 0; }
    [[nodiscard]] bool fits(int64_t num_nodes, int64_t num_types) const;

    // Whether a vehicle can carry what the nodes need on the way.
    [[nodiscard]] bool judge(const FleetProblem& problem,
                             std::span<const uint32_t> path, int64_t type,
                             PathTotals&) const;

    [[nodiscard]] std::span<const LoadSegment> of(int64_t node) const {
        return std::span(stops).subspan(node * num_dimensions, num_dimensions);
    }

    // Returns how much room a node takes, in all dimensions.
    [[nodiscard]] int64_t size_of(int64_t node) const {
        int64_t size = 0;
        for (const LoadSegment& load : of(node))
            size += load.largest();
        return size;
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

// How much more fits into vehicles, where loads are sums.
class SpareLoads : public Feature {
public:
    static constexpr bool counts_customers = true;

    explicit SpareLoads(const FleetProblem& problem);

    [[nodiscard]] bool is_any() const { return num_dimensions_ > 0; }

    void begin(const FleetSearch& search);

    void count(FleetSearch&, uint32_t customer, uint32_t route, int change) {
        count(customer, route, change);
    }

    [[nodiscard]] bool can_carry(uint32_t customer, uint32_t route) const {
        for (int64_t idx = 0; idx < num_dimensions_; ++idx)
            if (loads_.of(customer)[idx].brought >
                spare_[(route * num_dimensions_) + idx])
                return false;
        return true;
    }

    void check(const FleetSearch& search) const;

private:
    void count(uint32_t customer, uint32_t route, int change) {
        for (int64_t idx = 0; idx < num_dimensions_; ++idx)
            spare_[(route * num_dimensions_) + idx] -=
                change * loads_.of(customer)[idx].brought;
    }

    const StopLoads& loads_;
    int64_t num_dimensions_;
    std::vector<int64_t> spare_; // (routes, dimensions)
};

// What vehicles carry up to each node, and from it on, where loads are no
// sums.
class CarriedLoads : public Feature {
public:
    explicit CarriedLoads(const FleetProblem& problem);

    [[nodiscard]] bool is_any() const { return num_dimensions_ > 0; }

    void schedule(FleetSearch& search, uint32_t route);

    [[nodiscard]] std::span<const LoadSegment> head_of(uint32_t node) const {
        return std::span(heads_).subspan(node * num_dimensions_,
                                         num_dimensions_);
    }
    [[nodiscard]] std::span<const LoadSegment> tail_of(uint32_t node) const {
        return std::span(tails_).subspan(node * num_dimensions_,
                                         num_dimensions_);
    }

    // Whether a vehicle of a type can carry all with a customer between two
    // nodes.
    [[nodiscard]] bool can_carry(const FleetProblem& problem, int64_t type,
                                 uint32_t before, uint32_t customer,
                                 uint32_t after) const;

private:
    int64_t num_dimensions_;
    // (nodes, dimensions); nothing behind the end of a route.
    std::vector<LoadSegment> heads_;
    std::vector<LoadSegment> tails_;
};

} // namespace ncc::fleets

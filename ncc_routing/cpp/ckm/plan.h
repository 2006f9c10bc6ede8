#pragma once

#include "ckm/penalties.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::ckm {

// Clusters of customers with the costs of their routes and penalties. Each is
// in a slot; a slot without customers is free.
class Plan {
public:
    Plan(int64_t num_slots, int64_t num_nodes)
        : members_(num_slots), loads_(num_slots, 0), costs_(num_slots, 0.0),
          slot_of_(num_nodes, -1) {}

    [[nodiscard]] int64_t num_slots() const { return std::ssize(members_); }
    [[nodiscard]] int64_t num_nodes() const { return std::ssize(slot_of_); }

    // The slot of a customer, -1 while it is in no cluster.
    [[nodiscard]] int64_t slot_of(int64_t node) const {
        return slot_of_[node];
    }
    [[nodiscard]] std::span<const int64_t> members(int64_t slot) const {
        return members_[slot];
    }
    [[nodiscard]] int64_t size(int64_t slot) const {
        return std::ssize(members_[slot]);
    }
    [[nodiscard]] bool is_free(int64_t slot) const {
        return members_[slot].empty();
    }
    [[nodiscard]] int64_t load(int64_t slot) const { return loads_[slot]; }
    [[nodiscard]] double cost(int64_t slot) const { return costs_[slot]; }
    [[nodiscard]] std::span<const double> costs() const { return costs_; }

    // Takes the customers out of a slot; their own slots stay until they are
    // put elsewhere.
    void clear(int64_t slot) { members_[slot].clear(); }

    void put(int64_t node, int64_t slot) {
        members_[slot].push_back(node);
        slot_of_[node] = static_cast<int32_t>(slot);
    }
    void set_totals(int64_t slot, int64_t load, double cost) {
        loads_[slot] = load;
        costs_[slot] = cost;
    }

    // Adds the penalty of each cluster to its cost.
    void add_penalties(const ClusterPenalties& penalties);

    // Takes the clusters of a plan with as many slots, and nothing else of it.
    void copy_clusters(const Plan& other) { members_ = other.members_; }

private:
    std::vector<std::vector<int64_t>> members_;
    std::vector<int64_t> loads_;
    std::vector<double> costs_;
    std::vector<int32_t> slot_of_;
};

} // namespace ncc::ckm

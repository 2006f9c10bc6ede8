#pragma once

#include "arrays.h"
#include "ckm/plan.h"
#include "ckm/pricing.h"
#include "ckm/problem.h"
#include "clustering/centers.h"
#include "clustering/partition.h"
#include "clustering/priority.h"
#include "random.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::ckm {

// The customers of a few neighbouring clusters of a plan, or of none yet, and
// a new clustering of them. The buffers serve one region after another.
class Region {
public:
    // Has room for so many customers and clusters. The problem stays its
    // owner's.
    Region(const Problem& problem, int64_t max_points, int64_t max_clusters);

    [[nodiscard]] int64_t num_nodes() const { return problem_->num_nodes(); }
    [[nodiscard]] int64_t max_points() const { return std::ssize(nodes_); }
    [[nodiscard]] int64_t max_clusters() const {
        return std::ssize(capacities_);
    }

    // Begins with customers that are in no cluster.
    void take(std::span<const int64_t> customers);

    // Begins with the customers of the clusters around a customer, nearest
    // first; those of its neighbours are added while there is room.
    void gather(const Plan& plan, int64_t center, int64_t max_slots);

    [[nodiscard]] int64_t num_points() const { return num_points_; }

    // The slots that the customers come from.
    [[nodiscard]] std::span<const int64_t> slots() const { return slots_; }

    // Chooses first centers among the customers.
    void seed_centers(clustering::Seeding rule, int64_t num_clusters,
                      NumpyGenerator& rng);

    // Takes the means of the old clusters as first centers, and disturbs
    // them.
    void disturb_centers(const Plan& plan, int64_t num_clusters,
                         NumpyGenerator& rng);

    // Runs capacitated k-means from the first centers on; returns whether
    // every customer fits.
    bool cluster(const clustering::PriorityFormula& formula,
                 int64_t num_rounds, double weight_power);

    // The demand of the customers without a cluster.
    [[nodiscard]] int64_t unplaced_demand() const;

    // The change of the sum of squared loads, in loads of a vehicle. That sum
    // grows when room is moved from a fuller to an emptier cluster.
    [[nodiscard]] double gain_in_fullness(const Plan& plan) const;

    // The cost of the new clusters, or infinity beyond a limit.
    double price(RoutePricer& pricer, double limit);

    // Writes the new clusters into the plan, in place of the old ones;
    // returns false, and changes nothing, where it has too few slots.
    bool replace(Plan& plan);

private:
    const Problem* problem_;

    // The customers: the first `num_points_` of each.
    int64_t num_points_ = 0;
    std::vector<int64_t> nodes_;
    std::vector<double> coords_;
    std::vector<double> weights_;
    std::vector<int64_t> labels_;
    std::vector<int32_t> point_of_; // of each node, -1 outside
    std::vector<int64_t> slots_;

    // The new clusters: the first `num_clusters_` of each.
    int64_t num_clusters_ = 0;
    std::vector<double> capacities_;
    std::vector<double> loads_;
    std::vector<double> costs_;
    std::vector<double> centers_;
    std::vector<int64_t> medoids_;

    std::vector<double> scores_;
    std::vector<int64_t> members_; // of one cluster
    clustering::Workspace work_;

    void clear();
    void add(std::span<const int64_t> customers);

    [[nodiscard]] clustering::Points points() const;
    MatrixView<double> centers();
};

} // namespace ncc::ckm

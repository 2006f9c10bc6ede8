#pragma once

#include "ckm/plan.h"
#include "ckm/pricing.h"
#include "ckm/problem.h"
#include "ckm/region.h"
#include "random.h"

#include <cstdint>
#include <span>

// Cluster first, route second: capacitated k-means on a whole block of
// customers, then on regions of neighbouring clusters, under simulated
// annealing on the length of the routes.
namespace ncc::ckm {

// Clusters customers that are in no cluster yet, by ckm++ seeds and rounds of
// k-means; returns the demand that fits nowhere.
//
// Where it is above 0, the plan is as before. The regret of a customer is
// multiplied by its demand to `weight_power`.
int64_t cluster_block(Plan& plan, RoutePricer& pricer, Region& region,
                      std::span<const int64_t> customers, int64_t num_clusters,
                      int64_t num_rounds, double weight_power,
                      NumpyGenerator& rng);

// How a trial is drawn; `CkmParams` of vrp/ckm/search.py says what they mean.
struct TrialParams {
    int64_t max_clusters = 0;
    int64_t max_rounds = 0;
    double fewer_share = 0.0;
    double more_share = 0.0;
    double max_detour_share = 0.0;
    double max_weight_power = 0.0;
    double fullness_bonus = 0.0;
};

// Clusters regions of a plan anew, again and again, and keeps the best plan.
class RegionSearch {
public:
    // The plan and the pricer stay their owner's; `cost` is that of the plan.
    // A region has room for `max_points` customers.
    RegionSearch(Plan& plan, RoutePricer& pricer, const TrialParams& params,
                 int64_t max_points, double cost);

    // Tries regions; `temperature` is the mean of the worsening that one may
    // cost.
    void run(double temperature, int64_t num_trials, NumpyGenerator& rng);

    [[nodiscard]] double cost() const { return cost_; }
    [[nodiscard]] double best_cost() const { return best_cost_; }

    // The best clusters; their loads and costs are not kept.
    [[nodiscard]] const Plan& best() const { return best_; }

private:
    const Problem* problem_;
    Plan* plan_;
    RoutePricer* pricer_;
    TrialParams params_;
    Region region_;
    Plan best_;
    double cost_;
    double best_cost_;

    double try_region(double temperature, NumpyGenerator& rng);
};

} // namespace ncc::ckm

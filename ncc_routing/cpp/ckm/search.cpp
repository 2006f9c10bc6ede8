#include "ckm/search.h"

#include <algorithm>
#include <cmath>

namespace ncc::ckm {

namespace {

using clustering::Seeding;

// Relative gain from which on a plan is a new best one: less is rounding.
constexpr double improvement = 1e-9;

// Chooses first centers: seeded afresh, or the present ones disturbed.
void choose_centers(Region& region, const Plan& plan, int64_t num_clusters,
                    NumpyGenerator& rng) {
    const double draw = rng.unit();
    if (draw < 0.25)
        region.seed_centers(Seeding::Ckm, num_clusters, rng);
    else if (draw < 0.5)
        region.seed_centers(Seeding::KMeans, num_clusters, rng);
    else
        region.disturb_centers(plan, num_clusters, rng);
}

#ifdef NCC_DEBUG
// Whether the clusters cost as much as claimed, and carry their loads.
bool agrees(const Plan& plan, const Problem& problem, double cost) {
    double total = 0.0;
    for (int64_t slot = 0; slot < plan.num_slots(); ++slot) {
        if (plan.is_free(slot))
            continue;
        int64_t load = 0;
        for (const int64_t i : plan.members(slot)) {
            load += problem.demands[i];
            NCC_CHECK(plan.slot_of(i) == slot);
        }
        NCC_CHECK(load == plan.load(slot) && load <= problem.capacity);
        total += plan.cost(slot);
    }
    return std::abs(total - cost) <= 1e-6 * std::abs(total);
}
#endif

} // namespace

int64_t cluster_block(Plan& plan, RoutePricer& pricer, Region& region,
                      std::span<const int64_t> customers, int64_t num_clusters,
                      int64_t num_rounds, double weight_power,
                      NumpyGenerator& rng) {
    region.take(customers);
    region.seed_centers(Seeding::Ckm, num_clusters, rng);
    if (!region.cluster(pricer.problem().formula, num_rounds, weight_power))
        return region.unplaced_demand();
    region.price(pricer, infinity);
    [[maybe_unused]] const bool has_slots = region.replace(plan);
    NCC_CHECK(has_slots);
    return 0;
}

RegionSearch::RegionSearch(Plan& plan, RoutePricer& pricer,
                           const TrialParams& params, int64_t max_points,
                           double cost)
    : problem_(&pricer.problem()), plan_(&plan), pricer_(&pricer),
      params_(params),
      // A trial may use one cluster more than it takes.
      region_(*problem_, max_points, params.max_clusters + 1), best_(plan),
      cost_(cost), best_cost_(cost) {}

void RegionSearch::run(double temperature, int64_t num_trials,
                       NumpyGenerator& rng) {
    for (int64_t trial = 0; trial < num_trials; ++trial) {
        cost_ += try_region(temperature, rng);
        if (cost_ < best_cost_ * (1.0 - improvement)) {
            best_cost_ = cost_;
            best_.copy_clusters(*plan_);
        }
    }
}

// Clusters one random region anew; returns the accepted change of the cost.
//
// The new clusters replace the old ones where the routes do not get longer by
// more than an exponential draw of mean `temperature`, and by more still
// where the loads get more uneven: free room in one place is what saves a
// route later. One cluster more must not make them longer at all.
double RegionSearch::try_region(double temperature, NumpyGenerator& rng) {
    const int64_t center = 1 + rng.below(problem_->num_nodes() - 1);
    const int64_t max_slots = 2 + rng.below(params_.max_clusters - 1);
    region_.gather(*plan_, center, max_slots);
    const int64_t size = region_.num_points();
    if (size == 0)
        return 0.0;
    const int64_t num_slots = std::ssize(region_.slots());
    int64_t load = 0;
    double before = 0.0;
    for (const int64_t slot : region_.slots()) {
        load += plan_->load(slot);
        before += plan_->cost(slot);
    }
    const int64_t capacity = problem_->capacity;
    const int64_t fewest = (load + capacity - 1) / capacity;
    int64_t num_clusters = num_slots;
    if (fewest < num_slots && rng.unit() < params_.fewer_share)
        num_clusters = std::max(int64_t{1}, fewest);
    else if (num_slots < size && rng.unit() < params_.more_share)
        ++num_clusters;
    choose_centers(region_, *plan_, num_clusters, rng);
    const double share = rng.unit() * params_.max_detour_share;
    const int64_t num_rounds = 1 + rng.below(params_.max_rounds);
    const double weight_power = rng.unit() * params_.max_weight_power;
    if (!region_.cluster(problem_->formula.with_detour(share), num_rounds,
                         weight_power))
        return 0.0;
    double limit = before;
    if (num_clusters <= num_slots)
        limit -= temperature * std::log(1.0 - rng.unit());
    limit += temperature * params_.fullness_bonus *
             region_.gain_in_fullness(*plan_);
    const double after = region_.price(*pricer_, limit);
    if (after > limit || !region_.replace(*plan_))
        return 0.0;
    NCC_CHECK(agrees(*plan_, *problem_, cost_ + (after - before)));
    return after - before;
}

} // namespace ncc::ckm

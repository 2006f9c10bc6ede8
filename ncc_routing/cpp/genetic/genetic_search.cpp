#include "genetic/genetic_search.h"

#include <numeric>

namespace ncc::genetic {

GeneticSearch::GeneticSearch(const Problem& problem, uint32_t max_routes,
                             double penalty, uint64_t seed,
                             const Params& params)
    : params_(params), rng_(seed), routes_(problem, max_routes),
      split_(problem, max_routes), local_search_(problem, max_routes),
      crossover_(problem.num_nodes()), population_(problem, params, penalty),
      tour_(problem.num_nodes() - 1) {
    std::iota(tour_.begin(), tour_.end(), 1U);
}

void GeneticSearch::add(std::span<const uint32_t> nodes,
                        std::span<const int64_t> starts) {
    routes_.load(nodes, starts);
    local_search_.improve(routes_, population_.penalty(), rng_);
    population_.add(routes_);
}

void GeneticSearch::make_tour() {
    if (num_offspring_ < params_.num_founders) {
        shuffle(tour_, rng_);
        return;
    }
    population_.update_fitness();
    const Individual& first = population_.select_parent(rng_);
    const Individual& second = population_.select_parent(rng_);
    crossover_.cross(first.tour, second.tour, rng_, tour_);
}

bool GeneticSearch::make_offspring() {
    make_tour();
    split_.cut(tour_, population_.penalty(), routes_);
    local_search_.improve(routes_, population_.penalty(), rng_);
    bool is_best = population_.add(routes_);
    const bool is_feasible = routes_.measure().excess == 0;
    population_.adapt_penalty(is_feasible);
    if (!is_feasible && rng_.unit() < params_.repair_share) {
        local_search_.improve(
            routes_, params_.repair_factor * population_.penalty(), rng_);
        if (routes_.measure().excess == 0)
            is_best |= population_.add(routes_);
    }
    return is_best;
}

void GeneticSearch::evolve(int64_t num_offspring) {
    for (int64_t born = 0; born < num_offspring; ++born) {
        const bool is_best = make_offspring();
        ++num_offspring_;
        num_idle_ = is_best ? 0 : num_idle_ + 1;
        if (num_idle_ >= params_.max_idle) {
            population_.clear();
            num_offspring_ = 0;
            num_idle_ = 0;
        }
    }
}

} // namespace ncc::genetic

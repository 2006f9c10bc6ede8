#pragma once

#include "genetic/crossover.h"
#include "genetic/linked_routes.h"
#include "genetic/local_search.h"
#include "genetic/params.h"
#include "genetic/population.h"
#include "genetic/split.h"
#include "random.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::genetic {

// Makes offspring, shortens them and lets them join the population.
class GeneticSearch {
public:
    // No solution has more than `max_routes` routes; `penalty` is the first
    // cost of a unit of load above the capacity; `seed` is not 0.
    GeneticSearch(const Problem& problem, uint32_t max_routes, double penalty,
                  uint64_t seed, const Params& params);

    // Lets routes from elsewhere join, as short as they get: all customers,
    // as `LinkedRoutes::load` takes them.
    void add(std::span<const uint32_t> nodes, std::span<const int64_t> starts);

    // Makes some offspring.
    void evolve(int64_t num_offspring);

    [[nodiscard]] const Problem& problem() const { return *routes_.problem; }
    [[nodiscard]] uint32_t max_routes() const { return routes_.num_slots; }
    [[nodiscard]] const Population& population() const { return population_; }

    // Offspring since the population last began.
    [[nodiscard]] int64_t num_offspring() const { return num_offspring_; }

private:
    // Makes the next tour: a random one, or of two parents.
    void make_tour();

    // Makes one offspring. Returns whether it is the shortest so far.
    bool make_offspring();

    Params params_;
    Xorshift rng_;
    LinkedRoutes routes_;
    Split split_;
    LocalSearch local_search_;
    OrderCrossover crossover_;
    Population population_;
    std::vector<uint32_t> tour_; // the giant tour of the offspring
    int64_t num_offspring_ = 0;
    int64_t num_idle_ = 0; // offspring since the last improvement
};

} // namespace ncc::genetic

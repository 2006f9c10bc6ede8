#pragma once

#include "arrays.h"
#include "genetic/linked_routes.h"
#include "genetic/params.h"
#include "random.h"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ncc::genetic {

struct Individual {
    std::vector<uint32_t> tour; // all customers, route by route
    // Successor and predecessor of each customer, 0 for the depot.
    std::vector<uint32_t> next;
    std::vector<uint32_t> prev;
    double length = 0.0;
    int64_t excess = 0;   // load above the capacity
    double fitness = 0.0; // the lower the better
};

// Solutions within the capacity and others: who stays, by cost and by what it
// adds.
// T. Vidal, T. Crainic, M. Gendreau, N. Lahrichi, W. Rei (2012). A hybrid
// genetic algorithm for multidepot and periodic vehicle routing problems.
// Operations Research 60(3).
class Population {
public:
    enum Kind : std::size_t { Feasible, Infeasible };

    // `penalty` is the first cost of a unit of load above the capacity.
    Population(const Problem& problem, const Params& params, double penalty);

    // Lets routes join. Returns whether they are the shortest feasible ones
    // so far.
    bool add(LinkedRoutes& routes);

    // Reckons the fitness of all members, for `select_parent`.
    void update_fitness();

    // The fitter one of two random members.
    [[nodiscard]] const Individual& select_parent(Xorshift& rng) const;

    // Counts a feasible or an infeasible offspring, and changes the penalty
    // now and then, so that the share of the feasible ones is as wanted.
    void adapt_penalty(bool is_feasible);

    // Drops all members; the best solution stays known.
    void clear();

    [[nodiscard]] double penalty() const { return penalty_; }

    // The length of the shortest feasible routes so far, else infinity.
    [[nodiscard]] double best_length() const { return best_.length; }

    // These routes, none if there are no feasible ones.
    [[nodiscard]] std::vector<std::vector<uint32_t>> best_routes() const;

    [[nodiscard]] std::size_t size(Kind kind) const {
        return members_[kind].size();
    }

    [[nodiscard]] std::size_t num_customers() const {
        return pool_[0].tour.size();
    }

    // A member, the cheapest of its kind first.
    [[nodiscard]] const Individual& member(Kind kind,
                                           std::size_t place) const {
        return pool_[members_[kind][place]];
    }

    // How many edges of one member another one of its kind has not.
    [[nodiscard]] int32_t distance(Kind kind, std::size_t place,
                                   std::size_t other) const {
        return distances_of(members_[kind][place])[members_[kind][other]];
    }

private:
    // A row of the pool of individuals.
    using Row = uint32_t;

    [[nodiscard]] double cost_of(Row row) const {
        return pool_[row].length +
               penalty_ * static_cast<double>(pool_[row].excess);
    }
    [[nodiscard]] std::span<int32_t> distances_of(Row row) {
        return std::span(distances_).subspan(row * pool_.size(), pool_.size());
    }
    [[nodiscard]] std::span<const int32_t> distances_of(Row row) const {
        return std::span(distances_).subspan(row * pool_.size(), pool_.size());
    }

    // Moves a member to where its cost belongs among those before it.
    void sink(Kind kind, std::size_t place);

    void update_fitness(Kind kind);

    // Minus the mean distance of a member to the nearest others of its kind.
    [[nodiscard]] double closeness_of(Kind kind, std::size_t place);

    void drop(Kind kind, std::size_t place);

    // Drops the worst member, a double of another one before all.
    void drop_worst(Kind kind);

    [[nodiscard]] bool is_double(Kind kind, std::size_t place) const;

    void change_penalty(double factor);

    Params params_;
    double penalty_;
    std::vector<Individual> pool_;
    std::vector<int32_t> distances_; // between all rows, within their kinds
    std::array<std::vector<Row>, 2> members_;
    std::vector<Row> free_; // unused rows of the pool
    Individual best_;
    int64_t num_watched_ = 0; // offspring since the last change of the penalty
    int64_t num_feasible_ = 0; // how many of them were feasible
    std::vector<int32_t> close_;
    std::vector<std::pair<double, std::size_t>> ranked_;
};

} // namespace ncc::genetic

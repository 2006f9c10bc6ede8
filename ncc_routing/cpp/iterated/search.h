#pragma once

#include "iterated/acceptance.h"
#include "iterated/best_moves.h"
#include "iterated/cheapest_positions.h"
#include "iterated/judges.h"
#include "iterated/params.h"
#include "iterated/routes.h"
#include "random.h"
#include "search/problem.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

// An iterated local search in the infeasible space: customers are removed and
// inserted regardless of the loads; moves from overloaded routes to others
// repair these, and moves that shorten the routes follow. With partners, some
// iterations take edges over from them instead.
//
// V. Máximo, J.-F. Cordeau, M. Nascimento (2024). AILS-II: an adaptive
// iterated local search heuristic for the large-scale capacitated vehicle
// routing problem. INFORMS Journal on Computing 36(4).
namespace ncc::iterated {

// The search, whatever its lengths.
class Search {
public:
    virtual ~Search() = default;

    // Runs iterations while the progress in [0, 1] goes from one value to
    // another.
    virtual void iterate(int64_t num_iterations, double begin, double end) = 0;

    // Adds other routes of the same customers, whose edges it may take over;
    // asymmetric lengths allow none.
    virtual void add_partner(std::span<const uint32_t> customers,
                             std::span<const int64_t> starts) = 0;

    [[nodiscard]] virtual double cost() const = 0;
    [[nodiscard]] virtual double best_cost() const = 0;
    [[nodiscard]] virtual int64_t num_iterations() const = 0;
    [[nodiscard]] virtual search::RouteList current_routes() const = 0;
    [[nodiscard]] virtual search::RouteList best_routes() const = 0;
};

// Begins with the routes of which r has the `customers` from starts[r] to
// starts[r + 1]; all other customers stay absent. There are at most
// `num_slots` routes.
std::unique_ptr<Search> make_search(const search::RoutingProblem& problem,
                                    const Params& params,
                                    std::span<const uint32_t> customers,
                                    std::span<const int64_t> starts,
                                    int64_t num_slots, uint64_t seed);

} // namespace ncc::iterated

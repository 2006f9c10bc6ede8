#pragma once

#include "fleets/search.h"

#include <algorithm>
#include <cstdint>

// Customers whom nobody has to serve leave their routes.
namespace ncc::fleets {

// Leaves out those of the touched routes who cost more than their prize, one
// by one or some in a row; the order of the others stays.
//
// A trip of fixed order serves the best of its customers at the cost of a
// shortest path: T. Vidal, N. Maculan, L. S. Ochi, P. H. V. Penna (2016).
// Large neighborhoods with implicit customer selection for vehicle routing
// problems with profits. Transportation Science 50(2).
void drop_customers(FleetSearch& search);

// Removes all that a ruin left on one of its routes, now and then; returns
// whether it did.
bool remove_route(FleetSearch& search);

// By how much prizes are raised for each unit of the temperature above its
// end.
struct PrizeRise {
    double per_unit = 0.0;
    double end_temperature = 0.0;

    [[nodiscard]] double factor(double temperature) const {
        return 1.0 + per_unit * std::max(0.0, temperature - end_temperature);
    }
};

// Anneals as `search::anneal`, with prizes that follow the temperature.
int64_t anneal_with_prizes(FleetSearch& search, int64_t num_iterations,
                           double temperature, double cooling,
                           const PrizeRise& rise);

} // namespace ncc::fleets

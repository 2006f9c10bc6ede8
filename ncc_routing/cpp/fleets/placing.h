#pragma once

#include "fleets/search.h"

#include <cstdint>

// Places for customers who have none.
namespace ncc::fleets {

// Looks for places for absent customers, in iterations of one temperature that
// end with the last of them; returns how many are left.
//
// A ruin and recreate is accepted where the customers that it leaves absent
// have been absent more seldom than those before, or where they are no more
// and the cost passes the annealing.
//
// J. Christiaens, G. Vanden Berghe (2020). Slack induction by string removals
// for vehicle routing problems. Transportation Science 54(2).
int64_t place_absent(FleetSearch& search, int64_t num_iterations,
                     double temperature);

// Inserts all absent customers, in one order, but those who cost more than
// their prize; returns how many are left.
int64_t insert_all(FleetSearch& search);

} // namespace ncc::fleets

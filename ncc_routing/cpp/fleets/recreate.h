#pragma once

#include "fleets/search.h"

#include <cstdint>

// Recreate: removed and absent customers come back where they cost least.
namespace ncc::fleets {

// Fills `inserted` with the removed and the absent customers, in a random
// order of the literature; returns how many there are.
int64_t order_customers(FleetSearch& search);

// Inserts customers one by one at the cheapest position; each position is
// overlooked with the probability of a blink.
//
// Returns whether each of the first `num_customers` of `inserted` has a place
// that keeps the cost below `limit`. With `may_miss` those without one are the
// absent ones of now.
bool recreate(FleetSearch& search, const search::SearchParams& params,
              int64_t num_customers, double limit, bool may_miss);

} // namespace ncc::fleets

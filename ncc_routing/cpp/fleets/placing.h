#pragma once

#include "fleets/search.h"

#include <cstdint>
#include <optional>

// Places for customers who have none.
namespace ncc::fleets {

// Looks for places for absent customers, in iterations of one temperature that
// end with the last of them; returns how many are left. `mean_cost` is that of
// a customer.
//
// A ruin and recreate is accepted where all have places, or by its cost, to
// which each absent customer adds a price. With prices the routes remain
// short; the price of a demand lets small customers be absent in place of
// large ones, until they fit.
//
// J. Christiaens, G. Vanden Berghe (2020). Slack induction by string removals
// for vehicle routing problems. Transportation Science 54(2).
int64_t place_absent(FleetSearch& search, int64_t num_iterations,
                     double mean_cost);

// Inserts all absent customers, in one order, but those who cost more than
// their prize; returns how many are left.
//
// With `along_curve` it is that of their numbers. With an `opened_type` no
// vehicle of another type is opened unless nothing else serves a customer: a
// customer alone always costs least on a small one.
int64_t insert_all(FleetSearch& search, bool along_curve = false,
                   std::optional<int64_t> opened_type = std::nullopt);

} // namespace ncc::fleets

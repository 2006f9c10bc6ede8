#pragma once

#include "fleets/search.h"

#include <cstdint>
#include <optional>

// Places for customers who have none.
namespace ncc::fleets {

// Inserts all absent customers, in one order, but those who cost more than
// their prize; returns how many are left.
//
// With `along_curve` it is that of their numbers. With an `opened_type` no
// vehicle of another type is opened unless nothing else serves a customer: a
// customer alone always costs least on a small one.
int64_t insert_all(FleetSearch& search, bool along_curve = false,
                   std::optional<int64_t> opened_type = std::nullopt);

// Removes some customers, and inserts them and the absent ones in one order;
// takes that back where more are absent then.
void insert_again(FleetSearch& search,
                  std::optional<int64_t> opened_type = std::nullopt);

// Forgets absent customers whom nobody has to serve any more: others of their
// groups have places.
void leave_optional(FleetSearch& search);

} // namespace ncc::fleets

#pragma once

#include "fleets/features/limits.h"
#include "fleets/features/loads.h"
#include "fleets/features/order.h"
#include "fleets/features/preferences.h"
#include "fleets/features/preferred.h"
#include "fleets/features/prizes.h"
#include "fleets/features/rules.h"
#include "fleets/features/shift_parts.h"
#include "fleets/features/shift_times.h"
#include "fleets/features/shifts.h"
#include "fleets/features/shipments.h"
#include "fleets/features/steps.h"
#include "fleets/features/trips.h"
#include "fleets/features/waiting.h"
#include "fleets/features/work.h"

#include <tuple>

// All features of problems beyond vehicles and times.
namespace ncc::fleets {

struct ProblemFeatures {
    StopLoads loads; // beside the demands
    Options options;
    Pairs pairs;
    Reloads reloads;
    Rules rules;
    RouteLimits limits;
    PriceSteps steps;
    RouteOrder order;
    Work work;
    WaitingLimits waiting;
    Shifts shifts;
    PreferredWindows preferred;

    template <class Self>
    static auto all(Self& self) {
        return std::tie(self.loads, self.options, self.pairs, self.reloads,
                        self.rules, self.limits, self.steps, self.order,
                        self.work, self.waiting, self.shifts, self.preferred);
    }
};

// Random numbers are drawn in this order.
struct SearchFeatures {
    SearchFeatures(const FleetProblem& problem, search::Penalties penalties_,
                   shapes::HullOverlap overlap);

    Prizes prizes;
    RuleCounts rule_counts;
    RouteSums sums;
    StepAmounts step_amounts;
    const Pairs& pairs;
    Trips trips;
    SpareLoads spare;
    CarriedLoads carried;
    ShiftTimes shift_times;
    ShiftParts shift_parts;
    RoutePenalties penalties;
    Shapes shapes;

    template <class Self>
    static auto all(Self& self) {
        return std::tie(self.prizes, self.rule_counts, self.sums,
                        self.step_amounts, self.pairs, self.trips, self.spare,
                        self.carried, self.shift_times, self.shift_parts,
                        self.penalties, self.shapes);
    }
};

} // namespace ncc::fleets

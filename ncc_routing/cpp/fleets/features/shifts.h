#pragma once

#include "arrays.h"
#include "fleets/features/feature.h"
#include "fleets/visit.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

// What makes the times of a route more than a sum of its parts: customers
// with several windows, and breaks of drivers.
namespace ncc::fleets {

// When something may begin. Arrivals are compared with `limit`, which includes
// the tolerance of rounded sums.
struct Window {
    double early = 0.0;
    double limit = 0.0;
};

// What a driver owes on each route, once: it begins within one of some
// windows, with no more on board than some loads.
struct Break {
    double duration = 0.0;
    std::vector<Window> windows;    // in their order
    std::vector<int64_t> most_load; // (dimensions,); empty for any
};

// What a driver has driven and worked since the last rests, and in all, before
// the rest of a route.
struct HoursSoFar {
    double driven = 0.0; // since a rest
    double worked = 0.0; // since a rest of the least length
    double work = 0.0;   // in all
    double rested = 0.0; // in all
    bool has_first = false;
};

// Limits on driving and work, and the rests between. Those that sums are
// compared with include the tolerance of rounded ones.
struct Hours {
    double driving_block = std::numeric_limits<double>::infinity();
    double rest = 0.0;
    double first_part = 0.0; // 0 with the next one for none
    double second_part = 0.0;
    bool service_counts = false;
    double work_block = std::numeric_limits<double>::infinity();
    double least_rest = 0.0;
    std::vector<double> work_of_rests; // more of it needs the rest in all
    std::vector<double> rests_in_all;

    // What follows: lengths that rests count as, from the longest, none for a
    // type without hours.
    std::vector<double> lengths;

    [[nodiscard]] bool is_any() const { return !lengths.empty(); }

    // Returns the rest in all that some work needs.
    [[nodiscard]] double rest_for(double work) const {
        double needed = 0.0;
        for (std::size_t idx = 0; idx < work_of_rests.size(); ++idx)
            if (work > work_of_rests[idx])
                needed = std::max(needed, rests_in_all[idx]);
        return needed;
    }

    // Whether who drives and works so much has to rest.
    [[nodiscard]] bool needs_rest(double driving, double work,
                                  const HoursSoFar& so_far = {}) const {
        return is_any() && work > 0.0 &&
               (so_far.driven + driving > driving_block ||
                so_far.worked + work > work_block ||
                so_far.rested < rest_for(so_far.work + work));
    }
    void complete();
};

// A way to drive a part of a route: who begins it by `late` ends it at
// max(ready, begin + work). All parts of a route have this form, and so have
// two of them, one after the other.
//
// A. Goel (2012). The minimum duration truck driver scheduling problem. EURO
// Journal on Transportation and Logistics 1(4).
struct Part {
    double late = infinity;
    double ready = -infinity;
    double work = 0.0;
    uint32_t taken = 0; // breaks, by bits

    bool operator==(const Part&) const = default;

    // Returns the least duration from begin to end.
    [[nodiscard]] double duration() const {
        return std::max(ready - late, work);
    }

    [[nodiscard]] bool can_precede(const Part& other) const {
        return ready <= other.late && (taken & other.taken) == 0;
    }
};

inline Part join(const Part& one, const Part& other) {
    return {std::min(one.late, other.late - one.work),
            std::max(other.ready, one.ready + other.work),
            one.work + other.work, one.taken | other.taken};
}

// Returns an arc with a pause on it, whose end leaves what is left.
inline Part with_travel(const Part& pause, double travel) {
    return {pause.late, pause.ready, pause.work + travel, pause.taken};
}

// Returns no break, and all that may follow one another on an arc.
std::vector<Part> pauses_of(std::span<const Break> breaks);

// Several windows of customers, and breaks of vehicles.
struct Shifts : ProblemFeature {
    // Unless loads, hours of service or routes in progress count, or there are
    // many breaks. The earliest and latest times of nodes tell all then or,
    // where durations count, the parts before and behind them do.
    bool judges_paths = true;
    bool raises_totals = true;
    bool joins_parts = false;
    static constexpr const char* name = "Shifts";
    static constexpr std::array arguments{
        "first_window", "early", "limit", "breaks",
        "first_break",  "hours", "so_far"};
    static Shifts
    make(std::vector<int64_t> first_window, std::span<const double> early,
         std::span<const double> limit, std::vector<std::vector<Break>> breaks,
         std::vector<int64_t> first_break, std::vector<Hours> hours,
         std::vector<std::optional<HoursSoFar>> so_far);

    // (n + 2,): where the windows of each node begin; a node with one has
    // none here.
    std::vector<int64_t> first_window;
    std::vector<Window> windows;
    std::vector<std::vector<Break>> breaks; // (types,)
    // (types,): before which stop of a route there may be one, from 0.
    std::vector<int64_t> first_break;
    std::vector<Hours> hours; // (types,)
    // (types,): of drivers whose first stops have known times.
    std::vector<std::optional<HoursSoFar>> so_far;
    // (types,): no break, or some one after another, each in one of its
    // windows, on an arc; what is driven of it comes as soon as it may.
    std::vector<std::vector<Part>> pauses;

    [[nodiscard]] bool is_any() const { return !first_window.empty(); }
    [[nodiscard]] bool fits(int64_t num_nodes, int64_t num_types) const {
        return std::ssize(first_window) == num_nodes + 1 &&
               std::ssize(breaks) == num_types &&
               std::ssize(first_break) == num_types &&
               std::ssize(hours) == num_types &&
               std::ssize(so_far) == num_types;
    }
    void complete(const FleetProblem& problem);

    // Returns the windows of a node that has several.
    [[nodiscard]] std::span<const Window> windows_of(uint32_t node) const {
        const auto first = static_cast<std::size_t>(first_window[node]);
        return std::span(windows).subspan(first,
                                          first_window[node + 1] - first);
    }
    [[nodiscard]] bool has_several(uint32_t node) const {
        return first_window[node] < first_window[node + 1];
    }

    // Returns when a service begins at the earliest, infinite for never.
    [[nodiscard]] double begin_at(uint32_t node, const Visit& visit,
                                  double arrival) const {
        if (!has_several(node))
            return std::max(arrival, visit.early);
        for (const Window& window : windows_of(node))
            if (arrival <= window.limit)
                return std::max(arrival, window.early);
        return infinity;
    }

    // Returns when it begins at the latest by some time, or -infinity.
    [[nodiscard]] double begin_by(uint32_t node, const Visit& visit,
                                  double latest) const {
        if (!has_several(node)) {
            latest = std::min(latest, visit.limit);
            return latest < visit.early ? -infinity : latest;
        }
        const auto own = windows_of(node);
        for (std::size_t idx = own.size(); idx-- > 0;)
            if (own[idx].early <= latest)
                return std::min(latest, own[idx].limit);
        return -infinity;
    }

    // Whether a break may be before one of some stops, by its number; or the
    // end.
    [[nodiscard]] bool may_break(const FleetProblem& problem,
                                 std::span<const uint32_t> stops, int64_t type,
                                 std::size_t number, std::size_t gap) const;

    // Finds the least duration of a route, whatever its start; false where it
    // cannot be driven.
    [[nodiscard]] bool judge(const FleetProblem& problem,
                             std::span<const uint32_t> path, int64_t type,
                             PathTotals& totals) const;

    // Whether a route has breaks, hours of service, or several windows.
    [[nodiscard]] bool reaches_on(const FleetSearch& search, uint32_t node,
                                  uint32_t customer) const;
};

} // namespace ncc::fleets

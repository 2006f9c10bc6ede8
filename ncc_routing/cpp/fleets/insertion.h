#pragma once

#include "always_inline.h"
#include "fleets/paths.h"
#include "fleets/search.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ncc::fleets {

// A place for a customer: two nodes of a route, where they lie in a row of
// distances, and how much longer the way becomes.
struct Gap {
    uint32_t route;
    uint32_t before;
    uint32_t after;
    int64_t tail;
    int64_t head;
    double added;
};

// Returns a cost, or infinity unless a gap suits; without a branch.
inline double cost_if(bool suits, double cost) {
    constexpr std::array least{infinity, -infinity};
    return std::max(cost, least[suits ? 1 : 0]);
}

// What there is in a problem beside lengths. All is asked while it runs, which
// costs 3 %: whether there are times and durations, several loads, overtime,
// rules.
enum class Timing { None, Windows, Durations, All };

// A customer to insert: what it costs behind each node, in O(1).
//
// Where a recreate looks for a position most of its time goes by. What all
// positions have in common is therefore looked up once, and what a problem
// lacks is left out: where vehicles are alike, `has_types` is false, which is
// 3 % faster. `Row` is the type of the lengths of arcs from a place.
template <Timing timing, bool has_types, class Row>
class InsertionCosts {
public:
    InsertionCosts(const FleetSearch& search, uint32_t customer)
        : s_(search), customer_(customer),
          vehicle_(search.problem.vehicles.front()),
          visit_(search.problem.visits[customer]),
          to_(row(search.problem.distances, customer)),
          from_(row(search.problem.distances_back, customer)),
          time_to_(row(search.problem.durations, customer)),
          time_from_(row(search.problem.durations_back, customer)),
          profile_size_(search.problem.distances.profile_size()),
          services_(search.problem.work.is_any()
                        ? search.problem.work.services_at(customer)
                        : nullptr),
          limits_customers_(timing == Timing::All &&
                            search.limits_customers()) {}

    // Looks at the gap behind a node of a route.
    [[nodiscard]] Gap gap_behind(uint32_t route, uint32_t before) const {
        const VehicleType& vehicle = vehicle_of(route);
        const uint32_t after = s_.nodes[before].next;
        const int64_t tail = place(before, vehicle.start, vehicle);
        const int64_t head = place(after, vehicle.end, vehicle);
        return {route, before, after,
                tail,  head,   detour(tail, head, s_.nodes[before].to_next)};
    }

    // Returns a lower bound on the cost in a gap of a route that has room, and
    // is not empty. Infinite where a window or the largest distance is broken.
    //
    // Whether a gap suits is hard to foretell, and a branch for each limit
    // takes longer than all limits together: 8-13 % of the search.
    [[nodiscard]] NCC_ALWAYS_INLINE double bound_in(const Gap& gap) const {
        const VehicleType& vehicle = vehicle_of(gap.route);
        const double cost = cost_without_time(gap, vehicle);
        bool suits = true;
        if (limits_customers_ && !s_.admits(customer_, gap.route))
            return infinity;
        if (s_.problem.limits_distance)
            suits = s_.routes[gap.route].distance + gap.added <=
                    vehicle.max_distance;
        if (timing != Timing::None && is_timed()) {
            const double arrival =
                s_.nodes[gap.before].ready + time_from_[gap.tail];
            const double work = service_in(gap) + time_to_[gap.head];
            suits &= (arrival <= visit_.limit) &
                     (std::max(arrival, visit_.early) + work <=
                      s_.nodes[gap.after].latest);
        }
        // A longer way may take less time.
        if (counts_duration() && prices_duration(vehicle))
            return cost_if(suits, least_cost_in(gap, vehicle, cost, suits));
        return cost_if(suits, cost);
    }

    // Whether the loads on the way leave room in a gap.
    [[nodiscard]] bool has_room(const Gap& gap) const {
        return timing != Timing::All ||
               ((!s_.spare.is_any() ||
                 s_.spare.can_carry(customer_, gap.route)) &&
                (!s_.carried.is_any() ||
                 s_.carried.can_carry(s_.problem,
                                      s_.problem.type_of[gap.route],
                                      gap.before, customer_, gap.after)) &&
                (!s_.sums.is_any() ||
                 s_.sums.has_room(s_, gap.route, gap.before, customer_,
                                  gap.after)));
    }

    // Whether an insertion changes more than what comes before and after it.
    [[nodiscard]] bool changes_trip(const Gap& gap) const {
        return timing == Timing::All && s_.reaches_on(gap.before, customer_);
    }

    // Whether there is a window, and time for breaks, in a gap.
    [[nodiscard]] bool fits_shift(const Gap& gap) const {
        const Shifts& shifts = s_.problem.shifts;
        if (timing != Timing::All || !shifts.is_any() || shifts.judges_paths)
            return true;
        const double there = time_from_[gap.tail];
        const double on = time_to_[gap.head];
        if (s_.shift_times.is_any() &&
            !shifts.breaks[s_.problem.type_of[gap.route]].empty())
            return s_.shift_times.fits(s_, gap.before, customer_, gap.after,
                                       there, on);
        if (!shifts.has_several(customer_))
            return true;
        const double begin = shifts.begin_at(
            customer_, visit_, s_.nodes[gap.before].ready + there);
        return begin + service_in(gap) + on <= s_.nodes[gap.after].latest;
    }

    // Returns the cost in a gap whose bound is below infinity. It is infinite
    // where a limit on durations or loads is broken, and perhaps where it is
    // not below a limit.
    [[nodiscard]] double cost_in(const Gap& gap, double limit) const {
        const VehicleType& vehicle = vehicle_of(gap.route);
        const Route& route = s_.routes[gap.route];
        const double cost = cost_without_time(gap, vehicle);
        if (!has_room(gap) || !fits_shift(gap))
            return infinity;
        if (changes_trip(gap))
            return s_.change_by(gap.route, gap.before, {&customer_, 1});
        double duration = 0.0;
        if (timing == Timing::All && s_.shift_parts.is_any())
            duration = shift_duration_in(gap, vehicle);
        else if (counts_duration())
            duration = duration_in(gap, vehicle, route);
        if (duration == infinity)
            return infinity;
        double total = cost + cost_of_time(vehicle, route, duration);
        if (timing == Timing::All && s_.problem.steps.is_any()) {
            if (total >= limit)
                return infinity;
            total += s_.step_amounts.rise_by(s_, gap.route, gap.before,
                                             customer_, gap.after, gap.added);
        }
        return timing == Timing::All && s_.problem.preferred.is_any()
                   ? cost_of_windows(gap, vehicle, duration, total, limit)
                   : total;
    }

private:
    [[nodiscard]] bool is_timed() const {
        return timing != Timing::All || s_.problem.is_timed;
    }

    [[nodiscard]] bool counts_duration() const {
        return timing == Timing::All ? s_.problem.counts_duration
                                     : timing == Timing::Durations;
    }

    static bool prices_duration(const VehicleType& vehicle) {
        return timing == Timing::All ? vehicle.prices_duration()
                                     : vehicle.duration_cost > 0.0;
    }

    [[nodiscard]] double cost_without_time(const Gap& gap,
                                           const VehicleType& vehicle) const {
        double cost = vehicle.distance_cost * gap.added;
        if (timing == Timing::All && s_.problem.prices_paths)
            cost += s_.sums.price_of(s_, customer_, 0, gap.route);
        return cost;
    }

    // Returns what features price a route at, which is the most that they
    // save.
    static double price_of(const Route& route, const VehicleType& vehicle) {
        return route.cost - vehicle.fixed_cost -
               vehicle.distance_cost * route.distance -
               vehicle.price(route.duration);
    }

    // Returns what a duration costs more than that of the route now.
    [[nodiscard]] double cost_of_time(const VehicleType& vehicle,
                                      const Route& route,
                                      double duration) const {
        if (!counts_duration())
            return 0.0;
        if (timing == Timing::All)
            return vehicle.price(duration, route.duration);
        return vehicle.duration_cost * (duration - route.duration);
    }

    // Returns the cost with that of preferred windows, infinite if it is not
    // below a limit; `total` has all the rest.
    //
    // Where no way is shorter by way of others, a vehicle may keep its times
    // without the customer: what all times cost together does not fall.
    [[nodiscard]] double cost_of_windows(const Gap& gap,
                                         const VehicleType& vehicle,
                                         double duration, double total,
                                         double limit) const {
        const Route& route = s_.routes[gap.route];
        const double now = price_of(route, vehicle);
        const double saved =
            s_.problem.has_short_cuts
                ? now
                : std::min(now, std::max(0.0, cost_of_time(vehicle, route,
                                                           duration)));
        if (total - saved >= limit)
            return infinity;
        // These may have a price as well.
        if (s_.problem.limits.is_any() || s_.problem.steps.is_any())
            return s_.change_by(gap.route, gap.before, {&customer_, 1});
        const auto path = s_.path_with(gap.route, gap.before, {&customer_, 1});
        return total - now +
               s_.problem.preferred.price(s_.problem, path,
                                          s_.problem.type_of[gap.route],
                                          duration, limit - total + now);
    }

    // Returns a lower bound on the cost where durations cost something: that
    // without any waiting, where shifts tell it.
    [[nodiscard]] NCC_ALWAYS_INLINE double
    least_cost_in(const Gap& gap, const VehicleType& vehicle, double cost,
                  bool suits) const {
        if (timing != Timing::All || !s_.shift_parts.is_any() || !suits)
            return -infinity;
        const double work = s_.shift_parts.work_of(s_, gap.route) +
                            time_from_[gap.tail] + service_in(gap) +
                            time_to_[gap.head] -
                            s_.travel_to(s_.nodes[gap.after]);
        const double now = s_.routes[gap.route].duration;
        const bool saves_none = s_.problem.is_metric;
        return cost +
               vehicle.price(saves_none ? std::max(work, now) : work, now);
    }

    // Returns the duration with breaks, or several windows, infinite where it
    // is too long.
    [[nodiscard]] double shift_duration_in(const Gap& gap,
                                           const VehicleType& vehicle) const {
        const double duration = s_.shift_parts.duration_with(
            s_, gap.before, customer_, gap.after, time_from_[gap.tail],
            time_to_[gap.head]);
        return duration > vehicle.max_duration ? infinity : duration;
    }

    // Returns the duration after an insertion in time, infinite where it is
    // too long.
    [[nodiscard]] double duration_in(const Gap& gap,
                                     const VehicleType& vehicle,
                                     const Route& route) const {
        const double there = time_from_[gap.tail];
        const double travel = time_to_[gap.head];
        const double ready = s_.nodes[gap.before].ready;
        const double latest = s_.nodes[gap.after].latest;
        const NodeSegments& start = s_.segments[gap.before];
        const NodeSegments& rest = s_.segments[gap.after];
        const double took = start.head.duration;
        double limit = std::min(visit_.limit - took - there, start.head_limit);
        const DurationSegment way = join({took, ready - took, start.head.late},
                                         there, segment_in(gap));
        limit = std::min(limit, latest - way.duration - travel);
        const double duration =
            join(way, travel, {rest.tail_duration, rest.tail_early, latest})
                .duration;
        if (duration > vehicle.max_duration ||
            std::max(route.release, visit_.release) > limit)
            return infinity;
        return duration;
    }

    // Returns how long the vehicle of a gap serves the customer.
    [[nodiscard]] double service_in(const Gap& gap) const {
        return has_types && services_ != nullptr
                   ? services_[s_.problem.type_of[gap.route]]
                   : visit_.service;
    }

    [[nodiscard]] DurationSegment segment_in(const Gap& gap) const {
        return {service_in(gap), visit_.early, visit_.late};
    }

    [[nodiscard]] Row row(const ArcLengths& arcs, uint32_t customer) const {
        return arcs.row<Row>(has_types ? 0 : vehicle_.profile, customer);
    }

    [[nodiscard]] const VehicleType& vehicle_of(uint32_t route) const {
        return has_types ? s_.vehicle_of(route) : vehicle_;
    }

    // Returns where a node lies in the rows.
    [[nodiscard]] int64_t place(uint32_t node, uint32_t depot,
                                const VehicleType& vehicle) const {
        const int64_t found = s_.is_customer(node) ? node : depot;
        return has_types ? vehicle.profile * profile_size_ + found : found;
    }

    // Returns how much longer a way becomes that had an edge.
    [[nodiscard]] double detour(int64_t tail, int64_t head,
                                double edge) const {
        const double there = from_[tail];
        return there + to_[head] - edge;
    }

    const FleetSearch& s_;
    uint32_t customer_;
    const VehicleType& vehicle_; // of all routes, unless there are types
    const Visit visit_;
    // Of the first profile; the further ones follow.
    Row to_;
    Row from_;
    Row time_to_;
    Row time_from_;
    int64_t profile_size_;
    const double* services_; // by type, where they differ
    bool limits_customers_;
};

// Calls a function with the type of insertion costs that suits a problem.
template <class Function>
decltype(auto) with_costs_of(const FleetProblem& problem, Function function) {
    const auto with_length = [&]<Timing timing, bool has_types> {
        if (problem.distances.has_floats())
            return function.template
            operator()<InsertionCosts<timing, has_types, const float*>>();
        if (problem.distances.has_places())
            return function.template
            operator()<InsertionCosts<timing, has_types, PlaceRow>>();
        return function.template
        operator()<InsertionCosts<timing, has_types, const double*>>();
    };
    const auto with_timing = [&]<bool has_types> {
        if (problem.limits_routes || problem.has_overtime ||
            problem.has_prices)
            return with_length.template operator()<Timing::All, has_types>();
        if (problem.counts_duration)
            return with_length
                .template operator()<Timing::Durations, has_types>();
        if (problem.is_timed)
            return with_length
                .template operator()<Timing::Windows, has_types>();
        return with_length.template operator()<Timing::None, has_types>();
    };
    if (problem.num_types() > 1)
        return with_timing.template operator()<true>();
    return with_timing.template operator()<false>();
}

} // namespace ncc::fleets

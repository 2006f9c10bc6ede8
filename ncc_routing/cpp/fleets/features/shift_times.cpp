#include "fleets/features/shift_times.h"

#include "fleets/search.h"

#include <algorithm>

namespace ncc::fleets {

namespace {

// Where no vehicle has more than one break, the nodes have the times of those
// who have it still to come, and of those who had it, and these the others.

// Returns when the next stop is reached with the break had: on the way, or
// before that.
inline double arrive_with(const std::vector<Part>& pauses, double leave,
                          double had, double travel) {
    for (std::size_t idx = 1; idx < pauses.size(); ++idx) {
        const Part on_way = with_travel(pauses[idx], travel);
        if (leave <= on_way.late) // a later window is no better
            return std::min(had + travel,
                            std::max(on_way.ready, leave + on_way.work));
    }
    return had + travel;
}

// Returns when a stop is left at the latest with the break to come: on the
// way, or behind the next stop.
inline double leave_with(const std::vector<Part>& pauses, double latest,
                         double to_come, double travel) {
    for (std::size_t idx = pauses.size() - 1; idx > 0; --idx) {
        const Part on_way = with_travel(pauses[idx], travel);
        if (on_way.ready <= latest)
            return std::max(to_come - travel,
                            std::min(on_way.late, latest - on_way.work));
    }
    return to_come - travel;
}

inline double ready_at(const FleetSearch& s, uint32_t node, double arrival,
                       double service) {
    const Visit& visit = s.visit_of(node);
    return arrival <= visit.limit
               ? s.problem.shifts.begin_at(node, visit, arrival) + service
               : infinity;
}

// Changes a time; returns whether it is another one.
inline bool renew(FleetSearch& s, double& own, double value) {
    if (own == value)
        return false;
    s.change(own, value);
    return true;
}

} // namespace

ShiftTimes::ShiftTimes(const FleetProblem& problem) : problem_(problem) {
    const Shifts& shifts = problem.shifts;
    // Without any closing, breaks come first on any route.
    if (!shifts.is_any() || !problem.is_timed || shifts.judges_paths ||
        shifts.joins_parts)
        return;
    for (const auto& own : shifts.breaks)
        num_sets_ = std::max(num_sets_, std::size_t{1} << own.size());
    NCC_CHECK(num_sets_ <= most_sets);
    if (!is_any())
        return;
    const auto num_nodes = static_cast<std::size_t>(problem.num_nodes());
    const auto num_routes = static_cast<std::size_t>(problem.num_routes());
    num_times_ = is_one() ? 1 : num_sets_;
    ready_.assign((num_nodes + num_routes) * num_times_, infinity);
    latest_.assign(ready_.size(), -infinity);
    if (is_one())
        return;
    for (std::size_t route = 0; route < num_routes; ++route) {
        const auto idx = static_cast<int64_t>(route);
        const VehicleType& vehicle = problem.vehicle_of(idx);
        const auto& own = shifts.breaks[problem.type_of[route]];
        const std::size_t place = (num_nodes + route) * num_sets_;
        ready_[place] = vehicle.start_early + vehicle.start_duration;
        latest_[place + (std::size_t{1} << own.size()) - 1] = vehicle.end_late;
    }
}

ShiftTimes::Times ShiftTimes::serve(const FleetSearch& s, uint32_t node,
                                    const Times& leave, double travel,
                                    double service,
                                    const std::vector<Part>& pauses) const {
    Times found;
    found.fill(infinity);
    for (const Part& pause : pauses) {
        const Part on_way = with_travel(pause, travel);
        for (std::size_t set = 0; set < num_sets_; ++set)
            if ((set & pause.taken) == 0 && leave[set] <= on_way.late) {
                double& own = found[set | pause.taken];
                own = std::min(
                    own, std::max(on_way.ready, leave[set] + on_way.work));
            }
    }
    for (std::size_t set = 0; set < num_sets_; ++set)
        found[set] = ready_at(s, node, found[set], service);
    return found;
}

ShiftTimes::Times ShiftTimes::leave_by(uint32_t after, double travel,
                                       const std::vector<Part>& pauses) const {
    Times found;
    found.fill(-infinity);
    const double* latest = &latest_[after * num_sets_];
    for (const Part& pause : pauses) {
        const Part on_way = with_travel(pause, travel);
        for (std::size_t set = 0; set < num_sets_; ++set) {
            const double by = latest[set | pause.taken];
            if ((set & pause.taken) == 0 && on_way.ready <= by)
                found[set] = std::max(found[set],
                                      std::min(on_way.late, by - on_way.work));
        }
    }
    return found;
}

bool ShiftTimes::set(FleetSearch& s, std::vector<double>& of, uint32_t node,
                     const Times& found) {
    bool is_other = false;
    for (std::size_t set = 0; set < num_sets_; ++set) {
        double& own = of[(node * num_sets_) + set];
        if (own == found[set])
            continue;
        s.change(own, found[set]);
        is_other = true;
    }
    return is_other;
}

void ShiftTimes::push_forward(FleetSearch& s, uint32_t route, uint32_t first,
                              bool is_new) {
    const auto& pauses = problem_.shifts.pauses[problem_.type_of[route]];
    if (is_one()) {
        double leave = s.nodes[s.nodes[first].prev].ready;
        double had = ready_[s.nodes[first].prev];
        for (uint32_t idx = first; s.is_customer(idx);) {
            Node& node = s.nodes[idx];
            const double travel = s.travel_to(node);
            const double with = arrive_with(pauses, leave, had, travel);
            const double service = s.visit_of(idx).service;
            leave = ready_at(s, idx, leave + travel, service);
            had = ready_at(s, idx, with, service);
            bool is_other = renew(s, node.ready, leave);
            is_other |= renew(s, ready_[idx], had);
            if (!is_other && idx != first && !is_new)
                return;
            idx = node.next;
        }
        return;
    }
    Times leave = times(ready_, s.nodes[first].prev);
    for (uint32_t node = first; s.is_customer(node);
         node = s.nodes[node].next) {
        leave = serve(s, node, leave, s.travel_to(s.nodes[node]),
                      s.visit_of(node).service, pauses);
        if (!set(s, ready_, node, leave) && node != first && !is_new)
            return;
    }
}

void ShiftTimes::push_back(FleetSearch& s, uint32_t route, uint32_t last,
                           bool is_new) {
    const auto& pauses = problem_.shifts.pauses[problem_.type_of[route]];
    if (is_one()) {
        double to_come = latest_[s.nodes[last].next];
        double latest = s.nodes[s.nodes[last].next].latest;
        for (uint32_t idx = last; s.is_customer(idx);) {
            Node& node = s.nodes[idx];
            const Visit& visit = s.visit_of(idx);
            const double travel = s.travel_to(s.nodes[node.next]);
            to_come = problem_.shifts.begin_by(
                idx, visit,
                leave_with(pauses, latest, to_come, travel) - visit.service);
            latest = problem_.shifts.begin_by(idx, visit,
                                              latest - travel - visit.service);
            bool is_other = renew(s, node.latest, latest);
            is_other |= renew(s, latest_[idx], to_come);
            if (!is_other && idx != last && !is_new)
                return;
            idx = node.prev;
        }
        return;
    }
    for (uint32_t node = last; s.is_customer(node);
         node = s.nodes[node].prev) {
        const uint32_t after = s.nodes[node].next;
        const Visit& visit = s.visit_of(node);
        Times latest = leave_by(after, s.travel_to(s.nodes[after]), pauses);
        for (std::size_t set = 0; set < num_sets_; ++set)
            latest[set] = problem_.shifts.begin_by(
                node, visit, latest[set] - visit.service);
        if (!set(s, latest_, node, latest) && node != last && !is_new)
            return;
    }
}

bool ShiftTimes::keeps_breaks(const FleetSearch& s, uint32_t route) const {
    const auto& pauses = problem_.shifts.pauses[problem_.type_of[route]];
    const uint32_t depot = s.depot_of(route);
    const uint32_t first = s.nodes[depot].next;
    if (pauses.size() == 1 || !s.is_customer(first))
        return true;
    const double travel = s.travel_to(s.nodes[first]);
    if (is_one())
        return s.nodes[depot].ready <= leave_with(pauses,
                                                  s.nodes[first].latest,
                                                  latest_[first], travel);
    return ready_[depot * num_sets_] <= leave_by(first, travel, pauses)[0];
}

bool ShiftTimes::fits(const FleetSearch& s, uint32_t before, uint32_t customer,
                      uint32_t after, double there, double on) const {
    const uint32_t route = s.route_of[before];
    const int64_t type = problem_.type_of[route];
    const auto& pauses = problem_.shifts.pauses[type];
    const double service = problem_.service_of(type, customer);
    if (is_one()) {
        const double leave = s.nodes[before].ready;
        const double latest = s.nodes[after].latest;
        const double ready = ready_at(s, customer, leave + there, service);
        if (ready <= leave_with(pauses, latest, latest_[after], on) &&
            ready < infinity)
            return true;
        const double with = ready_at(
            s, customer, arrive_with(pauses, leave, ready_[before], there),
            service);
        return with < infinity && with + on <= latest;
    }
    const Times ready =
        serve(s, customer, times(ready_, before), there, service, pauses);
    const Times latest = leave_by(after, on, pauses);
    for (std::size_t set = 0; set < num_sets_; ++set)
        if (ready[set] <= latest[set] && ready[set] < infinity)
            return true;
    return false;
}

void ShiftTimes::check([[maybe_unused]] const FleetSearch& s) const {
#ifdef NCC_DEBUG
    ShiftTimes anew(*this);
    FleetSearch other(s);
    for (uint32_t route = 0; route < s.num_slots; ++route) {
        anew.push_forward(other, route, s.first_of(route), true);
        anew.push_back(other, route, s.nodes[s.depot_of(route)].prev, true);
    }
    for (uint32_t node = 1; node < s.nodes.size(); ++node)
        if (!s.is_customer(node) || !s.is_absent(node))
            for (std::size_t set = 0; set < num_times_; ++set) {
                const std::size_t place = (node * num_times_) + set;
                NCC_CHECK(ready_[place] == anew.ready_[place]);
                NCC_CHECK(latest_[place] == anew.latest_[place]);
            }
#endif
}

} // namespace ncc::fleets

#include "fleets/features/shifts.h"

#include "fleets/features/hours.h"
#include "fleets/paths.h"
#include "fleets/search.h"

#include <algorithm>
#include <utility>

namespace ncc::fleets {

namespace {

// A way to drive the first part of a route.
//
// A vehicle that starts at s, by `late`, is ready at max(ready, s + work). All
// that may follow leads to labels of the same form, so that the start stays
// open to the end: the least duration is max(ready - late, work).
//
// A. Goel (2012). The minimum duration truck driver scheduling problem. EURO
// Journal on Transportation and Logistics 1(4).
struct Label {
    double late = 0.0;
    double ready = 0.0;
    double work = 0.0;
    uint32_t taken = 0;   // breaks, by bits
    double arrival = 0.0; // at the next stop, of a vehicle on its way
};

// The labels of a route, stop by stop.
class Walk {
public:
    Walk(const FleetProblem& problem, std::span<const uint32_t> path,
         int64_t type)
        : p_(problem), shifts_(problem.shifts), type_(type),
          breaks_(shifts_.breaks[type]), hours_(shifts_.hours[type]),
          keeps_start_(problem.counts_duration), stops_(stops_scratch()),
          labels_(scratch(0)), on_way_(scratch(1)), next_(scratch(2)) {
        stops_.clear();
        if (shifts_.has_begun[type] != 0)
            stops_ = problem.in_progress[type];
        stops_.insert(stops_.end(), path.begin(), path.end());
    }

    // Whether the driver has to rest.
    [[nodiscard]] bool needs_rest() const {
        if (!hours_.is_any())
            return false;
        const VehicleType& vehicle = p_.vehicles[type_];
        uint32_t last = shifts_.starts[type_].place;
        double driving = 0.0;
        double work = shifts_.starts[type_].duration + vehicle.end_duration;
        for (const uint32_t node : stops_) {
            driving += p_.durations(vehicle.profile, last, node);
            work += p_.visits[node].service;
            last = node;
        }
        driving += p_.durations(vehicle.profile, last, vehicle.end);
        return hours_.needs_rest(driving, driving + work);
    }

    // Whether the route is more than the sum of its parts.
    [[nodiscard]] bool is_special() const {
        return !breaks_.empty() || needs_rest() ||
               std::any_of(stops_.begin(), stops_.end(), [&](uint32_t node) {
                   return shifts_.has_several(node);
               });
    }

    // Returns the least duration, infinite where nobody can drive it.
    double least_duration() {
        return needs_rest() ? with_rests() : without_rests();
    }

private:
    // Returns it with the rests that the hours of service need.
    [[nodiscard]] double with_rests() const {
        thread_local std::vector<Window> windows;
        thread_local std::vector<HoursStop> days_stops;
        windows.assign(stops_.size() + 1, Window{});
        days_stops.clear();
        const VehicleType& vehicle = p_.vehicles[type_];
        const ShiftStart& start = shifts_.starts[type_];
        uint32_t last = start.place;
        for (std::size_t idx = 0; idx < stops_.size(); ++idx) {
            const uint32_t node = stops_[idx];
            const Visit& visit = p_.visits[node];
            windows[idx] = {visit.early, visit.limit};
            if (p_.is_reload(node))
                windows[idx].early =
                    std::max(visit.early, release_behind(idx + 1));
            const auto several = shifts_.windows_of(node);
            days_stops.push_back(
                {.windows =
                     several.empty() ? std::span(&windows[idx], 1) : several,
                 .service = visit.service,
                 .travel = p_.durations(vehicle.profile, last, node),
                 .breaks = breaks_before(idx)});
            last = node;
        }
        windows.back() = {vehicle.end_early, vehicle.end_late};
        days_stops.push_back(
            {.windows = std::span(&windows.back(), 1),
             .service = vehicle.end_duration,
             .travel = p_.durations(vehicle.profile, last, vehicle.end),
             .breaks = breaks_before(stops_.size())});
        return DayLabels(hours_, breaks_)
            .least_duration({.early = start.early,
                             .late = start.late,
                             .service = start.duration,
                             .release = release_behind(0),
                             .is_open = keeps_start_},
                            days_stops);
    }

    // Returns the breaks that may be before a stop, by bits.
    [[nodiscard]] uint32_t breaks_before(std::size_t gap) const {
        uint32_t found = 0;
        for (std::size_t number = 0; number < breaks_.size(); ++number)
            found |= may_take({}, number, gap) ? 1U << number : 0U;
        return found;
    }

    double without_rests() {
        const VehicleType& vehicle = p_.vehicles[type_];
        const ShiftStart& start = shifts_.starts[type_];
        begin(start);
        uint32_t last = start.place;
        for (std::size_t idx = 0; idx < stops_.size(); ++idx) {
            const uint32_t node = stops_[idx];
            Visit visit = p_.visits[node];
            if (p_.is_reload(node))
                visit.early = std::max(visit.early, release_behind(idx + 1));
            const Window window{visit.early, visit.limit};
            const auto several = shifts_.windows_of(node);
            drive(p_.durations(vehicle.profile, last, node), idx);
            serve(several.empty() ? std::span(&window, 1) : several,
                  visit.service);
            if (labels_.empty())
                return infinity;
            last = node;
        }
        const Window end{vehicle.end_early, vehicle.end_late};
        drive(p_.durations(vehicle.profile, last, vehicle.end), stops_.size());
        serve(std::span(&end, 1), vehicle.end_duration);
        return shortest(release_behind(0));
    }

    static std::vector<Label>& scratch(std::size_t number) {
        thread_local std::array<std::vector<Label>, 3> labels;
        return labels[number];
    }

    static std::vector<uint32_t>& stops_scratch() {
        thread_local std::vector<uint32_t> stops;
        return stops;
    }

    void begin(const ShiftStart& start) {
        labels_.clear();
        labels_.push_back({.late = keeps_start_ ? start.late : infinity,
                           .ready = start.early + start.duration,
                           .work = start.duration});
    }

    // Returns when the goods are at the depot of the stops from one on, up to
    // the next call there.
    [[nodiscard]] double release_behind(std::size_t idx) const {
        double release = 0.0;
        if (p_.has_releases)
            for (; idx < stops_.size() && !p_.is_reload(stops_[idx]); ++idx)
                release = std::max(release, p_.visits[stops_[idx]].release);
        return release;
    }

    // Goes on to the next stop, with breaks on the way. A break begins as soon
    // as it may: what is left to drive then follows it.
    void drive(double travel, std::size_t gap) {
        on_way_.clear();
        for (Label label : labels_) {
            label.arrival = label.ready + travel;
            on_way_.push_back(label);
        }
        for (std::size_t idx = 0; !breaks_.empty() && idx < on_way_.size();
             ++idx)
            for (std::size_t number = 0; number < breaks_.size(); ++number)
                if (may_take(on_way_[idx], number, gap))
                    take(on_way_[idx], number);
        for (Label& label : on_way_)
            label.work += travel;
    }

    [[nodiscard]] bool may_take(const Label& label, std::size_t number,
                                std::size_t gap) const {
        return (label.taken >> number & 1U) == 0 &&
               std::cmp_greater_equal(gap, shifts_.first_break[type_]) &&
               (breaks_[number].most_load.empty() ||
                carries_at_most(breaks_[number].most_load, gap));
    }

    void take(const Label label, std::size_t number) {
        const Break& own = breaks_[number];
        for (const Window& window : own.windows) {
            if (label.ready > window.limit)
                continue;
            Label then = label;
            if (keeps_start_)
                then.late = std::min(label.late, window.limit - label.work);
            then.ready = std::max(label.ready, window.early) + own.duration;
            then.arrival = std::max(label.arrival + own.duration, then.ready);
            then.work += own.duration;
            then.taken |= 1U << number;
            on_way_.push_back(then);
            if (then.late == label.late)
                break; // a later window is no better
        }
    }

    // Lets a service begin within one of some windows.
    void serve(std::span<const Window> windows, double service) {
        next_.clear();
        for (const Label& label : on_way_)
            for (const Window& window : windows) {
                if (label.arrival > window.limit ||
                    window.early > window.limit)
                    continue;
                Label then = label;
                if (keeps_start_)
                    then.late =
                        std::min(label.late, window.limit - label.work);
                then.ready = std::max(label.arrival, window.early) + service;
                then.work += service;
                keep(then);
                if (then.late == label.late)
                    break; // a later window is no better
            }
        std::swap(labels_, next_);
    }

    // Keeps a label, unless another one is no worse.
    void keep(const Label& label) {
        const auto is_no_worse = [](const Label& one, const Label& other) {
            return one.taken == other.taken && one.late >= other.late &&
                   one.ready <= other.ready;
        };
        for (const Label& other : next_)
            if (is_no_worse(other, label))
                return;
        std::erase_if(next_, [&](const Label& other) {
            return is_no_worse(label, other);
        });
        next_.push_back(label);
    }

    [[nodiscard]] double shortest(double release) const {
        const uint32_t all = (1U << breaks_.size()) - 1;
        double least = infinity;
        for (const Label& label : labels_)
            if (label.taken == all && release <= label.late)
                least = std::min(
                    least, keeps_start_
                               ? std::max(label.ready - label.late, label.work)
                               : label.work);
        return least;
    }

    // Whether no more than some loads is on board before a stop.
    [[nodiscard]] bool carries_at_most(std::span<const int64_t> most,
                                       std::size_t gap) const {
        for (std::size_t dim = 0; dim < most.size(); ++dim)
            if (load_before(gap, dim) > most[dim])
                return false;
        return true;
    }

    [[nodiscard]] int64_t load_before(std::size_t gap, std::size_t dim) const {
        std::size_t first = gap;
        while (first > 0 && !p_.is_reload(stops_[first - 1]))
            --first;
        const bool is_first = first == 0;
        LoadSegment load;
        if (is_first && p_.loads.is_any())
            load = p_.loads.start_of(type_, static_cast<int64_t>(dim));
        int64_t on_board = load.brought;
        for (std::size_t idx = first;
             idx < stops_.size() && !p_.is_reload(stops_[idx]); ++idx) {
            const LoadSegment own = load_of(stops_[idx], dim);
            on_board += own.brought + (idx < gap ? own.change : 0);
        }
        return on_board;
    }

    [[nodiscard]] LoadSegment load_of(uint32_t node, std::size_t dim) const {
        if (p_.loads.is_any())
            return p_.loads.of(node)[dim];
        return {p_.demands[node], -p_.demands[node], 0};
    }

    const FleetProblem& p_;
    const Shifts& shifts_;
    int64_t type_;
    const std::vector<Break>& breaks_;
    const Hours& hours_;
    bool keeps_start_; // or it is as early as may be
    std::vector<uint32_t>& stops_;
    std::vector<Label>& labels_;
    std::vector<Label>& on_way_;
    std::vector<Label>& next_;
};

// Breaks of a vehicle up to which the times of nodes are kept by those taken.
constexpr std::size_t most_of_times = 2;

// Returns when a break begins at the earliest from a time on.
inline double begin_from(const Break& own, double free) {
    for (const Window& window : own.windows)
        if (free <= window.limit)
            return std::max(free, window.early);
    return infinity;
}

// Returns when it begins at the latest by a time, or -infinity.
inline double begin_until(const Break& own, double latest) {
    for (std::size_t idx = own.windows.size(); idx-- > 0;)
        if (own.windows[idx].early <= latest)
            return std::min(latest, own.windows[idx].limit);
    return -infinity;
}

// Calls a function with each set of breaks that a vehicle may have had at the
// next stop, and when it is there, where it leaves the last one at a time.
template <class Function>
inline void for_arrivals(std::span<const Break> breaks, double free,
                         double arrival, std::size_t taken,
                         Function function) {
    function(taken, arrival);
    for (std::size_t number = 0; number < breaks.size(); ++number) {
        const Break& own = breaks[number];
        if ((taken >> number & 1U) != 0)
            continue;
        const double end = begin_from(own, free) + own.duration;
        if (end < infinity)
            for_arrivals(breaks, end, std::max(arrival + own.duration, end),
                         taken | std::size_t{1} << number, function);
    }
}

// Returns when a vehicle leaves a stop at the latest, whose breaks on the way
// are the rest of those at the next one, in any order.
double latest_leave(std::span<const Break> breaks, double latest,
                    double travel, std::size_t rest) {
    if (rest == 0)
        return latest - travel;
    double best = -infinity;
    // Each may be the last one.
    for (std::size_t number = 0; number < breaks.size(); ++number) {
        const Break& own = breaks[number];
        if ((rest >> number & 1U) == 0)
            continue;
        const double begin = begin_until(own, latest - own.duration);
        const std::size_t others = rest & ~(std::size_t{1} << number);
        // What is left to drive follows it.
        double leave = latest_leave(breaks, begin, 0.0, others);
        double work = travel;
        for (std::size_t other = 0; other < breaks.size(); ++other)
            if ((rest >> other & 1U) != 0)
                work += breaks[other].duration;
        leave = std::min(leave, latest - work);
        best = std::max(best, leave);
    }
    return best;
}

} // namespace

ShiftTimes::ShiftTimes(const FleetProblem& problem) : problem_(problem) {
    const Shifts& shifts = problem.shifts;
    if (!shifts.is_any() || shifts.judges_paths)
        return;
    for (const auto& own : shifts.breaks)
        num_sets_ = std::max(num_sets_, std::size_t{1} << own.size());
    if (!is_any())
        return;
    const auto num_nodes = static_cast<std::size_t>(problem.num_nodes());
    const auto num_routes = static_cast<std::size_t>(problem.num_routes());
    ready_.assign((num_nodes + num_routes) * num_sets_, infinity);
    latest_.assign(ready_.size(), -infinity);
    keeps_.assign(num_routes, 1);
    for (std::size_t route = 0; route < num_routes; ++route) {
        const auto idx = static_cast<int64_t>(route);
        const VehicleType& vehicle = problem.vehicle_of(idx);
        const auto& own = shifts.breaks[problem.type_of[route]];
        const std::size_t place = (num_nodes + route) * num_sets_;
        ready_[place] = vehicle.start_early + vehicle.start_duration;
        latest_[place + (std::size_t{1} << own.size()) - 1] = vehicle.end_late;
    }
}

void ShiftTimes::schedule_one(const FleetSearch& s, uint32_t route,
                              const Break& own) {
    const Shifts& shifts = problem_.shifts;
    const uint32_t depot = s.depot_of(route);
    const bool has_edges = problem_.times_are_lengths;
    const auto travel_to = [&](uint32_t node) {
        const Node& n = s.nodes[node];
        return has_edges ? n.to_prev : s.travel(route, n.prev, node);
    };
    double before = ready_[depot * num_sets_];
    double behind = infinity;
    uint32_t node = s.first_of(route);
    for (; s.is_customer(node); node = s.nodes[node].next) {
        const Visit& visit = problem_.visits[node];
        const double travel = travel_to(node);
        const double end = begin_from(own, before) + own.duration;
        const double arrival = before + travel;
        const double after =
            std::min(behind + travel, std::max(arrival + own.duration, end));
        before = arrival <= visit.limit
                     ? shifts.begin_at(node, visit, arrival) + visit.service
                     : infinity;
        behind = after <= visit.limit
                     ? shifts.begin_at(node, visit, after) + visit.service
                     : infinity;
        ready_[node * num_sets_] = before;
        ready_[(node * num_sets_) + 1] = behind;
    }
    before = -infinity;
    behind = latest_[(depot * num_sets_) + 1];
    while (true) {
        const double travel = travel_to(node);
        const double begin = begin_until(own, behind - own.duration);
        before = std::max(before - travel,
                          std::min(begin, behind - own.duration - travel));
        behind -= travel;
        node = s.nodes[node].prev;
        if (!s.is_customer(node))
            break;
        const Visit& visit = problem_.visits[node];
        before = shifts.begin_by(node, visit, before - visit.service);
        behind = shifts.begin_by(node, visit, behind - visit.service);
        latest_[node * num_sets_] = before;
        latest_[(node * num_sets_) + 1] = behind;
    }
    keeps_[route] = ready_[depot * num_sets_] <= before ? 1 : 0;
}

void ShiftTimes::schedule(FleetSearch& s, uint32_t route) {
    const Shifts& shifts = problem_.shifts;
    const std::span<const Break> breaks =
        shifts.breaks[problem_.type_of[route]];
    if (breaks.size() == 1) {
        schedule_one(s, route, breaks.front());
        return;
    }
    const std::size_t num_sets = std::size_t{1} << breaks.size();
    const uint32_t depot = s.depot_of(route);
    uint32_t last = depot;
    for (uint32_t node = s.first_of(route); s.is_customer(node);
         node = s.nodes[node].next) {
        const Visit& visit = problem_.visits[node];
        const double travel = s.travel(route, last, node);
        double* own = &ready_[node * num_sets_];
        std::fill_n(own, num_sets, infinity);
        for (std::size_t taken = 0; taken < num_sets; ++taken) {
            const double leave = ready_[last * num_sets_ + taken];
            if (leave == infinity)
                continue;
            for_arrivals(breaks, leave, leave + travel, taken,
                         [&](std::size_t then, double arrival) {
                             if (arrival <= visit.limit)
                                 own[then] = std::min(
                                     own[then],
                                     shifts.begin_at(node, visit, arrival) +
                                         visit.service);
                         });
        }
        last = node;
    }
    uint32_t after = depot;
    for (uint32_t node = s.nodes[depot].prev;; node = s.nodes[node].prev) {
        const double travel = s.travel(route, node, after);
        const auto leave_by = [&](std::size_t taken) {
            double leave = -infinity;
            for (std::size_t then = taken; then < num_sets; ++then)
                if ((then & taken) == taken &&
                    latest_[after * num_sets_ + then] > -infinity)
                    leave = std::max(
                        leave,
                        latest_leave(breaks, latest_[after * num_sets_ + then],
                                     travel, then & ~taken));
            return leave;
        };
        if (!s.is_customer(node)) {
            keeps_[route] = ready_[depot * num_sets_] <= leave_by(0) ? 1 : 0;
            return;
        }
        const Visit& visit = problem_.visits[node];
        for (std::size_t taken = 0; taken < num_sets; ++taken)
            latest_[node * num_sets_ + taken] =
                shifts.begin_by(node, visit, leave_by(taken) - visit.service);
        after = node;
    }
}

bool ShiftTimes::fits(const FleetSearch& s, uint32_t before, uint32_t customer,
                      uint32_t after, double there, double on) const {
    const Shifts& shifts = problem_.shifts;
    const std::span<const Break> breaks =
        shifts.breaks[problem_.type_of[s.route_of[before]]];
    const Visit& visit = problem_.visits[customer];
    if (breaks.size() == 1) {
        const Break& own = breaks.front();
        const double leave = ready_[before * num_sets_];
        const double first = leave + there;
        const double second =
            std::min(ready_[(before * num_sets_) + 1] + there,
                     std::max(first, begin_from(own, leave)) + own.duration);
        const auto ready_at = [&](double arrival) {
            return arrival <= visit.limit
                       ? shifts.begin_at(customer, visit, arrival) +
                             visit.service
                       : infinity;
        };
        const double none = ready_at(first);
        const double had = std::min(
            ready_at(second) + on,
            std::max(none + on, begin_from(own, none)) + own.duration);
        return none + on <= latest_[after * num_sets_] ||
               (had < infinity && had <= latest_[(after * num_sets_) + 1]);
    }
    bool is_fit = false;
    for (std::size_t taken = 0; taken < std::size_t{1} << breaks.size();
         ++taken) {
        const double leave = ready_[before * num_sets_ + taken];
        if (leave == infinity)
            continue;
        for_arrivals(
            breaks, leave, leave + there, taken,
            [&](std::size_t then, double arrival) {
                if (is_fit || arrival > visit.limit)
                    return;
                const double ready =
                    shifts.begin_at(customer, visit, arrival) + visit.service;
                for_arrivals(breaks, ready, ready + on, then,
                             [&](std::size_t set, double end) {
                                 is_fit |=
                                     end <= latest_[after * num_sets_ + set];
                             });
            });
        if (is_fit)
            return true;
    }
    return false;
}

Shifts Shifts::make(std::vector<int64_t> first_window,
                    std::span<const double> early,
                    std::span<const double> limit,
                    std::vector<std::vector<Break>> breaks,
                    std::vector<int64_t> first_break,
                    std::vector<Hours> hours) {
    require(!first_window.empty() && first_window.front() == 0 &&
                std::is_sorted(first_window.begin(), first_window.end()) &&
                first_window.back() == std::ssize(early) &&
                early.size() == limit.size(),
            "windows must be those of the nodes, one after another.");
    Shifts shifts;
    shifts.first_window = std::move(first_window);
    for (std::size_t idx = 0; idx < early.size(); ++idx)
        shifts.windows.push_back({early[idx], limit[idx]});
    shifts.breaks = std::move(breaks);
    shifts.first_break = std::move(first_break);
    shifts.hours = std::move(hours);
    return shifts;
}

double Shifts::begin_at(uint32_t node, const Visit& visit,
                        double arrival) const {
    if (!has_several(node))
        return std::max(arrival, visit.early);
    for (const Window& window : windows_of(node))
        if (arrival <= window.limit)
            return std::max(arrival, window.early);
    return infinity;
}

double Shifts::begin_by(uint32_t node, const Visit& visit,
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

void Shifts::complete(const FleetProblem& problem) {
    starts.clear();
    for (const VehicleType& vehicle : problem.vehicles)
        starts.push_back({vehicle.start, vehicle.start_early,
                          vehicle.start_late, vehicle.start_duration});
    has_begun.assign(problem.num_types(), 0);
    judges_paths = problem.counts_duration;
    for (int64_t type = 0; type < problem.num_types(); ++type) {
        judges_paths |= problem.vehicles[type].has_begun ||
                        hours[type].is_any() ||
                        breaks[type].size() > most_of_times;
        for (const Break& own : breaks[type])
            judges_paths |= !own.most_load.empty();
    }
    raises_totals = judges_paths && problem.counts_duration;
}

bool Shifts::judge(const FleetProblem& problem, std::span<const uint32_t> path,
                   int64_t type, PathTotals& totals) const {
    Walk walk(problem, path, type);
    if (!walk.is_special())
        return true;
    const double duration = walk.least_duration();
    if (duration == infinity)
        return false;
    totals.duration = duration;
    return true;
}

bool Shifts::reaches_on(const FleetSearch& s, uint32_t node,
                        uint32_t customer) const {
    const uint32_t route = s.route_of[node];
    const uint32_t type = s.problem.type_of[route];
    if (has_several(customer) || !breaks[type].empty() ||
        hours[type].is_any() || has_begun[type] != 0)
        return true;
    for (uint32_t other = s.first_of(route); s.is_customer(other);
         other = s.nodes[other].next)
        if (has_several(other))
            return true;
    return false;
}

} // namespace ncc::fleets

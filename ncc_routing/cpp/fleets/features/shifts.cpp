#include "fleets/features/shifts.h"

#include "fleets/features/hours.h"
#include "fleets/paths.h"
#include "fleets/search.h"

#include <algorithm>
#include <utility>

namespace ncc::fleets {

namespace {

LoadSegment load_of(const FleetProblem& problem, uint32_t node,
                    std::size_t dim) {
    if (problem.loads.is_any())
        return problem.loads.of(node)[dim];
    return {problem.demands[node], -problem.demands[node], 0};
}

int64_t load_before(const FleetProblem& problem,
                    std::span<const uint32_t> stops, int64_t type,
                    std::size_t gap, std::size_t dim) {
    std::size_t first = gap;
    while (first > 0 && !problem.is_reload(stops[first - 1]))
        --first;
    int64_t on_board = 0;
    if (first == 0 && problem.loads.is_any()) {
        on_board =
            problem.loads.start_of(type, static_cast<int64_t>(dim)).brought;
        if (problem.has_begun(type)) // those served are among the stops
            for (const uint32_t node : problem.in_progress[type])
                on_board -= load_of(problem, node, dim).brought;
    }
    for (std::size_t idx = first;
         idx < stops.size() && !problem.is_reload(stops[idx]); ++idx) {
        const LoadSegment own = load_of(problem, stops[idx], dim);
        on_board += own.brought + (idx < gap ? own.change : 0);
    }
    return on_board;
}

// A way to drive the first part of a route.
struct Label : Part {
    double arrival = 0.0; // at the next stop, of a vehicle on its way
};

// The labels of a route, stop by stop.
class Walk {
public:
    Walk(const FleetProblem& problem, std::span<const uint32_t> path,
         int64_t type)
        : p_(problem), shifts_(problem.shifts), type_(type),
          breaks_(shifts_.breaks[type]), hours_(shifts_.hours[type]),
          so_far_(shifts_.so_far[type]), keeps_start_(problem.counts_duration),
          stops_(problem.whole_route(path, type)), labels_(scratch(0)),
          on_way_(scratch(1)), next_(scratch(2)) {}

    // Whether the driver has to rest.
    [[nodiscard]] bool needs_rest() const {
        if (!hours_.is_any())
            return false;
        const VehicleType& vehicle = p_.vehicles[type_];
        const std::size_t done = num_done();
        uint32_t last = done > 0 ? stops_[done - 1] : p_.starts[type_].place;
        double driving = 0.0;
        double work = vehicle.end_duration;
        if (!so_far_)
            work += p_.starts[type_].duration;
        const auto go_to = [&](uint32_t place) {
            driving += travel(last, place);
            last = place;
        };
        for (std::size_t idx = done; idx < stops_.size(); ++idx) {
            work += p_.work_at(type_, last, stops_[idx]);
            go_to(stops_[idx]);
        }
        go_to(vehicle.end);
        return hours_.needs_rest(driving, driving + work,
                                 so_far_.value_or(HoursSoFar{}));
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
    [[nodiscard]] double travel(uint32_t from, uint32_t to) const {
        return p_.durations(p_.vehicles[type_].profile, from, to);
    }

    // Returns the number of first stops whose times are known.
    [[nodiscard]] std::size_t num_done() const {
        return so_far_ ? static_cast<std::size_t>(shifts_.first_break[type_])
                       : 0;
    }

    // Returns it with the rests that the hours of service need.
    [[nodiscard]] double with_rests() const {
        thread_local std::vector<Window> windows;
        thread_local std::vector<HoursStop> days_stops;
        windows.assign(stops_.size() + 1, Window{});
        days_stops.clear();
        const VehicleType& vehicle = p_.vehicles[type_];
        const RouteStart& start = p_.starts[type_];
        uint32_t last = start.place;
        DayStart day{.early = start.early,
                     .late = start.late,
                     .service = start.duration,
                     .release = release_behind(0),
                     .is_open = keeps_start_};
        if (so_far_) {
            if (day.release > start.late)
                return infinity;
            day = {.early = start.early + start.duration,
                   .is_open = false,
                   .so_far = *so_far_};
        }
        for (std::size_t idx = 0; idx < stops_.size(); ++idx) {
            const uint32_t node = stops_[idx];
            const Visit& visit = p_.visits[node];
            const double service = p_.work_at(type_, last, node);
            const double on_way = travel(last, node);
            last = node;
            if (idx < num_done()) {
                day.early += on_way + service;
                continue;
            }
            windows[idx] = {visit.early, visit.limit};
            if (p_.is_reload(node))
                windows[idx].early =
                    std::max(visit.early, release_behind(idx + 1));
            const auto several = shifts_.windows_of(node);
            days_stops.push_back({.windows = several.empty()
                                                 ? std::span(&windows[idx], 1)
                                                 : several,
                                  .service = service,
                                  .travel = on_way,
                                  .breaks = breaks_before(idx)});
        }
        windows.back() = {vehicle.end_early, vehicle.end_late};
        days_stops.push_back({.windows = std::span(&windows.back(), 1),
                              .service = vehicle.end_duration,
                              .travel = travel(last, vehicle.end),
                              .breaks = breaks_before(stops_.size())});
        const double before = so_far_ ? day.early - start.early : 0.0;
        return before +
               DayLabels(hours_, breaks_).least_duration(day, days_stops);
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
        const RouteStart& start = p_.starts[type_];
        begin(start);
        uint32_t last = start.place;
        for (std::size_t idx = 0; idx < stops_.size(); ++idx) {
            const uint32_t node = stops_[idx];
            Visit visit = p_.visits[node];
            if (p_.is_reload(node))
                visit.early = std::max(visit.early, release_behind(idx + 1));
            const Window window{visit.early, visit.limit};
            const auto several = shifts_.windows_of(node);
            drive(travel(last, node), idx);
            serve(several.empty() ? std::span(&window, 1) : several,
                  p_.work_at(type_, last, node));
            if (labels_.empty())
                return infinity;
            last = node;
        }
        const Window end{vehicle.end_early, vehicle.end_late};
        drive(travel(last, vehicle.end), stops_.size());
        serve(std::span(&end, 1), vehicle.end_duration);
        return shortest(release_behind(0));
    }

    static std::vector<Label>& scratch(std::size_t number) {
        thread_local std::array<std::vector<Label>, 3> labels;
        return labels[number];
    }

    void begin(const RouteStart& start) {
        labels_.clear();
        labels_.push_back({{.late = keeps_start_ ? start.late : infinity,
                            .ready = start.early + start.duration,
                            .work = start.duration}});
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
               shifts_.may_break(p_, stops_, type_, number, gap);
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

    const FleetProblem& p_;
    const Shifts& shifts_;
    int64_t type_;
    const std::vector<Break>& breaks_;
    const Hours& hours_;
    const std::optional<HoursSoFar>& so_far_;
    bool keeps_start_; // or it is as early as may be
    std::span<const uint32_t> stops_;
    std::vector<Label>& labels_;
    std::vector<Label>& on_way_;
    std::vector<Label>& next_;
};

// Breaks of a vehicle up to which their pauses are listed.
constexpr std::size_t most_of_pauses = 2;

} // namespace

std::vector<Part> pauses_of(std::span<const Break> breaks) {
    std::vector<Part> found(1);
    for (std::size_t idx = 0; idx < found.size(); ++idx)
        for (std::size_t number = 0; number < breaks.size(); ++number)
            for (const Window& window : breaks[number].windows) {
                const double length = breaks[number].duration;
                const Part before = found[idx];
                const Part own{window.limit, window.early + length, length,
                               1U << number};
                if (before.can_precede(own))
                    found.push_back(join(before, own));
            }
    return found;
}

bool Shifts::may_break(const FleetProblem& problem,
                       std::span<const uint32_t> stops, int64_t type,
                       std::size_t number, std::size_t gap) const {
    if (std::cmp_less(gap, first_break[type]))
        return false;
    const auto& most = breaks[type][number].most_load;
    for (std::size_t dim = 0; dim < most.size(); ++dim)
        if (load_before(problem, stops, type, gap, dim) > most[dim])
            return false;
    return true;
}

Shifts Shifts::make(std::vector<int64_t> first_window,
                    std::span<const double> early,
                    std::span<const double> limit,
                    std::vector<std::vector<Break>> breaks,
                    std::vector<int64_t> first_break, std::vector<Hours> hours,
                    std::vector<std::optional<HoursSoFar>> so_far) {
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
    shifts.so_far = std::move(so_far);
    return shifts;
}

void Shifts::complete(const FleetProblem& problem) {
    // Where others judge whole paths, or both ends of shipments move, these do
    // so as well.
    judges_paths = problem.work.has_setups() ||
                   (problem.counts_duration &&
                    (problem.judges_paths || problem.pairs.is_any()));
    for (int64_t type = 0; type < problem.num_types(); ++type) {
        judges_paths |= problem.vehicles[type].has_begun ||
                        hours[type].is_any() ||
                        breaks[type].size() > most_of_pauses;
        for (const Break& own : breaks[type])
            judges_paths |= !own.most_load.empty();
    }
    raises_totals = judges_paths && problem.counts_duration;
    joins_parts = !judges_paths && problem.counts_duration;
    pauses.clear();
    for (const std::vector<Break>& own : breaks)
        pauses.push_back(judges_paths && !problem.preferred.is_any()
                             ? std::vector<Part>{}
                             : pauses_of(own));
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
        hours[type].is_any() || s.problem.has_begun(type))
        return true;
    for (uint32_t other = s.first_of(route); s.is_customer(other);
         other = s.nodes[other].next)
        if (has_several(other))
            return true;
    return false;
}

} // namespace ncc::fleets

#include "routes/schedule.h"

#include "fleets/problem.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

namespace ncc::routes {

namespace {

using fleets::DayLabels;
using fleets::DayPlan;
using fleets::HoursStop;
using fleets::PricedStop;
using fleets::RestTaken;

// A break in one of its windows.
struct BreakAt {
    Window window;
    double duration = 0.0;
    int64_t number = -1;
};

// A stop: when its service may begin, what it and the way there take.
struct Call {
    double early = 0.0;
    double late = 0.0;
    double service = 0.0;
    double travel = 0.0;
    std::vector<BreakAt> breaks;
};

// A break that a route has not had, and before which calls it may be.
struct BreakOwed {
    int64_t number = 0;
    std::vector<uint8_t> may_precede;
};

double sum(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

// The part of an arc that is driven before a break which begins then.
double share_until(double begin, double leave, double rested, double travel) {
    const double driven =
        std::min(travel, std::max(0.0, begin - leave - rested));
    return travel > 0.0 ? driven / travel : 1.0;
}

// The places of each trip among the visits: its depot, and the stops after it.
std::vector<std::pair<int64_t, int64_t>> trips_of(const RouteProblem& problem,
                                                  const Route& route) {
    const int64_t last = std::ssize(route.visits) - 1;
    std::vector<std::pair<int64_t, int64_t>> trips{{0, last}};
    for (int64_t place = 1; place < last; ++place)
        if (problem.is_depot[route.visits[place]] != 0) {
            trips.back().second = place;
            trips.emplace_back(place, last);
        }
    return trips;
}

double cost_of(const Vehicle& vehicle, const Amounts& of, double window_cost) {
    if (!std::isfinite(of.distance + of.duration))
        return infinity; // whatever its unit cost is
    double cost = vehicle.fixed_cost + vehicle.distance_cost * of.distance;
    cost += vehicle.duration_cost * (of.duration - vehicle.unpaid_duration);
    cost += vehicle.driving_cost * of.driving;
    for (const PriceStep& step : vehicle.steps)
        cost += step.price(of.values()[step.amount]);
    return cost + window_cost;
}

// The calls of a route: the start of the vehicle, and then its visits.
class Calls {
public:
    Calls(const RouteProblem& problem, const Route& route);

    [[nodiscard]] Schedule schedule();
    [[nodiscard]] Excess measure(std::span<const bool> is_added);

private:
    void await_goods();
    [[nodiscard]] double trace(std::vector<double>& left) const;
    [[nodiscard]] double lost_on_the_way(double leave, double travel,
                                         double leg) const;
    void set_done(int64_t begin, double release);
    void note_breaks_had();
    void plan(std::span<const BreakOwed> owed);
    [[nodiscard]] std::vector<BreakOwed> breaks_owed() const;

    [[nodiscard]] bool has_several(int64_t call) const {
        return call >= first_ && !problem_.several[node_of(call)].empty();
    }
    [[nodiscard]] int64_t node_of(int64_t call) const {
        return route_.visits[std::max<int64_t>(0, call - 1)];
    }
    [[nodiscard]] std::vector<Window> windows_of(int64_t call) const;
    [[nodiscard]] const Window& window_at(std::span<const Window> windows,
                                          double time) const;
    [[nodiscard]] Window first_window(int64_t call, double time) const;
    void set_windows(std::vector<Window>& ends, std::vector<HoursStop>& stops,
                     int64_t from, bool is_exact,
                     std::span<const BreakOwed> owed) const;
    [[nodiscard]] std::vector<Break> owed(std::span<const BreakOwed> owed,
                                          bool is_exact) const;
    [[nodiscard]] bool can_start() const;
    [[nodiscard]] bool are_whole(int64_t from) const;
    [[nodiscard]] DayPlan priced_day(std::span<const BreakOwed> owed) const;
    [[nodiscard]] DayPlan day(int64_t from, const Hours& hours,
                              std::span<const BreakOwed> owed) const;
    [[nodiscard]] bool needs_rest() const;
    [[nodiscard]] bool choose_windows(std::span<const BreakOwed> owed);
    void take_breaks(const DayPlan& plan, std::span<const BreakOwed> owed);

    void follow(double start, bool waits_for_late = false);
    void note_breaks();
    void take_shortest();
    void take_day(const DayPlan& plan, std::span<const BreakOwed> owed);
    void take_priced(const DayPlan& plan, std::span<const BreakOwed> owed);
    void set_amounts(Amounts& amounts) const;
    [[nodiscard]] double latest_start() const;
    [[nodiscard]] double work() const;
    // What sums are rounded by is no wait.
    [[nodiscard]] double wait_from(double arrival, double begin) const {
        return problem_.tolerance.exceeds(begin, arrival) ? begin - arrival
                                                          : 0.0;
    }

    const RouteProblem& problem_;
    const Route& route_;
    const Vehicle& vehicle_;
    const Past* past_ = nullptr;
    int64_t first_ = 1; // call that has not been yet
    double lost_ = 0.0; // after the last departure that is known
    std::vector<Call> calls_;
    std::vector<double> setups_; // of visits
    // Of all calls.
    std::vector<double> begins_;
    std::vector<double> waits_;
    std::vector<double> lateness_;
    Schedule found_;
};

Calls::Calls(const RouteProblem& problem, const Route& route)
    : problem_(problem), route_(route), vehicle_(problem.vehicles[route.type]),
      past_(route.past()) {
    const auto& visits = route.visits;
    const auto size = visits.size();
    calls_.resize(size + 1);
    setups_.assign(size, 0.0);
    if (past_ != nullptr)
        first_ += std::ssize(past_->departures);
    for (std::size_t place = 0; place < size; ++place) {
        const int64_t node = visits[place];
        const auto [service, setup] = problem.work_at(
            route.type, visits[place > 0 ? place - 1 : 0], node);
        setups_[place] = setup;
        calls_[place + 1] = {.early = problem.early[node],
                             .late = problem.late[node],
                             .service = service + setup,
                             .travel =
                                 place > 0 ? route.travel[place - 1] : 0.0,
                             .breaks = {}};
    }
    calls_.front().late = vehicle_.latest_start;
    Call& end = calls_.back();
    end.early = std::max(end.early, vehicle_.early);
    end.late = std::min(end.late, vehicle_.late);
    end.service = 0.0;
    await_goods();
}

// No trip starts before all of its goods are there; the past is as it was.
void Calls::await_goods() {
    Call& start = calls_.front();
    const int64_t num_done = first_ - 1;
    int64_t current = -1;
    double awaited = 0.0;
    for (const auto& [first, end] : trips_of(problem_, route_)) {
        double release = 0.0;
        for (int64_t place = std::max(first, num_done); place < end; ++place)
            release =
                std::max(release, problem_.release[route_.visits[place]]);
        if (current < 0 && num_done <= end) {
            current = first;
            awaited = release;
        }
        if (past_ != nullptr && first > 0 && past_->has_left(first))
            continue; // with what was there
        Call& call = calls_[first > 0 ? first + 1 : 0];
        call.early = std::max(call.early, release);
    }
    start.early = std::max(vehicle_.early, start.early);
    if (past_ != nullptr) {
        set_done(current, awaited);
        note_breaks_had();
    }
}

// Finds all departures of a route in progress, and returns when it started.
//
// Before the first known one nobody waited. After it, an unknown one follows
// from the travel, the opening, breaks and the service, but is no later than
// the next known one. A break after the last stop delays the last one.
double Calls::trace(std::vector<double>& left) const {
    const auto& known = past_->departures;
    const int64_t size = std::ssize(known);
    int64_t first = 0;
    double spent = 0.0;
    std::vector<double> steps;
    for (;; ++first) {
        spent += calls_[first + 1].travel + calls_[first + 1].service;
        if (!std::isnan(known[first]))
            break;
        steps.push_back(spent);
    }
    double now = known[first];
    const double start = std::max(0.0, now - spent);
    left.clear();
    for (const double step : steps)
        left.push_back(std::min(now, start + step));
    for (int64_t stop = first; stop < size; ++stop) {
        const Call& call = calls_[stop + 1];
        const double there = past_->is_there(stop - 1, now + call.travel);
        double latest = std::max(there, call.early) + call.service;
        for (int64_t next = stop; next < size; ++next)
            if (!std::isnan(known[next])) {
                latest =
                    next == stop ? known[next] : std::min(latest, known[next]);
                break;
            }
        now = latest;
        left.push_back(now);
    }
    left.back() += past_->rested_after(size - 1);
    return start;
}

// Returns how long breaks, waits and delays after the last stop take.
double Calls::lost_on_the_way(double leave, double travel, double leg) const {
    const int64_t last = std::ssize(past_->departures) - 1;
    double driven = 0.0;
    double now = leave + past_->delay_after(last);
    for (const BreakHad& had : past_->breaks)
        if (had.place == last) {
            const double far = std::isnan(had.distance) ? leg : had.distance;
            const double share = leg > 0.0 ? std::min(1.0, far / leg) : 1.0;
            const double begin = std::isnan(had.begin) ? 0.0 : had.begin;
            now =
                std::max(now + share * travel - driven, begin) + had.duration;
            driven = share * travel;
        }
    return now - driven - leave;
}

// Lets the depot and the first stops be as they were.
//
// Goods of others that came later, when all are released, are not on board of
// the trip that began at a place, unless it is still there. Breaks and delays
// count as travel, those after the last stop as its service.
void Calls::set_done(int64_t begin, double release) {
    std::vector<double> left;
    const double start = trace(left);
    const int64_t last = std::ssize(left) - 1;
    lost_ = past_->rested_after(last);
    if (past_->is_over) {
        lost_ = lost_on_the_way(left.back() - lost_, calls_[last + 2].travel,
                                route_.legs[last]);
        left.back() += lost_ - past_->rested_after(last);
    }
    calls_[last + 1].service += lost_;
    calls_.front().early = calls_.front().late = start;
    double now = start;
    for (int64_t stop = 1; stop <= last + 1; ++stop) {
        Call& call = calls_[stop];
        const double departure = left[stop - 1];
        // A driver who was quicker than planned shortened the service.
        call.early = std::max(now, departure - call.service);
        call.service = departure - call.early;
        call.late = no_limit;
        // It waited, or was quicker than the arcs say.
        call.travel = std::min(call.travel + past_->rested_after(stop - 2),
                               call.early - now);
        now = departure;
    }
    if (begin == 0) {
        calls_.front().early = std::max(start, release);
    } else if (past_->has_left(begin)) {
        Call& call = calls_[begin + 1];
        call.late = call.early;
        call.early = std::max(call.early, release);
    }
}

void Calls::note_breaks_had() {
    const int64_t last = std::ssize(past_->departures) - 1;
    double rested = 0.0;
    int64_t before = -1;
    for (const BreakHad& had : past_->breaks) {
        if (had.place != before)
            rested = 0.0;
        before = had.place;
        const Call& call = calls_[had.place + 1];
        double leave = call.early + call.service;
        double travel = calls_[had.place + 2].travel;
        if (had.place == last)
            leave -= lost_;
        else
            travel = std::max(0.0, travel - past_->rested_after(had.place));
        const double begin =
            std::isnan(had.begin) ? leave + rested : had.begin;
        double share = share_until(begin, leave, rested, travel);
        const double leg = route_.legs[had.place];
        const double far =
            std::isnan(had.distance) ? share * leg : had.distance;
        if (leg > 0.0)
            share = far / leg;
        found_.breaks.push_back(
            {had.number, had.place + 1, begin, had.duration, share, far});
        rested += had.duration;
    }
}

// Between a place and the stop after it; none lies before the work at the
// depot.
std::vector<BreakOwed> Calls::breaks_owed() const {
    std::vector<BreakOwed> owed;
    const auto& breaks = vehicle_.breaks.front();
    if (breaks.empty())
        return owed;
    const std::vector<int64_t> loads = loads_on_board(problem_, route_);
    const int64_t num_dimensions = problem_.num_dimensions();
    for (std::size_t number = 0; number < breaks.size(); ++number) {
        const auto had = static_cast<int64_t>(number);
        if (past_ != nullptr && past_->has_had(had))
            continue;
        const auto& most = breaks[number].most_load;
        std::vector<uint8_t> may_precede(calls_.size(), 0);
        for (int64_t call = std::max<int64_t>(2, first_);
             call < std::ssize(calls_); ++call) {
            const auto load = loads.begin() + (call - 2) * num_dimensions;
            may_precede[call] = static_cast<uint8_t>(std::equal(
                most.begin(),
                most.begin() + std::min(std::ssize(most), num_dimensions),
                load, [](int64_t limit, int64_t on_board) {
                    return on_board <= limit;
                }));
        }
        owed.push_back({had, std::move(may_precede)});
    }
    return owed;
}

std::vector<Window> Calls::windows_of(int64_t call) const {
    if (has_several(call))
        return problem_.several[node_of(call)];
    return {{calls_[call].early, calls_[call].late}};
}

// Returns the first window that a time does not exceed, or the last.
const Window& Calls::window_at(std::span<const Window> windows,
                               double time) const {
    for (const Window& window : windows)
        if (!problem_.tolerance.exceeds(time, window.limit))
            return window;
    return windows.back();
}

Window Calls::first_window(int64_t call, double time) const {
    if (has_several(call))
        return window_at(problem_.several[node_of(call)], time);
    return {calls_[call].early, calls_[call].late};
}

// Sets the stops from a call on, and all of their windows.
void Calls::set_windows(std::vector<Window>& ends,
                        std::vector<HoursStop>& stops, int64_t from,
                        bool is_exact, std::span<const BreakOwed> owed) const {
    std::vector<std::size_t> sizes;
    for (int64_t call = from; call < std::ssize(calls_); ++call) {
        const auto windows = windows_of(call);
        ends.insert(ends.end(), windows.begin(), windows.end());
        sizes.push_back(windows.size());
    }
    for (Window& window : ends) {
        if (window.limit >= no_limit)
            window.limit = infinity;
        else if (!is_exact)
            window.limit = problem_.tolerance.widened(window.limit);
    }
    auto left = std::span<const Window>(ends);
    for (std::size_t idx = 0; idx < sizes.size(); ++idx) {
        const std::size_t call = from + idx;
        HoursStop& stop = stops.emplace_back();
        stop.windows = left.first(sizes[idx]);
        left = left.subspan(sizes[idx]);
        stop.service = calls_[call].service;
        stop.travel = calls_[call].travel;
        for (std::size_t bit = 0; bit < owed.size(); ++bit)
            stop.breaks |= uint32_t{owed[bit].may_precede[call]} << bit;
    }
}

std::vector<Break> Calls::owed(std::span<const BreakOwed> owed,
                               bool is_exact) const {
    std::vector<Break> breaks;
    for (const BreakOwed& one : owed)
        breaks.push_back(vehicle_.breaks[is_exact ? 0 : 1][one.number]);
    return breaks;
}

// Whether a vehicle may start, and drive all arcs.
bool Calls::can_start() const {
    const Call& start = calls_.front();
    return !problem_.tolerance.exceeds(start.early, start.late) &&
           std::isfinite(sum(route_.travel));
}

bool Calls::are_whole(int64_t from) const {
    return std::all_of(calls_.begin() + from, calls_.end(),
                       [](const Call& call) {
                           return std::floor(call.travel) == call.travel &&
                                  std::floor(call.service) == call.service;
                       });
}

// What is priced is at the very ends of windows, and what has been when it
// was.
DayPlan Calls::priced_day(std::span<const BreakOwed> owed) const {
    if (!can_start())
        return {};
    std::vector<Window> ends;
    std::vector<HoursStop> stops;
    set_windows(ends, stops, 1, true, owed);
    for (int64_t call = 1; call < first_; ++call)
        ends[call - 1].limit = ends[call - 1].early;
    std::vector<PricedStop> priced;
    priced.reserve(stops.size());
    for (std::size_t idx = 0; idx < stops.size(); ++idx)
        priced.push_back(
            {stops[idx],
             problem_.preferred[node_of(static_cast<int64_t>(idx) + 1)]});
    const Call& start = calls_.front();
    const auto limit = [](double most) {
        return most < no_limit ? most : infinity;
    };
    return fleets::cheapest_day({.duration_cost = vehicle_.duration_cost,
                                 .time_steps = vehicle_.time_steps(),
                                 .max_duration = limit(vehicle_.max_duration)},
                                this->owed(owed, true),
                                {start.early, limit(start.late)}, priced);
}

// Returns the shortest day from a call on, where the vehicle is ready then.
DayPlan Calls::day(int64_t from, const Hours& hours,
                   std::span<const BreakOwed> owed) const {
    const Call& before = calls_[from - 1];
    double early = before.early;
    double late = before.late;
    if (from > 1)
        early = late = before.early + before.service;
    const bool is_exact = are_whole(from);
    if (problem_.tolerance.exceeds(early, late))
        return {};
    std::vector<Window> ends;
    std::vector<HoursStop> stops;
    set_windows(ends, stops, from, is_exact, owed);
    for (const HoursStop& stop : stops)
        if (!std::isfinite(stop.travel))
            return {};
    const std::vector<Break> breaks = this->owed(owed, is_exact);
    return DayLabels(hours, breaks)
        .plan({.early = early,
               .late = late < no_limit ? late : infinity,
               .so_far = past_ != nullptr && hours.is_any() ? past_->so_far
                                                            : HoursSoFar{}},
              stops);
}

// Whether a driver has to rest on what is left of a route.
bool Calls::needs_rest() const {
    double driving = 0.0;
    double services = 0.0;
    for (auto call = calls_.begin() + first_; call != calls_.end(); ++call) {
        driving += call->travel;
        services += call->service;
    }
    return vehicle_.hours[are_whole(first_) ? 0 : 1].needs_rest(
        driving, driving + services,
        past_ != nullptr ? past_->so_far : HoursSoFar{});
}

void Calls::take_breaks(const DayPlan& plan, std::span<const BreakOwed> owed) {
    for (const RestTaken& rest : plan.rests) {
        if (rest.number < 0) // a wait, as short as sums are rounded by
            continue;
        const int64_t number = owed[rest.number].number;
        const auto& windows = vehicle_.breaks.front()[number].windows;
        calls_[rest.stop + 1].breaks.push_back(
            {window_at(windows, rest.begin), rest.duration, number});
    }
}

// Lets each stop have one of its windows, and the breaks their places. Returns
// whether that is possible.
bool Calls::choose_windows(std::span<const BreakOwed> owed) {
    const DayPlan plan = can_start() ? day(1, Hours{}, owed) : DayPlan{};
    const bool is_possible = !plan.begins.empty();
    double now = std::min(calls_.front().early, calls_.front().late);
    for (int64_t call = 1; call < std::ssize(calls_); ++call) {
        now += calls_[call].travel;
        const Window window =
            first_window(call, is_possible ? plan.begins[call - 1] : now);
        calls_[call].early = window.early;
        calls_[call].late = window.limit;
        now = std::min(std::max(now, window.early), window.limit) +
              calls_[call].service;
    }
    take_breaks(plan, owed);
    return is_possible;
}

// Sets when each service begins, each wait, and each lateness.
void Calls::follow(double start, bool waits_for_late) {
    begins_.clear();
    waits_.clear();
    lateness_.clear();
    double now = start;
    for (const Call& call : calls_) {
        const double leave = now;
        double arrival = now + call.travel;
        double rested = 0.0;
        for (const BreakAt& own : call.breaks) {
            now = std::min(std::max(now, own.window.early), own.window.limit) +
                  own.duration;
            arrival = std::max(arrival + own.duration, now);
            rested += own.duration;
        }
        const double ready = std::max(arrival, call.early);
        const double begin =
            waits_for_late ? ready : std::min(ready, call.late);
        waits_.push_back(call.breaks.empty()
                             ? wait_from(arrival, call.early)
                             : wait_from(leave + call.travel + rested, begin));
        lateness_.push_back(std::max(0.0, ready - call.late));
        begins_.push_back(begin);
        now = begin + call.service;
    }
}

void Calls::note_breaks() {
    double leave = begins_.front();
    for (std::size_t at = 0; at < calls_.size(); ++at) {
        const Call& call = calls_[at];
        double now = leave;
        double rested = 0.0;
        for (const BreakAt& own : call.breaks) {
            const double begin = std::max(now, own.window.early);
            const auto place = static_cast<int64_t>(at) - 1;
            const double share =
                share_until(begin, leave, rested, call.travel);
            found_.breaks.push_back({own.number, place, begin, own.duration,
                                     share, share * route_.legs[place - 1]});
            now = begin + own.duration;
            rested += own.duration;
        }
        leave = begins_[at] + call.service;
    }
}

double Calls::latest_start() const {
    double latest = infinity;
    for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
        latest = std::min(call->late, latest - call->service);
        latest -= call->travel;
        for (auto own = call->breaks.rbegin(); own != call->breaks.rend();
             ++own)
            latest = std::min(latest - own->duration, own->window.limit);
    }
    return latest;
}

// Returns the time without waits.
double Calls::work() const {
    double travel = 0.0;
    double services = 0.0;
    double rested = 0.0;
    for (const Call& call : calls_) {
        travel += call.travel;
        services += call.service;
        for (const BreakAt& own : call.breaks)
            rested += own.duration;
    }
    return travel + services + rested;
}

void Calls::take_shortest() {
    const double first = calls_.front().early;
    follow(first);
    const double latest = std::max(first, latest_start());
    found_.amounts.duration = std::max(begins_.back() - latest, work());
    found_.start = std::max(first, begins_.back() - found_.amounts.duration);
    if (found_.start > first)
        follow(found_.start);
    note_breaks();
}

void Calls::take_day(const DayPlan& plan, std::span<const BreakOwed> owed) {
    found_.start = first_ == 1 ? plan.start : calls_.front().early;
    follow(found_.start);
    std::vector<double> rested(plan.begins.size(), 0.0);
    for (const RestTaken& rest : plan.rests) {
        rested[rest.stop] += rest.duration;
        const int64_t place = rest.stop + first_ - 1;
        found_.breaks.push_back(
            {rest.number < 0 ? -1 : owed[rest.number].number, place,
             rest.begin, rest.duration, rest.share,
             rest.share * route_.legs[place - 1]});
    }
    double now = plan.start;
    for (std::size_t idx = 0; idx < plan.begins.size(); ++idx) {
        const std::size_t call = first_ + idx;
        begins_[call] = plan.begins[idx];
        waits_[call] = wait_from(now + calls_[call].travel + rested[idx],
                                 plan.begins[idx]);
        lateness_[call] = 0.0;
        now = plan.begins[idx] + calls_[call].service;
    }
    found_.amounts.duration = begins_.back() - found_.start;
}

void Calls::take_priced(const DayPlan& plan, std::span<const BreakOwed> owed) {
    take_breaks(plan, owed);
    found_.start = plan.start;
    begins_.assign(1, plan.start);
    begins_.insert(begins_.end(), plan.begins.begin(), plan.begins.end());
    lateness_.assign(calls_.size(), 0.0);
    waits_.clear();
    double now = plan.start;
    for (std::size_t at = 0; at < calls_.size(); ++at) {
        double rested = 0.0;
        for (const BreakAt& own : calls_[at].breaks)
            rested += own.duration;
        waits_.push_back(
            wait_from(now + calls_[at].travel + rested, begins_[at]));
        now = begins_[at] + calls_[at].service;
        if (at > 0)
            found_.window_cost +=
                problem_.preferred[node_of(static_cast<int64_t>(at))].price(
                    begins_[at]);
    }
    note_breaks();
    found_.amounts.duration = begins_.back() - plan.start;
}

// Finds the times that cost least, or last least.
void Calls::plan(std::span<const BreakOwed> owed) {
    if (!problem_.preferred.empty()) {
        const DayPlan plan = priced_day(owed);
        if (!plan.begins.empty())
            return take_priced(plan, owed);
    }
    if (needs_rest()) {
        const DayPlan plan =
            day(first_, vehicle_.hours[are_whole(first_) ? 0 : 1], owed);
        if (!plan.begins.empty())
            return take_day(plan, owed);
        found_.misses_rest = true;
    }
    bool has_choices = !owed.empty();
    for (int64_t call = 1; call < std::ssize(calls_); ++call)
        has_choices |= has_several(call);
    if (has_choices)
        found_.misses_break = !choose_windows(owed) && !owed.empty();
    take_shortest();
}

// Sets all amounts but the duration.
void Calls::set_amounts(Amounts& amounts) const {
    amounts.distance = sum(route_.legs);
    amounts.driving = sum(route_.travel);
    const int64_t last = std::ssize(calls_) - 1;
    for (int64_t call = 2; call < last; ++call) {
        const int64_t node = node_of(call);
        amounts.num_stops += problem_.is_depot[node] == 0 ? 1.0 : 0.0;
        amounts.load += static_cast<double>(problem_.handled[node]);
        if (call >= first_) {
            amounts.waiting += waits_[call];
            amounts.longest_wait =
                std::max(amounts.longest_wait, waits_[call]);
        }
    }
    if (std::max<int64_t>(2, first_) < last)
        amounts.waiting += waits_[last];
}

Schedule Calls::schedule() {
    plan(breaks_owed());
    if (past_ != nullptr) {
        const int64_t last = std::ssize(past_->departures);
        calls_[last].service -= lost_;
        const double rested = past_->rested_after(last - 1);
        // It waits for a break.
        if (past_->is_over && problem_.tolerance.exceeds(lost_, rested))
            waits_.back() += lost_ - rested;
    }
    set_amounts(found_.amounts);
    found_.cost = cost_of(vehicle_, found_.amounts, found_.window_cost);
    for (std::size_t at = 0; at < calls_.size(); ++at)
        found_.is_late |= problem_.tolerance.exceeds(
            begins_[at] + lateness_[at], begins_[at]);
    // That of the start is told at its depot.
    lateness_[1] = std::max(lateness_[0], lateness_[1]);
    for (std::size_t at = 1; at < calls_.size(); ++at)
        found_.services.push_back(calls_[at].service);
    const auto of_visits = [](std::vector<double>& values) {
        values.erase(values.begin());
        return std::move(values);
    };
    found_.begins = of_visits(begins_);
    found_.waits = of_visits(waits_);
    found_.lateness = of_visits(lateness_);
    found_.setups = std::move(setups_);
    return std::move(found_);
}

Excess Calls::measure(std::span<const bool> is_added) {
    double now = calls_.front().early;
    for (int64_t call = 1; call < std::ssize(calls_); ++call) {
        Call& one = calls_[call];
        now += one.travel;
        if (has_several(call)) {
            const Window window = first_window(call, now);
            one.early = window.early;
            one.late = window.limit;
        }
        now = std::max(now, one.early) + one.service;
    }
    follow(calls_.front().early, true);
    Excess found;
    const auto last = calls_.size() - 1;
    for (std::size_t at = 0; at <= last; ++at) {
        Call& call = calls_[at];
        if (problem_.tolerance.exceeds(begins_[at], call.late)) {
            const int64_t node = node_of(static_cast<int64_t>(at));
            double& most = at < 2           ? found.start
                           : at == last     ? found.end
                           : is_added[node] ? found.added
                                            : found.others;
            most = std::max(most, lateness_[at]);
        }
        call.late = std::max(call.late, begins_[at]);
    }
    take_shortest();
    found.amounts.duration = found_.amounts.duration;
    set_amounts(found.amounts);
    found.cost = cost_of(vehicle_, found.amounts, 0.0);
    return found;
}

} // namespace

std::vector<std::pair<double, double>> Vehicle::time_steps() const {
    std::vector<std::pair<double, double>> found;
    for (const PriceStep& step : steps)
        if (Amounts::names[step.amount] == std::string_view("duration"))
            found.emplace_back(step.beyond, step.unit_cost);
    std::sort(found.begin(), found.end());
    return found;
}

double Past::delay_after(int64_t num_stops) const {
    double lost = 0.0;
    for (const auto& [place, time] : delays)
        if (place == num_stops)
            lost += time;
    return lost;
}

double Past::rested_after(int64_t num_stops) const {
    double rested = 0.0;
    for (const BreakHad& had : breaks)
        if (had.place == num_stops)
            rested += had.duration;
    return rested + delay_after(num_stops);
}

double Past::is_there(int64_t num_stops, double there) const {
    there += delay_after(num_stops);
    for (const BreakHad& had : breaks)
        if (had.place == num_stops)
            there = std::max(there, std::isnan(had.begin) ? 0.0 : had.begin) +
                    had.duration;
    return there;
}

bool Past::has_left(int64_t place) const {
    const int64_t last = std::ssize(departures) - 1;
    return place < last || (place == last && !std::isnan(departures[last]));
}

bool Past::has_had(int64_t number) const {
    return std::any_of(breaks.begin(), breaks.end(), [&](const BreakHad& had) {
        return had.number == number;
    });
}

Schedule schedule(const RouteProblem& problem, const Route& route) {
    return Calls(problem, route).schedule();
}

Excess measure(const RouteProblem& problem, const Route& route,
               std::span<const bool> is_added) {
    Excess found = Calls(problem, route).measure(is_added);
    const int64_t num_dimensions = problem.num_dimensions();
    const std::vector<int64_t> loads = loads_on_board(problem, route);
    found.most_load.assign(num_dimensions, 0);
    for (std::size_t idx = 0; idx < loads.size(); ++idx) {
        int64_t& most = found.most_load[idx % num_dimensions];
        most = std::max(most, loads[idx]);
    }
    return found;
}

std::vector<int64_t> loads_on_board(const RouteProblem& problem,
                                    const Route& route) {
    const int64_t num_dimensions = problem.num_dimensions();
    std::vector<int64_t> loads(route.visits.size() * num_dimensions, 0);
    const auto& initial = problem.vehicles[route.type].initial_load;
    const auto trips = trips_of(problem, route);
    for (std::size_t number = 0; number < trips.size(); ++number) {
        const auto [first, end] = trips[number];
        const auto nodes = route.visits.subspan(first, end - first);
        for (int64_t dim = 0; dim < num_dimensions; ++dim) {
            int64_t load = 0;
            for (const int64_t node : nodes)
                load += problem.deliveries(node, dim);
            if (number == 0 && !initial.empty())
                load += initial[dim];
            const Past* begun = route.begun;
            if (begun != nullptr &&
                std::cmp_less_equal(number, begun->num_reloads)) {
                if (!begun->undelivered.empty())
                    load += begun->undelivered[number][dim];
                if (std::cmp_equal(number, begun->num_reloads))
                    for (const int64_t node : begun->on_board)
                        if (std::find(nodes.begin(), nodes.end(), node) ==
                            nodes.end())
                            load += problem.deliveries(node, dim);
            }
            for (int64_t place = first; place < end; ++place) {
                load += problem.load_changes(route.visits[place], dim);
                loads[place * num_dimensions + dim] = load;
            }
        }
    }
    return loads;
}

} // namespace ncc::routes

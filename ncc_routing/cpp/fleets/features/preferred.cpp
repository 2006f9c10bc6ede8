#include "fleets/features/preferred.h"

#include "arrays.h"
#include "fleets/problem.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace ncc::fleets {

namespace {

// A stop of a path, with times less the way to it: what all takes at least
// from the start of the vehicle on.
struct TimedStop {
    Preference wanted;
    double early = 0.0; // bounds that the other stops leave
    double late = 0.0;
    std::span<const Window> several; // as they are; none for one window
    double way = 0.0;
    double leave = 0.0;  // of the stop before, on the way
    uint32_t breaks = 0; // that may be on the arc to it, by bits
};

// What the levels of times that are no whole numbers are rounded by, far less
// than a unit of those that are.
constexpr double noise = 1e-9;

// Breaks on the arc to a stop, one after another.
using Order = std::vector<uint32_t>;

// The times of a path at least cost.
//
// Times less the way, here levels, do not fall along the path, and stops that
// follow each other without a wait share one. Some best schedule has only
// levels at which a window of a stop begins or ends, or which are as far from
// these as the duration is limited: other blocks can be moved until they are.
// So a dynamic program over these levels is exact, with several windows too.
//
// Breaks so far are a part of the way. Who takes some on an arc begins them as
// soon as may be: the level of the next stop has a bound that does not fall
// with the level of the one before. The ends of their windows make levels,
// too.
//
// T. Vidal, T.G. Crainic, M. Gendreau, C. Prins (2015). Timing problems and
// algorithms: time decisions for sequences of activities. Networks 65(2).
class TimedPath {
public:
    // The path is that of a whole route.
    TimedPath(const FleetProblem& problem, std::span<const uint32_t> path,
              int64_t type)
        : p_(problem), vehicle_(problem.vehicles[type]),
          start_(problem.starts[type]), stops_(stops()), levels_(numbers(0)),
          costs_(numbers(1)), starts_(numbers(2)), rests_(numbers(3)),
          behind_(numbers(4)) {
        if (problem.shifts.is_any())
            breaks_ = problem.shifts.breaks[type];
        rests_.assign(std::size_t{1} << breaks_.size(), 0.0);
        for (std::size_t set = 1; set < rests_.size(); ++set) {
            const auto last = std::bit_width(set) - 1;
            rests_[set] = rests_[set ^ (std::size_t{1} << last)] +
                          breaks_[last].duration;
        }
        take_stops(path);
        if (!breaks_.empty())
            allow_breaks(path, type);
    }

    // Returns what the duration and the visits cost, infinite for never.
    double least_cost() {
        if (!bound())
            return infinity;
        collect_levels();
        const double slope = vehicle_.duration_cost;
        for (std::size_t idx = 0; idx < levels_.size(); ++idx)
            starts_[idx] = levels_[idx];
        const auto [first, end] = range(0, 0);
        for (std::size_t idx = first; idx < end; ++idx)
            costs_[idx] = -slope * levels_[idx];
        follow();
        double least = infinity;
        double duration = infinity;
        const std::size_t all = rests_.size() - 1;
        const std::size_t offset = all * levels_.size();
        const double way = way_ + rests_[all];
        const auto [from, to] = range(stops_.size() - 1, all);
        for (std::size_t idx = from; idx < to; ++idx) {
            const double cost =
                costs_[offset + idx] + slope * (way + levels_[idx]);
            if (cost < least) {
                least = cost;
                duration = way + levels_[idx] - starts_[offset + idx];
            }
        }
        const double limit =
            vehicle_.overtime_cost > 0.0
                ? std::min(vehicle_.regular_duration, vehicle_.max_duration)
                : vehicle_.max_duration;
        return duration <= limit ? least : least_limited_cost();
    }

private:
    static std::vector<TimedStop>& stops() {
        thread_local std::vector<TimedStop> stops;
        return stops;
    }

    static std::vector<double>& numbers(std::size_t which) {
        thread_local std::array<std::vector<double>, 5> numbers;
        return numbers[which];
    }

    // Returns when the goods are at the depot of the customers from one on.
    [[nodiscard]] double release_of(std::span<const uint32_t> path) const {
        double release = 0.0;
        if (p_.has_releases)
            for (const uint32_t node : path) {
                if (p_.is_reload(node))
                    break;
                release = std::max(release, p_.visits[node].release);
            }
        return release;
    }

    // Returns what is to be done where an arc begins; breaks come after it.
    [[nodiscard]] double work_behind(uint32_t from, uint32_t to) const {
        if (!p_.shifts.is_any())
            return 0.0;
        const double travel = p_.durations(vehicle_.profile, from, to);
        const ArcTime arc =
            p_.shifts.arc_time(vehicle_.profile, from, to, travel);
        NCC_CHECK(arc.after == 0.0);
        return arc.before;
    }

    void take_stops(std::span<const uint32_t> path) {
        stops_.clear();
        stops_.push_back({.wanted = {},
                          .early = std::max(start_.early, release_of(path)),
                          .late = start_.late,
                          .several = {},
                          .way = 0.0});
        double way = start_.duration;
        uint32_t last = start_.place;
        for (std::size_t idx = 0; idx < path.size(); ++idx) {
            const uint32_t node = path[idx];
            const Visit& visit = p_.visits[node];
            const double leave = way + work_behind(last, node);
            way += p_.durations(vehicle_.profile, last, node);
            double early = visit.early;
            if (p_.is_reload(node))
                early = std::max(early, release_of(path.subspan(idx + 1)));
            Preference wanted = p_.preferred.of_nodes[node];
            wanted.early -= way;
            wanted.late -= way;
            stops_.push_back({.wanted = wanted,
                              .early = early - way,
                              .late = visit.limit - way,
                              .several = p_.shifts.is_any()
                                             ? p_.shifts.windows_of(node)
                                             : std::span<const Window>{},
                              .way = way,
                              .leave = leave});
            way += visit.service;
            last = node;
        }
        const double leave = way + work_behind(last, vehicle_.end);
        way += p_.durations(vehicle_.profile, last, vehicle_.end);
        stops_.push_back({.wanted = {},
                          .early = vehicle_.end_early - way,
                          .late = vehicle_.end_late - way,
                          .several = {},
                          .way = way,
                          .leave = leave});
        way_ = way + vehicle_.end_duration;
    }

    void allow_breaks(std::span<const uint32_t> path, int64_t type) {
        for (std::size_t number = 1; number < stops_.size(); ++number)
            for (std::size_t each = 0; each < breaks_.size(); ++each)
                if (p_.shifts.may_break(p_, path, type, each, number - 1))
                    stops_[number].breaks |= 1U << each;
    }

    // Lets each stop have the bounds that those before and after it leave;
    // returns whether there are any times between. With breaks, these leave
    // more.
    bool bound() {
        if (!breaks_.empty())
            return true;
        for (std::size_t idx = 1; idx < stops_.size(); ++idx)
            stops_[idx].early =
                std::max(stops_[idx].early, stops_[idx - 1].early);
        for (std::size_t idx = stops_.size() - 1; idx > 0; --idx)
            stops_[idx - 1].late =
                std::min(stops_[idx - 1].late, stops_[idx].late);
        return std::all_of(
            stops_.begin(), stops_.end(),
            [](const TimedStop& s) { return s.early <= s.late; });
    }

    void collect_levels() {
        levels_.clear();
        for (const TimedStop& stop : stops_) {
            const auto add = [&](double level) {
                if (stop.early <= level && level <= stop.late &&
                    level < infinity)
                    for (const double rest : rests_)
                        levels_.push_back(level - rest);
            };
            add(stop.early);
            add(stop.late);
            if (stop.wanted.early_cost > 0.0)
                add(stop.wanted.early);
            if (stop.wanted.late_cost > 0.0)
                add(stop.wanted.late);
            for (const Window& window : stop.several) {
                add(window.early - stop.way);
                add(window.limit - stop.way);
            }
            add_breaks(stop);
        }
        sort_levels();
    }

    // Adds the levels of the ends of breaks on the arc to a stop.
    void add_breaks(const TimedStop& stop) {
        for (uint32_t left = stop.breaks; left != 0; left &= left - 1)
            for (const Window& window :
                 breaks_[std::countr_zero(left)].windows)
                for (const double rest : rests_) {
                    levels_.push_back(window.early - stop.way - rest);
                    if (window.limit < infinity)
                        levels_.push_back(window.limit - stop.leave - rest);
                }
    }

    void sort_levels() {
        std::sort(levels_.begin(), levels_.end());
        levels_.erase(std::unique(levels_.begin(), levels_.end()),
                      levels_.end());
        lowest_ = 0;
        highest_ = std::ssize(levels_);
        costs_.resize(rests_.size() * levels_.size());
        starts_.resize(rests_.size() * levels_.size());
    }

    // Returns the levels within the bounds of a stop after a set of breaks;
    // the start has none before it.
    [[nodiscard]] std::pair<std::size_t, std::size_t>
    range(std::size_t number, std::size_t set) const {
        if (number == 0 && set != 0)
            return {0, 0};
        const TimedStop& stop = stops_[number];
        const auto first = levels_.begin() + lowest_;
        const auto last = levels_.begin() + highest_;
        return {std::lower_bound(first, last, stop.early - rests_[set]) -
                    levels_.begin(),
                std::upper_bound(first, last, stop.late - rests_[set]) -
                    levels_.begin()};
    }

    static bool is_open(const TimedStop& stop, double level) {
        return stop.several.empty() ||
               std::any_of(stop.several.begin(), stop.several.end(),
                           [&](const Window& window) {
                               return window.early - stop.way <= level &&
                                      level <= window.limit - stop.way;
                           });
    }

    // Goes from the costs of the first stop, by its level, to those of the
    // last one; a start that is as cheap and later is the better one.
    void follow() {
        for (std::size_t number = 1; number < stops_.size(); ++number)
            // Those of fewer breaks are still of the stop before.
            for (std::size_t set = rests_.size(); set-- > 0;) {
                go_on(number, set);
                const auto own = static_cast<uint32_t>(set);
                for (uint32_t more = own & stops_[number].breaks; more != 0;
                     more = (more - 1) & own & stops_[number].breaks)
                    rest(number, set ^ more, more);
            }
    }

    // Goes on to a stop without a break.
    void go_on(std::size_t number, std::size_t set) {
        const TimedStop& stop = stops_[number];
        double* const costs = costs_.data() + (set * levels_.size());
        double* const starts = starts_.data() + (set * levels_.size());
        const auto [first, end] = range(number - 1, set);
        const auto [next_first, next_end] = range(number, set);
        double least = infinity;
        double start = 0.0;
        for (std::size_t idx = std::min(first, next_first); idx < next_end;
             ++idx) {
            if (first <= idx && idx < end && costs[idx] <= least) {
                least = costs[idx];
                start = starts[idx];
            }
            if (idx < next_first)
                continue;
            const double level = levels_[idx] + rests_[set];
            costs[idx] = is_open(stop, level)
                             ? least + stop.wanted.price(level)
                             : infinity;
            starts[idx] = start;
        }
    }

    // Goes on to it with some more breaks, in each order.
    void rest(std::size_t number, std::size_t before, uint32_t more) {
        thread_local Order order;
        list(more, order);
        const TimedStop& stop = stops_[number];
        const std::size_t set = before | more;
        const std::size_t size = levels_.size();
        const auto [first, end] = range(number - 1, before);
        const auto [next_first, next_end] = range(number, set);
        do {
            double least = infinity;
            double start = 0.0;
            std::size_t from = first;
            for (std::size_t idx = next_first; idx < next_end; ++idx) {
                for (; from < end && reach(stop, from, before, set, order) <=
                                         levels_[idx] + noise;
                     ++from)
                    if (costs_[(before * size) + from] <= least) {
                        least = costs_[(before * size) + from];
                        start = starts_[(before * size) + from];
                    }
                const double level = levels_[idx] + rests_[set];
                const double cost = least + stop.wanted.price(level);
                double& known = costs_[(set * size) + idx];
                double& known_start = starts_[(set * size) + idx];
                if (is_open(stop, level) &&
                    (cost < known || (cost == known && start > known_start))) {
                    known = cost;
                    known_start = start;
                }
            }
        } while (std::next_permutation(order.begin(), order.end()));
    }

    // Returns the lowest level of a stop after breaks in an order, by that of
    // the stop before it.
    [[nodiscard]] double reach(const TimedStop& stop, std::size_t from,
                               std::size_t before, std::size_t set,
                               const Order& order) const {
        double time = levels_[from] + stop.leave + rests_[before];
        for (const uint32_t number : order) {
            const auto& windows = breaks_[number].windows;
            const auto open = std::find_if(
                windows.begin(), windows.end(),
                [&](const Window& window) { return time <= window.limit; });
            if (open == windows.end())
                return infinity;
            time = std::max(time, open->early) + breaks_[number].duration;
        }
        return std::max(levels_[from], time - stop.way - rests_[set]);
    }

    // Returns the least cost where the duration has a limit, or overtime
    // begins: for each start by itself, since what is best for the visits
    // behind it depends on it. Starts that cost too much without limits are
    // left out.
    double least_limited_cost() {
        const std::size_t size = levels_.size();
        const std::size_t all = rests_.size() - 1;
        const double way = way_ + rests_[all];
        for (const double longest :
             {vehicle_.regular_duration, vehicle_.max_duration})
            for (std::size_t idx = 0; longest < infinity && idx < size;
                 ++idx) {
                const double slack = longest - way;
                levels_.push_back(levels_[idx] + slack);
                levels_.push_back(levels_[idx] - slack);
            }
        sort_levels();
        double least = infinity;
        const std::size_t offset = all * levels_.size();
        go_back(way);
        const auto [first, end] = range(0, 0);
        thread_local std::vector<std::pair<double, std::size_t>> starts;
        starts.clear();
        for (std::size_t idx = first; idx < end; ++idx)
            if (behind_[idx] < infinity)
                starts.emplace_back(
                    behind_[idx] - (vehicle_.duration_cost * levels_[idx]),
                    idx);
        std::sort(starts.begin(), starts.end());
        for (const auto& [bound, start] : starts) {
            if (bound >= least)
                break;
            const double last =
                levels_[start] + vehicle_.max_duration - way + noise;
            lowest_ = static_cast<std::ptrdiff_t>(start);
            highest_ = std::upper_bound(levels_.begin(), levels_.end(), last) -
                       levels_.begin();
            costs_[start] = 0.0;
            std::fill(costs_.begin() + lowest_ + 1, costs_.begin() + highest_,
                      infinity);
            follow();
            const auto [from, to] = range(stops_.size() - 1, all);
            for (std::size_t idx = from; idx < to; ++idx) {
                const double duration = way + levels_[idx] - levels_[start];
                if (duration <= vehicle_.max_duration)
                    least = std::min(least, costs_[offset + idx] +
                                                vehicle_.price(duration));
            }
        }
        return least;
    }

    // Finds what the visits from the start on cost at least, and each unit of
    // time up to the end, by the level of the start.
    void go_back(double way) {
        const std::size_t size = levels_.size();
        const std::size_t all = rests_.size() - 1;
        behind_.assign(rests_.size() * size, infinity);
        const auto [from, to] = range(stops_.size() - 1, all);
        for (std::size_t idx = from; idx < to; ++idx)
            behind_[(all * size) + idx] =
                vehicle_.duration_cost * (way + levels_[idx]);
        for (std::size_t number = stops_.size() - 1; number-- > 0;) {
            for (std::size_t set = 0; set <= all; ++set)
                for (std::size_t idx = size - 1; idx > 0; --idx) {
                    double& cost = behind_[(set * size) + idx - 1];
                    cost = std::min(cost, behind_[(set * size) + idx]);
                }
            // Those of more breaks are still of the stop behind.
            for (std::size_t set = 0; set <= all; ++set)
                price_from(number, set);
        }
    }

    // Prices a stop and all behind it, after a set of breaks.
    void price_from(std::size_t number, std::size_t set) {
        const TimedStop& stop = stops_[number];
        const std::size_t size = levels_.size();
        const auto [first, end] = range(number, set);
        double* const costs = behind_.data() + (set * size);
        std::fill(costs, costs + first, infinity);
        std::fill(costs + end, costs + size, infinity);
        const uint32_t free =
            stops_[number + 1].breaks & ~static_cast<uint32_t>(set);
        for (std::size_t idx = first; idx < end; ++idx) {
            const double level = levels_[idx] + rests_[set];
            if (!is_open(stop, level)) {
                costs[idx] = infinity;
                continue;
            }
            for (uint32_t more = free; more != 0; more = (more - 1) & free)
                costs[idx] =
                    std::min(costs[idx], cost_after(number, set, more, idx));
            costs[idx] += stop.wanted.price(level);
        }
    }

    // Returns what all behind a stop costs, with some breaks on the way to the
    // next one.
    [[nodiscard]] double cost_after(std::size_t number, std::size_t set,
                                    uint32_t more, std::size_t idx) const {
        thread_local Order order;
        list(more, order);
        double least = infinity;
        do {
            const double level =
                reach(stops_[number + 1], idx, set, set | more, order);
            const auto next = std::lower_bound(levels_.begin(), levels_.end(),
                                               level - noise);
            if (next != levels_.end())
                least =
                    std::min(least, behind_[((set | more) * levels_.size()) +
                                            (next - levels_.begin())]);
        } while (std::next_permutation(order.begin(), order.end()));
        return least;
    }

    // Writes the breaks of a set into an order.
    static void list(uint32_t breaks, Order& order) {
        order.clear();
        for (uint32_t left = breaks; left != 0; left &= left - 1)
            order.push_back(std::countr_zero(left));
    }

    const FleetProblem& p_;
    const VehicleType& vehicle_;
    const RouteStart& start_;
    std::vector<TimedStop>& stops_; // with both ends
    double way_ = 0.0;              // of the whole path
    std::vector<double>& levels_;
    std::ptrdiff_t lowest_ = 0;   // of the levels that count, and behind the
    std::ptrdiff_t highest_ = 0;  // last one
    std::vector<double>& costs_;  // of the best schedule up to each level
    std::vector<double>& starts_; // its start
    std::span<const Break> breaks_;
    std::vector<double>& rests_;  // durations of all sets of breaks
    std::vector<double>& behind_; // costs from a stop on, up to the end
};

} // namespace

PreferredWindows PreferredWindows::make(std::span<const double> early,
                                        std::span<const double> late,
                                        std::span<const double> early_cost,
                                        std::span<const double> late_cost) {
    const std::size_t size = early.size();
    require(size > 0 && late.size() == size && early_cost.size() == size &&
                late_cost.size() == size,
            "preferred windows must be of each node.");
    PreferredWindows windows;
    for (std::size_t node = 0; node < size; ++node)
        windows.of_nodes.push_back(
            {early[node], late[node], early_cost[node], late_cost[node]});
    return windows;
}

double PreferredWindows::price(const FleetProblem& problem,
                               std::span<const uint32_t> path, int64_t type,
                               double duration) const {
    const auto route = problem.whole_route(path, type);
    if (std::none_of(route.begin(), route.end(), [&](uint32_t node) {
            return of_nodes[node].early_cost > 0.0 ||
                   of_nodes[node].late_cost > 0.0;
        }))
        return 0.0;
    const double cost = TimedPath(problem, route, type).least_cost();
    return cost == infinity ? 0.0
                            : cost - problem.vehicles[type].price(duration);
}

} // namespace ncc::fleets

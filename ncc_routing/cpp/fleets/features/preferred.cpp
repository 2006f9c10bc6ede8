#include "fleets/features/preferred.h"

#include "arrays.h"
#include "fleets/problem.h"

#include <algorithm>
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
};

// The times of a path at least cost.
//
// Times less the way, here levels, do not fall along the path, and stops that
// follow each other without a wait share one. Some best schedule has only
// levels at which a window of a stop begins or ends, or which are as far from
// these as the duration is limited: other blocks can be moved until they are.
// So a dynamic program over these levels is exact, with several windows too.
//
// T. Vidal, T.G. Crainic, M. Gendreau, C. Prins (2015). Timing problems and
// algorithms: time decisions for sequences of activities. Networks 65(2).
class TimedPath {
public:
    TimedPath(const FleetProblem& problem, std::span<const uint32_t> path,
              int64_t type)
        : p_(problem), vehicle_(problem.vehicles[type]), stops_(stops()),
          levels_(numbers(0)), costs_(numbers(1)), starts_(numbers(2)) {
        take_stops(path);
    }

    // Returns what the duration and the visits cost, infinite for never.
    double least_cost() {
        if (!bound())
            return infinity;
        collect_levels();
        const double slope = vehicle_.duration_cost;
        for (std::size_t idx = 0; idx < levels_.size(); ++idx)
            starts_[idx] = levels_[idx];
        const auto [first, end] = range(stops_.front());
        for (std::size_t idx = first; idx < end; ++idx)
            costs_[idx] = -slope * levels_[idx];
        follow();
        double least = infinity;
        double duration = infinity;
        const auto [from, to] = range(stops_.back());
        for (std::size_t idx = from; idx < to; ++idx) {
            const double cost = costs_[idx] + slope * (way_ + levels_[idx]);
            if (cost < least) {
                least = cost;
                duration = way_ + levels_[idx] - starts_[idx];
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
        thread_local std::array<std::vector<double>, 3> numbers;
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

    void take_stops(std::span<const uint32_t> path) {
        stops_.clear();
        stops_.push_back(
            {.wanted = {},
             .early = std::max(vehicle_.start_early, release_of(path)),
             .late = vehicle_.start_late,
             .several = {},
             .way = 0.0});
        double way = vehicle_.start_duration;
        uint32_t last = vehicle_.start;
        for (std::size_t idx = 0; idx < path.size(); ++idx) {
            const uint32_t node = path[idx];
            const Visit& visit = p_.visits[node];
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
                              .way = way});
            way += visit.service;
            last = node;
        }
        way += p_.durations(vehicle_.profile, last, vehicle_.end);
        stops_.push_back({.wanted = {},
                          .early = vehicle_.end_early - way,
                          .late = vehicle_.end_late - way,
                          .several = {},
                          .way = way});
        way_ = way + vehicle_.end_duration;
    }

    // Lets each stop have the bounds that those before and after it leave;
    // returns whether there are any times between.
    bool bound() {
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
                    levels_.push_back(level);
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
        }
        sort_levels();
    }

    void sort_levels() {
        std::sort(levels_.begin(), levels_.end());
        levels_.erase(std::unique(levels_.begin(), levels_.end()),
                      levels_.end());
        costs_.resize(levels_.size());
        starts_.resize(levels_.size());
    }

    // Returns the levels within the bounds of a stop.
    [[nodiscard]] std::pair<std::size_t, std::size_t>
    range(const TimedStop& stop) const {
        return {std::lower_bound(levels_.begin(), levels_.end(), stop.early) -
                    levels_.begin(),
                std::upper_bound(levels_.begin(), levels_.end(), stop.late) -
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
        auto [first, end] = range(stops_.front());
        for (std::size_t number = 1; number < stops_.size(); ++number) {
            const TimedStop& stop = stops_[number];
            const auto [next_first, next_end] = range(stop);
            double least = infinity;
            double start = 0.0;
            for (std::size_t idx = first; idx < next_end; ++idx) {
                if (idx < end && costs_[idx] <= least) {
                    least = costs_[idx];
                    start = starts_[idx];
                }
                if (idx < next_first)
                    continue;
                costs_[idx] = is_open(stop, levels_[idx])
                                  ? least + stop.wanted.price(levels_[idx])
                                  : infinity;
                starts_[idx] = start;
            }
            first = next_first;
            end = next_end;
        }
    }

    // Returns the least cost where the duration has a limit, or overtime
    // begins: for each start by itself, since what is best for the visits
    // behind it depends on it.
    double least_limited_cost() {
        const std::size_t size = levels_.size();
        for (const double longest :
             {vehicle_.regular_duration, vehicle_.max_duration})
            for (std::size_t idx = 0; longest < infinity && idx < size;
                 ++idx) {
                const double slack = longest - way_;
                levels_.push_back(levels_[idx] + slack);
                levels_.push_back(levels_[idx] - slack);
            }
        sort_levels();
        double least = infinity;
        const auto [first, end] = range(stops_.front());
        const auto [from, to] = range(stops_.back());
        for (std::size_t number = first; number < end; ++number) {
            std::fill(costs_.begin() + static_cast<std::ptrdiff_t>(first),
                      costs_.begin() + static_cast<std::ptrdiff_t>(end),
                      infinity);
            costs_[number] = 0.0;
            follow();
            for (std::size_t idx = from; idx < to; ++idx) {
                const double duration = way_ + levels_[idx] - levels_[number];
                if (duration <= vehicle_.max_duration)
                    least = std::min(least,
                                     costs_[idx] + vehicle_.price(duration));
            }
        }
        return least;
    }

    const FleetProblem& p_;
    const VehicleType& vehicle_;
    std::vector<TimedStop>& stops_; // with both ends
    double way_ = 0.0;              // of the whole path
    std::vector<double>& levels_;
    std::vector<double>& costs_;  // of the best schedule up to each level
    std::vector<double>& starts_; // its start
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
    if (std::none_of(path.begin(), path.end(), [&](uint32_t node) {
            return of_nodes[node].early_cost > 0.0 ||
                   of_nodes[node].late_cost > 0.0;
        }))
        return 0.0;
    const double cost = TimedPath(problem, path, type).least_cost();
    return cost == infinity ? 0.0
                            : cost - problem.vehicles[type].price(duration);
}

} // namespace ncc::fleets

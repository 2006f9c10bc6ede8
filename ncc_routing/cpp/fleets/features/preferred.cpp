#include "fleets/features/preferred.h"

#include "arrays.h"
#include "fleets/problem.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <optional>
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

// What the best times up to a stop cost by the level at which it begins at the
// latest: costs that do not rise, linear piece by piece, and infinite before
// the first.
class FallingCosts {
public:
    void clear() { pieces_.clear(); }
    [[nodiscard]] bool is_empty() const { return pieces_.empty(); }

    // Lets a vehicle start within a window; the later, the less a duration
    // costs.
    void start_within(double early, double late, double slope) {
        double least = infinity;
        pieces_.clear();
        add({early, early, -slope * early, -slope, early, true}, late, least);
    }

    // Lets a stop begin within bounds less a rest, at its price.
    void begin(const FallingCosts& arrival, const TimedStop& stop, double rest,
               double early, double late) {
        pieces_.clear();
        double least = infinity;
        if (stop.several.empty())
            begin_within(arrival, stop, rest, early, late, least);
        for (const Window& window : stop.several)
            begin_within(arrival, stop, rest,
                         std::max(early, window.early - stop.way),
                         std::min(late, window.limit - stop.way), least);
    }

    // Lets a break be taken that is over from a level on, and begins after
    // levels up to another one.
    void wait(const FallingCosts& before, double lowest, double highest) {
        pieces_.clear();
        for (std::size_t idx = 0; idx < before.pieces_.size(); ++idx) {
            Piece piece = before.pieces_[idx];
            if (piece.from > highest)
                return;
            const double end = before.end_of(idx);
            if (end <= std::min(lowest, highest))
                continue;
            piece.from = std::max(piece.from, lowest);
            push(piece);
            if (end <= highest)
                continue;
            push(piece.stay_at(highest, std::max(piece.from, highest)));
            return;
        }
    }

    // Takes whichever is lower.
    void take_lower(const FallingCosts& one, const FallingCosts& other) {
        pieces_.clear();
        const auto& first = one.pieces_;
        const auto& second = other.pieces_;
        const Piece* low = nullptr;
        const Piece* high = nullptr;
        const Piece* last = nullptr;
        std::size_t i = 0;
        std::size_t j = 0;
        const auto from = [](const std::vector<Piece>& pieces,
                             std::size_t idx) {
            return idx < pieces.size() ? pieces[idx].from : infinity;
        };
        while (i < first.size() || j < second.size()) {
            const double level = std::min(from(first, i), from(second, j));
            i += from(first, i) == level ? 1 : 0;
            j += from(second, j) == level ? 1 : 0;
            low = i > 0 ? &first[i - 1] : &second[j - 1];
            high = j > 0 ? &second[j - 1] : low;
            double above = high->cost_at(level) - low->cost_at(level);
            if (above < 0.0 || (above == 0.0 && high->slope < low->slope)) {
                std::swap(low, high);
                above = -above;
            }
            if (low != last)
                push(low->behind(level));
            last = low;
            const double crossing =
                level + (above / (low->slope - high->slope));
            if (high->slope < low->slope &&
                crossing < std::min(from(first, i), from(second, j))) {
                push(high->behind(crossing));
                last = high;
            }
        }
    }

    // Returns the least costs with those of a unit of time.
    [[nodiscard]] double least(double slope) const {
        double least = infinity;
        for (const Piece& piece : pieces_)
            least = std::min(least,
                             piece.cost_at(piece.from) + slope * piece.from);
        return least;
    }

    // Calls a function with both ends of each piece, the costs there, and the
    // start of the vehicle.
    template <class Function>
    void each_end(Function function) const {
        for (std::size_t idx = 0; idx < pieces_.size(); ++idx)
            for (const double level : {pieces_[idx].from, end_of(idx)})
                if (level < infinity)
                    function(level, pieces_[idx].cost_at(level),
                             pieces_[idx].start_at(level));
    }

private:
    // A line through a point, from a level on. The start may go along with the
    // level. Points are those of windows, and stay what they are: costs of
    // whole numbers are exact.
    struct Piece {
        double from;
        double at;
        double cost;
        double slope;
        double start;
        bool goes_along;

        [[nodiscard]] double cost_at(double level) const {
            return slope == 0.0 ? cost : cost + slope * (level - at);
        }
        [[nodiscard]] double start_at(double level) const {
            return goes_along ? start + (level - at) : start;
        }
        [[nodiscard]] Piece behind(double level) const {
            Piece piece = *this;
            piece.from = level;
            return piece;
        }

        // Returns the costs of a level, for those from another one on.
        [[nodiscard]] Piece stay_at(double level, double begin) const {
            return {begin, level, cost_at(level), 0.0, start_at(level), false};
        }
    };

    [[nodiscard]] double end_of(std::size_t idx) const {
        return idx + 1 < pieces_.size() ? pieces_[idx + 1].from : infinity;
    }

    void push(const Piece& piece) {
        if (!pieces_.empty() && pieces_.back().from >= piece.from)
            pieces_.back() = piece;
        else
            pieces_.push_back(piece);
    }

    void begin_within(const FallingCosts& arrival, const TimedStop& stop,
                      double rest, double early, double late, double& least) {
        const Preference& wanted = stop.wanted;
        const double too_early =
            wanted.early_cost > 0.0 ? wanted.early - rest : -infinity;
        const double too_late =
            wanted.late_cost > 0.0 ? wanted.late - rest : infinity;
        late -= rest;
        for (std::size_t idx = 0; idx < arrival.pieces_.size(); ++idx) {
            const Piece& piece = arrival.pieces_[idx];
            const double end = std::min(arrival.end_of(idx), late);
            double level = std::max(piece.from, early - rest);
            if (piece.from > late)
                return;
            if (level > end)
                continue;
            do {
                Piece line = piece.behind(level);
                double next = end;
                if (level < too_early) {
                    next = std::min(end, too_early);
                    line.cost +=
                        wanted.early_cost * (wanted.early - (line.at + rest));
                    line.slope -= wanted.early_cost;
                } else if (level < too_late) {
                    next = std::min(end, too_late);
                } else {
                    line.cost +=
                        wanted.late_cost * ((line.at + rest) - wanted.late);
                    line.slope += wanted.late_cost;
                }
                add(line, next, least);
                level = next;
            } while (level < end);
        }
    }

    // Adds the costs of a line up to a level where they are below the least
    // so far.
    void add(const Piece& line, double end, double& least) {
        const double cost = line.cost_at(line.from);
        if (line.slope > 0.0 || (line.slope == 0.0 && !line.goes_along)) {
            if (cost < least)
                push(line.stay_at(line.from, line.from));
            least = std::min(least, cost);
            return;
        }
        const double last = line.cost_at(end);
        if (last > least || (cost > least && last == least))
            return;
        push(cost > least
                 ? line.behind(line.from + (cost - least) / -line.slope)
                 : line);
        if (end < infinity)
            push(line.stay_at(end, end));
        least = last;
    }

    std::vector<Piece> pieces_;
};

// What the levels of times that are no whole numbers are rounded by, far less
// than a unit of those that are.
constexpr double noise = 1e-9;

// The times of a path at least cost.
//
// What a path costs follows from the falling costs of its stops. Times, and
// costs where the best ones break a limit of the duration, go by levels:
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
        : TimedPath(problem.vehicles[type],
                    problem.shifts.is_any()
                        ? std::span<const Break>(problem.shifts.breaks[type])
                        : std::span<const Break>{},
                    problem.shifts.is_any()
                        ? std::span<const Part>(problem.shifts.pauses[type])
                        : std::span<const Part>{}) {
        take_stops(problem, path, type);
        if (!breaks_.empty())
            allow_breaks(problem, path, type);
    }

    // The stops begin when the vehicle starts, and end when it does.
    TimedPath(const VehicleType& vehicle, std::span<const Break> breaks,
              std::span<const Part> pauses, Window start,
              std::span<const PricedStop> path)
        : TimedPath(vehicle, breaks, pauses) {
        slack_ = noise; // ends of windows are exact
        stops_.clear();
        stops_.push_back({.wanted = {},
                          .early = start.early,
                          .late = start.limit,
                          .several = {}});
        double way = 0.0;
        for (const PricedStop& own : path) {
            const double leave = way;
            way += own.travel;
            Preference wanted = own.wanted;
            wanted.early -= way;
            wanted.late -= way;
            stops_.push_back({.wanted = wanted,
                              .early = own.windows.front().early - way,
                              .late = own.windows.back().limit - way,
                              .several = own.windows,
                              .way = way,
                              .leave = leave,
                              .breaks = own.breaks});
            way += own.service;
        }
        way_ = way;
    }

    // Returns what the duration and the visits cost, infinite for never;
    // perhaps nothing where it is more than `most`.
    std::optional<double> least_cost(double most) {
        if (!bound())
            return infinity;
        const auto ends = cheapest_end(most);
        if (!ends)
            return std::nullopt;
        const auto [cost, duration] = *ends;
        if (duration <= vehicle_.regular_duration() || cost == infinity)
            return cost;
        if (cost > most)
            return std::nullopt;
        collect_levels();
        return least_limited_cost(most);
    }

    // Returns the times of least cost; of those the shortest ones, then those
    // with the earliest end. No begins for never.
    DayPlan plan() {
        if (!bound())
            return {};
        collect_levels();
        if (levels_.empty())
            return {};
        std::optional<Ends> ends = cheapest_ends(false);
        if (!ends)
            return {};
        if (ends->duration > slack_ + vehicle_.regular_duration()) {
            add_limits(way_ + rests_.back());
            ends = cheapest_ends(true);
        }
        return ends ? plan_between(*ends) : DayPlan{};
    }

private:
    // The levels of the start and of the end of a path.
    struct Ends {
        double cost = infinity;
        double duration = infinity;
        std::size_t start = 0;
        std::size_t end = 0;
    };

    TimedPath(const VehicleType& vehicle, std::span<const Break> breaks,
              std::span<const Part> pauses)
        : vehicle_(vehicle), stops_(stops()), levels_(numbers(0)),
          costs_(numbers(1)), starts_(numbers(2)), breaks_(breaks),
          pauses_(pauses), rests_(numbers(3)), behind_(numbers(4)),
          ranges_(ranges()) {
        rests_.assign(std::size_t{1} << breaks_.size(), 0.0);
        for (std::size_t set = 1; set < rests_.size(); ++set) {
            const auto last = std::bit_width(set) - 1;
            rests_[set] = rests_[set ^ (std::size_t{1} << last)] +
                          breaks_[last].duration;
        }
    }

    static std::vector<TimedStop>& stops() {
        thread_local std::vector<TimedStop> stops;
        return stops;
    }

    static std::vector<double>& numbers(std::size_t which) {
        thread_local std::array<std::vector<double>, 5> numbers;
        return numbers[which];
    }

    static std::vector<std::pair<std::size_t, std::size_t>>& ranges() {
        thread_local std::vector<std::pair<std::size_t, std::size_t>> ranges;
        return ranges;
    }

    // Returns when the goods are at the depot of the customers from one on.
    static double release_of(const FleetProblem& problem,
                             std::span<const uint32_t> path) {
        double release = 0.0;
        if (problem.has_releases)
            for (const uint32_t node : path) {
                if (problem.is_reload(node))
                    break;
                release = std::max(release, problem.visits[node].release);
            }
        return release;
    }

    void take_stops(const FleetProblem& problem,
                    std::span<const uint32_t> path, int64_t type) {
        const RouteStart& start = problem.starts[type];
        stops_.clear();
        stops_.push_back(
            {.wanted = {},
             .early = std::max(start.early, release_of(problem, path)),
             .late = start.late,
             .several = {},
             .way = 0.0});
        double way = start.duration;
        uint32_t last = start.place;
        for (std::size_t idx = 0; idx < path.size(); ++idx) {
            const uint32_t node = path[idx];
            const Visit& visit = problem.visits[node];
            const double leave = way;
            way += problem.durations(vehicle_.profile, last, node);
            double early = visit.early;
            if (problem.is_reload(node))
                early = std::max(early,
                                 release_of(problem, path.subspan(idx + 1)));
            Preference wanted = problem.preferred.of_nodes[node];
            wanted.early -= way;
            wanted.late -= way;
            stops_.push_back({.wanted = wanted,
                              .early = early - way,
                              .late = visit.limit - way,
                              .several = problem.shifts.is_any()
                                             ? problem.shifts.windows_of(node)
                                             : std::span<const Window>{},
                              .way = way,
                              .leave = leave});
            way += problem.work_at(type, last, node);
            last = node;
        }
        const double leave = way;
        way += problem.durations(vehicle_.profile, last, vehicle_.end);
        stops_.push_back({.wanted = {},
                          .early = vehicle_.end_early - way,
                          .late = vehicle_.end_late - way,
                          .several = {},
                          .way = way,
                          .leave = leave});
        way_ = way + vehicle_.end_duration;
    }

    void allow_breaks(const FleetProblem& problem,
                      std::span<const uint32_t> path, int64_t type) {
        for (std::size_t number = 1; number < stops_.size(); ++number)
            for (std::size_t each = 0; each < breaks_.size(); ++each)
                if (problem.shifts.may_break(problem, path, type, each,
                                             number - 1))
                    stops_[number].breaks |= 1U << each;
    }

    // Lets each stop have the bounds that those before and after it leave,
    // whatever breaks take; returns whether there are any times between.
    bool bound() {
        for (std::size_t idx = 1; idx < stops_.size(); ++idx)
            stops_[idx].early =
                std::max(stops_[idx].early, stops_[idx - 1].early);
        for (std::size_t idx = stops_.size() - 1; idx > 0; --idx)
            stops_[idx - 1].late =
                std::min(stops_[idx - 1].late, stops_[idx].late);
        return std::all_of(
            stops_.begin(), stops_.end(),
            [&](const TimedStop& s) { return s.early <= s.late + slack_; });
    }

    static std::span<FallingCosts> falling_costs(std::size_t number) {
        thread_local std::vector<FallingCosts> costs;
        costs.resize(std::max(costs.size(), number));
        return std::span(costs).first(number);
    }

    // The cost and the duration of some times.
    struct Cheapest {
        double cost = infinity;
        double duration = infinity;
    };

    // Returns those of least cost, whatever the duration; nothing where that
    // is more than `most`.
    std::optional<Cheapest> cheapest_end(double most) {
        const std::span<FallingCosts> all = falling_costs(rests_.size() + 3);
        FallingCosts& found = all[rests_.size()];
        FallingCosts& resting = all[rests_.size() + 1];
        FallingCosts& least = all[rests_.size() + 2];
        const double slope = vehicle_.duration_cost;
        const TimedStop& first = stops_.front();
        for (FallingCosts& costs : all)
            costs.clear();
        all[0].start_within(first.early, first.late, slope);
        const double way = way_ + rests_.back();
        for (std::size_t number = 1; number < stops_.size(); ++number) {
            double lowest_cost = infinity;
            // Those of fewer breaks are still of the stop before.
            for (std::size_t set = rests_.size(); set-- > 0;) {
                const auto [early, late] = bounds_of(number, set);
                const FallingCosts* arrival = &all[set];
                for (const Part& pause : pauses_) {
                    if (!may_pause(number, pause, set))
                        continue;
                    const std::size_t before = set ^ pause.taken;
                    const auto [lowest, highest] =
                        ends_of(stops_[number], pause, before);
                    if (lowest > late - rests_[set])
                        continue;
                    resting.wait(all[before], lowest, highest);
                    if (resting.is_empty())
                        continue;
                    found.take_lower(*arrival, resting);
                    std::swap(found, least);
                    arrival = &least;
                }
                found.begin(*arrival, stops_[number], rests_[set], early,
                            late);
                std::swap(found, all[set]);
                lowest_cost = std::min(lowest_cost, all[set].least(slope));
            }
            if (lowest_cost < infinity && lowest_cost + slope * way > most)
                return std::nullopt;
        }
        Cheapest best;
        all[rests_.size() - 1].each_end(
            [&](double level, double cost, double start) {
                cost += slope * (way + level);
                const double duration = way + level - start;
                if (cost < best.cost ||
                    (cost == best.cost && duration < best.duration))
                    best = {cost, duration};
            });
        return best;
    }

    void collect_levels() {
        levels_.clear();
        for (std::size_t number = 0; number < stops_.size(); ++number) {
            const TimedStop& stop = stops_[number];
            const TimedStop* const last =
                number > 0 ? &stops_[number - 1] : nullptr;
            const auto add_within = [&](double level) {
                if (stop.early <= level + slack_ &&
                    level <= stop.late + slack_)
                    for (const double rest : rests_)
                        add(level - rest);
            };
            if (last == nullptr || stop.early != last->early)
                add_within(stop.early);
            if (last == nullptr || stop.late != last->late)
                add_within(stop.late);
            if (stop.wanted.early_cost > 0.0)
                add_within(stop.wanted.early);
            if (stop.wanted.late_cost > 0.0)
                add_within(stop.wanted.late);
            for (const Window& window : stop.several) {
                add_within(window.early - stop.way);
                add_within(window.limit - stop.way);
            }
            add_breaks(stop);
        }
        sort_levels();
    }

    // Adds the levels of the ends of breaks on the arc to a stop, by those
    // that come before.
    void add_breaks(const TimedStop& stop) {
        for (uint32_t left = stop.breaks; left != 0; left &= left - 1) {
            const int number = std::countr_zero(left);
            for (std::size_t set = 0; set < rests_.size(); ++set)
                for (const Window& window : breaks_[number].windows)
                    if ((set >> number & 1U) == 0) {
                        add(window.early - stop.way - rests_[set]);
                        add(window.limit - stop.leave - rests_[set]);
                    }
        }
    }

    // No level is outside those of the start and of the end.
    void add(double level) {
        if (stops_.front().early <= level + slack_ &&
            level <= stops_.back().late + slack_ && level < infinity)
            levels_.push_back(level);
    }

    void sort_levels() {
        std::sort(levels_.begin(), levels_.end());
        levels_.erase(std::unique(levels_.begin(), levels_.end()),
                      levels_.end());
        lowest_ = 0;
        highest_ = levels_.size();
        set_ranges();
        costs_.resize(rests_.size() * levels_.size());
        starts_.resize(rests_.size() * levels_.size());
    }

    // Finds the levels of each stop after a set of breaks that its bounds
    // leave, and the windows of these breaks, and of those still to come.
    void set_ranges() {
        ranges_.resize(rests_.size() * stops_.size());
        for (std::size_t set = 0; set < rests_.size(); ++set)
            for (std::size_t number = 0; number < stops_.size(); ++number) {
                const auto [early, late] = bounds_of(number, set);
                auto& [first, end] = ranges_[(set * stops_.size()) + number];
                first = std::lower_bound(levels_.begin(), levels_.end(),
                                         early - rests_[set] - slack_) -
                        levels_.begin();
                end = std::upper_bound(levels_.begin(), levels_.end(),
                                       late - rests_[set] + slack_) -
                      levels_.begin();
            }
    }

    // Returns the times less the way; the start has no break before it, the
    // end none behind it.
    [[nodiscard]] std::pair<double, double> bounds_of(std::size_t number,
                                                      std::size_t set) const {
        const TimedStop& stop = stops_[number];
        const bool is_last = number + 1 == stops_.size();
        double early = stop.early;
        double late = stop.late;
        for (std::size_t each = 0; each < breaks_.size(); ++each) {
            const Break& own = breaks_[each];
            if ((set >> each & 1U) != 0) {
                if (number == 0)
                    return {infinity, -infinity};
                early = std::max(early, own.windows.front().early +
                                            own.duration - stop.way - noise);
            } else if (is_last) {
                return {infinity, -infinity};
            } else {
                late = std::min(late, own.windows.back().limit -
                                          stops_[number + 1].leave + noise);
            }
        }
        return {early, late};
    }

    // Returns those of a stop that count.
    [[nodiscard]] std::pair<std::size_t, std::size_t>
    range(std::size_t number, std::size_t set) const {
        const auto [first, end] = ranges_[(set * stops_.size()) + number];
        return {std::clamp(first, lowest_, highest_),
                std::clamp(end, lowest_, highest_)};
    }

    [[nodiscard]] bool is_open(const TimedStop& stop, double level) const {
        return stop.several.empty() ||
               std::any_of(
                   stop.several.begin(), stop.several.end(),
                   [&](const Window& window) {
                       return window.early - stop.way <= level + slack_ &&
                              level <= window.limit - stop.way + slack_;
                   });
    }

    // Goes from the costs of the first stop, by its level, to those of the
    // last one; a start that is as cheap and later is the better one.
    // The costs of each stop are noted where somebody asks for them.
    void follow(std::vector<std::vector<double>>* noted = nullptr) {
        for (std::size_t number = 1; number < stops_.size(); ++number) {
            // Those of fewer breaks are still of the stop before.
            for (std::size_t set = rests_.size(); set-- > 0;) {
                go_on(number, set);
                for (const Part& pause : pauses_)
                    if (may_pause(number, pause, set))
                        rest(number, set ^ pause.taken, pause);
            }
            if (noted != nullptr)
                noted->push_back(costs_);
        }
    }

    // Whether all breaks of a pause are of a set, and may be on the arc to a
    // stop.
    [[nodiscard]] bool may_pause(std::size_t number, const Part& pause,
                                 std::size_t set) const {
        return pause.taken != 0 &&
               (pause.taken & ~(stops_[number].breaks & set)) == 0;
    }

    // Returns the levels from which a stop may follow a pause after a set of
    // breaks, and up to which that of the stop before may be.
    [[nodiscard]] std::pair<double, double>
    ends_of(const TimedStop& stop, const Part& pause, std::size_t set) const {
        return {pause.ready - stop.way - rests_[set] - pause.work,
                pause.late - stop.leave - rests_[set]};
    }

    // Returns the same by their numbers.
    [[nodiscard]] std::pair<std::size_t, std::size_t>
    around(const TimedStop& stop, const Part& pause, std::size_t set) const {
        const auto [lowest, highest] = ends_of(stop, pause, set);
        return {
            std::lower_bound(levels_.begin(), levels_.end(), lowest - noise) -
                levels_.begin(),
            std::upper_bound(levels_.begin(), levels_.end(),
                             highest + slack_) -
                levels_.begin()};
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
        const auto look_at = [&](std::size_t idx) {
            if (costs[idx] <= least) {
                least = costs[idx];
                start = starts[idx];
            }
        };
        std::size_t idx = first;
        for (; idx < std::min(end, next_first); ++idx)
            look_at(idx);
        for (idx = next_first; idx < next_end; ++idx) {
            if (first <= idx && idx < end)
                look_at(idx);
            costs[idx] = least + stop.wanted.price(levels_[idx] + rests_[set]);
            starts[idx] = start;
        }
        if (!stop.several.empty())
            for (idx = next_first; idx < next_end; ++idx)
                if (!is_open(stop, levels_[idx] + rests_[set]))
                    costs[idx] = infinity;
    }

    // Goes on to it with some more breaks.
    void rest(std::size_t number, std::size_t before, const Part& pause) {
        const TimedStop& stop = stops_[number];
        const std::size_t set = before | pause.taken;
        const double* const costs = costs_.data() + (before * levels_.size());
        const double* const starts =
            starts_.data() + (before * levels_.size());
        const auto [lowest, highest] = around(stop, pause, before);
        const auto [first, end] = range(number - 1, before);
        const auto [next_first, next_end] = range(number, set);
        const std::size_t last = std::min(end, highest);
        std::size_t from = first;
        double least = infinity;
        double start = 0.0;
        for (std::size_t idx = std::max(next_first, lowest); idx < next_end;
             ++idx) {
            for (; from < last && from <= idx; ++from)
                if (costs[from] <= least) {
                    least = costs[from];
                    start = starts[from];
                }
            const double level = levels_[idx] + rests_[set];
            const double cost = least + stop.wanted.price(level);
            double& known = costs_[(set * levels_.size()) + idx];
            double& known_start = starts_[(set * levels_.size()) + idx];
            if ((cost < known || (cost == known && start > known_start)) &&
                is_open(stop, level)) {
                known = cost;
                known_start = start;
            }
        }
    }

    // Returns the least cost where the duration has a limit, or overtime
    // begins: for each start by itself, since what is best for the visits
    // behind it depends on it. Starts that cost too much without limits are
    // left out, and those that cost more than `most`.
    std::optional<double> least_limited_cost(double most) {
        const std::size_t all = rests_.size() - 1;
        const double way = way_ + rests_[all];
        if (way > vehicle_.max_duration)
            return infinity;
        add_limits(way);
        double least = infinity;
        const std::size_t offset = all * levels_.size();
        for (const auto& [bound, start] : bounded_starts(way)) {
            if (bound >= least)
                break;
            if (bound > most)
                return std::nullopt; // and what there is costs more
            begin_at(start, levels_[start] + vehicle_.max_duration - way);
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

    // Adds the levels that are as far from others as a duration is limited.
    void add_limits(double way) {
        const std::size_t size = levels_.size();
        const auto add_all = [&](double longest) {
            for (std::size_t idx = 0; longest < infinity && idx < size;
                 ++idx) {
                const double slack = longest - way;
                add(levels_[idx] + slack);
                add(levels_[idx] - slack);
            }
        };
        for (const PriceStep& step : vehicle_.time_steps)
            add_all(step.first);
        add_all(vehicle_.max_duration);
        sort_levels();
    }

    // Returns the starts with what each costs at least, the cheapest first.
    const std::vector<std::pair<double, std::size_t>>&
    bounded_starts(double way) {
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
        return starts;
    }

    // Lets all levels be those from a start on, up to one.
    void begin_at(std::size_t start, double last) {
        lowest_ = start;
        highest_ =
            std::upper_bound(levels_.begin() + static_cast<int64_t>(start),
                             levels_.end(), last + noise) -
            levels_.begin();
        costs_[start] = 0.0;
        std::fill(costs_.data() + start + 1, costs_.data() + highest_,
                  infinity);
    }

    // Returns the ends of the times of least cost. Without limits the
    // duration costs no overtime, and may be any.
    std::optional<Ends> cheapest_ends(bool is_limited) {
        const std::size_t all = rests_.size() - 1;
        const std::size_t offset = all * levels_.size();
        const double way = way_ + rests_[all];
        if (is_limited && way > vehicle_.max_duration + slack_)
            return std::nullopt;
        std::vector<Ends> found;
        double least = infinity;
        for (const auto& [bound, start] : bounded_starts(way)) {
            if (bound > least + slack_of(least))
                break;
            begin_at(start, is_limited
                                ? levels_[start] + vehicle_.max_duration - way
                                : infinity);
            follow();
            const auto [from, to] = range(stops_.size() - 1, all);
            for (std::size_t idx = from; idx < to; ++idx) {
                const double duration = way + levels_[idx] - levels_[start];
                const double paid = is_limited
                                        ? vehicle_.price(duration)
                                        : vehicle_.duration_cost * duration;
                const double cost = costs_[offset + idx] + paid;
                if (cost == infinity ||
                    (is_limited && duration > vehicle_.max_duration + slack_))
                    continue;
                found.push_back({cost, duration, start, idx});
                least = std::min(least, cost);
            }
        }
        std::optional<Ends> best;
        for (const Ends& ends : found)
            if (ends.cost <= least + slack_of(least) &&
                (!best || ends.duration < best->duration - noise ||
                 (ends.duration <= best->duration + noise &&
                  ends.end < best->end)))
                best = ends;
        return best;
    }

    // Returns by how much equal costs may differ.
    static double slack_of(double cost) {
        return cost < infinity ? 1e-12 * std::max(1.0, std::abs(cost)) : 0.0;
    }

    // Returns the times of least cost between two ends: from each stop back
    // to the earliest begin before it.
    DayPlan plan_between(const Ends& ends) {
        begin_at(ends.start, levels_[ends.end]);
        std::vector<std::vector<double>> costs{costs_};
        follow(&costs);
        std::size_t set = rests_.size() - 1;
        std::size_t level = ends.end;
        DayPlan plan;
        const auto begin_of = [&](std::size_t number) {
            return levels_[level] + stops_[number].way + rests_[set];
        };
        plan.begins.push_back(begin_of(stops_.size() - 1));
        for (std::size_t number = stops_.size() - 1; number-- > 0;) {
            double least = infinity;
            std::size_t from = level;
            uint32_t taken = 0;
            const auto look_at = [&](uint32_t more, std::size_t end) {
                const std::size_t before = set ^ more;
                const auto [first, last] = range(number, before);
                double own = infinity;
                std::size_t place = level;
                for (std::size_t idx = std::min({last, end, level + 1});
                     idx-- > first;) {
                    const double cost =
                        costs[number][(before * levels_.size()) + idx];
                    if (cost < infinity && cost <= own + slack_of(own)) {
                        own = std::min(own, cost);
                        place = idx;
                    }
                }
                if (own == infinity ||
                    (least < infinity && own >= least - slack_of(least)))
                    return;
                least = own;
                from = place;
                taken = more;
            };
            look_at(0, level + 1);
            for (const Part& pause : pauses_) {
                if (!may_pause(number + 1, pause, set))
                    continue;
                const auto [lowest, highest] =
                    around(stops_[number + 1], pause, set ^ pause.taken);
                if (level >= lowest)
                    look_at(pause.taken, highest);
            }
            set ^= taken;
            level = from;
            const double begin = begin_of(number);
            plan.begins.push_back(begin);
            const double leave =
                begin + stops_[number + 1].leave - stops_[number].way;
            take_breaks(plan.rests, number, leave, taken);
        }
        std::reverse(plan.begins.begin(), plan.begins.end());
        std::reverse(plan.rests.begin(), plan.rests.end());
        plan.start = plan.begins.front();
        plan.begins.erase(plan.begins.begin());
        return plan;
    }

    // Adds some breaks on the arc behind a stop, the last one first, in the
    // order in which they are over first.
    void take_breaks(std::vector<RestTaken>& rests, std::size_t number,
                     double leave, uint32_t taken) const {
        std::vector<std::size_t> order;
        for (uint32_t left = taken; left != 0; left &= left - 1)
            order.push_back(std::countr_zero(left));
        std::vector<RestTaken> best;
        double over = infinity;
        do {
            std::vector<RestTaken> own;
            double now = leave;
            for (const std::size_t each : order) {
                const auto& windows = breaks_[each].windows;
                const auto window = std::find_if(
                    windows.begin(), windows.end(), [&](const Window& open) {
                        return now <= open.limit + noise;
                    });
                now = window == windows.end() ? infinity
                                              : std::max(now, window->early);
                own.push_back({.stop = static_cast<int64_t>(number),
                               .number = static_cast<int64_t>(each),
                               .begin = now,
                               .duration = breaks_[each].duration});
                now += breaks_[each].duration;
            }
            if (now < over) {
                over = now;
                best = std::move(own);
            }
        } while (std::next_permutation(order.begin(), order.end()));
        rests.insert(rests.end(), best.rbegin(), best.rend());
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
        for (const Part& pause : pauses_) {
            if ((pause.taken & set) != 0 ||
                !may_pause(number + 1, pause, pause.taken))
                continue;
            const double* const behind =
                behind_.data() + ((set | pause.taken) * size);
            const auto [lowest, highest] =
                around(stops_[number + 1], pause, set);
            for (std::size_t idx = first; idx < std::min(end, highest); ++idx)
                if (const std::size_t next = std::max(idx, lowest);
                    next < size)
                    costs[idx] = std::min(costs[idx], behind[next]);
        }
        for (std::size_t idx = first; idx < end; ++idx) {
            const double level = levels_[idx] + rests_[set];
            costs[idx] = is_open(stop, level)
                             ? costs[idx] + stop.wanted.price(level)
                             : infinity;
        }
    }

    const VehicleType& vehicle_;
    std::vector<TimedStop>& stops_; // with both ends
    double way_ = 0.0;              // of the whole path
    double slack_ = 0.0;            // by which ends of windows may be off
    std::vector<double>& levels_;
    std::size_t lowest_ = 0;      // of the levels that count, and behind the
    std::size_t highest_ = 0;     // last one
    std::vector<double>& costs_;  // of the best schedule up to each level
    std::vector<double>& starts_; // its start
    std::span<const Break> breaks_;
    std::span<const Part> pauses_; // of them
    std::vector<double>& rests_;   // durations of all sets of breaks
    std::vector<double>& behind_;  // costs from a stop on, up to the end
    std::vector<std::pair<std::size_t, std::size_t>>& ranges_;
};

// A route that was priced: what it costs at least, or more than that.
struct PricedRoute {
    uint64_t problem = 0;
    int64_t type = 0;
    std::vector<uint32_t> stops;
    double cost = -infinity;
    bool is_exact = false;
};

// Remembered routes of a thread.
constexpr std::size_t num_priced = 1U << 13;

// Returns what is known of a route. A search comes back to most of them: each
// insertion is priced as a trial, then as it is made, and when it is undone.
PricedRoute& priced_route(uint64_t problem, int64_t type,
                          std::span<const uint32_t> stops) {
    thread_local std::vector<PricedRoute> routes(num_priced);
    uint64_t hash = problem + static_cast<uint64_t>(type);
    for (const uint32_t node : stops) {
        hash = (hash ^ node) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32;
    }
    PricedRoute& known = routes[hash % num_priced];
    if (known.problem != problem || known.type != type ||
        !std::ranges::equal(known.stops, stops)) {
        known.problem = problem;
        known.type = type;
        known.stops.assign(stops.begin(), stops.end());
        known.cost = -infinity;
        known.is_exact = false;
    }
    return known;
}

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

void PreferredWindows::complete(const FleetProblem&) {
    static std::atomic<uint64_t> last{0};
    number = ++last;
}

double PreferredWindows::price(const FleetProblem& problem,
                               std::span<const uint32_t> path, int64_t type,
                               double duration, double most) const {
    const auto route = problem.whole_route(path, type);
    if (std::none_of(route.begin(), route.end(), [&](uint32_t node) {
            return of_nodes[node].early_cost > 0.0 ||
                   of_nodes[node].late_cost > 0.0;
        }))
        return 0.0;
    const double by_duration = problem.vehicles[type].price(duration);
    const double most_cost = most + by_duration;
    PricedRoute& known = priced_route(number, type, route);
    if (!known.is_exact && known.cost <= most_cost) {
        const auto cost =
            TimedPath(problem, route, type).least_cost(most_cost);
        known.cost = cost.value_or(most_cost);
        known.is_exact = cost.has_value();
    }
    if (!known.is_exact)
        return infinity;
    return known.cost == infinity ? 0.0 : known.cost - by_duration;
}

DayPlan cheapest_day(const VehicleType& vehicle, std::span<const Break> breaks,
                     Window start, std::span<const PricedStop> stops) {
    return TimedPath(vehicle, breaks, pauses_of(breaks), start, stops).plan();
}

} // namespace ncc::fleets

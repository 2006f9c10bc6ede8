#include "fleets/features/hours.h"

#include "arrays.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace ncc::fleets {

namespace {

Growing operator+(const Growing& one, double more) {
    return {one.least + more, one.from + more};
}

Growing larger(const Growing& one, const Growing& other) {
    return {std::max(one.least, other.least), std::max(one.from, other.from)};
}

bool is_no_larger(const Growing& one, const Growing& other) {
    return one.least <= other.least && one.from <= other.from;
}

// What is never reached.
constexpr Growing no_limit{-infinity, -infinity};

// Returns it for the latest start, which may be infinite.
double last_of(const Growing& value, double late) {
    return value.from == -infinity ? value.least : value.at(late);
}

} // namespace

void Hours::complete() {
    lengths = {rest};
    if (first_part > 0.0) {
        lengths.push_back(first_part);
        lengths.push_back(second_part);
    }
    if (!service_counts)
        lengths.push_back(least_rest);
    lengths.insert(lengths.end(), rests_in_all.begin(), rests_in_all.end());
    std::sort(lengths.begin(), lengths.end(), std::greater<>());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
}

double DayLabels::least_duration(const DayStart& start,
                                 std::span<const HoursStop> stops) {
    double least = infinity;
    if (run(start, stops))
        static_cast<void>(best(least));
    return least;
}

DayPlan DayLabels::plan(const DayStart& start,
                        std::span<const HoursStop> stops) {
    notes_steps_ = true;
    double least = infinity;
    const Label* label = run(start, stops) ? best(least) : nullptr;
    DayPlan plan;
    if (label == nullptr)
        return plan;
    const double open = std::min(
        label->late, std::max(label->soon + 1.0, label->time.least - least));
    plan.start = start.is_open ? std::max({start.early, start.release, open})
                               : start.early;
    std::vector<const Step*> steps;
    for (int64_t idx = label->step; idx >= 0; idx = steps_[idx].before)
        steps.push_back(&steps_[idx]);
    std::reverse(steps.begin(), steps.end());
    for (const Step* step : steps) {
        const double time = step->time.at(plan.start);
        if (step->action == Action::Service) {
            plan.begins.push_back(time);
            continue;
        }
        if (step->action == Action::Stay) {
            const double done = plan.begins.back() + stops[step->stop].service;
            if (time + step->length > done)
                plan.rests.push_back({.stop = step->stop + int64_t{1},
                                      .begin = done,
                                      .duration = time + step->length - done});
            continue;
        }
        const double travel = stops[step->stop].travel;
        const double left = step->left.at(plan.start);
        RestTaken rest{.stop = step->stop,
                       .number = step->number,
                       .begin = std::max(time - left, step->early),
                       .duration = step->length,
                       .share = travel > 0.0 ? 1.0 - (left / travel) : 1.0};
        if (step->number >= 0) {
            rest.duration = breaks_[step->number].duration;
            plan.rests.push_back(rest);
            rest.number = -1;
            rest.begin += rest.duration;
            rest.duration = time - left + step->length - rest.begin;
        }
        if (rest.duration > 0.0)
            plan.rests.push_back(rest);
    }
    return plan;
}

bool DayLabels::run(const DayStart& start, std::span<const HoursStop> stops) {
    start_ = start;
    const HoursSoFar& so_far = start.so_far;
    double work = start.service;
    double driving = 0.0;
    for (const HoursStop& stop : stops) {
        work += stop.travel + stop.service;
        driving += stop.travel;
    }
    rest_needed_ = hours_.rest_for(so_far.work + work);
    steps_.clear();
    labels_.clear();
    Label first{.late = infinity};
    if (start.is_open) {
        // From the last opening on nobody waits.
        first.late = std::max(start.early, start.release);
        for (const HoursStop& stop : stops)
            for (const Window& window : stop.windows)
                first.late = std::max(first.late, window.early);
        for (const Break& own : breaks_)
            for (const Window& window : own.windows)
                first.late = std::max(first.late, window.early);
        first.late = std::min(first.late, start.late);
    }
    first.time.least = start.early + start.service;
    if (start.is_open)
        first.time.from = start.service;
    first.driven.least = std::min(so_far.driven, hours_.driving_block);
    first.worked.least =
        start.service + std::min(so_far.worked, hours_.work_block);
    first.rested = std::min(so_far.rested, rest_needed_);
    first.has_first = so_far.has_first;
    labels_.push_back(first);
    done_ = so_far.work + start.service;
    work_left_ = work - start.service;
    driving_left_ = driving;
    for (stop_ = 0; stop_ < stops.size() && !labels_.empty(); ++stop_) {
        const HoursStop& stop = stops[stop_];
        work_left_ -= stop.travel;
        driving_left_ -= stop.travel;
        if (stop_ + 1 == stops.size())
            work_left_ = stop.service; // sums may be rounded
        drive(stop);
        done_ += stop.travel;
        next_.clear();
        serve(stop);
        std::swap(labels_, next_);
        done_ += stop.service;
        work_left_ -= stop.service;
    }
    return !labels_.empty();
}

bool DayLabels::cut(Label& label, const Growing& value, double limit) const {
    if (value.at(start_.early) > limit)
        return false;
    label.late = std::min(label.late, limit - value.from);
    return true;
}

Growing DayLabels::excess(const Label& label) const {
    return larger(Growing{}, larger(label.driven + -hours_.driving_block,
                                    label.worked + -hours_.work_block));
}

bool DayLabels::needs_rest(const Label& label) const {
    return label.rested < rest_needed_ ||
           last_of(label.driven, label.late) + driving_left_ >
               hours_.driving_block ||
           last_of(label.worked, label.late) + work_left_ > hours_.work_block;
}

void DayLabels::note(Label& label, const Step& step) {
    if (!notes_steps_)
        return;
    steps_.push_back(step);
    steps_.back().before = label.step;
    steps_.back().stop = stop_;
    label.step = std::ssize(steps_) - 1;
}

void DayLabels::begin_rest(Label& label, const Growing& left) {
    const bool is_further =
        left.least < label.left.least && left.from <= label.left.from;
    if (!label.is_idle || is_further) {
        label.is_idle = true;
        label.had_first = label.has_first;
        label.idle_from = label.time;
    }
    label.left = left;
}

bool DayLabels::count_rest(Label& label, double length, const Growing& left,
                           const Growing& end) const {
    if (label.driven == no_limit) {
        // It needs no rest any more.
    } else if (length >= hours_.rest ||
               (label.has_first && length >= hours_.second_part)) {
        label.driven = left;
        label.has_first = false;
    } else if (hours_.first_part > 0.0 && length >= hours_.first_part) {
        label.has_first = true;
    }
    if (length > 0.0 && length >= hours_.least_rest) {
        label.worked = left;
        const auto counted =
            std::find_if(hours_.lengths.begin(), hours_.lengths.end(),
                         [&](double each) { return each <= length; });
        if (counted != hours_.lengths.end())
            label.rested = std::min(rest_needed_, label.rested + *counted);
    }
    if (!label.has_first)
        return true;
    // One that is long enough is no first part.
    const Growing longest =
        end + -(label.had_first ? hours_.second_part : hours_.rest);
    const Growing& from = label.idle_from;
    if (longest.from > -infinity && from.from <= longest.from)
        return false;
    if (from.least <= longest.least)
        label.soon = std::max(label.soon, from.from == -infinity
                                              ? infinity
                                              : longest.least - from.from);
    return label.soon < label.late;
}

void DayLabels::drive(const HoursStop& stop) {
    on_way_.clear();
    for (Label label : labels_) {
        label.time = label.time + stop.travel;
        label.driven = label.driven + stop.travel;
        label.worked = label.worked + stop.travel;
        label.left = {stop.travel};
        label.is_idle = false;
        on_way_.push_back(label);
    }
    for (std::size_t idx = 0; idx < on_way_.size(); ++idx) {
        const Label label = on_way_[idx];
        const Growing left = excess(label);
        const bool is_at_stop = idx < labels_.size();
        const double most_left = last_of(left, label.late);
        // As late as may be; a second rest at one place is none.
        if (most_left > 0.0 &&
            (is_at_stop || most_left < last_of(label.left, label.late)))
            rest_on_way(label, left);
        // At the end of a route nothing interrupts work.
        if (is_at_stop && done_ > 0.0 && work_left_ <= 0.0 &&
            stop.travel > 0.0 && left != label.left && needs_rest(label))
            rest_on_way(label, label.left);
        if (stop.breaks != 0)
            take_breaks(label, stop);
    }
}

void DayLabels::rest_on_way(const Label& label, const Growing& left) {
    for (const double length : hours_.lengths) {
        Label then = label;
        begin_rest(then, left);
        then.time = label.time + length;
        if (!count_rest(then, length, left, then.time))
            continue;
        note(then, {.length = length,
                    .early = -infinity,
                    .time = label.time,
                    .left = left});
        on_way_.push_back(then);
    }
}

void DayLabels::take_breaks(const Label& label, const HoursStop& stop) {
    const auto may_take = [&](std::size_t number) {
        return ((stop.breaks & ~label.taken) >> number & 1U) != 0;
    };
    for (std::size_t number = 0; number < breaks_.size(); ++number) {
        if (!may_take(number))
            continue;
        for (const Window& window : breaks_[number].windows) {
            const Growing left =
                larger(excess(label), label.time + -window.limit);
            take(label, number, window, left, stop.travel);
            // Earlier, so that another one can follow at once.
            for (std::size_t other = 0; other < breaks_.size(); ++other)
                if (other != number && may_take(other))
                    for (const Window& later : breaks_[other].windows)
                        take(label, number, window,
                             larger(left, label.time +
                                              breaks_[number].duration +
                                              -later.limit),
                             stop.travel);
        }
    }
}

void DayLabels::take(const Label& label, std::size_t number,
                     const Window& window, Growing left, double travel) {
    const Break& own = breaks_[number];
    Label then = label;
    // Not before the last rest on the arc.
    if (left.at(start_.early) > label.left.at(start_.early))
        return;
    if (left.from > label.left.from)
        then.late = std::min(then.late, label.left.least - left.from);
    const auto rest_for = [&](double length, bool is_counted) {
        Label longer = then;
        begin_rest(longer, left);
        longer.time =
            larger(label.time + length, left + (window.early + own.duration));
        longer.taken |= 1U << number;
        if (is_counted && !count_rest(longer, length, left, longer.time))
            return;
        note(longer, {.number = static_cast<int64_t>(number),
                      .length = length,
                      .early = window.early,
                      .time = label.time,
                      .left = left});
        on_way_.push_back(longer);
    };
    const bool is_between = done_ > 0.0 && work_left_ > 0.0;
    if (!is_between)
        rest_for(own.duration, false);
    if (!is_between) {
        // It counts where it is on the way.
        if (left.least >= travel || (left.least <= 0.0 && work_left_ <= 0.0))
            return;
        then.late = std::min(then.late, travel - left.from - 1.0);
        if (then.late < start_.early)
            return;
    }
    rest_for(own.duration, true);
    if (needs_rest(label))
        for (const double length : hours_.lengths)
            if (length > own.duration)
                rest_for(length, true);
}

void DayLabels::serve(const HoursStop& stop) {
    const bool is_between = done_ > 0.0 && work_left_ > 0.0;
    for (Label& label : on_way_) {
        if (!cut(label, label.driven, hours_.driving_block) ||
            !cut(label, label.worked, hours_.work_block))
            continue;
        const bool rests = is_between && needs_rest(label);
        if (hours_.service_counts) {
            stay(label, stop, false);
            if (rests && stop.service < hours_.rest)
                stay(label, stop, true);
            continue;
        }
        serve_after(label, stop, 0.0);
        if (rests)
            for (const double length : hours_.lengths)
                serve_after(label, stop, length);
    }
}

void DayLabels::serve_after(const Label& label, const HoursStop& stop,
                            double rest) {
    const Growing arrival = label.time + rest;
    for (const Window& window : stop.windows) {
        Label then = label;
        if (window.early > window.limit || !cut(then, arrival, window.limit))
            continue;
        const bool is_first = then.late == label.late;
        const Growing begin = larger(arrival, Growing{window.early});
        if (done_ > 0.0 && work_left_ > 0.0) {
            begin_rest(then, Growing{});
            if (!count_rest(then, rest, Growing{}, begin))
                continue;
        }
        if (rest > 0.0) {
            note(then, {.length = rest,
                        .early = -infinity,
                        .time = label.time,
                        .left = Growing{}});
        }
        note(then, {.action = Action::Service, .time = begin});
        then.time = begin + stop.service;
        then.worked = then.worked + stop.service;
        if (cut(then, then.worked, hours_.work_block))
            keep(then, stop);
        if (is_first)
            return; // a later window is no better
    }
}

// Serves, and rests after it where the stay must count as a rest.
void DayLabels::stay(const Label& label, const HoursStop& stop, bool is_rest) {
    for (const Window& window : stop.windows) {
        Label then = label;
        if (window.early > window.limit ||
            !cut(then, label.time, window.limit))
            continue;
        const bool is_first = then.late == label.late;
        const Growing begin = larger(label.time, Growing{window.early});
        note(then, {.action = Action::Service, .time = begin});
        then.time = begin + stop.service;
        if (is_rest || stop.service >= hours_.rest)
            then.driven = Growing{};
        if (is_rest) {
            then.time = larger(then.time, label.time + hours_.rest);
            note(then, {.action = Action::Stay,
                        .length = hours_.rest,
                        .time = label.time,
                        .left = {}});
        }
        keep(then, stop);
        if (is_first)
            return;
    }
}

void DayLabels::keep(Label& label, const HoursStop& stop) {
    // What no longer limits anything is as if there were none.
    if (last_of(label.driven, label.late) + driving_left_ <=
        hours_.driving_block) {
        label.driven = no_limit;
        label.has_first = false;
    }
    if (last_of(label.worked, label.late) + work_left_ - stop.service <=
        hours_.work_block)
        label.worked = no_limit;
    const auto is_no_worse = [](const Label& one, const Label& other) {
        return one.taken == other.taken && one.late >= other.late &&
               one.has_first == other.has_first && one.soon <= other.soon &&
               one.rested >= other.rested &&
               is_no_larger(one.time, other.time) &&
               is_no_larger(one.driven, other.driven) &&
               is_no_larger(one.worked, other.worked);
    };
    for (const Label& other : next_)
        if (is_no_worse(other, label))
            return;
    std::erase_if(
        next_, [&](const Label& other) { return is_no_worse(label, other); });
    next_.push_back(label);
}

const DayLabels::Label* DayLabels::best(double& least) const {
    const uint32_t all = (1U << breaks_.size()) - 1;
    const Label* found = nullptr;
    for (const Label& label : labels_) {
        if (label.taken != all || label.rested < rest_needed_ ||
            start_.release > label.late || label.soon >= label.late)
            continue;
        const double duration =
            start_.is_open
                ? std::max(label.time.least - label.late, label.time.from)
                : label.time.least - start_.early;
        if (duration < least) {
            least = duration;
            found = &label;
        }
    }
    return found;
}

} // namespace ncc::fleets

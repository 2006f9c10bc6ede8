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

// What sums are rounded by.
double noise_of(double duration) {
    return 1e-9 * std::abs(duration);
}

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
    plan.start = start_of(*label, least);
    if (start.early < plan.start || plan.start < start.late) {
        // Of ways that take as long, the one of who has left then is planned.
        DayStart left = start;
        left.early = left.late = plan.start;
        DayPlan same = DayLabels(hours_, breaks_).plan(left, stops);
        if (!same.begins.empty() &&
            same.begins.back() - same.start <= least + noise_of(least))
            return same;
    }
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
            if (time > done)
                plan.rests.push_back({.stop = step->stop + int64_t{1},
                                      .begin = done,
                                      .duration = time - done});
            continue;
        }
        const double travel = stops[step->stop].travel;
        if (step->action == Action::Break) {
            const double begin =
                std::max(step->end.at(plan.start), step->early);
            const double left = std::max(0.0, time - begin);
            plan.rests.push_back(
                {.stop = step->stop,
                 .number = step->number,
                 .begin = begin,
                 .duration = breaks_[step->number].duration,
                 .share = travel > 0.0 ? 1.0 - (left / travel) : 1.0});
            continue;
        }
        const double left = step->left.at(plan.start);
        RestTaken rest{.stop = step->stop,
                       .number = step->number,
                       .begin = std::max(time - left, step->early),
                       .duration = step->end.at(plan.start) - time,
                       .share = travel > 0.0 ? 1.0 - (left / travel) : 1.0};
        if (step->number >= 0) {
            rest.duration = breaks_[step->number].duration;
            plan.rests.push_back(rest);
            rest.number = -1;
            rest.begin += rest.duration;
            rest.duration = step->end.at(plan.start) - left - rest.begin;
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

template <class Function>
void DayLabels::at_place(const Label& label, const Growing& left,
                         Function function) {
    const Growing& last = label.left;
    // Starts up to which a rest goes on, or from which on.
    double same_late = infinity;
    double same_soon = -infinity;
    const bool is_elsewhere =
        left.least != last.least &&
        (left.from < last.from || left.from == -infinity);
    if (!label.is_idle || is_elsewhere)
        same_late = -infinity;
    else if (left.least != last.least)
        same_soon = last.least - left.from - 1.0;
    else if (left.from < last.from)
        same_late = last.least - last.from;
    const auto call = [&](double soon, double late, bool is_same) {
        Label then = label;
        then.soon = std::max(label.soon, soon);
        then.late = std::min(label.late, late);
        if (then.soon >= then.late)
            return;
        if (!is_same) {
            then.is_idle = true;
            then.had_first = label.has_first;
            then.idle_from = label.time;
            then.length = 0.0;
            then.had_rested = label.rested;
        }
        then.left = left;
        function(then, is_same);
    };
    if (same_soon > -infinity)
        call(-infinity, same_soon, false);
    call(same_soon, same_late, true);
    if (same_late < infinity)
        call(same_late, infinity, false);
}

bool DayLabels::count_rest(Label& label, double length, const Growing& left,
                           const Growing& end) const {
    label.length = length;
    if (label.driven == no_limit) {
        // It needs no rest any more.
    } else if (length >= hours_.rest ||
               (label.had_first && length >= hours_.second_part)) {
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
            label.rested = std::min(rest_needed_, label.had_rested + *counted);
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
        label.free = label.time;
        label.time = label.time + stop.travel;
        label.driven = label.driven + stop.travel;
        label.worked = label.worked + stop.travel;
        label.left = {stop.travel};
        if (label.is_idle) // from the stay before
            label.idle_from = label.idle_from + stop.travel;
        on_way_.push_back(label);
    }
    for (std::size_t idx = 0; idx < on_way_.size(); ++idx) {
        const Label label = on_way_[idx];
        if (!hours_.is_any()) {
            begin_breaks(label, stop);
            continue;
        }
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
    at_place(label, left, [&](const Label& resting, bool is_same) {
        if (is_same)
            return;
        for (const double length : hours_.lengths) {
            Label then = resting;
            then.time = label.time + length;
            if (!count_rest(then, length, left, then.time))
                continue;
            note(then, {.early = -infinity,
                        .time = label.time,
                        .end = then.time,
                        .left = left});
            on_way_.push_back(then);
        }
    });
}

void DayLabels::begin_breaks(const Label& label, const HoursStop& stop) {
    const auto is_no_worse = [&](const Label& one, const Label& other) {
        return one.taken == other.taken && one.late >= other.late &&
               is_no_larger(one.free, other.free) &&
               is_no_larger(one.time, other.time) &&
               one.begins <= other.begins;
    };
    for (std::size_t number = 0; number < breaks_.size(); ++number) {
        if (((stop.breaks & ~label.taken) >> number & 1U) == 0)
            continue;
        const Break& own = breaks_[number];
        for (const Window& window : own.windows) {
            Label then = label;
            if (!cut(then, label.free, window.limit))
                continue;
            const bool is_first = then.late == label.late;
            then.free = larger(label.free, {window.early}) + own.duration;
            then.time = larger(label.time + own.duration, then.free);
            then.taken |= 1U << number;
            if (std::ranges::none_of(on_way_, [&](const Label& other) {
                    return is_no_worse(other, then);
                })) {
                note(then, {.number = static_cast<int64_t>(number),
                            .action = Action::Break,
                            .early = window.early,
                            .time = label.time,
                            .end = label.free});
                on_way_.push_back(then);
            }
            if (is_first)
                break; // a later window is no better
        }
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
            const Growing last =
                larger(excess(label), label.time + -window.limit);
            const auto take_at = [&](const Growing& place) {
                take(label, number, window, last, place, stop.travel);
            };
            take_at(last);
            // In one with the last rest, or apart from another break.
            const uint32_t others =
                stop.breaks & ~label.taken & ~(1U << number);
            if ((label.is_idle || others != 0) && last != label.left)
                take_at(label.left);
            // Before the end of the route, so that it counts.
            const Growing before{std::min(1.0, 0.5 * stop.travel)};
            if (work_left_ <= 0.0 && !is_no_larger(before, last) &&
                needs_rest(label))
                take_at(larger(last, before));
            // Earlier, so that another one can follow at once.
            for (std::size_t other = 0; other < breaks_.size(); ++other)
                if (other != number && may_take(other))
                    for (const Window& later : breaks_[other].windows)
                        take_at(larger(last, label.time +
                                                 breaks_[number].duration +
                                                 -later.limit));
        }
    }
}

void DayLabels::take(const Label& label, std::size_t number,
                     const Window& window, const Growing& last,
                     const Growing& place, double travel) {
    const Break& own = breaks_[number];
    Label then = label;
    // Not before the last rest on the arc.
    for (const Growing& least : {last, place}) {
        if (least.at(start_.early) > label.left.at(start_.early))
            return;
        if (least.from > label.left.from)
            then.late = std::min(then.late, label.left.least - least.from);
    }
    const auto rest_there = [&](bool is_counted) {
        at_place(then, place, [&](const Label& resting, bool is_same) {
            const double sure = own.duration + (is_same ? label.length : 0.0);
            const auto rest_for = [&](double length) {
                Label longer = resting;
                longer.time = larger(larger(label.time, place + window.early) +
                                         own.duration,
                                     resting.idle_from + length);
                longer.taken |= 1U << number;
                longer.length = length;
                if (is_counted &&
                    !count_rest(longer, length, place, longer.time))
                    return;
                note(longer, {.number = static_cast<int64_t>(number),
                              .early = window.early,
                              .time = label.time,
                              .end = longer.time,
                              .left = place});
                on_way_.push_back(longer);
            };
            rest_for(sure);
            if (is_counted && needs_rest(label))
                for (const double length : hours_.lengths)
                    if (length > sure)
                        rest_for(length);
        });
    };
    // It counts with work before and after it.
    const double before = done_ > 0.0 ? infinity : travel;
    const double after = work_left_ > 0.0 ? -infinity : 0.0;
    if (place.least < before && place.from == -infinity &&
        place.least > after) {
        rest_there(true);
        return;
    }
    if (done_ <= 0.0 || (work_left_ <= 0.0 && place.least <= 0.0))
        rest_there(false);
    if (place.least >= before ||
        (place.least <= after && place.from == -infinity))
        return;
    then.late = std::min(then.late, before - place.from - 1.0);
    if (place.least <= after)
        then.soon = std::max(then.soon, after - place.from);
    if (then.late >= start_.early && then.soon < then.late)
        rest_there(true);
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
        if (!is_between) {
            serve_after(label, stop, 0.0);
            continue;
        }
        at_place(label, Growing{}, [&](const Label& resting, bool is_same) {
            const double sure = is_same ? label.length : 0.0;
            serve_after(resting, stop, sure);
            if (rests)
                for (const double length : hours_.lengths)
                    if (length > sure)
                        serve_after(resting, stop, length);
        });
    }
}

void DayLabels::serve_after(const Label& label, const HoursStop& stop,
                            double rest) {
    const bool is_between = done_ > 0.0 && work_left_ > 0.0;
    const Growing arrival =
        is_between ? larger(label.time, label.idle_from + rest) : label.time;
    for (const Window& window : stop.windows) {
        Label then = label;
        if (window.early > window.limit || !cut(then, arrival, window.limit))
            continue;
        const bool is_first = then.late == label.late;
        const Growing begin = larger(arrival, Growing{window.early});
        if (is_between && !count_rest(then, rest, Growing{}, begin))
            continue;
        if (arrival != label.time)
            note(then, {.early = -infinity,
                        .time = label.time,
                        .end = arrival,
                        .left = Growing{}});
        note(then, {.action = Action::Service, .time = begin});
        then.begins += begin.least;
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
    at_place(label, Growing{}, [&](const Label& resting, bool is_same) {
        const double sure = stop.service + (is_same ? label.length : 0.0);
        for (const Window& window : stop.windows) {
            Label then = resting;
            if (window.early > window.limit ||
                !cut(then, label.time, window.limit))
                continue;
            const bool is_first = then.late == resting.late;
            const Growing begin = larger(label.time, Growing{window.early});
            note(then, {.action = Action::Service, .time = begin});
            then.begins += begin.least;
            then.time = begin + stop.service;
            then.length = sure;
            if (is_rest) {
                const Growing end = resting.idle_from + hours_.rest;
                then.time = larger(then.time, end);
                then.length = std::max(sure, hours_.rest);
                note(then, {.action = Action::Stay, .time = end});
            }
            if (then.length >= hours_.rest)
                then.driven = Growing{};
            keep(then, stop);
            if (is_first)
                return;
        }
    });
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
    // A stay goes on with a break behind it.
    const uint32_t all = (1U << breaks_.size()) - 1;
    label.is_idle = hours_.service_counts && label.driven != no_limit &&
                    label.taken != all;
    const auto is_no_worse = [](const Label& one, const Label& other) {
        if (one.is_idle && (one.length < other.length ||
                            !is_no_larger(one.idle_from, other.idle_from)))
            return false;
        return one.taken == other.taken && one.late >= other.late &&
               one.has_first == other.has_first && one.soon <= other.soon &&
               one.rested >= other.rested &&
               is_no_larger(one.time, other.time) &&
               is_no_larger(one.driven, other.driven) &&
               is_no_larger(one.worked, other.worked);
    };
    // Of equal ways the one with earlier begins is planned.
    const auto is_earlier = [&] {
        return notes_steps_ &&
               std::ranges::any_of(next_, [&](const Label& other) {
                   return is_no_worse(other, label) &&
                          is_no_worse(label, other) &&
                          label.begins < other.begins;
               });
    };
    for (const Label& other : next_)
        if (is_no_worse(other, label) && !is_earlier())
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
        const double noise = notes_steps_ ? noise_of(duration) : 0.0;
        const bool is_earlier =
            notes_steps_ && duration <= least + noise && found != nullptr &&
            start_of(label, duration) < start_of(*found, least);
        if (duration < least - noise || is_earlier) {
            least = duration;
            found = &label;
        }
    }
    return found;
}

double DayLabels::start_of(const Label& label, double duration) const {
    const double open = std::min(
        label.late, std::max(label.soon + 1.0, label.time.least - duration));
    return start_.is_open ? std::max({start_.early, start_.release, open})
                          : start_.early;
}

} // namespace ncc::fleets

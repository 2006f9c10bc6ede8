#include "fleets/features/shift_parts.h"

#include "always_inline.h"
#include "fleets/search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ncc::fleets {

ShiftParts::ShiftParts(const FleetProblem& problem) : problem_(problem) {
    const Shifts& shifts = problem.shifts;
    if (!shifts.is_any() || !shifts.joins_parts || !problem.is_timed)
        return; // without any closing, breaks come first on any route
    const auto num_nodes = static_cast<std::size_t>(problem.num_nodes());
    const auto num_routes = static_cast<std::size_t>(problem.num_routes());
    heads_.resize(num_nodes + num_routes);
    tails_.resize(num_nodes + num_routes);
    works_.assign(num_routes, unknown);
    num_works_ = problem.work.is_any() ? problem.num_types() : 1;
    for (uint32_t node = 0; node < num_nodes; ++node) {
        const Visit& visit = problem.visits[node];
        const Window only{visit.early, visit.limit};
        auto windows = shifts.windows_of(node);
        if (windows.empty())
            windows = std::span(&only, 1);
        for (int64_t type = 0; type < num_works_; ++type) {
            const double service = problem.service_of(type, node);
            first_service_.push_back(services_.size());
            for (const Window& window : windows)
                if (window.early <= window.limit)
                    services_.push_back(
                        {window.limit, window.early + service, service});
        }
    }
    first_service_.push_back(services_.size());
    for (const std::vector<Break>& breaks : shifts.breaks) {
        auto& owed = owed_.emplace_back(std::size_t{1} << breaks.size());
        for (std::size_t set = 0; set < owed.size(); ++set)
            for (std::size_t number = 0; number < breaks.size(); ++number) {
                if ((set >> number & 1) != 0)
                    continue;
                Owed own{-infinity, infinity};
                for (const Window& window : breaks[number].windows) {
                    own.ready = std::max(own.ready, window.limit);
                    own.late = std::min(own.late, window.early +
                                                      breaks[number].duration);
                }
                owed[set].ready = std::min(owed[set].ready, own.ready);
                owed[set].late = std::max(owed[set].late, own.late);
            }
    }
    for (std::size_t route = 0; route < num_routes; ++route) {
        const VehicleType& vehicle =
            problem.vehicle_of(static_cast<int64_t>(route));
        heads_[num_nodes + route] = {
            {{.late = vehicle.start_late,
              .ready = vehicle.start_early + vehicle.start_duration,
              .work = vehicle.start_duration}},
            true};
        tails_[num_nodes + route] = {
            {{.late = vehicle.end_late,
              .ready = vehicle.end_early + vehicle.end_duration,
              .work = vehicle.end_duration}},
            true};
    }
}

// Keeps a part, unless another one is no worse.
NCC_ALWAYS_INLINE void ShiftParts::keep(Parts& parts, const Part& part) {
    const auto is_no_worse = [](const Part& one, const Part& other) {
        return (one.taken == other.taken) & (one.late >= other.late) &
               (one.ready <= other.ready);
    };
    for (const Part& other : parts)
        if (is_no_worse(other, part))
            return; // and this one is then no worse than any
    std::erase_if(parts,
                  [&](const Part& other) { return is_no_worse(part, other); });
    parts.push_back(part);
}

template <class Take>
NCC_ALWAYS_INLINE void ShiftParts::each_served(const Parts& before,
                                               double travel, uint32_t node,
                                               int64_t type, Take take) const {
    const std::vector<Owed>& owed = owed_[type];
    for (const Part& pause : problem_.shifts.pauses[type]) {
        const Part on_way = with_travel(pause, travel);
        for (const Part& service : services_of(node, type)) {
            if (!on_way.can_precede(service))
                continue;
            const Part leg = join(on_way, service);
            for (const Part& part : before) {
                if (!part.can_precede(leg))
                    continue;
                const Part own = join(part, leg);
                if (own.ready <= owed[own.taken].ready && take(own))
                    return;
            }
        }
    }
}

void ShiftParts::serve(const Parts& before, double travel, uint32_t node,
                       int64_t type, Parts& found) const {
    found.clear();
    each_served(before, travel, node, type, [&](const Part& own) {
        keep(found, own);
        return false;
    });
}

void ShiftParts::lead(uint32_t node, double travel, const Parts& behind,
                      int64_t type, Parts& found) const {
    const std::vector<Owed>& owed = owed_[type];
    found.clear();
    for (const Part& pause : problem_.shifts.pauses[type]) {
        const Part on_way = with_travel(pause, travel);
        for (const Part& service : services_of(node, type)) {
            if (!service.can_precede(on_way))
                continue;
            const Part leg = join(service, on_way);
            for (const Part& part : behind) {
                if (!leg.can_precede(part))
                    continue;
                const Part own = join(leg, part);
                if (own.late >= owed[own.taken].late)
                    keep(found, own);
            }
        }
    }
}

NCC_ALWAYS_INLINE bool ShiftParts::shorten(Part& shortest, const Part& part,
                                           double travel, const Parts& behind,
                                           int64_t type, double release,
                                           double least) const {
    const uint32_t all = (1U << problem_.shifts.breaks[type].size()) - 1;
    for (const Part& pause : problem_.shifts.pauses[type]) {
        const Part on_way = with_travel(pause, travel);
        if (!part.can_precede(on_way))
            continue;
        const Part there = join(part, on_way);
        for (const Part& rest : behind) {
            if ((there.taken | rest.taken) != all || !there.can_precede(rest))
                continue;
            const Part whole = join(there, rest);
            const double duration = whole.duration();
            if (release > whole.late || duration >= shortest.duration())
                continue;
            shortest = whole;
            if (duration <= std::max(whole.work, least))
                return true;
        }
    }
    return false;
}

Part ShiftParts::shortest(const Parts& before, double travel,
                          const Parts& behind, int64_t type,
                          double release) const {
    Part shortest{.work = infinity};
    for (const Part& part : before)
        if (shorten(shortest, part, travel, behind, type, release, 0.0))
            break;
    return shortest;
}

void ShiftParts::begin_log(const FleetSearch& s) const {
    if (iteration_ == s.num_iterations)
        return;
    iteration_ = s.num_iterations;
    num_formers_ = 0;
}

ShiftParts::Former& ShiftParts::note(Ways& ways, bool has_parts) const {
    if (num_formers_ == formers_.size())
        formers_.emplace_back();
    Former& former = formers_[num_formers_++];
    former.ways = &ways;
    former.was_known = ways.is_known;
    former.has_parts = has_parts;
    return former;
}

void ShiftParts::forget(const FleetSearch& s, Ways& ways) const {
    if (!ways.is_known)
        return;
    begin_log(s);
    note(ways, false);
    ways.is_known = false;
}

void ShiftParts::set(const FleetSearch& s, Ways& ways) const {
    begin_log(s);
    std::swap(note(ways, true).parts, ways.parts);
    std::swap(ways.parts, found_);
    ways.is_known = true;
}

void ShiftParts::forget_work(FleetSearch& s, uint32_t route) {
    s.change(works_[route], unknown);
}

void ShiftParts::set_duration(FleetSearch& s, uint32_t route) {
    // Without the triangle inequality a removal may leave no way.
    const Part whole = shortest_of(s, route);
    const bool is_any = whole.work < infinity;
    s.routes[route].duration = is_any ? whole.duration() : 0.0;
    s.change(works_[route], is_any ? whole.work : unknown);
}

void ShiftParts::undo(const FleetSearch& s) {
    if (iteration_ != s.num_iterations)
        return;
    for (; num_formers_ > 0; --num_formers_) {
        Former& former = formers_[num_formers_ - 1];
        former.ways->is_known = former.was_known;
        if (former.has_parts)
            std::swap(former.ways->parts, former.parts);
    }
}

void ShiftParts::push_forward(const FleetSearch& s, uint32_t first,
                              bool is_new) {
    for (uint32_t node = first; s.is_customer(node);
         node = s.nodes[node].next) {
        if (!heads_[node].is_known && node != first && !is_new)
            return;
        forget(s, heads_[node]);
    }
}

void ShiftParts::push_back(const FleetSearch& s, uint32_t last, bool is_new) {
    for (uint32_t node = last; s.is_customer(node);
         node = s.nodes[node].prev) {
        if (!tails_[node].is_known && node != last && !is_new)
            return;
        forget(s, tails_[node]);
    }
}

void ShiftParts::find_head(const FleetSearch& s, uint32_t node) const {
    const int64_t type = problem_.type_of[s.route_of[node]];
    uint32_t last = s.nodes[node].prev;
    while (!heads_[last].is_known)
        last = s.nodes[last].prev;
    while (last != node) {
        const uint32_t next = s.nodes[last].next;
        serve(heads_[last].parts, s.travel_to(s.nodes[next]), next, type,
              found_);
        set(s, heads_[next]);
        last = next;
    }
}

void ShiftParts::find_tail(const FleetSearch& s, uint32_t node) const {
    const int64_t type = problem_.type_of[s.route_of[node]];
    uint32_t first = s.nodes[node].next;
    while (!tails_[first].is_known)
        first = s.nodes[first].next;
    while (first != node) {
        const uint32_t before = s.nodes[first].prev;
        lead(before, s.travel_to(s.nodes[first]), tails_[first].parts, type,
             found_);
        set(s, tails_[before]);
        first = before;
    }
}

Part ShiftParts::shortest_of(const FleetSearch& s, uint32_t route) const {
    // Where the parts before meet those behind, most are known.
    uint32_t last = s.depot_of(route);
    uint32_t next = s.nodes[last].next;
    while (s.is_customer(next) && heads_[next].is_known) {
        last = next;
        next = s.nodes[last].next;
    }
    return shortest(heads_[last].parts, s.travel_to(s.nodes[next]),
                    tail_of(s, next), problem_.type_of[route],
                    s.routes[route].release);
}

double ShiftParts::work_of_none(uint32_t route) const {
    const VehicleType& vehicle = problem_.vehicle_of(route);
    double work = vehicle.start_duration + vehicle.end_duration;
    for (const Break& own : problem_.shifts.breaks[problem_.type_of[route]])
        work += own.duration;
    return work;
}

double ShiftParts::sum_work(const FleetSearch& s, uint32_t route) const {
    const uint32_t depot = s.depot_of(route);
    double work = work_of_none(route);
    uint32_t node = s.nodes[depot].next;
    for (; s.is_customer(node); node = s.nodes[node].next)
        work += s.travel_to(s.nodes[node]) + s.visit_of(node).service;
    return work + s.travel_to(s.nodes[node]);
}

double ShiftParts::duration_with(const FleetSearch& s, uint32_t before,
                                 uint32_t customer, uint32_t after,
                                 double there, double on) const {
    const uint32_t route = s.route_of[before];
    const int64_t type = problem_.type_of[route];
    const Parts& behind = tail_of(s, after);
    const Route& now = s.routes[route];
    const double release =
        std::max(now.release, problem_.visits[customer].release);
    const double least = problem_.is_metric ? now.duration : 0.0;
    Part shortest{.work = infinity};
    each_served(
        head_of(s, before), there, customer, type, [&](const Part& part) {
            return shorten(shortest, part, on, behind, type, release, least);
        });
    return shortest.duration();
}

double ShiftParts::duration_of(const FleetSearch& s,
                               const search::NewRoute& route) const {
    const int64_t type = problem_.type_of[route.route];
    const uint32_t depot = s.depot_of(route.route);
    double release = 0.0;
    if (problem_.has_releases)
        search::walk(s, route, [&](uint32_t node) {
            release = std::max(release, problem_.visits[node].release);
        });
    uint32_t last = depot;
    const Parts* before = &heads_[depot].parts;
    std::size_t size = route.pieces.size();
    while (size > 0 && route.pieces[size - 1].is_empty())
        --size;
    for (std::size_t idx = 0; idx < size; ++idx) {
        const search::Piece& piece = route.pieces[idx];
        if (piece.is_empty())
            continue;
        if (last == depot && !piece.is_turned &&
            !s.is_customer(s.nodes[piece.first].prev)) {
            last = piece.last;
            before = &head_of(s, last);
            continue;
        }
        if (idx + 1 == size && !piece.is_turned &&
            !s.is_customer(s.nodes[piece.last].next))
            return shortest(*before, s.travel(route.route, last, piece.first),
                            tail_of(s, piece.first), type, release)
                .duration();
        for (uint32_t node = piece.front();; node = piece.is_turned
                                                        ? s.nodes[node].prev
                                                        : s.nodes[node].next) {
            serve(*before, s.travel(route.route, last, node), node, type,
                  next_);
            std::swap(served_, next_);
            before = &served_;
            last = node;
            if (node == piece.back())
                break;
        }
    }
    return shortest(*before, s.travel(route.route, last, depot),
                    tails_[depot].parts, type, release)
        .duration();
}

void ShiftParts::check([[maybe_unused]] const FleetSearch& s) const {
#ifdef NCC_DEBUG
    Parts found;
    for (uint32_t route = 0; route < s.num_slots; ++route) {
        NCC_CHECK(works_[route] == unknown ||
                  std::abs(works_[route] - sum_work(s, route)) <
                      1e-9 * (1.0 + works_[route]));
        for (uint32_t node = s.first_of(route); s.is_customer(node);
             node = s.nodes[node].next) {
            const int64_t type = problem_.type_of[route];
            const Node& n = s.nodes[node];
            NCC_CHECK(!heads_[node].is_known || heads_[n.prev].is_known);
            NCC_CHECK(!tails_[node].is_known || tails_[n.next].is_known);
            if (heads_[node].is_known) {
                serve(heads_[n.prev].parts, s.travel_to(s.nodes[node]), node,
                      type, found);
                NCC_CHECK(found == heads_[node].parts);
            }
            if (tails_[node].is_known) {
                lead(node, s.travel_to(s.nodes[n.next]), tails_[n.next].parts,
                     type, found);
                NCC_CHECK(found == tails_[node].parts);
            }
        }
    }
#endif
}

} // namespace ncc::fleets

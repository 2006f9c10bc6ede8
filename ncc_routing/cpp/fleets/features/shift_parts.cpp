#include "fleets/features/shift_parts.h"

#include "fleets/search.h"

#include <algorithm>
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
    for (std::size_t route = 0; route < num_routes; ++route) {
        const VehicleType& vehicle =
            problem.vehicle_of(static_cast<int64_t>(route));
        heads_[num_nodes + route] = {
            {.late = vehicle.start_late,
             .ready = vehicle.start_early + vehicle.start_duration,
             .work = vehicle.start_duration}};
        tails_[num_nodes + route] = {
            {.late = vehicle.end_late,
             .ready = vehicle.end_early + vehicle.end_duration,
             .work = vehicle.end_duration}};
    }
}

void ShiftParts::keep(Parts& parts, const Part& part) {
    const auto is_no_worse = [](const Part& one, const Part& other) {
        return one.taken == other.taken && one.late >= other.late &&
               one.ready <= other.ready;
    };
    for (const Part& other : parts)
        if (is_no_worse(other, part))
            return;
    std::erase_if(parts,
                  [&](const Part& other) { return is_no_worse(part, other); });
    parts.push_back(part);
}

template <class Function>
void ShiftParts::for_each_service(uint32_t node, Function function) const {
    const Visit& visit = problem_.visits[node];
    const Window only{visit.early, visit.limit};
    auto windows = problem_.shifts.windows_of(node);
    if (windows.empty())
        windows = std::span(&only, 1);
    for (const Window& window : windows)
        if (window.early <= window.limit)
            function(Part{window.limit, window.early + visit.service,
                          visit.service});
}

void ShiftParts::serve(const Parts& before, double travel, uint32_t node,
                       const Parts& pauses, Parts& found) const {
    found.clear();
    for (const Part& part : before)
        for (Part arc : pauses) {
            if (!part.can_precede(arc))
                continue;
            arc.work += travel;
            const Part there = join(part, arc);
            for_each_service(node, [&](const Part& service) {
                if (there.can_precede(service))
                    keep(found, join(there, service));
            });
        }
}

void ShiftParts::lead(uint32_t node, double travel, const Parts& behind,
                      const Parts& pauses, Parts& found) const {
    found.clear();
    for (const Part& part : behind)
        for (Part arc : pauses) {
            arc.work += travel;
            if (!arc.can_precede(part))
                continue;
            const Part on = join(arc, part);
            for_each_service(node, [&](const Part& service) {
                if (service.can_precede(on))
                    keep(found, join(service, on));
            });
        }
}

double ShiftParts::least(const Parts& before, double travel,
                         const Parts& behind, int64_t type,
                         double release) const {
    const Parts& pauses = problem_.shifts.pauses[type];
    const uint32_t all = (1U << problem_.shifts.breaks[type].size()) - 1;
    double least = infinity;
    for (const Part& part : before)
        for (Part arc : pauses) {
            if (!part.can_precede(arc))
                continue;
            arc.work += travel;
            const Part there = join(part, arc);
            for (const Part& rest : behind) {
                if (!there.can_precede(rest) ||
                    (there.taken | rest.taken) != all)
                    continue;
                const Part whole = join(there, rest);
                if (release <= whole.late)
                    least = std::min(least, whole.duration());
            }
        }
    return least;
}

bool ShiftParts::set(const FleetSearch& s, Parts& parts) {
    if (parts == found_)
        return false;
    if (iteration_ != s.num_iterations) {
        iteration_ = s.num_iterations;
        formers_.clear();
        former_parts_.clear();
    }
    formers_.push_back({&parts, former_parts_.size(), parts.size()});
    former_parts_.insert(former_parts_.end(), parts.begin(), parts.end());
    parts.assign(found_.begin(), found_.end());
    return true;
}

void ShiftParts::undo(const FleetSearch& s) {
    if (iteration_ != s.num_iterations)
        return;
    for (auto former = formers_.rbegin(); former != formers_.rend();
         ++former) {
        const auto first =
            former_parts_.begin() + static_cast<std::ptrdiff_t>(former->first);
        former->parts->assign(
            first, first + static_cast<std::ptrdiff_t>(former->size));
    }
    formers_.clear();
    former_parts_.clear();
}

void ShiftParts::push_forward(FleetSearch& s, uint32_t route, uint32_t first,
                              bool is_new) {
    const auto& pauses = problem_.shifts.pauses[problem_.type_of[route]];
    for (uint32_t node = first; s.is_customer(node);
         node = s.nodes[node].next) {
        const Node& n = s.nodes[node];
        serve(heads_[n.prev], s.travel_to(n), node, pauses, found_);
        if (!set(s, heads_[node]) && node != first && !is_new)
            return;
    }
}

void ShiftParts::push_back(FleetSearch& s, uint32_t route, uint32_t last,
                           bool is_new) {
    const auto& pauses = problem_.shifts.pauses[problem_.type_of[route]];
    for (uint32_t node = last; s.is_customer(node);
         node = s.nodes[node].prev) {
        const uint32_t after = s.nodes[node].next;
        lead(node, s.travel_to(s.nodes[after]), tails_[after], pauses, found_);
        if (!set(s, tails_[node]) && node != last && !is_new)
            return;
    }
}

double ShiftParts::duration_of(const FleetSearch& s, uint32_t route) const {
    const uint32_t depot = s.depot_of(route);
    const uint32_t first = s.nodes[depot].next;
    return least(heads_[depot], s.travel_to(s.nodes[first]), tails_[first],
                 problem_.type_of[route], s.routes[route].release);
}

double ShiftParts::work_of(const FleetSearch& s, uint32_t route) const {
    const uint32_t depot = s.depot_of(route);
    const uint32_t first = s.nodes[depot].next;
    if (tails_[first].empty())
        return 0.0;
    const Part& tail = tails_[first].front();
    const auto& breaks = problem_.shifts.breaks[problem_.type_of[route]];
    double work =
        heads_[depot].front().work + s.travel_to(s.nodes[first]) + tail.work;
    for (std::size_t number = 0; number < breaks.size(); ++number)
        if ((tail.taken >> number & 1U) == 0)
            work += breaks[number].duration;
    return work;
}

double ShiftParts::duration_with(const FleetSearch& s, uint32_t before,
                                 uint32_t customer, uint32_t after,
                                 double there, double on) const {
    thread_local Parts served;
    const uint32_t route = s.route_of[before];
    const int64_t type = problem_.type_of[route];
    serve(heads_[before], there, customer, problem_.shifts.pauses[type],
          served);
    return least(
        served, on, tails_[after], type,
        std::max(s.routes[route].release, problem_.visits[customer].release));
}

double ShiftParts::duration_of(const FleetSearch& s,
                               const search::NewRoute& route) const {
    thread_local Parts ways;
    thread_local Parts next;
    const int64_t type = problem_.type_of[route.route];
    const uint32_t depot = s.depot_of(route.route);
    double release = 0.0;
    if (problem_.has_releases)
        search::walk(s, route, [&](uint32_t node) {
            release = std::max(release, problem_.visits[node].release);
        });
    uint32_t last = depot;
    const Parts* before = &heads_[depot];
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
            before = &heads_[last];
            continue;
        }
        if (idx + 1 == size && !piece.is_turned &&
            !s.is_customer(s.nodes[piece.last].next))
            return least(*before, s.travel(route.route, last, piece.first),
                         tails_[piece.first], type, release);
        for (uint32_t node = piece.front();; node = piece.is_turned
                                                        ? s.nodes[node].prev
                                                        : s.nodes[node].next) {
            serve(*before, s.travel(route.route, last, node), node,
                  problem_.shifts.pauses[type], next);
            std::swap(ways, next);
            before = &ways;
            last = node;
            if (node == piece.back())
                break;
        }
    }
    return least(*before, s.travel(route.route, last, depot), tails_[depot],
                 type, release);
}

void ShiftParts::check([[maybe_unused]] const FleetSearch& s) const {
#ifdef NCC_DEBUG
    Parts found;
    for (uint32_t route = 0; route < s.num_slots; ++route)
        for (uint32_t node = s.first_of(route); s.is_customer(node);
             node = s.nodes[node].next) {
            const auto& pauses =
                problem_.shifts.pauses[problem_.type_of[route]];
            const Node& n = s.nodes[node];
            serve(heads_[n.prev], s.travel_to(n), node, pauses, found);
            NCC_CHECK(found == heads_[node]);
            lead(node, s.travel_to(s.nodes[n.next]), tails_[n.next], pauses,
                 found);
            NCC_CHECK(found == tails_[node]);
        }
#endif
}

} // namespace ncc::fleets

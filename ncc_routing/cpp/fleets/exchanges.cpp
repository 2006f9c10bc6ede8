#include "fleets/paths.h"
#include "fleets/refitting.h"
#include "fleets/schedules.h"
#include "fleets/search.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

// What exchanges cost in the search for a fleet.
namespace ncc::fleets {

namespace {

using search::Exchange;
using search::NewRoute;
using search::Piece;

// Share of the moves that exchange vehicles, where there are several types.
constexpr double vehicle_share = 0.1;

// Share of the moves that exchange whole trips, where a vehicle makes several.
constexpr double trip_share = 0.3;

// Whether edges alone tell what an exchange between two routes costs.
bool costs_alike(const FleetSearch& s, uint32_t a, uint32_t b) {
    const VehicleType& one = s.vehicle_of(a);
    const VehicleType& other = s.vehicle_of(b);
    return !one.prices_duration() && !other.prices_duration() &&
           !s.problem.has_prices && one.distance_cost == other.distance_cost &&
           one.profile == other.profile && one.end == other.end &&
           one.start == other.start;
}

// Returns the length of a new route.
double length_of(const FleetSearch& s, const NewRoute& route) {
    const uint32_t depot = s.depot_of(route.route);
    uint32_t last = depot;
    double length = 0.0;
    search::walk(s, route, [&](uint32_t node) {
        length += s.distance(route.route, last, node);
        last = node;
    });
    return length + s.distance(route.route, last, depot);
}

// Returns what price steps make of new routes.
double price_of_steps(FleetSearch& s, const Exchange& exchange) {
    double price = 0.0;
    for (const NewRoute& route : exchange.routes())
        if (!route.is_empty())
            price += s.step_amounts.price_of(s, route);
    return price;
}

// Returns the cost of new routes that are written down, infinite if one breaks
// a limit.
double paths_cost(const FleetSearch& s, const Exchange& exchange) {
    double cost = 0.0;
    for (std::size_t idx = 0; idx < exchange.routes().size(); ++idx)
        cost += path_cost(s.problem, s.paths[idx].customers(),
                          s.problem.type_of[exchange.routes()[idx].route]);
    return cost;
}

// Whether all features allow new routes that are written down.
bool are_allowed(const FleetSearch& s, const Exchange& exchange) {
    for (std::size_t idx = 0; idx < exchange.routes().size(); ++idx) {
        const auto path = s.paths[idx].customers();
        const int64_t type = s.problem.type_of[exchange.routes()[idx].route];
        PathTotals totals;
        if (!judge_path(s.problem, path, type, totals) ||
            (exchange.routes().size() == 2 && !s.keeps(path, type)))
            return false;
    }
    return true;
}

// The way of a vehicle along a new route, piece by piece: what comes before a
// piece at the start, or after one at the end, is known by its node.
class Course {
public:
    Course(const FleetSearch& search, const NewRoute& route)
        : s_(search), route_(route), vehicle_(search.vehicle_of(route.route)),
          last_(search.depot_of(route.route)), ready_(s_.nodes[last_].ready),
          way_(start_of(vehicle_)), limit_(vehicle_.start_late) {}

    // Goes to the end; returns whether no limit of time is broken.
    bool keeps_limits() {
        const auto& pieces = route_.pieces;
        std::size_t size = pieces.size();
        while (size > 0 && pieces[size - 1].is_empty())
            --size;
        for (std::size_t idx = 0; idx < size; ++idx) {
            const Piece& piece = pieces[idx];
            if (piece.is_empty())
                continue;
            if (!s_.is_customer(last_) && is_head(piece))
                take_head(piece.last);
            else if (idx + 1 == size && is_tail(piece))
                return ends_by_tail(piece.first) && is_short_enough();
            else if (!goes_along(piece))
                return false;
        }
        return returns() && is_short_enough();
    }

    [[nodiscard]] double duration() const { return way_.duration; }

private:
    // Whether segments tell how long a route takes.
    [[nodiscard]] bool has_segments() const {
        return s_.problem.counts_duration && !s_.shift_parts.is_any();
    }

    [[nodiscard]] bool is_head(const Piece& piece) const {
        return !piece.is_turned && !s_.is_customer(s_.nodes[piece.first].prev);
    }

    [[nodiscard]] bool is_tail(const Piece& piece) const {
        return !piece.is_turned && !s_.is_customer(s_.nodes[piece.last].next);
    }

    void take_head(uint32_t node) {
        last_ = node;
        ready_ = s_.nodes[node].ready;
        if (has_segments()) {
            way_ = s_.segments[node].head;
            limit_ = s_.segments[node].head_limit;
        }
    }

    // Goes on to a part of a route that is to begin by `latest`; returns
    // whether that is possible.
    bool goes_to(double travel, const DurationSegment& part, double latest) {
        if (ready_ + travel > latest)
            return false;
        if (has_segments()) {
            limit_ = std::min(limit_, latest - way_.duration - travel);
            way_ = join(way_, travel, part);
        }
        return true;
    }

    [[nodiscard]] double travel_to(uint32_t node) const {
        const Node& n = s_.nodes[node];
        return n.prev == last_ && s_.route_of[last_] == s_.route_of[node]
                   ? s_.travel_to(n)
                   : s_.travel(route_.route, last_, node);
    }

    bool goes_along(const Piece& piece) {
        for (uint32_t node = piece.front();;
             node = piece.is_turned ? s_.nodes[node].prev
                                    : s_.nodes[node].next) {
            const Visit& visit = s_.visit_of(node);
            const double travel = travel_to(node);
            if (!goes_to(travel, segment_of(visit), visit.limit))
                return false;
            const double arrival = ready_ + travel;
            ready_ = s_.problem.shifts.is_any()
                         ? s_.problem.shifts.begin_at(node, visit, arrival)
                         : std::max(arrival, visit.early);
            ready_ += visit.service;
            last_ = node;
            if (node == piece.back())
                return true;
        }
    }

    bool ends_by_tail(uint32_t node) {
        const NodeSegments& rest = s_.segments[node];
        const double latest = s_.nodes[node].latest;
        return goes_to(travel_to(node),
                       {rest.tail_duration, rest.tail_early, latest}, latest);
    }

    // Goes back to the depot.
    bool returns() {
        const uint32_t depot = s_.depot_of(route_.route);
        return goes_to(s_.travel(route_.route, last_, depot), end_of(vehicle_),
                       vehicle_.end_late);
    }

    [[nodiscard]] bool is_short_enough() const {
        double release = 0.0;
        if (s_.problem.has_releases)
            search::walk(s_, route_, [&](uint32_t node) {
                release = std::max(release, s_.problem.visits[node].release);
            });
        return !has_segments() ||
               (way_.duration <= vehicle_.max_duration && release <= limit_);
    }

    const FleetSearch& s_;
    const NewRoute& route_;
    const VehicleType& vehicle_;
    uint32_t last_;
    double ready_;
    DurationSegment way_;
    double limit_; // for the start
};

// Returns what the routes of an exchange take at least, without any waiting;
// -infinity where that is not known by the joints of their pieces.
double least_work(const FleetSearch& s, const Exchange& exchange) {
    double work = 0.0;
    for (const NewRoute& route : exchange.routes()) {
        const uint32_t depot = s.depot_of(route.route);
        uint32_t last = depot;
        work += s.shift_parts.work_of(s, route.route) -
                s.travel_to(s.nodes[depot]);
        for (const Piece& piece : route.pieces) {
            if (piece.is_empty())
                continue;
            if (piece.is_turned && piece.first != piece.last &&
                !s.problem.is_symmetric)
                return -infinity;
            work += s.travel(route.route, last, piece.front()) -
                    s.travel_to(s.nodes[piece.first]);
            last = piece.back();
        }
        work += last == depot ? -s.shift_parts.work_of_none(route.route)
                              : s.travel(route.route, last, depot);
    }
    return work;
}

// What the routes of an exchange take, one after another.
using Durations = std::array<double, 2>;

// Returns it, or nothing where a route breaks a limit of time.
std::optional<Durations> durations_of(const FleetSearch& s,
                                      const Exchange& exchange) {
    Durations durations{};
    std::size_t idx = 0;
    for (const NewRoute& route : exchange.routes()) {
        if (!route.is_empty()) {
            Course course(s, route);
            if (!course.keeps_limits())
                return std::nullopt;
            durations[idx] = course.duration();
            if (s.shift_parts.is_any()) {
                const double most = s.vehicle_of(route.route).max_duration;
                durations[idx] = s.shift_parts.duration_of(s, route);
                if (durations[idx] == infinity || durations[idx] > most)
                    return std::nullopt;
            }
        }
        ++idx;
    }
    return durations;
}

} // namespace

bool FleetSearch::may_pay(uint32_t a, uint32_t b, double change, bool empties,
                          double limit) const {
    // A vehicle that is left without customers costs nothing.
    return empties || !costs_alike(*this, a, b) ||
           vehicle_of(a).distance_cost * change < limit;
}

double FleetSearch::try_exchange(const Exchange& exchange, double change,
                                 double limit) {
    // With several types of vehicles the penalties are counted later.
    if (!has_penalties() || exchange.routes().size() == 1 || num_types() > 1)
        return try_priced(exchange, change, 0.0, limit);
    // Penalties are summed along whole tails, and most exchanges are late.
    std::optional<Durations> durations;
    if (problem.is_timed && !problem.judges_paths) {
        durations = durations_of(*this, exchange);
        if (!durations)
            return limit;
    }
    return try_scheduled(exchange, change, search::penalty_of(*this, exchange),
                         durations, limit);
}

double FleetSearch::try_priced(const Exchange& exchange, double change,
                               double rise, double limit) {
    return try_scheduled(exchange, change, rise, std::nullopt, limit);
}

double FleetSearch::try_scheduled(
    const Exchange& exchange, double change, double rise,
    std::optional<std::array<double, 2>> durations, double limit) {
    const auto new_routes = exchange.routes();
    if (new_routes.size() == 2 && num_types() > 1)
        return refit(*this, exchange, limit);
    const VehicleType& vehicle = vehicle_of(new_routes[0].route);
    double old = 0.0;
    double length = change;
    double total = rise;
    for (const NewRoute& route : new_routes) {
        old += routes[route.route].cost;
        length += routes[route.route].distance;
        if (!route.is_empty())
            total += vehicle.fixed_cost;
    }
    total += vehicle.distance_cost * length;
    if (!vehicle.prices_duration() && total - old >= limit)
        return limit;
    if (problem.judges_paths || problem.limits_order)
        write_down(*this, exchange);
    if (problem.judges_paths) {
        total = rise + paths_cost(*this, exchange);
    } else {
        for (std::size_t idx = 0; idx < new_routes.size(); ++idx)
            if (!keeps_order(problem, paths[idx].customers()))
                return limit;
        if (problem.limits_distance)
            for (const NewRoute& route : new_routes)
                if (!route.is_empty() &&
                    length_of(*this, route) > vehicle.max_distance)
                    return limit;
        if (problem.is_timed && !durations) {
            // Of overtime it takes the work of each route, not the sum.
            if (shift_parts.is_any() && vehicle.duration_cost > 0.0 &&
                vehicle.time_steps.empty() &&
                total + vehicle.price(least_work(*this, exchange)) - old >=
                    limit)
                return limit;
            durations = durations_of(*this, exchange);
        }
        if (problem.is_timed && !durations)
            return limit;
        for (std::size_t idx = 0; durations && idx < new_routes.size(); ++idx)
            if (!new_routes[idx].is_empty())
                total += vehicle.price((*durations)[idx]);
        if (problem.steps.is_any()) {
            if (total - old >= limit)
                return limit;
            total += price_of_steps(*this, exchange);
        }
        if (problem.prices_paths) {
            if (total - old >= limit)
                return limit;
            write_down(*this, exchange);
            for (std::size_t idx = 0; idx < new_routes.size(); ++idx)
                if (!new_routes[idx].is_empty())
                    total += price_path(problem, paths[idx].customers(),
                                        problem.type_of[new_routes[idx].route],
                                        durations ? (*durations)[idx] : 0.0,
                                        limit + old - total);
        }
    }
    if (total - old >= limit)
        return limit;
    if (has_features)
        write_down(*this, exchange);
    if (!are_allowed(*this, exchange))
        return limit;
    double by_shapes = 0.0;
    if (new_routes.size() == 2 && shapes.is_any()) {
        const search::RoutePair both{new_routes[0].route, new_routes[1].route};
        by_shapes = shapes.reassign(*this, both, both);
        if (total - old + by_shapes >= limit) {
            shapes.undo();
            return limit;
        }
        penalty_cost += by_shapes;
    }
    search::relink(*this, exchange);
    total = rise - old + by_shapes;
    for (const NewRoute& route : new_routes) {
        schedule_anew(*this, route.route);
        total += routes[route.route].cost;
    }
    return total;
}

double FleetSearch::try_own_move(uint32_t i, double limit) {
    if (num_types() > 1 && !is_absent(i) && random.unit() < vehicle_share)
        return exchange_vehicles(*this, i, limit);
    if (trips.is_any() && random.unit() < trip_share)
        return exchange_trips(*this, i, limit);
    return limit;
}

bool FleetSearch::is_too_far(uint32_t i, uint32_t, double near, double edge,
                             double limit) const {
    const VehicleType& vehicle = vehicle_of(route_of[i]);
    return !vehicle.prices_duration() && !problem.has_prices &&
           near - vehicle.distance_cost * edge >= limit;
}

} // namespace ncc::fleets

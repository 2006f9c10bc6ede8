#include "fleets/moves.h"

#include "fleets/paths.h"
#include "fleets/rewriting.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ncc::fleets {

namespace {

// Share of the moves that exchange vehicles, where there are several types.
constexpr double vehicle_share = 0.1;

// Share of the other ones that relocate a segment.
constexpr double segment_share = 0.5;

// Customers of a segment at most.
constexpr double max_segment = 30.0;

// Nearest neighbours that a customer may be joined to.
constexpr int64_t num_near = 20;

// Whether edges alone tell what an exchange between two routes costs.
bool costs_alike(const FleetSearch& s, uint32_t a, uint32_t b) {
    const VehicleType& one = s.vehicle_of(a);
    const VehicleType& other = s.vehicle_of(b);
    return one.duration_cost == 0.0 && other.duration_cost == 0.0 &&
           one.distance_cost == other.distance_cost &&
           one.profile == other.profile && one.end == other.end &&
           one.start == other.start;
}

// Whether no vehicle of a type can go from i on to j in time.
bool is_late(const FleetSearch& s, uint32_t route, uint32_t i, uint32_t j) {
    if (!s.problem.is_timed || !s.is_customer(i) || !s.is_customer(j))
        return false;
    const double travel =
        s.problem.durations(s.vehicle_of(route).profile, i, j);
    return s.nodes[i].ready + travel > s.nodes[j].latest;
}

// The moves return the change of the cost, or `limit` where it is not below
// that, and nothing changed.

// Joins i to j, and what came before j to what came after i (2-opt*).
double swap_tails(FleetSearch& s, uint32_t i, uint32_t j, double limit) {
    const uint32_t a = s.route_of[i];
    const uint32_t b = s.route_of[j];
    const uint32_t after = s.nodes[i].next;
    const uint32_t before = s.nodes[j].prev;
    if (costs_alike(s, a, b)) {
        const double lost = s.nodes[i].to_next + s.nodes[j].to_prev;
        const double unit = s.vehicle_of(a).distance_cost;
        const double near = s.distance(a, i, j);
        if (s.problem.is_metric && unit * (near - lost) >= limit)
            return limit;
        if ((s.is_customer(before) || s.is_customer(after)) &&
            unit * (near + s.distance(b, before, after) - lost) >= limit)
            return limit;
    }
    if (is_late(s, a, i, j) || is_late(s, b, before, after))
        return limit;
    const Node& depot_a = s.nodes[s.depot_of(a)];
    const Node& depot_b = s.nodes[s.depot_of(b)];
    s.path.clear();
    append_forward(s, s.path, depot_a.next, i);
    append_forward(s, s.path, j, depot_b.prev);
    s.other_path.clear();
    append_forward(s, s.other_path, depot_b.next, before);
    append_forward(s, s.other_path, after, depot_a.prev);
    return replace_routes(s, {a, b}, limit);
}

// Joins i to j, and what follows i to what follows j: the way from the depot
// to j is turned round, and so is the way that followed i (2-opt* as well).
double swap_tails_reversed(FleetSearch& s, uint32_t i, uint32_t j,
                           double limit) {
    const uint32_t a = s.route_of[i];
    const uint32_t b = s.route_of[j];
    const uint32_t after_i = s.nodes[i].next;
    const uint32_t after_j = s.nodes[j].next;
    if (s.problem.is_metric && costs_alike(s, a, b)) {
        const double lost = s.nodes[i].to_next + s.nodes[j].to_next;
        const double unit = s.vehicle_of(a).distance_cost;
        if (unit * (s.distance(a, i, j) - lost) >= limit)
            return limit;
    }
    const Node& depot_a = s.nodes[s.depot_of(a)];
    const Node& depot_b = s.nodes[s.depot_of(b)];
    s.path.clear();
    append_forward(s, s.path, depot_a.next, i);
    append_backward(s, s.path, j, depot_b.next);
    s.other_path.clear();
    append_backward(s, s.other_path, depot_a.prev, after_i);
    append_forward(s, s.other_path, after_j, depot_b.prev);
    return replace_routes(s, {a, b}, limit);
}

// Joins i to j in their route, and the nodes behind them (2-opt).
double two_opt(FleetSearch& s, uint32_t i, uint32_t j, double limit) {
    const uint32_t route = s.route_of[i];
    const Node& depot = s.nodes[s.depot_of(route)];
    s.path.clear();
    append_forward(s, s.path, depot.next, depot.prev);
    int64_t low = 0;
    int64_t high = 0;
    for (int64_t idx = 0; idx < s.path.size(); ++idx)
        if (s.path[idx] == i)
            low = idx;
        else if (s.path[idx] == j)
            high = idx;
    if (low > high)
        std::swap(low, high);
    ++low;
    if (low >= high)
        return limit;
    while (low < high)
        std::swap(s.path[low++], s.path[high--]);
    return replace_route(s, s.path, route, limit);
}

// A part of a route, and whether it keeps its direction where it goes.
struct RouteSegment {
    uint32_t first;
    uint32_t last;
    bool is_kept;
};

void append_segment(const FleetSearch& s, Path& path,
                    const RouteSegment& segment) {
    if (segment.is_kept)
        append_forward(s, path, segment.first, segment.last);
    else
        append_backward(s, path, segment.last, segment.first);
}

// Writes the route of `path`, without a segment, to `other_path` with it
// behind a node. Returns whether that node is on it.
bool place_segment(FleetSearch& s, const RouteSegment& segment,
                   uint32_t spot) {
    s.other_path.clear();
    bool is_found = !s.is_customer(spot);
    if (is_found)
        append_segment(s, s.other_path, segment);
    for (const uint32_t node : s.path.customers()) {
        s.other_path.push_back(node);
        if (node == spot) {
            append_segment(s, s.other_path, segment);
            is_found = true;
        }
    }
    return is_found;
}

// Returns a number just above a cost or a time: what exceeds it does so
// whatever the order in which sums are rounded.
double surely_above(double value) {
    return value + 1e-9 * (1.0 + std::abs(value));
}

// Returns what the edges cost that change where a segment goes between two
// neighbouring nodes, in units of distance.
double relocation_length(const FleetSearch& s, const RouteSegment& segment,
                         uint32_t spot, uint32_t behind) {
    const uint32_t a = s.route_of[segment.first];
    const uint32_t b = s.route_of[spot];
    const Node& first = s.nodes[segment.first];
    const Node& last = s.nodes[segment.last];
    const uint32_t front = segment.is_kept ? segment.first : segment.last;
    const uint32_t back = segment.is_kept ? segment.last : segment.first;
    return s.distance(b, spot, front) + s.distance(b, back, behind) +
           s.distance(a, first.prev, last.next) - first.to_prev -
           last.to_next - s.nodes[spot].to_next;
}

// A vehicle on a stretch of its route in another order.
class Stretch {
public:
    // Begins when the vehicle can leave a node.
    Stretch(const FleetSearch& search, uint32_t node)
        : s_(search), last_(node), ready_(search.nodes[node].ready) {}

    // Goes on to some customers in their order; returns whether it is late.
    bool is_late_along(uint32_t first, uint32_t last) {
        for (uint32_t node = first;; node = s_.nodes[node].next) {
            const Visit& visit = s_.problem.visits[node];
            const double arrival = arrival_at(node);
            if (arrival > surely_above(visit.limit))
                return true;
            ready_ = std::max(arrival, visit.early) + visit.service;
            last_ = node;
            if (node == last)
                return false;
        }
    }

    // Whether it is too late for the rest of the route from a node on.
    [[nodiscard]] bool is_late_for(uint32_t node) const {
        return arrival_at(node) > surely_above(s_.nodes[node].latest);
    }

private:
    [[nodiscard]] double arrival_at(uint32_t node) const {
        const Node& n = s_.nodes[node];
        return ready_ + (n.prev == last_
                             ? s_.travel_to(n)
                             : s_.travel(s_.route_of[node], last_, node));
    }

    const FleetSearch& s_;
    uint32_t last_;
    double ready_;
};

// Whether a segment is late between two neighbouring nodes of its route, or
// makes others late. It keeps its direction.
bool is_late_between(const FleetSearch& s, const RouteSegment& segment,
                     uint32_t spot, uint32_t behind) {
    const uint32_t before = s.nodes[segment.first].prev;
    const uint32_t after = s.nodes[segment.last].next;
    uint32_t node = after;
    while (s.is_customer(node) && node != spot)
        node = s.nodes[node].next;
    if (s.is_customer(node)) {
        Stretch stretch(s, before);
        return stretch.is_late_along(after, spot) ||
               stretch.is_late_along(segment.first, segment.last) ||
               stretch.is_late_for(behind);
    }
    Stretch stretch(s, spot);
    return stretch.is_late_along(segment.first, segment.last) ||
           stretch.is_late_along(behind, before) || stretch.is_late_for(after);
}

// Whether the edges that change cost too much for a segment between two
// neighbouring nodes, or a walk along its route is late: both cost less than
// to write the routes down.
bool is_refused(const FleetSearch& s, const RouteSegment& segment,
                uint32_t spot, uint32_t behind, double limit) {
    const uint32_t a = s.route_of[segment.first];
    const uint32_t b = s.route_of[spot];
    // A vehicle that is left without customers costs nothing, and others may
    // suit better where there are several types.
    const bool is_emptied = !s.is_customer(s.nodes[segment.first].prev) &&
                            !s.is_customer(s.nodes[segment.last].next);
    if (costs_alike(s, a, b) && !is_emptied &&
        (a == b || s.num_types() == 1)) {
        const double old = s.routes[a].cost + s.routes[b].cost;
        const double change = s.vehicle_of(a).distance_cost *
                              relocation_length(s, segment, spot, behind);
        if (old + change >= surely_above(old + limit))
            return true;
    }
    return a == b && s.problem.is_timed &&
           is_late_between(s, segment, spot, behind);
}

// Moves a segment between two neighbouring nodes.
double move_segment(FleetSearch& s, const RouteSegment& segment, uint32_t spot,
                    uint32_t behind, double limit) {
    const uint32_t a = s.route_of[segment.first];
    const uint32_t b = s.route_of[spot];
    const Node& depot_a = s.nodes[s.depot_of(a)];
    s.path.clear();
    append_forward(s, s.path, depot_a.next, s.nodes[segment.first].prev);
    append_forward(s, s.path, s.nodes[segment.last].next, depot_a.prev);
    if (a == b) {
        if (!place_segment(s, segment, spot)) // it lies inside
            return limit;
        return replace_route(s, s.other_path, a, limit);
    }
    const Node& depot_b = s.nodes[s.depot_of(b)];
    s.other_path.clear();
    append_forward(s, s.other_path, depot_b.next, spot);
    append_segment(s, s.other_path, segment);
    append_forward(s, s.other_path, behind, depot_b.prev);
    return replace_routes(s, {a, b}, limit);
}

// Moves a random segment that begins or ends with i next to j (Or-opt). It is
// turned round where that makes i and j neighbours.
double or_opt(FleetSearch& s, uint32_t i, uint32_t j, double limit) {
    const uint32_t a = s.route_of[i];
    const uint32_t b = s.route_of[j];
    const bool is_forward = s.random.unit() < 0.5;
    const double span = s.random.unit();
    uint32_t k = i;
    int64_t load = s.demand(i);
    for (auto left = static_cast<int64_t>(span * span * max_segment); left > 0;
         --left) {
        const uint32_t node = is_forward ? s.nodes[k].next : s.nodes[k].prev;
        if (!s.is_customer(node) || node == j)
            break;
        k = node;
        load += s.demand(k);
    }
    if (a != b && !s.has_room(b, load))
        return limit;
    const uint32_t first = is_forward ? i : k;
    const uint32_t last = is_forward ? k : i;
    // Behind j comes i, or before it: the segment is turned where it must.
    bool follows = s.random.unit() < 0.5;
    if (s.problem.is_timed || !s.problem.is_symmetric)
        follows = is_forward;
    const RouteSegment segment{first, last, follows == is_forward};
    const uint32_t spot = follows ? j : s.nodes[j].prev;
    const uint32_t behind = follows ? s.nodes[j].next : j;
    if (a == b &&
        (spot == first || spot == last || behind == first || behind == last))
        return limit;
    if (s.problem.is_metric && costs_alike(s, a, b)) {
        const double unit = s.vehicle_of(a).distance_cost;
        const double near =
            follows ? s.distance(b, j, i) : s.distance(b, i, j);
        const double lost = s.nodes[first].to_prev + s.nodes[last].to_next +
                            s.nodes[spot].to_next;
        if (unit * (near - lost) >= limit)
            return limit;
    }
    if (a != b && segment.is_kept &&
        (is_late(s, b, spot, first) || is_late(s, b, last, behind)))
        return limit;
    if (is_refused(s, segment, spot, behind, limit)) {
        NCC_CHECK(move_segment(s, segment, spot, behind, limit) == limit);
        return limit;
    }
    return move_segment(s, segment, spot, behind, limit);
}

// Splits the route of i behind it, or exchanges its vehicle with that of
// another route. The vehicles that suit the new routes best drive them.
double exchange_vehicles(FleetSearch& s, uint32_t i, double limit) {
    const uint32_t a = s.route_of[i];
    const Node& depot_a = s.nodes[s.depot_of(a)];
    if (s.random.unit() < 0.5) {
        const uint32_t b = s.empty_route(s.random.below(s.num_types()));
        if (b == s.num_slots)
            return limit;
        s.path.clear();
        append_forward(s, s.path, depot_a.next, i);
        s.other_path.clear();
        append_forward(s, s.other_path, s.nodes[i].next, depot_a.prev);
        return replace_routes(s, {a, b}, limit);
    }
    const uint32_t j = s.members[s.random.below(std::ssize(s.members))];
    const uint32_t b = s.route_of[j];
    if (b == s.num_slots || s.problem.type_of[b] == s.problem.type_of[a])
        return limit;
    const Node& depot_b = s.nodes[s.depot_of(b)];
    s.path.clear();
    append_forward(s, s.path, depot_a.next, depot_a.prev);
    s.other_path.clear();
    append_forward(s, s.other_path, depot_b.next, depot_b.prev);
    return replace_routes(s, {a, b}, limit);
}

// Makes a random move of i and its neighbour j.
double move_at_random(FleetSearch& s, uint32_t i, uint32_t j, double limit) {
    const bool may_turn = s.problem.is_symmetric && !s.problem.is_timed;
    const double choice = s.random.unit();
    if (s.num_types() > 1 && s.random.unit() < vehicle_share)
        return exchange_vehicles(s, i, limit);
    if (choice < segment_share)
        return or_opt(s, i, j, limit);
    if (s.route_of[i] == s.route_of[j])
        return may_turn ? two_opt(s, i, j, limit) : limit;
    if (may_turn && choice < segment_share + 0.5 * (1.0 - segment_share))
        return swap_tails_reversed(s, i, j, limit);
    return swap_tails(s, i, j, limit);
}

} // namespace

void try_move(FleetSearch& s, double tolerance, double temperature) {
    const MatrixView<const uint32_t> neighbours = s.neighbours();
    const uint32_t i = s.members[s.random.below(std::ssize(s.members))];
    const int64_t width = std::min(num_near, neighbours.num_columns());
    const uint32_t j = neighbours(i, s.random.below(width));
    // A lonely customer is its own neighbour.
    if (s.is_absent(i) || s.is_absent(j) || i == j)
        return;
    const double limit = -temperature * std::log(1.0 - s.random.unit());
    const double change = move_at_random(s, i, j, limit);
    if (change < limit)
        s.accept(change, tolerance);
}

} // namespace ncc::fleets

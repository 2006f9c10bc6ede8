#include "fleets/dropping.h"

#include "fleets/schedules.h"
#include "search/annealing.h"
#include "search/ruin.h"

#include <algorithm>
#include <vector>

namespace ncc::fleets {

namespace {

// Customers in a row who may leave a route together, unless all do.
constexpr int64_t most_dropped = 10;

// Share of the ruins after which a whole route is removed.
constexpr double closing_share = 0.1;

// Whether the plan may do without a customer.
bool may_drop(const FleetSearch& s, uint32_t node) {
    const FleetProblem& p = s.problem;
    if (p.is_reload(node) || (p.has_pairs && p.pairs.is_paired(node)) ||
        (p.has_rules && !p.rules.groups_of[node].empty()))
        return false;
    return p.options.is_optional(node);
}

// Returns what a way from one node of a route to another costs, without
// waiting.
double way_cost(const FleetSearch& s, uint32_t route, uint32_t i, uint32_t j) {
    const VehicleType& vehicle = s.vehicle_of(route);
    double cost = vehicle.distance_cost * s.distance(route, i, j);
    if (vehicle.duration_cost > 0.0)
        cost += vehicle.duration_cost * s.travel(route, i, j);
    return cost;
}

// The cheapest way along some of the customers of a route, in their order.
class Selection {
public:
    explicit Selection(FleetSearch& search) : s_(search) {}

    // Finds it for a route; returns whether customers are left out.
    bool find(uint32_t route) {
        route_ = route;
        nodes_.assign(1, s_.depot_of(route));
        for (uint32_t node = s_.nodes[nodes_[0]].next; s_.is_customer(node);
             node = s_.nodes[node].next)
            nodes_.push_back(node);
        nodes_.push_back(nodes_[0]);
        const auto end = std::ssize(nodes_) - 1;
        costs_.assign(nodes_.size(), infinity);
        from_.assign(nodes_.size(), 0);
        costs_[0] = 0.0;
        for (int64_t to = 1; to <= end; ++to)
            look_back(to);
        double lost = 0.0;
        bool may_be_empty = true;
        for (int64_t idx = 1; idx < end && may_be_empty; ++idx) {
            lost += s_.prize(nodes_[idx]);
            may_be_empty = may_drop(s_, nodes_[idx]);
        }
        if (may_be_empty &&
            lost < costs_[end] + s_.vehicle_of(route_).fixed_cost)
            from_[end] = 0;
        bool is_shorter = false;
        for (int64_t to = end; to > 0; to = from_[to])
            is_shorter |= from_[to] != to - 1;
        return is_shorter;
    }

    // Leaves the others out.
    void apply() {
        for (int64_t to = std::ssize(nodes_) - 1; to > 0; to = from_[to]) {
            const int64_t size = to - from_[to] - 1;
            if (size == 0)
                continue;
            search::remove_string(s_, nodes_[from_[to] + 1], size);
            ++s_.num_dropped;
        }
    }

private:
    void look_back(int64_t to) {
        double lost = 0.0;
        const int64_t least = std::max<int64_t>(0, to - 1 - most_dropped);
        for (int64_t from = to - 1; from >= least; --from) {
            const double cost = costs_[from] + lost +
                                way_cost(s_, route_, nodes_[from], nodes_[to]);
            if (cost < costs_[to]) {
                costs_[to] = cost;
                from_[to] = from;
            }
            if (from == 0 || !may_drop(s_, nodes_[from]))
                break;
            lost += s_.prize(nodes_[from]);
        }
        if (s_.is_customer(nodes_[to]))
            costs_[to] += s_.penalty(nodes_[to], route_);
    }

    FleetSearch& s_;
    uint32_t route_ = 0;
    std::vector<uint32_t> nodes_;
    std::vector<double> costs_; // up to each node
    std::vector<int64_t> from_; // the node before it
};

} // namespace

void drop_customers(FleetSearch& s) {
    Selection selection(s);
    for (const TouchedRoute& touched : s.touched) {
        Route& route = s.routes[touched.route];
        if (route.size == 0 || !selection.find(touched.route))
            continue;
        const double before = route.cost + s.penalty_cost;
        const double cost = s.cost;
        selection.apply();
        route.ruined = s.num_iterations;
        schedule_anew(s, touched.route);
        s.cost = cost + route.cost + s.penalty_cost - before;
    }
}

bool remove_route(FleetSearch& s) {
    if (s.num_strings == 0 || s.random.unit() >= closing_share)
        return false;
    const auto number = s.random.below(s.num_strings);
    const uint32_t route = s.route_of[s.strings[number].before];
    if (s.routes[route].size == 0)
        return false;
    search::remove_string(s, s.nodes[s.depot_of(route)].next,
                          s.routes[route].size);
    return true;
}

int64_t anneal_with_prizes(FleetSearch& s, int64_t num_iterations,
                           double temperature, double cooling,
                           const PrizeRise& rise) {
    s.set_prize_factor(1.0);
    if (rise.per_unit == 0.0)
        return search::anneal(s, num_iterations, temperature, cooling);
    int64_t num_accepted = 0;
    for (; num_iterations > 0; --num_iterations) {
        s.set_prize_factor(rise.factor(temperature));
        num_accepted += search::anneal(s, 1, temperature, cooling);
        temperature *= cooling;
    }
    return num_accepted;
}

} // namespace ncc::fleets

#include "fleets/features/prizes.h"

#include "fleets/schedules.h"
#include "fleets/search.h"
#include "search/annealing.h"
#include "search/ruin.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ncc::fleets {

namespace {

// Customers in a row who may leave a route together, unless all do.
constexpr int64_t most_dropped = 10;

// Share of the ruins after which a whole route is removed.
constexpr double closing_share = 0.1;

// Share of the ruins after which all customers come back who can. Where each
// of them costs more than its prize, some of them together may not.
constexpr double serving_share = 0.5;

// Neighbours of a removed customer who may be on offer: of groups, and at most
// of optional customers.
constexpr int64_t num_members_around = 20;
constexpr int64_t most_around = 100;

// Whether a customer is optional.
bool may_drop(const FleetSearch& s, uint32_t node) {
    const FleetProblem& p = s.problem;
    return !p.is_reload(node) && !p.pairs.is_paired(node) &&
           !p.rules.has_group(node) && p.options.is_optional(node);
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
            lost += s_.prizes.of(nodes_[idx]);
            may_be_empty = may_drop(s_, nodes_[idx]);
        }
        if (may_be_empty &&
            lost < costs_[end] + s_.vehicle_of(route_).fixed_cost)
            from_[end] = 0;
        bool is_shorter = false;
        for (int64_t to = end; to > 0; to = from_[to])
            is_shorter |= from_[to] != to - 1;
        return is_shorter && !lacks();
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
    // Whether what would be left is less than a route has to have.
    [[nodiscard]] bool lacks() const {
        std::vector<uint32_t> left;
        for (int64_t to = from_[std::ssize(nodes_) - 1]; to > 0;
             to = from_[to])
            left.push_back(nodes_[to]);
        const RouteLimits& limits = s_.problem.limits;
        return !left.empty() && limits.is_any() &&
               limits.price(s_.problem, left, s_.problem.type_of[route_], 0.0,
                            infinity) > 0.0;
    }

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
            lost += s_.prizes.of(nodes_[from]);
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

Options Options::make(std::span<const double> prizes,
                      std::span<const bool> is_required,
                      const std::vector<std::vector<uint32_t>>& groups,
                      const std::vector<bool>& groups_required) {
    require(is_required.size() == prizes.size() &&
                groups_required.size() == groups.size(),
            "options must be of each node, and of each group.");
    Options options;
    options.prizes.assign(prizes.begin(), prizes.end());
    options.is_required.assign(is_required.begin(), is_required.end());
    const auto none = static_cast<uint32_t>(groups.size());
    options.group_of.assign(prizes.size(), none);
    for (uint32_t group = 0; group < none; ++group) {
        require(all_below(std::span(groups[group]), prizes.size()) &&
                    !groups[group].empty(),
                "groups must hold nodes.");
        options.groups.push_back({groups[group], groups_required[group]});
        for (const uint32_t member : groups[group])
            options.group_of[member] = group;
    }
    return options;
}

void Options::complete(const FleetProblem& problem) {
    has_optional = false;
    for (uint32_t node = 1; node < problem.num_nodes(); ++node)
        has_optional |= is_optional(node);
}

Prizes::Prizes(const FleetProblem& problem)
    : options_(problem.options), num_served_(options_.groups.size()) {}

void Prizes::begin(FleetSearch& s) {
    for (const uint32_t customer : s.members)
        if (!s.is_absent(customer) && options_.has_group(customer))
            ++num_served_[options_.group_of[customer]];
}

bool Prizes::extend_ruin(FleetSearch& s) {
    if (!options_.has_optional || s.num_strings == 0 ||
        s.random.unit() >= closing_share)
        return false;
    const auto number = s.random.below(s.num_strings);
    const uint32_t route = s.route_of[s.strings[number].before];
    if (s.routes[route].size == 0)
        return false;
    search::remove_string(s, s.first_of(route), s.routes[route].size);
    return true;
}

void Prizes::offer(FleetSearch& s) {
    const int64_t this_look = ++s.num_looks;
    const auto num_around = static_cast<std::size_t>(
        options_.has_optional ? 1 + s.random.below(most_around)
                              : num_members_around);
    const auto look = [&](uint32_t customer) {
        if (std::exchange(s.looked_at[customer], this_look) != this_look &&
            s.is_absent(customer) && s.may_leave(customer) &&
            !s.problem.is_follower(customer))
            s.offered.push_back(customer);
    };
    const auto look_around = [&](uint32_t customer) {
        const auto neighbours = s.problem.neighbours.row(customer);
        const auto width = std::min(num_around, neighbours.size());
        for (const uint32_t near : neighbours.first(width))
            look(near);
    };
    for (int64_t idx = 0; idx < s.num_removed; ++idx)
        s.looked_at[s.removed[idx].customer] = this_look;
    for (int64_t idx = 0; idx < s.num_absent; ++idx)
        s.looked_at[s.absent[idx]] = this_look;
    const uint32_t any = s.members[s.random.below(std::ssize(s.members))];
    look(any);
    look_around(s.num_removed > 0
                    ? s.removed[s.random.below(s.num_removed)].customer
                    : any);
}

void Prizes::offer_all(FleetSearch& s) const {
    for (const uint32_t customer : s.members)
        if (s.is_absent(customer) && !is_needed(customer) &&
            !s.problem.is_follower(customer))
            s.offered.push_back(customer);
}

void Prizes::begin_recreate(FleetSearch& s) {
    serves_all = s.random.unit() < serving_share;
}

void Prizes::end_recreate(FleetSearch& s) {
    if (!options_.has_optional || !serves_all)
        return;
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

void Prizes::count(FleetSearch& s, uint32_t customer, uint32_t, int change) {
    s.penalty_cost -= change * of(customer);
    lost_ -= change * options_.prizes[customer];
    if (options_.has_group(customer))
        num_served_[options_.group_of[customer]] += change;
}

void Prizes::check([[maybe_unused]] const FleetSearch& s) const {
#ifdef NCC_DEBUG
    double lost = 0.0;
    for (const uint32_t customer : s.members)
        lost += s.is_absent(customer) ? options_.prizes[customer] : 0.0;
    NCC_CHECK(is_close(lost, lost_));
#endif
}

void Prizes::set_factor(FleetSearch& s, double factor) {
    const double change = (factor - factor_) * lost_;
    s.penalty_cost += change;
    s.cost += change;
    factor_ = factor;
}

void Prizes::lose(FleetSearch& s, uint32_t customer) {
    s.penalty_cost += of(customer);
    lost_ += options_.prize_of(customer);
}

bool Prizes::is_needed(uint32_t customer) const {
    if (!is_any() || options_.is_required[customer] != 0)
        return true;
    if (!options_.has_group(customer))
        return false;
    // One of a group stands for all.
    const uint32_t group = options_.group_of[customer];
    return options_.groups[group].is_required && num_served_[group] == 0 &&
           options_.first_of(customer) == customer;
}

bool Prizes::may_leave(uint32_t customer) const {
    if (!options_.has_group(customer))
        return is_any() && options_.is_required[customer] == 0;
    const uint32_t group = options_.group_of[customer];
    return num_served_[group] > 0 || !options_.groups[group].is_required;
}

std::span<const uint32_t> Prizes::choices(const uint32_t& customer) const {
    if (!options_.has_group(customer))
        return {&customer, 1};
    const uint32_t group = options_.group_of[customer];
    if (num_served_[group] > 0)
        return {};
    return options_.groups[group].members;
}

int64_t anneal_with_prizes(FleetSearch& s, int64_t num_iterations,
                           double temperature, double cooling,
                           const PrizeRise& rise) {
    s.prizes.set_factor(s, 1.0);
    if (rise.per_unit == 0.0)
        return search::anneal(s, num_iterations, temperature, cooling);
    int64_t num_accepted = 0;
    for (; num_iterations > 0; --num_iterations) {
        s.prizes.set_factor(s, rise.factor(temperature));
        num_accepted += search::anneal(s, 1, temperature, cooling);
        temperature *= cooling;
    }
    return num_accepted;
}

} // namespace ncc::fleets

#include "fleets/ejections.h"

#include "fleets/paths.h"
#include "fleets/placing.h"
#include "search/annealing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace ncc::fleets {

namespace {

constexpr int64_t most_ejected = 3;

// Partial routes that are looked at on one route.
constexpr int64_t most_states = 5000;

// Ruins and recreates after an ejection.
constexpr int64_t num_perturbations = 10;

// Share of the iterations, where there are short cuts, that try all absent
// customers: some have places together alone.
constexpr double together_share = 0.2;

// Share of the iterations, where nobody who leaves makes room all of them,
// that insert other customers again, perhaps on other vehicles.
constexpr double elsewhere_share = 0.05;

// Who leaves a route so that a customer can come on it.
struct Ejection {
    uint32_t route = 0;
    int64_t num_absences = 0;
    std::vector<uint32_t> ejected; // in the order of the route
    std::vector<uint32_t> path;    // without them, with the customer
};

// Looks for the ejection with the fewest absences: a depth-first search goes
// along each route, and keeps or ejects each of its customers. The times that
// it counts are those without breaks; what they allow is judged by the path.
class EjectionFinder {
public:
    explicit EjectionFinder(const FleetSearch& search)
        : s_(search), p_(search.problem) {}

    // Returns the one found on some routes for a customer; without a path
    // where there is none.
    const Ejection& find(uint32_t customer, std::span<const uint32_t> routes) {
        added_ = {customer, p_.pairs.partner_of(customer)};
        num_added_ = added_.back() == 0 ? 1 : 2;
        best_.path.clear();
        best_.num_absences = std::numeric_limits<int64_t>::max();
        for (const uint32_t route : routes)
            if (s_.admits(customer, route))
                look_at(route);
        return best_;
    }

private:
    // The first nodes of a route, of whom some are ejected.
    struct State {
        std::size_t num_nodes = 0;
        uint32_t last = 0;
        double ready = 0.0;
        int64_t num_absences = 0;
        int64_t num_open = 0; // ejected pickups whose deliveries follow
        std::size_t num_added = 0;
    };

    void look_at(uint32_t route) {
        route_ = route;
        type_ = p_.type_of[route];
        vehicle_ = &s_.vehicle_of(route);
        const auto nodes = s_.customers_of(route);
        nodes_.assign(nodes.begin(), nodes.end());
        load_ = s_.loads[route];
        for (const uint32_t node : added())
            load_ += s_.demand(node);
        needs_time_ = p_.is_timed && load_ <= p_.largest_capacity &&
                      (!p_.limits_routes || p_.pairs.is_any()) &&
                      !p_.limits_distance && !p_.counts_duration;
        const State start{.last = vehicle_->start,
                          .ready = vehicle_->start_early +
                                   vehicle_->start_duration};
        set_times(start);
        path_.clear();
        ejected_.clear();
        num_states_ = 0;
        go_on(start);
    }

    [[nodiscard]] std::span<const uint32_t> added() const {
        return std::span(added_).first(num_added_);
    }

    // Finds when each node of the route is left, and has to be reached.
    void set_times(State way) {
        ready_.clear();
        latest_.assign(nodes_.size() + 1, vehicle_->end_late);
        if (!p_.is_timed)
            return;
        for (const uint32_t node : nodes_) {
            serve(way, node);
            ready_.push_back(way.ready);
        }
        uint32_t after = vehicle_->end;
        for (auto idx = std::ssize(nodes_) - 1; idx >= 0; --idx) {
            const uint32_t node = nodes_[idx];
            const double work = p_.service_of(type_, node) +
                                p_.durations(vehicle_->profile, node, after);
            latest_[idx] =
                std::min(p_.visits[node].limit, latest_[idx + 1] - work);
            after = node;
        }
    }

    // Returns when a node is reached from the last one.
    [[nodiscard]] double arrival_at(const State& state, uint32_t node) const {
        return p_.is_timed ? state.ready + p_.durations(vehicle_->profile,
                                                        state.last, node)
                           : 0.0;
    }

    // Serves a node next; returns whether it is in time.
    bool serve(State& state, uint32_t node) const {
        const Visit& visit = p_.visits[node];
        const double arrival = arrival_at(state, node);
        state.last = node;
        if (p_.is_timed)
            state.ready =
                std::max(arrival, visit.early) + p_.service_of(type_, node);
        return !p_.is_timed || arrival <= visit.limit;
    }

    // Tries all ways to go on.
    void go_on(const State& state) {
        if (++num_states_ > most_states || leads_nowhere(state) ||
            is_completed(state))
            return;
        if (state.num_added < num_added_) {
            State next = state;
            ++next.num_added;
            go_on_by(next, added_[state.num_added]);
        }
        if (state.num_nodes == nodes_.size())
            return;
        const uint32_t node = nodes_[state.num_nodes];
        State next = state;
        ++next.num_nodes;
        if (p_.pairs.is_delivered(node) &&
            is_ejected(p_.pairs.partner_of(node))) {
            --next.num_open;
            go_on(next);
            return;
        }
        go_on_by(next, node);
        eject(next, node);
    }

    void go_on_by(State next, uint32_t node) {
        if (!serve(next, node))
            return;
        path_.push_back(node);
        go_on(next);
        path_.pop_back();
    }

    void eject(State next, uint32_t node) {
        next.num_absences += 1 + s_.absences[node];
        if (p_.is_follower(node) || std::ssize(ejected_) == most_ejected ||
            next.num_absences >= best_.num_absences)
            return;
        if (p_.pairs.is_paired(node))
            ++next.num_open;
        ejected_.push_back(node);
        load_ -= s_.demand(node);
        go_on(next);
        load_ += s_.demand(node);
        ejected_.pop_back();
    }

    [[nodiscard]] bool is_ejected(uint32_t node) const {
        return std::ranges::find(ejected_, node) != ejected_.end();
    }

    // Whether it is too late for the customer, or the ejections so far have
    // made no time.
    [[nodiscard]] bool leads_nowhere(const State& state) const {
        if (!p_.is_timed || state.num_added == num_added_)
            return false;
        const uint32_t next = added_[state.num_added];
        if (!p_.has_short_cuts &&
            arrival_at(state, next) > p_.visits[next].limit)
            return true;
        return needs_time_ && state.num_added == 0 && !ejected_.empty() &&
               state.num_open == 0 && state.num_nodes > 0 &&
               state.last == nodes_[state.num_nodes - 1] &&
               state.ready >= ready_[state.num_nodes - 1];
    }

    // Whether the rest of the route can follow: no better one then begins like
    // this.
    bool is_completed(const State& state) {
        const uint32_t next = state.num_nodes < nodes_.size()
                                  ? nodes_[state.num_nodes]
                                  : vehicle_->end;
        if (state.num_added < num_added_ || state.num_open > 0 ||
            load_ > p_.largest_capacity ||
            (p_.is_timed &&
             arrival_at(state, next) > latest_[state.num_nodes]))
            return false;
        const std::size_t size = path_.size();
        path_.insert(path_.end(), nodes_.begin() + state.num_nodes,
                     nodes_.end());
        const bool is_possible = path_cost(p_, path_, type_) < infinity &&
                                 s_.keeps(path_, type_, added());
        if (is_possible)
            best_ = {route_, state.num_absences, ejected_, path_};
        path_.resize(size);
        return is_possible;
    }

    const FleetSearch& s_;
    const FleetProblem& p_;
    std::array<uint32_t, 2> added_{}; // the customer, and its delivery
    std::size_t num_added_ = 0;
    uint32_t route_ = 0;
    int64_t type_ = 0;
    const VehicleType* vehicle_ = nullptr;
    std::vector<uint32_t> nodes_;
    std::vector<double> ready_;  // (nodes,)
    std::vector<double> latest_; // (nodes + 1,)
    int64_t load_ = 0;           // with the customer, without the ejected
    bool needs_time_ = false;    // and nothing else
    std::vector<uint32_t> path_;
    std::vector<uint32_t> ejected_;
    int64_t num_states_ = 0;
    Ejection best_;
};

// Inserts the last of the absent customers where it costs least, if it fits.
bool insert_last(FleetSearch& s) {
    const uint32_t customer = s.absent[s.num_absent - 1];
    s.begin_iteration();
    s.queue[0] = customer;
    if (s.begin_recreate(1, infinity) == 0) {
        s.prizes.serves_all = true;
        const Position found = s.find_position(customer, infinity);
        if (found.before == 0)
            return false;
        s.insert(customer, found);
    }
    --s.num_absent;
    search::commit(s);
    s.check();
    return true;
}

// Removes nodes of a route, which are in its order.
void remove_nodes(FleetSearch& s, std::span<const uint32_t> nodes) {
    for (std::size_t begin = 0; begin < nodes.size();) {
        std::size_t end = begin + 1;
        while (end < nodes.size() &&
               s.nodes[nodes[end - 1]].next == nodes[end])
            ++end;
        search::remove_string(s, nodes[begin],
                              static_cast<int64_t>(end - begin));
        begin = end;
    }
}

// Returns where a customer, and its delivery, come on the route of an
// ejection as it is now; the cost is infinite where they may not.
Position place_in(const FleetSearch& s, const Ejection& ejection,
                  uint32_t customer) {
    const auto& path = ejection.path;
    const uint32_t partner = s.problem.pairs.partner_of(customer);
    // Others may have followed the ejected.
    const int64_t num_added = partner != 0 ? 2 : 1;
    if (s.routes[ejection.route].size + num_added != std::ssize(path))
        return {};
    const auto before = [&](uint32_t node, uint32_t other) {
        auto at = std::ranges::find(path, node);
        while (at != path.begin())
            if (*--at != other)
                return *at;
        return s.depot_of(ejection.route);
    };
    Position place{.before = before(customer, partner)};
    if (partner != 0)
        place.companions = {{{partner, before(partner, customer)}}};
    place.cost =
        path_cost(s.problem, path, s.problem.type_of[ejection.route]) -
        s.routes[ejection.route].cost;
    for (const uint32_t node : {customer, partner})
        if (node != 0)
            place.cost += s.penalty(node, ejection.route) - s.prizes.of(node);
    return place;
}

// Ejects customers, so that the last of the absent ones has a place.
void eject(FleetSearch& s, const Ejection& ejection) {
    const uint32_t customer = s.absent[s.num_absent - 1];
    s.begin_iteration();
    remove_nodes(s, ejection.ejected);
    s.routes[ejection.route].ruined = s.num_iterations;
    s.settle_ruined();
    const Position place = place_in(s, ejection, customer);
    if (place.cost < infinity)
        s.insert(customer, place);
    if (place.cost == infinity || !s.keeps_limits()) {
        search::undo(s);
        s.settle_undone();
        return;
    }
    --s.num_absent;
    for (int64_t idx = 0; idx < s.num_removed; ++idx) {
        const uint32_t removed = s.removed[idx].customer;
        if (s.is_absent(removed) && !s.may_leave(removed))
            s.absent[s.num_absent++] = s.problem.options.first_of(removed);
    }
    search::commit(s);
    s.check();
}

// Changes routes while the absent customers stay away.
void perturb(FleetSearch& s, double temperature) {
    s.num_aside = std::exchange(s.num_absent, 0);
    search::anneal(s, num_perturbations, temperature, 1.0);
    s.num_absent = std::exchange(s.num_aside, 0);
    if (s.problem.rules.wholes.empty())
        return;
    // The rest of customers has left of whom some were aside.
    s.num_absent = 0;
    for (const uint32_t customer : s.members)
        if (s.is_absent(customer) && !s.problem.is_follower(customer) &&
            s.prizes.is_needed(customer))
            s.absent[s.num_absent++] = customer;
}

} // namespace

int64_t place_absent(FleetSearch& s, int64_t num_iterations, int64_t fewest,
                     double temperature) {
    EjectionFinder finder(s);
    std::vector<uint32_t> routes;
    const double elsewhere =
        s.num_types() > 1 || s.problem.has_short_cuts ? elsewhere_share : 0.0;
    for (; num_iterations > 0 && s.num_absent >= fewest; --num_iterations) {
        leave_optional(s);
        if (s.num_absent == 0 || insert_last(s))
            continue;
        uint32_t& last = s.absent[s.num_absent - 1];
        ++s.absences[last];
        routes.clear();
        for (uint32_t route = 0; route < s.num_slots; ++route)
            if (s.routes[route].size > 0)
                routes.push_back(route);
        for (auto left = std::ssize(routes); left > 1; --left)
            std::swap(routes[left - 1], routes[s.random.below(left)]);
        const Ejection& ejection = finder.find(last, routes);
        if (!ejection.path.empty())
            eject(s, ejection);
        else
            std::swap(last, s.absent[s.random.below(s.num_absent)]);
        if (ejection.path.empty() || s.random.unit() < elsewhere)
            insert_again(s, s.random.below(s.num_types()));
        if (s.problem.has_short_cuts && s.random.unit() < together_share)
            insert_all(s);
        perturb(s, temperature);
    }
    if (s.num_absent == 0)
        s.keep_best();
    return s.num_absent;
}

} // namespace ncc::fleets

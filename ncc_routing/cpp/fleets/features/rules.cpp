#include "fleets/features/rules.h"

#include "fleets/schedules.h"
#include "fleets/search.h"
#include "search/ruin.h"

#include <algorithm>
#include <utility>

namespace ncc::fleets {

namespace {

// Share of the ruins after which whole groups move. Otherwise whoever left
// comes back to the route of the others.
constexpr double group_share = 0.5;

// Leaves a customer out, and the other end of its shipment.
void leave_out(FleetSearch& s, uint32_t customer) {
    const uint32_t route_idx = s.route_of[customer];
    Route& route = s.routes[route_idx];
    const double before = route.cost + s.penalty_cost;
    const double cost = s.cost;
    const auto remove = [&](uint32_t node) {
        if (node == 0 || s.is_absent(node))
            return;
        search::remove_string(s, node, 1);
        ++s.num_dropped;
    };
    s.touch(route_idx);
    remove(customer);
    remove(s.problem.pairs.partner_of(customer));
    route.ruined = s.num_iterations;
    schedule_anew(s, route_idx);
    s.cost = cost + route.cost + s.penalty_cost - before;
}

} // namespace

Rules Rules::make(MatrixView<const bool> may_serve,
                  std::vector<std::vector<uint32_t>> groups,
                  std::vector<std::vector<uint32_t>> wholes,
                  const std::vector<std::vector<uint32_t>>& sets,
                  std::span<const int32_t> district_of, int64_t num_districts,
                  int64_t most_districts,
                  std::vector<std::vector<uint32_t>> districts_before) {
    const auto size = static_cast<std::size_t>(may_serve.num_columns());
    require(district_of.size() == size &&
                std::ssize(districts_before) == may_serve.num_rows(),
            "rules must be of each node, and of each type.");
    for (const int32_t district : district_of)
        require(district < num_districts,
                "districts must be below their number.");
    for (const auto& before : districts_before)
        require(all_below(std::span(before), num_districts),
                "districts must be below their number.");
    Rules rules;
    rules.may_serve.assign(may_serve.values().begin(),
                           may_serve.values().end());
    rules.groups_of.resize(size);
    for (uint32_t group = 0; group < groups.size(); ++group) {
        require(all_below(std::span<const uint32_t>(groups[group]), size),
                "groups must hold nodes.");
        for (const uint32_t member : groups[group])
            rules.groups_of[member].push_back(group);
    }
    rules.groups = std::move(groups);
    for (const auto& whole : wholes)
        require(all_below(std::span(whole), size), "wholes must hold nodes.");
    rules.wholes = std::move(wholes);
    rules.sets_of.resize(size);
    for (const auto& set : sets) {
        require(all_below(std::span(set), size), "sets must hold nodes.");
        for (const uint32_t member : set)
            rules.sets_of[member].push_back(
                static_cast<uint32_t>(rules.num_sets));
        ++rules.num_sets;
    }
    rules.district_of.assign(district_of.begin(), district_of.end());
    rules.num_districts = num_districts;
    rules.most_districts = most_districts;
    rules.districts_before = std::move(districts_before);
    return rules;
}

bool Rules::judge(const FleetProblem& problem, std::span<const uint32_t> path,
                  int64_t type, PathTotals&) const {
    const auto* row = &may_serve[type * problem.num_nodes()];
    return std::all_of(path.begin(), path.end(),
                       [&](uint32_t node) { return row[node] != 0; });
}

RuleCounts::RuleCounts(const FleetProblem& problem)
    : problem_(problem), num_placed_(problem.rules.groups.size()),
      place_of_(num_placed_.size()), group_loads_(num_placed_.size()),
      num_seen_(num_placed_.size()) {
    const Rules& rules = problem.rules;
    if (!rules.is_any())
        return;
    const int64_t num_routes = problem.num_routes();
    in_set_.resize(num_routes * rules.num_sets);
    in_district_.resize(num_routes * rules.num_districts);
    num_districts_.resize(num_routes);
    seen_.resize(rules.num_sets + rules.num_districts);
    for (int64_t route = 0; route < num_routes; ++route) {
        const auto& before = rules.districts_before[problem.type_of[route]];
        num_districts_[route] = std::ssize(before);
        for (const uint32_t district : before)
            in_district_[(route * rules.num_districts) + district] = 1;
    }
    // Where loads rise and fall, or not all have to be served, the sum of a
    // group says nothing.
    if (!problem.options.is_any() && !problem.loads.is_any())
        for (std::size_t group = 0; group < rules.groups.size(); ++group)
            for (const uint32_t node : rules.groups[group])
                group_loads_[group] += problem.demands[node];
}

bool RuleCounts::is_new_district(uint32_t customer, uint32_t route) const {
    const Rules& rules = problem_.rules;
    const int32_t district = rules.district_of[customer];
    return district >= 0 &&
           in_district_[(route * rules.num_districts) + district] == 0;
}

bool RuleCounts::may_join(uint32_t customer, uint32_t route) const {
    const Rules& rules = problem_.rules;
    const int64_t type = problem_.type_of[route];
    if (rules.may_serve[(type * problem_.num_nodes()) + customer] == 0)
        return false;
    for (const uint32_t group : rules.groups_of[customer])
        if (num_placed_[group] > 0
                ? place_of_[group] != route
                : group_loads_[group] > problem_.vehicles[type].capacity)
            return false;
    const auto& sets = rules.sets_of[customer];
    return std::all_of(sets.begin(), sets.end(), [&](uint32_t set) {
        return in_set_[(route * rules.num_sets) + set] == 0;
    });
}

bool RuleCounts::admits(uint32_t customer, uint32_t other,
                        uint32_t route) const {
    const Rules& rules = problem_.rules;
    if (!may_join(customer, route) || (other != 0 && !may_join(other, route)))
        return false;
    if (other != 0)
        for (const uint32_t set : rules.sets_of[other])
            if (std::ranges::find(rules.sets_of[customer], set) !=
                rules.sets_of[customer].end())
                return false;
    int64_t num_new = is_new_district(customer, route) ? 1 : 0;
    if (other != 0 && is_new_district(other, route) &&
        rules.district_of[other] != rules.district_of[customer])
        ++num_new;
    return num_new == 0 ||
           num_districts_[route] + num_new <= rules.most_districts;
}

bool RuleCounts::keeps(std::span<const uint32_t> customers, int64_t type,
                       std::span<const uint32_t> added) const {
    const Rules& rules = problem_.rules;
    const int64_t look = ++num_looks_;
    const auto& before = rules.districts_before[type];
    int64_t num_districts = std::ssize(before);
    for (const uint32_t district : before)
        seen_[rules.num_sets + district] = look;
    for (const uint32_t node : customers) {
        if (rules.may_serve[(type * problem_.num_nodes()) + node] == 0)
            return false;
        for (const uint32_t set : rules.sets_of[node])
            if (std::exchange(seen_[set], look) == look)
                return false;
        const int32_t district = rules.district_of[node];
        if (district >= 0 &&
            std::exchange(seen_[rules.num_sets + district], look) != look &&
            ++num_districts > rules.most_districts)
            return false;
        for (const uint32_t group : rules.groups_of[node])
            num_seen_[group] = 0;
    }
    for (const uint32_t node : customers)
        for (const uint32_t group : rules.groups_of[node])
            ++num_seen_[group];
    for (const uint32_t node : added)
        for (const uint32_t group : rules.groups_of[node])
            --num_seen_[group];
    return std::all_of(customers.begin(), customers.end(), [&](uint32_t node) {
        const auto& groups = rules.groups_of[node];
        return std::all_of(groups.begin(), groups.end(), [&](uint32_t group) {
            return num_placed_[group] == num_seen_[group];
        });
    });
}

void RuleCounts::begin(FleetSearch& s) {
    for (const uint32_t customer : s.members)
        if (!s.is_absent(customer))
            count(customer, s.route_of[customer], 1);
}

void RuleCounts::count(uint32_t customer, uint32_t route, int change) {
    const Rules& rules = problem_.rules;
    for (const uint32_t group : rules.groups_of[customer]) {
        num_placed_[group] += change;
        if (change > 0)
            place_of_[group] = route;
    }
    for (const uint32_t set : rules.sets_of[customer])
        in_set_[(route * rules.num_sets) + set] += change;
    if (const int32_t district = rules.district_of[customer]; district >= 0) {
        int32_t& count =
            in_district_[(route * rules.num_districts) + district];
        count += change;
        if (count == (change > 0 ? 1 : 0))
            num_districts_[route] += change;
    }
}

bool RuleCounts::extend_ruin(FleetSearch& s) {
    const Rules& rules = problem_.rules;
    if (rules.groups.empty())
        return false;
    if (s.random.unit() >= group_share)
        return true;
    const int64_t end = s.num_removed;
    for (int64_t idx = 0; idx < end; ++idx)
        for (const uint32_t group : rules.groups_of[s.removed[idx].customer])
            for (const uint32_t other : rules.groups[group])
                if (!s.is_absent(other))
                    search::remove_string(s, other, 1);
    return true;
}

void RuleCounts::end_recreate(FleetSearch& s) {
    const auto is_there = [&](uint32_t node) { return !s.is_absent(node); };
    // A customer that leaves may be of another group.
    for (bool is_left = true; is_left;) {
        is_left = false;
        for (const auto& whole : problem_.rules.wholes) {
            if (std::ranges::all_of(whole, is_there))
                continue;
            for (const uint32_t node : whole)
                if (is_there(node)) {
                    leave_out(s, node);
                    is_left = true;
                }
        }
    }
}

void RuleCounts::check([[maybe_unused]] const FleetSearch& s) const {
#ifdef NCC_DEBUG
    RuleCounts anew(problem_);
    for (const uint32_t customer : s.members)
        if (!s.is_absent(customer))
            anew.count(customer, s.route_of[customer], 1);
    NCC_CHECK(num_placed_ == anew.num_placed_ && in_set_ == anew.in_set_ &&
              in_district_ == anew.in_district_);
#endif
}

} // namespace ncc::fleets

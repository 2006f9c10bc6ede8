#include "fleets/features/work.h"

#include "fleets/paths.h"
#include "fleets/search.h"

#include <algorithm>
#include <utility>

namespace ncc::fleets {

Work Work::make(std::vector<double> services, std::vector<double> setups,
                std::vector<int64_t> places) {
    require(setups.empty() || setups.size() == services.size(),
            "set-ups must be as many as services.");
    Work made;
    made.services = std::move(services);
    made.setups = std::move(setups);
    made.places = std::move(places);
    made.limits_routes = made.judges_paths = made.raises_totals =
        made.has_setups();
    return made;
}

void Work::complete(const FleetProblem& problem) {
    num_types = problem.num_types();
    require(!has_setups() ||
                std::ssize(places) == problem.distances.num_places(),
            "places must be of each place.");
    has_setup.assign(problem.num_nodes(), 0);
    for (std::size_t idx = 0; idx < setups.size(); ++idx)
        if (setups[idx] > 0.0)
            has_setup[idx / num_types] = 1;
}

bool Work::are_alike(int64_t type, int64_t other) const {
    const auto size = std::ssize(services);
    for (int64_t idx = 0; idx < size; idx += num_types)
        if (services[idx + type] != services[idx + other] ||
            (has_setups() && setups[idx + type] != setups[idx + other]))
            return false;
    return true;
}

bool Work::judge(const FleetProblem& problem, std::span<const uint32_t> path,
                 int64_t type, PathTotals& totals) const {
    if (!has_setups() || !problem.is_timed ||
        std::none_of(path.begin(), path.end(),
                     [&](uint32_t node) { return has_setup[node] != 0; }))
        return true;
    totals.duration = measure_path(problem, path, type).duration;
    return totals.duration < infinity;
}

bool Work::reaches_on(const FleetSearch& s, uint32_t node,
                      uint32_t customer) const {
    if (has_setup[customer] != 0)
        return true;
    for (uint32_t other = s.first_of(s.route_of[node]); s.is_customer(other);
         other = s.nodes[other].next)
        if (has_setup[other] != 0)
            return true;
    return false;
}

} // namespace ncc::fleets

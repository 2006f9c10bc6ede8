#include "fleets/features/setups.h"

#include "fleets/paths.h"
#include "fleets/search.h"

#include <algorithm>
#include <utility>

namespace ncc::fleets {

SharedSetups SharedSetups::make(std::vector<int64_t> places,
                                std::vector<double> setups,
                                std::vector<double> saved) {
    require(!setups.empty() && places.size() >= setups.size() &&
                saved.size() % setups.size() == 0,
            "set-ups must be of each node, and places of each place.");
    SharedSetups made;
    made.places = std::move(places);
    made.setups = std::move(setups);
    made.saved = std::move(saved);
    made.is_shared.assign(made.setups.size(), 0);
    for (std::size_t idx = 0; idx < made.saved.size(); ++idx)
        if (made.saved[idx] > 0.0)
            made.is_shared[idx % made.setups.size()] = 1;
    return made;
}

bool SharedSetups::are_alike(int64_t type, int64_t other) const {
    const auto size = std::ssize(setups);
    const auto first = saved.begin() + type * size;
    return std::equal(first, first + size, saved.begin() + other * size);
}

bool SharedSetups::judge(const FleetProblem& problem,
                         std::span<const uint32_t> path, int64_t type,
                         PathTotals& totals) const {
    if (!problem.is_timed ||
        std::none_of(path.begin(), path.end(),
                     [&](uint32_t node) { return is_shared[node] != 0; }))
        return true;
    totals.duration = measure_path(problem, path, type).duration;
    return totals.duration < infinity;
}

bool SharedSetups::reaches_on(const FleetSearch& s, uint32_t node,
                              uint32_t customer) const {
    if (is_shared[customer] != 0)
        return true;
    for (uint32_t other = s.first_of(s.route_of[node]); s.is_customer(other);
         other = s.nodes[other].next)
        if (is_shared[other] != 0)
            return true;
    return false;
}

} // namespace ncc::fleets

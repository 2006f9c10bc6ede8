#pragma once

#include "fleets/features/feature.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// Calls at depots on the way, which part a route into trips.
namespace ncc::fleets {

struct Position;

// The last nodes are calls at depots. Each is on one route at most; on none
// it costs nothing.
struct Reloads : ProblemFeature {
    static constexpr bool judges_paths = true;
    static constexpr const char* name = "Reloads";
    static constexpr std::array arguments{"first", "depots", "most", "fits",
                                          "on_board"};
    static Reloads make(uint32_t first, std::vector<uint32_t> depots,
                        std::vector<int64_t> most,
                        std::vector<std::vector<bool>> suits,
                        std::vector<uint32_t> on_board);

    // The first of these nodes.
    uint32_t first = std::numeric_limits<uint32_t>::max();
    std::vector<uint32_t> depots;         // the depot of each
    std::vector<int64_t> most;            // (types,): calls of a vehicle
    std::vector<std::vector<bool>> suits; // (types, depots): where it may call
    // Where shipments end that are on board already: before any call.
    std::vector<uint32_t> on_board;
    // (types,): vehicles that start with a load, have goods to wait for, or
    // find short cuts may call at a depot before they have served anybody.
    std::vector<uint8_t> may_call_first;

    [[nodiscard]] bool is_any() const { return !depots.empty(); }
    [[nodiscard]] bool fits(int64_t num_nodes, int64_t num_types) const {
        return first + std::ssize(depots) == num_nodes &&
               std::ssize(most) == num_types;
    }
    void complete(const FleetProblem& problem);

    // Whether a vehicle of a type may call at the depots of a path, and brings
    // goods to somebody after each call, or comes back over the last one
    // alone.
    [[nodiscard]] bool judge(const FleetProblem& problem,
                             std::span<const uint32_t> path, int64_t type,
                             PathTotals&) const;

    // Whether a customer would hold up the trip of a node, which is not the
    // first one.
    [[nodiscard]] bool reaches_on(const FleetSearch& search, uint32_t node,
                                  uint32_t customer) const;

    [[nodiscard]] bool may_call(int64_t type, uint32_t node) const {
        return suits[type][depots[node - first]];
    }
};

// Trips and their calls.
class Trips : public Feature {
public:
    explicit Trips(const FleetProblem& problem);

    [[nodiscard]] bool is_any() const { return is_any_; }

    // Removes the calls that no trip follows or precedes.
    bool extend_ruin(FleetSearch& search);

    // Puts calls into the trips of the touched routes that carry too much,
    // and now and then one where customers have left a trip.
    void begin_recreate(FleetSearch& search);

    // Finds when the goods of each trip are at its depot; no vehicle leaves
    // for it before.
    void schedule(FleetSearch& search, uint32_t route);

    // Returns how many calls a route makes.
    [[nodiscard]] int64_t num_calls(uint32_t route) const {
        return num_calls_[route];
    }

private:
    bool is_any_;
    std::vector<int64_t> num_calls_; // (routes,)
};

// Exchanges the trip of i, or what comes after it, with that of any customer
// on another route, or moves it there. Returns the change of the cost, or
// `limit` where it is not below that, and nothing changed.
double exchange_trips(FleetSearch& search, uint32_t i, double limit);

// Returns the cheaper one of a position and of those with a call at a depot
// before or after the customer.
Position with_call(FleetSearch& search, uint32_t customer, Position best);

} // namespace ncc::fleets

#pragma once

#include "arrays.h"
#include "fleets/features.h"
#include "fleets/places.h"
#include "fleets/visit.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

// Vehicle routing with fleets, depots, time windows and shifts.
namespace ncc::fleets {

// Lengths of the arcs between all places in the memory of their owner: a
// square matrix for each profile of vehicles, of `float` where that holds all
// lengths exactly, or places. Insertions wait for lengths: half as many bytes
// of them make a search of 1,000 customers 4-9 % faster.
class ArcLengths {
public:
    ArcLengths() = default;
    ArcLengths(const float* data, int64_t num_profiles, int64_t num_places)
        : floats_(data), num_profiles_(num_profiles), num_places_(num_places) {
    }
    ArcLengths(const double* data, int64_t num_profiles, int64_t num_places)
        : doubles_(data), num_profiles_(num_profiles),
          num_places_(num_places) {}
    explicit ArcLengths(const PlaceLengths& places)
        : places_(&places), num_profiles_(1),
          num_places_(places.num_places()) {}

    [[nodiscard]] int64_t num_profiles() const { return num_profiles_; }
    [[nodiscard]] int64_t num_places() const { return num_places_; }
    [[nodiscard]] bool has_floats() const { return floats_ != nullptr; }
    [[nodiscard]] bool has_places() const { return places_ != nullptr; }

    double operator()(int64_t profile, int64_t from, int64_t to) const {
        NCC_CHECK(0 <= profile && profile < num_profiles_);
        NCC_CHECK(0 <= from && from < num_places_);
        NCC_CHECK(0 <= to && to < num_places_);
        const int64_t idx = (profile * num_places_ + from) * num_places_ + to;
        if (has_floats())
            return floats_[idx];
        if (!has_places())
            return doubles_[idx];
        return places_->between(places_->point(from), places_->point(to));
    }

    // Returns where a length lies.
    [[nodiscard]] const void* address(int64_t profile, int64_t from,
                                      int64_t to) const {
        const int64_t idx = (profile * num_places_ + from) * num_places_ + to;
        if (has_floats())
            return floats_ + idx;
        if (!has_places())
            return doubles_ + idx;
        return &places_->point(to);
    }

    // Returns the lengths from a place on: `Row` is a pointer or a `PlaceRow`.
    template <class Row>
    [[nodiscard]] Row row(int64_t profile, int64_t from) const {
        const int64_t start = profile * profile_size() + from * num_places_;
        if constexpr (std::is_same_v<Row, const float*>)
            return floats_ + start;
        else if constexpr (std::is_same_v<Row, const double*>)
            return doubles_ + start;
        else
            return {*places_, from};
    }

    // How far the rows of two profiles are apart.
    [[nodiscard]] int64_t profile_size() const {
        return num_places_ * num_places_;
    }

    // Whether it is the same memory.
    bool operator==(const ArcLengths& other) const = default;

private:
    const float* floats_ = nullptr;
    const double* doubles_ = nullptr;
    const PlaceLengths* places_ = nullptr;
    int64_t num_profiles_ = 0;
    int64_t num_places_ = 0;
};

// Costs and limits of the vehicles of a type, the times and places of both
// ends, and the routes that they can drive. Where sums are rounded, `end_late`
// and the largest distance and duration include the tolerance.
struct VehicleType {
    int64_t capacity = 0;
    double fixed_cost = 0.0;
    double distance_cost = 0.0;
    double duration_cost = 0.0;
    // What its time costs beside that: overtime and the like, the first first.
    std::vector<PriceStep> time_steps;
    double max_distance = infinity;
    double max_duration = infinity;
    // Time at the depot before the start, and when it may begin.
    double start_duration = 0.0;
    double start_early = 0.0;
    double start_late = infinity;
    // The same after the return.
    double end_duration = 0.0;
    double end_early = 0.0;
    double end_late = infinity;
    uint32_t start = 0;
    uint32_t end = 0;
    uint32_t profile = 0;
    int64_t first_route = 0;
    int64_t end_route = 0;
    bool has_begun = false;

    // Whether a vehicle of another type takes as long for the same customers.
    [[nodiscard]] bool travels_like(const VehicleType& other) const {
        return profile == other.profile && start == other.start &&
               end == other.end && start_duration == other.start_duration &&
               start_early == other.start_early &&
               start_late == other.start_late &&
               end_duration == other.end_duration &&
               end_early == other.end_early && end_late == other.end_late;
    }

    // Whether the duration of a route costs anything.
    [[nodiscard]] bool prices_duration() const {
        return duration_cost > 0.0 || !time_steps.empty();
    }

    // The longest duration whose units all cost the same.
    [[nodiscard]] double regular_duration() const {
        return time_steps.empty()
                   ? max_duration
                   : std::min(time_steps.front().first, max_duration);
    }

    // Returns what a duration costs more than another one.
    [[nodiscard]] double price(double duration, double before = 0.0) const {
        double cost = duration_cost * (duration - before);
        for (const auto& [beyond, unit_cost] : time_steps)
            cost += unit_cost *
                    (std::max(duration, beyond) - std::max(before, beyond));
        return cost;
    }
};

// When a vehicle starts, and where from.
struct RouteStart {
    uint32_t place = 0;
    double early = 0.0;
    double late = 0.0;
    double duration = 0.0;
};

// What does not change during a search.
//
// Places are the depot 0 and the customers 1..n, which are nodes as well, and
// then the further depots.
struct FleetProblem : ProblemFeatures {
    // From the first place to the second, and from the second to the first:
    // the same memory where they are symmetric, or where times are lengths.
    ArcLengths distances;
    ArcLengths distances_back;
    ArcLengths durations;
    ArcLengths durations_back;
    // How far vehicles drive: the same memory as distances, unless those are
    // costs.
    ArcLengths lengths;
    std::span<const int64_t> demands;   // (n + 1,)
    std::span<const double> round_trip; // (n + 1,): depot, customer, depot
    // (n + 1, k): the neighbours of a customer, nearest first, and how near
    // they are, in units of cost.
    MatrixView<const uint32_t> neighbours;
    MatrixView<const double> near;
    // Neighbours in routes with room next to which a customer is tried.
    int64_t num_candidates = 0;
    std::vector<Visit> visits;         // (n + 1,)
    std::vector<VehicleType> vehicles; // (types,)
    // (types,): the first customers of routes that have begun. Each is of a
    // type of its own, whose vehicle starts where the last of them is.
    std::vector<std::vector<uint32_t>> in_progress;
    // These customers, and the others of their groups: the search has neither.
    std::vector<uint32_t> settled;
    bool is_metric = false; // no insertion saves anything
    // Some ways are shorter by way of others, or have to be.
    bool has_short_cuts = false;
    // Some arcs are longer than any route may be.
    bool has_forbidden_arcs = false;
    bool is_symmetric = false; // all arcs are
    bool is_timed = false;     // there are times at all
    // Durations cost something or are limited, or goods are released later.
    bool counts_duration = false;
    bool limits_distance = false;
    // Sums of distances are exact, in whatever order.
    bool has_exact_lengths = false;

    // What follows from the above, see `complete`. The last route stands for
    // customers without a place.
    std::vector<uint32_t> type_of;   // (routes + 1,)
    std::vector<int64_t> travels_as; // (types,): the first that travels alike
    std::vector<RouteStart> starts;  // (types,): of whole routes
    std::vector<uint8_t> begun;      // (types,): see `begin_route`
    int64_t largest_capacity = 0;
    bool times_are_lengths = false;
    bool has_overtime = false;
    // (n + 1,): whether an in-progress route settles who serves a customer.
    std::vector<uint8_t> is_settled;
    // Some nodes are no customers to be inserted one by one.
    bool is_special = false;
    // Whether a feature does so, see `ProblemFeature`.
    bool limits_routes = false;
    bool limits_order = false;
    bool judges_paths = false;
    bool raises_totals = false;
    bool prices_paths = false;
    // Whether any feature prices routes, by their paths or by what they have.
    bool has_prices = false;
    bool has_releases = false;
    // (types, n + 1): cost of a customer alone on a route, infinite where that
    // breaks a limit.
    std::vector<double> single_costs;

    // Sets what follows from the rest.
    void complete();

    // Lets the vehicle of an in-progress route start behind its first
    // customers. An empty route then costs nothing: the others cost what they
    // cost more. False if the vehicle cannot come back from them directly.
    bool begin_route(int64_t type);

    // Whether the vehicle of a type starts behind its first customers.
    [[nodiscard]] bool has_begun(int64_t type) const {
        return begun[type] != 0;
    }

    // Returns a path, behind the first customers of its route if that has
    // begun; they stay until the next call.
    [[nodiscard]] std::span<const uint32_t>
    whole_route(std::span<const uint32_t> path, int64_t type) const;

    // Lets a route that somebody must follow cost so much less that it is
    // never left without.
    void reward_route(int64_t type);

    [[nodiscard]] int64_t num_nodes() const { return std::ssize(demands); }

    // Returns the service of a node by a vehicle of a type, without a set-up.
    [[nodiscard]] double service_of(int64_t type, uint32_t node) const {
        return work.is_any() ? work.services_at(node)[type]
                             : visits[node].service;
    }

    // Returns what a vehicle of a type does at a node that it reaches from a
    // place.
    [[nodiscard]] double work_at(int64_t type, uint32_t place,
                                 uint32_t node) const {
        return service_of(type, node) + work.setup_after(type, place, node);
    }

    // Customers and the depot.
    [[nodiscard]] int64_t num_stops() const {
        return std::min<int64_t>(reloads.first, num_nodes());
    }

    // Whether a node is a call at a depot on the way.
    [[nodiscard]] bool is_reload(uint32_t node) const {
        return node >= reloads.first && node < num_nodes();
    }

    // Whether a node is none to be inserted on its own.
    [[nodiscard]] bool is_follower(uint32_t node) const {
        return is_reload(node) || is_settled[node] != 0 ||
               pairs.is_delivered(node);
    }

    // Whether a vehicle of a type cannot come back from a customer directly,
    // and may call at a depot on the way.
    [[nodiscard]] bool comes_back_by_call(int64_t type,
                                          uint32_t customer) const {
        const VehicleType& vehicle = vehicles[type];
        return has_forbidden_arcs &&
               distances(vehicle.profile, customer, vehicle.end) >
                   vehicle.max_distance;
    }

    [[nodiscard]] int64_t num_types() const { return std::ssize(vehicles); }

    // Routes that there are vehicles for.
    [[nodiscard]] int64_t num_routes() const {
        return std::ssize(type_of) - 1;
    }

    [[nodiscard]] const VehicleType& vehicle_of(int64_t route) const {
        return vehicles[type_of[route]];
    }

    [[nodiscard]] double single_cost(int64_t type, int64_t customer) const {
        return single_costs[type * num_nodes() + customer];
    }
};

} // namespace ncc::fleets

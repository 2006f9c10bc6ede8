#pragma once

#include "arrays.h"
#include "fleets/paths.h"
#include "fleets/problem.h"
#include "search/exchange.h"
#include "search/linked_routes.h"
#include "search/params.h"
#include "search/penalties.h"
#include "search/recreate.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Routes of vehicles of their own, in the making.
namespace ncc::fleets {

// A node of the linked routes: the lengths of its edges, and its times. None
// lies across two lines of the cache, as in the plain search.
struct alignas(64) Node {
    double to_prev = 0.0;
    double to_next = 0.0;
    // Its vehicle can leave it then at the earliest, and serves it by `latest`
    // if the rest of the route is to be in time.
    double ready = 0.0;
    double latest = 0.0;
    // Travel time from its predecessor, unless times are lengths.
    double travel = 0.0;
    uint32_t prev = 0;
    uint32_t next = 0;
};

// The way from the depot to a node (head), and the least duration of the way
// from it to the depot (tail) with the earliest start that keeps it. `ready`
// is the end of the head, and `latest` the latest start of the tail. A start
// after `head_limit` is late somewhere.
struct NodeSegments {
    DurationSegment head;
    double head_limit = 0.0;
    double tail_duration = 0.0;
    double tail_early = 0.0;

    bool operator==(const NodeSegments&) const = default;
};

// A number that changed, and what it was.
struct Change {
    double* number;
    double before;
};

// A route: its customers, the iterations that last ruined and touched it, and
// what it costs and takes. The last one is only ever a place for customers
// without one.
struct Route {
    int64_t size = 0;
    int64_t ruined = 0;
    int64_t touched = 0;
    double cost = 0.0;
    double duration = 0.0;
    double distance = 0.0;
    double release = 0.0; // when the goods of its first trip are at the depot
};

// A node that comes along with a customer to insert, behind another one and
// before it; 0 for none.
struct Companion {
    uint32_t node = 0;
    uint32_t before = 0;
};

// Where a customer comes: behind a node, 0 for nowhere.
struct Position {
    uint32_t before = 0;
    // Another one of its group, who comes in its place; 0 for none.
    uint32_t substitute = 0;
    double cost = infinity;
    // A call at a depot, the delivery of a shipment, or both, in this order;
    // they are inserted first.
    std::array<Companion, 2> companions{};
};

// A route that an iteration touched, and what it took before.
struct TouchedRoute {
    uint32_t route;
    double duration;
    double distance;
    double release;
};

// Customers of a route in the making, at most all of them.
class Path {
public:
    explicit Path(int64_t capacity) : nodes_(capacity) {}

    [[nodiscard]] int64_t size() const { return size_; }
    uint32_t& operator[](int64_t idx) { return nodes_[idx]; }
    void clear() { size_ = 0; }

    void push_back(uint32_t customer) {
        NCC_CHECK(size_ < std::ssize(nodes_));
        nodes_[size_++] = customer;
    }

    [[nodiscard]] std::span<const uint32_t> customers() const {
        return {nodes_.data(), static_cast<std::size_t>(size_)};
    }

private:
    std::vector<uint32_t> nodes_;
    int64_t size_ = 0;
};

// The routes of a fleet, the best ones, and what an undo needs. The vehicle of
// a route never changes; any number of routes may be empty.
struct FleetSearch : search::LinkedRoutes<Node, Route>, SearchFeatures {
    // Begins with some routes; all other customers are absent. `customers` are
    // those of all routes, one after another, and `starts` (routes + 1,) is
    // where each route begins. `members_` are all customers in the order in
    // which random numbers pick them, and those of a part of the routes where
    // vehicles that others drive are closed: bool (routes,), or none. The
    // problem has to outlive the search.
    FleetSearch(const FleetProblem& problem_,
                std::span<const uint32_t> customers,
                std::span<const int64_t> starts,
                std::span<const uint32_t> members_,
                std::span<const uint8_t> closed, int64_t max_removed,
                uint64_t seed, search::Penalties penalties_ = {},
                shapes::HullOverlap overlap_ = {});

    // Calls a function with each feature that there is.
    template <class Function>
    NCC_ALWAYS_INLINE void each_feature(Function function) {
        if (has_features)
            for_each_feature(*this, function);
    }

    [[nodiscard]] int64_t num_types() const { return problem.num_types(); }

    [[nodiscard]] const VehicleType& vehicle_of(uint32_t route) const {
        return problem.vehicle_of(route);
    }

    // Returns the distance from a node to the next one of a route.
    [[nodiscard]] double distance(uint32_t route, uint32_t i,
                                  uint32_t j) const {
        const VehicleType& vehicle = vehicle_of(route);
        return problem.distances(vehicle.profile,
                                 is_customer(i) ? i : vehicle.start,
                                 is_customer(j) ? j : vehicle.end);
    }

    // Returns the same, read from where the lengths to j lie.
    [[nodiscard]] double distance_back(uint32_t route, uint32_t j,
                                       uint32_t i) const {
        const VehicleType& vehicle = vehicle_of(route);
        return problem.distances_back(vehicle.profile,
                                      is_customer(j) ? j : vehicle.end,
                                      is_customer(i) ? i : vehicle.start);
    }

    // Returns the travel time from a node to the next one of a route.
    [[nodiscard]] double travel(uint32_t route, uint32_t i, uint32_t j) const {
        const VehicleType& vehicle = vehicle_of(route);
        return problem.durations(vehicle.profile,
                                 is_customer(i) ? i : vehicle.start,
                                 is_customer(j) ? j : vehicle.end);
    }

    // What the ruin asks for, see `search::RuinedSearch`.
    [[nodiscard]] double edge_length(uint32_t i, uint32_t j) const {
        return distance(route_of[i], i, j);
    }
    [[nodiscard]] int64_t demand(uint32_t customer) const {
        return problem.demands[customer];
    }
    [[nodiscard]] double penalty(uint32_t customer, uint32_t route) const {
        return has_penalties() ? penalties.cost(customer, route) : 0.0;
    }
    void count(uint32_t customer, uint32_t route, int change) {
        if (counts_customers)
            count_features(customer, route, change);
    }

    // What the recreate asks for, see `search::RecreatedSearch`.
    [[nodiscard]] int64_t capacity() const { return problem.largest_capacity; }
    [[nodiscard]] double num_rules() const;
    [[nodiscard]] double order_key(uint32_t customer, double rule);
    void prefetch_gaps(uint32_t customer) const;
    int64_t begin_recreate(int64_t num_customers, double limit);
    void end_recreate() {
        each_feature([&](auto& feature) { feature.end_recreate(*this); });
    }
    [[nodiscard]] Position find_position(uint32_t customer, double budget);
    [[nodiscard]] bool may_leave(uint32_t customer) const;
    void insert(uint32_t customer, const Position& position);

    // Whether a route was empty before the iteration: its first customer opens
    // it.
    [[nodiscard]] bool is_unopened(uint32_t route) const {
        return routes[route].size == 0 &&
               routes[route].ruined != num_iterations;
    }

    // Returns what a customer costs on an empty route beside the way.
    [[nodiscard]] double opening_penalty(uint32_t customer,
                                         uint32_t route) const {
        return is_unopened(route) ? penalties.least_cost(customer)
                                  : penalty(customer, route);
    }

    // Keeps the routes if they are the best ones by more than a tolerance,
    // with the prizes as they are given.
    void keep_if_best(double tolerance) {
        keep_if_better(cost - prizes.rise(), tolerance);
    }

    // Returns when a node may be visited on its route: calls at depots as
    // their goods are there, and with the service of the vehicle.
    [[nodiscard]] const Visit& visit_of(uint32_t node) const {
        return visits[node];
    }

    // Lets a node have the service of the vehicle of its route.
    void set_service(uint32_t route, uint32_t node) {
        if (!problem.work.is_any() || !is_customer(node))
            return;
        const double own = problem.service_of(problem.type_of[route], node);
        double& service = own_visits[node].service;
        if (service != own)
            change(service, own);
    }

    // Returns the customers of a route with some nodes behind one of its own,
    // and perhaps one elsewhere; they stay until the next call.
    [[nodiscard]] std::span<const uint32_t>
    path_with(uint32_t route, uint32_t before, std::span<const uint32_t> added,
              Companion other = {}) const;

    // Returns what a route costs more with them; infinite where that breaks a
    // limit.
    [[nodiscard]] double change_by(uint32_t route, uint32_t before,
                                   std::span<const uint32_t> added,
                                   Companion other = {}) const;

    // Whether there are customers whom some routes may not get.
    [[nodiscard]] bool limits_customers() const {
        return has_features && !all_features(*this, [](const auto& feature) {
                   return !feature.limits_customers;
               });
    }

    // Whether a route may get a customer, and who comes along.
    [[nodiscard]] bool admits(uint32_t customer, uint32_t route) const {
        return !has_features || all_features(*this, [&](const auto& feature) {
            return feature.admits(customer, problem.pairs.partner_of(customer),
                                  route);
        });
    }

    // Whether a vehicle of a type may serve some customers alone, of whom some
    // are added, who have no places yet.
    [[nodiscard]] bool keeps(std::span<const uint32_t> customers, int64_t type,
                             std::span<const uint32_t> added = {}) const {
        return !has_features || all_features(*this, [&](const auto& feature) {
            return feature.keeps(customers, type, added);
        });
    }

    // Whether a customer behind a node changes more than what comes before
    // and after it.
    [[nodiscard]] bool reaches_on(uint32_t before, uint32_t customer) const {
        return problem.judges_paths &&
               !all_features(problem, [&](const auto& feature) {
                   return !feature.judges_paths ||
                          !feature.reaches_on(*this, before, customer);
               });
    }

    // Returns the cheapest position for a customer of all.
    [[nodiscard]] Position search_everywhere(uint32_t customer);

    // What the moves ask for, see `search::ExchangingSearch`.
    [[nodiscard]] bool has_penalties() const { return penalties.is_any(); }
    [[nodiscard]] bool is_symmetric() const { return problem.is_symmetric; }
    [[nodiscard]] bool may_take(uint32_t route, int64_t load) const {
        return loads[route] - lack_of(route) + load <=
               problem.largest_capacity;
    }
    [[nodiscard]] bool is_ring(uint32_t route) const {
        return vehicle_of(route).start == vehicle_of(route).end;
    }
    [[nodiscard]] double length_on(uint32_t route, uint32_t i,
                                   uint32_t j) const {
        return distance(route, i, j);
    }
    [[nodiscard]] double joint_length(uint32_t route, uint32_t i,
                                      uint32_t j) const {
        return is_customer(i) || is_customer(j) ? distance(route, i, j) : 0.0;
    }
    [[nodiscard]] bool may_pay(uint32_t a, uint32_t b, double change,
                               bool empties, double limit) const;
    double try_exchange(const search::Exchange& exchange, double change,
                        double limit);
    double try_priced(const search::Exchange& exchange, double change,
                      double rise, double limit);

    // What the annealing asks for, see `search::AnnealedSearch`.
    void settle_ruined();
    void settle_undone();
    [[nodiscard]] bool keeps_limits() const;
    [[nodiscard]] double most_saved_by_shapes() const {
        return shapes.most_saved(*this);
    }
    bool settle_shapes(double limit) { return shapes.settle(*this, limit); }
    [[nodiscard]] bool is_metric() const { return problem.is_metric; }
    [[nodiscard]] bool may_turn() const { return !problem.is_timed; }
    [[nodiscard]] bool may_turn_ends() const {
        return may_turn() &&
               (problem.is_symmetric || !problem.has_forbidden_arcs);
    }
    double try_own_move(uint32_t i, double limit);
    [[nodiscard]] bool is_too_far(uint32_t i, uint32_t j, double near,
                                  double edge, double limit) const;

    // Returns what the vehicle of a route lacks of the largest capacity. It is
    // part of the load, so that one capacity is that of all routes.
    [[nodiscard]] int64_t lack_of(uint32_t route) const {
        return problem.largest_capacity - vehicle_of(route).capacity;
    }

    // Whether there is room on a route for a customer.
    [[nodiscard]] bool has_room(uint32_t route, int64_t load) const {
        return loads[route] + load <= problem.largest_capacity;
    }

    // Returns the travel time to a node from its predecessor.
    [[nodiscard]] double travel_to(const Node& node) const {
        return node.*travel_of;
    }

    // Forgets what the last iteration changed.
    void begin_iteration() {
        clear_moves();
        penalty_before = penalty_cost;
        touched.clear();
        changes.clear();
    }

    // Returns the customers of a route, until `trial` is used again.
    [[nodiscard]] std::span<const uint32_t> customers_of(uint32_t route) const;

    // Remembers what a route takes before an iteration changes it.
    void touch(uint32_t route) {
        Route& r = routes[route];
        if (r.touched != num_iterations) {
            r.touched = num_iterations;
            touched.push_back({route, r.duration, r.distance, r.release});
        }
    }

    // Changes a time of a node.
    void change(double& number, double value) {
        changes.push_back({&number, number});
        number = value;
    }

    // Holds links, loads, costs and times against those of the routes, anew.
    void check() const;

    // Whether an empty route may be opened.
    [[nodiscard]] bool may_open(int64_t route) const {
        return is_closed.empty() || is_closed[route] == 0;
    }

    // Lets nobody open a route that is empty now, unless it has begun.
    void close_empty();

    // Returns an empty route of a vehicle type, or the number of routes.
    uint32_t empty_route(int64_t type);

    const FleetProblem& problem;
    search::SearchParams params{};
    // The only type whose empty vehicles a recreate may use; none for all.
    std::optional<int64_t> opened_type;
    bool has_features; // any of them
    bool counts_customers;
    // What the features cost beside the costs of the routes, now and before
    // the iteration.
    double penalty_cost = 0.0;
    double penalty_before = 0.0;
    std::vector<NodeSegments> segments; // (nodes,)
    std::vector<TouchedRoute> touched;  // by the iteration
    // (n + 1,): see `visit_of`; those of the problem, or a copy where they
    // change.
    std::vector<Visit> own_visits;
    const Visit* const visits;
    // Times of nodes that the iteration changed; an undo takes them back, the
    // last one first.
    std::vector<Change> changes;
    mutable std::vector<int64_t> looked_at; // (nodes,): the last look
    mutable int64_t num_looks = 0;
    std::vector<uint8_t> is_closed; // (routes,), or none
    // (types,): an empty route of each type, or the number of routes.
    std::vector<uint32_t> open_routes;
    // Absent customers whom no recreate inserts for now.
    int64_t num_aside = 0;
    // (n + 1,): how often each customer was absent.
    std::vector<int64_t> absences;
    // Where nodes have their travel times: as fast as two versions of what
    // reads them.
    double Node::* const travel_of;
    std::array<Path, 2> paths; // routes in the making
    // (types,): what one of them takes, for the first of those alike.
    std::vector<std::optional<PathTotals>> totals;
    mutable Path trial; // a route as it is, or could be

private:
    void count_features(uint32_t customer, uint32_t route, int change);

    // Tries an exchange whose routes take these durations, which are computed
    // where they are unknown.
    double try_scheduled(const search::Exchange& exchange, double change,
                         double rise,
                         std::optional<std::array<double, 2>> durations,
                         double limit);

    // Inserts one node; what it costs comes with the customer.
    void insert_one(uint32_t node, uint32_t before, double change,
                    uint32_t opener);

    // Holds the times of all routes, set change by change, against those set
    // anew.
    void check_schedules() const;

    // Lets a route be empty.
    void begin_route(uint32_t route);
};

} // namespace ncc::fleets

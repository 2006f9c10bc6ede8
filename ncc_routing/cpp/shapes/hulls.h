#pragma once

#include "arrays.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

// Convex hulls of the customers of routes, and who lies inside of them.
namespace ncc::shapes {

// Places that are inside a convex hull, found along the x-axis.
class HullFinder {
public:
    HullFinder() = default;

    // (nodes, 2) places; node 0 is a depot, which counts nowhere.
    explicit HullFinder(MatrixView<const double> places);

    // Finds the nodes strictly inside the hull of some others, who are not
    // among them. Less than a billionth of the extent of the hull is not
    // inside. Other than valid nodes are overlooked.
    void find_inside(std::span<const uint32_t> members,
                     std::vector<uint32_t>& inside);

private:
    // Places are called by their ranks from left to right.
    //
    // One of the two chains of a hull from its left end to its right end:
    // `side` is 1.0 for the lower one, which has the hull on its left.
    void build_chain(double side, std::vector<uint32_t>& chain) const;
    [[nodiscard]] double turn(uint32_t a, uint32_t b, uint32_t c) const;
    // Whether a place is far enough on one side of the edge from a to b.
    [[nodiscard]] bool is_deep(uint32_t a, uint32_t b, uint32_t place,
                               double side, double depth) const;

    std::vector<uint32_t> rank_; // (nodes,)
    std::vector<uint32_t> node_; // of each rank
    std::vector<double> x_;
    std::vector<double> y_;
    std::vector<int64_t> seen_; // the last hull that a place belongs to
    int64_t num_hulls_ = 0;
    std::vector<uint32_t> members_;
    std::vector<uint32_t> lower_;
    std::vector<uint32_t> upper_;
};

// What it costs that customers lie inside the hulls of other routes.
struct HullTable {
    MatrixView<const double> places; // (nodes, 2)
    double unit = 0.0;               // cost of each customer

    [[nodiscard]] int64_t num_nodes() const { return places.num_rows(); }
};

// The customers of routes who lie inside the hull of another one, brought up
// to date route by route: a changed route takes time for its own customers and
// for those between its left and right end.
class HullOverlap {
public:
    // Costs nothing.
    HullOverlap() = default;

    // All routes are empty.
    HullOverlap(const HullTable& table, int64_t num_routes);

    [[nodiscard]] bool is_any() const { return unit_ > 0.0; }
    [[nodiscard]] double unit() const { return unit_; }
    [[nodiscard]] double cost() const {
        return unit_ * static_cast<double>(num_inside_);
    }

    // Returns the most that others could save if a route had no customers.
    [[nodiscard]] double cost_inside(uint32_t route) const {
        return unit_ * static_cast<double>(inside_[route].size());
    }

    // Returns the route of a customer, or the number of routes for none.
    [[nodiscard]] uint32_t route_of(uint32_t customer) const {
        return route_of_[customer];
    }

    // Whether a node is a customer with a place on the map.
    [[nodiscard]] bool has_place(uint32_t node) const {
        return node < route_of_.size();
    }

    // Changes from here on can be taken back.
    void begin();

    // Gives a route other customers. Who leaves it has to be set elsewhere,
    // or to `leave`.
    void set(uint32_t route, std::span<const uint32_t> customers);

    // Takes a customer off all routes: nobody there counts.
    void leave(uint32_t customer) {
        move(customer, static_cast<uint32_t>(inside_.size()));
    }

    // Returns what all changes cost since they began.
    [[nodiscard]] double change() const { return cost() - cost_before_; }

    // Takes them back.
    void undo();

private:
    // A customer, and the route that it was on.
    struct Origin {
        uint32_t customer;
        uint32_t route;
    };

    void count(std::span<const uint32_t> nodes, int change);
    void move(uint32_t customer, uint32_t route);
    void set_route_of(uint32_t customer, uint32_t route);

    HullFinder finder_;
    double unit_ = 0.0;
    double cost_before_ = 0.0;
    int64_t num_inside_ = 0;
    std::vector<int32_t> num_hulls_;            // (nodes,): hulls around each
    std::vector<uint32_t> route_of_;            // (nodes,)
    std::vector<std::vector<uint32_t>> inside_; // of each route
    // Routes that changed and what was inside of them; only the first ones
    // count.
    std::vector<std::pair<uint32_t, std::vector<uint32_t>>> before_;
    int64_t num_changed_ = 0;
    std::vector<Origin> moved_;
};

// Finds which customers of some routes lie inside the hull of another one:
// route r has the nodes from starts[r] to starts[r + 1].
void find_inside_other_hulls(MatrixView<const double> places,
                             std::span<const uint32_t> nodes,
                             std::span<const int64_t> starts,
                             std::span<bool> is_inside);

} // namespace ncc::shapes

#pragma once

#include "genetic/linked_routes.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::genetic {

// Cuts a giant tour into routes at the least cost.
// C. Prins (2004). A simple and effective evolutionary algorithm for the
// vehicle routing problem. Computers & Operations Research 31(12).
class Split {
public:
    Split(const Problem& problem, uint32_t max_routes);

    // Cuts a tour of all customers into `routes`. Where the best cut makes
    // too many, takes the best one with as many as there may be; they carry
    // all that is left if need be.
    void cut(std::span<const uint32_t> tour, double penalty,
             LinkedRoutes& routes);

private:
    // Adds up ways and loads along the tour, from its first customer on.
    void measure(std::span<const uint32_t> tour);

    // Lets a route follow every way to serve the first customers: the row
    // `before` of the costs is read, `after` written; the same one where the
    // number of routes does not count.
    void extend(std::span<const uint32_t> tour, std::size_t before,
                std::size_t after, double penalty);

    // How many routes the cuts of row 0 make.
    [[nodiscard]] std::size_t count_cuts() const;

    // Returns the number of routes of the best cut with at most as many as
    // there may be, 0 if there is none.
    std::size_t cut_limited(std::span<const uint32_t> tour, double penalty);

    [[nodiscard]] std::span<double> costs_of(std::size_t num_routes) {
        return std::span(costs_).subspan(num_routes * num_nodes_, num_nodes_);
    }
    [[nodiscard]] std::span<uint32_t> cuts_of(std::size_t num_routes) {
        return std::span(cuts_).subspan(num_routes * num_nodes_, num_nodes_);
    }

    const Problem* problem_;
    std::size_t max_routes_;
    std::size_t num_nodes_;
    // Length and load up to each customer of the tour, and its way home.
    std::vector<double> lengths_;
    std::vector<int64_t> loads_;
    std::vector<double> returns_;
    // The least cost of the first customers with each number of routes, and
    // where the last of these routes begins.
    std::vector<double> costs_;
    std::vector<uint32_t> cuts_;
};

} // namespace ncc::genetic

#pragma once

#include "fleets/features/feature.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

// Customers whom nobody has to serve, and groups of which one is served.
namespace ncc::fleets {

// Customers of a group, of whom at most one is served.
struct Group {
    std::vector<uint32_t> members;
    bool is_required = true;
};

// Who has to be served, and what it is worth; empty where all have to be.
struct Options : ProblemFeature {
    static constexpr bool limits_routes = false;
    static constexpr const char* name = "Options";
    static constexpr std::array arguments{"prizes", "is_required", "groups",
                                          "groups_required"};
    static Options make(std::span<const double> prizes,
                        std::span<const bool> is_required,
                        const std::vector<std::vector<uint32_t>>& groups,
                        const std::vector<bool>& groups_required);

    std::vector<double> prizes;       // (n + 1,)
    std::vector<uint8_t> is_required; // (n + 1,)
    // (n + 1,): the group of each customer, or their number.
    std::vector<uint32_t> group_of;
    std::vector<Group> groups;
    bool has_optional = false; // optional customers

    [[nodiscard]] bool is_any() const { return !prizes.empty(); }
    [[nodiscard]] bool fits(int64_t num_nodes, int64_t) const {
        return std::ssize(prizes) == num_nodes;
    }
    void complete(const FleetProblem& problem);

    [[nodiscard]] double prize_of(uint32_t customer) const {
        return is_any() ? prizes[customer] : 0.0;
    }

    [[nodiscard]] bool has_group(uint32_t customer) const {
        return is_any() && group_of[customer] < groups.size();
    }

    // Returns the customer who stands for the group of one, or itself.
    [[nodiscard]] uint32_t first_of(uint32_t customer) const {
        return has_group(customer) ? groups[group_of[customer]].members.front()
                                   : customer;
    }

    // Whether a customer and the others of its group are optional.
    [[nodiscard]] bool is_optional(uint32_t customer) const {
        if (has_group(customer))
            return !groups[group_of[customer]].is_required;
        return is_any() && is_required[customer] == 0;
    }
};

// Who is served, and what it costs to leave others out.
class Prizes : public Feature {
public:
    static constexpr bool counts_customers = true;

    explicit Prizes(const FleetProblem& problem);

    [[nodiscard]] bool is_any() const { return options_.is_any(); }

    void begin(FleetSearch& search);

    // Removes all that a ruin left on one of its routes, now and then.
    bool extend_ruin(FleetSearch& search);

    // Puts absent customers near the removed ones on offer who need no place.
    void offer(FleetSearch& search);

    // Does so with all of them.
    void offer_all(FleetSearch& search) const;

    void begin_recreate(FleetSearch& search);

    // Leaves out those of the touched routes who cost more than their prize,
    // one by one or some in a row; the order of the others stays.
    //
    // A trip of fixed order serves the best of its customers at the cost of a
    // shortest path: T. Vidal, N. Maculan, L. S. Ochi, P. H. V. Penna (2016).
    // Large neighborhoods with implicit customer selection for vehicle routing
    // problems with profits. Transportation Science 50(2).
    void end_recreate(FleetSearch& search);

    void count(FleetSearch& search, uint32_t customer, uint32_t route,
               int change);
    void check(const FleetSearch& search) const;

    // Returns what it is worth now to serve a customer.
    [[nodiscard]] double of(uint32_t customer) const {
        return factor_ * options_.prize_of(customer);
    }

    // Multiplies all prizes by a factor, without those before.
    void set_factor(FleetSearch& search, double factor);

    // Returns by how much the absent customers cost more than as given.
    [[nodiscard]] double rise() const { return (factor_ - 1.0) * lost_; }

    // Loses the prize of an absent customer.
    void lose(FleetSearch& search, uint32_t customer);

    // Whether a customer has to be served, whatever its group is.
    [[nodiscard]] bool is_needed(uint32_t customer) const;

    // Whether nobody has to serve a customer as it is.
    [[nodiscard]] bool may_leave(uint32_t customer) const;

    // Returns who may be served for a customer, itself included.
    [[nodiscard]] std::span<const uint32_t>
    choices(const uint32_t& customer) const;

    // Whether this recreate serves whomever it can.
    bool serves_all = true;

private:
    const Options& options_;
    double factor_ = 1.0;
    double lost_ = 0.0;               // by all absent customers, as given
    std::vector<int64_t> num_served_; // (groups,): members with a place
};

// By how much prizes are raised for each unit of the temperature above its
// end.
struct PrizeRise {
    double per_unit = 0.0;
    double end_temperature = 0.0;

    [[nodiscard]] double factor(double temperature) const {
        return 1.0 + per_unit * std::max(0.0, temperature - end_temperature);
    }
};

// Anneals as `search::anneal`, with prizes that follow the temperature.
int64_t anneal_with_prizes(FleetSearch& search, int64_t num_iterations,
                           double temperature, double cooling,
                           const PrizeRise& rise);

} // namespace ncc::fleets

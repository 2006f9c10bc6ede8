#include "fleets/placing.h"

#include "search/annealing.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ncc::fleets {

namespace {

// In units of the mean cost of a customer: the temperature, and the price of
// an absence for a mean demand, and for the logarithm of how often the
// customer has been absent.
constexpr double placing_temperature = 0.1;
constexpr double demand_price = 15.0;
constexpr double absence_price = 9.0;

// Inserts the first customers of `inserted` where they cost least; those who
// find no place are the absent ones of now.
void insert_what_fits(FleetSearch& s, int64_t num_customers,
                      bool serves_all = false,
                      std::optional<int64_t> opened_type = std::nullopt) {
    const int64_t first = s.begin_recreate(num_customers, infinity);
    s.prizes.serves_all |= serves_all;
    if (serves_all)
        s.opened_type = opened_type;
    int64_t num_absent = 0;
    for (int64_t idx = first; idx < num_customers; ++idx) {
        const uint32_t customer = s.queue[idx];
        Position found = s.find_position(customer, infinity);
        if (found.before == 0 && s.may_leave(customer))
            continue;
        if (found.before == 0 && opened_type) {
            s.opened_type.reset();
            found = s.find_position(customer, infinity);
            s.opened_type = opened_type;
        }
        if (found.before == 0)
            found = s.search_everywhere(customer);
        if (found.before == 0)
            s.absent[num_absent++] = customer;
        else
            s.insert(customer, found);
    }
    // Others of their groups may have come after them.
    const auto first_absent = s.absent.begin();
    s.num_absent = std::remove_if(first_absent, first_absent + num_absent,
                                  [&](uint32_t customer) {
                                      return s.may_leave(customer);
                                  }) -
                   first_absent;
}

// Returns what a customer costs on a vehicle of its own, the dearest one that
// may serve it; 0 where none may.
double dearest_alone(const FleetSearch& s, uint32_t customer) {
    double dearest = 0.0;
    for (int64_t type = 0; type < s.num_types(); ++type) {
        const double cost = s.problem.single_cost(type, customer);
        if (cost < infinity)
            dearest = std::max(dearest, cost);
    }
    return dearest;
}

// Returns the price of all absences: each is worth a vehicle, and the more the
// larger the demand is and the more often the customer has been absent.
double price_absences(const FleetSearch& s, double mean_cost,
                      double mean_demand) {
    double price = 0.0;
    for (int64_t idx = 0; idx < s.num_absent; ++idx) {
        const uint32_t customer = s.absent[idx];
        const auto demand = static_cast<double>(s.demand(customer));
        const auto times = static_cast<double>(s.absences[customer]);
        price += dearest_alone(s, customer) +
                 mean_cost * (demand_price * demand / mean_demand +
                              absence_price * std::log1p(times));
    }
    return price;
}

// Returns the mean demand of the customers, at least 1.
double mean_demand_of(const FleetSearch& s) {
    double sum = 0.0;
    for (const uint32_t customer : s.members)
        sum += static_cast<double>(s.demand(customer));
    return std::max(1.0, sum / static_cast<double>(s.members.size()));
}

} // namespace

int64_t place_absent(FleetSearch& s, int64_t num_iterations,
                     double mean_cost) {
    const double temperature = placing_temperature * mean_cost;
    const double mean_demand = mean_demand_of(s);
    std::vector<uint32_t> absent_before;
    for (int64_t left = num_iterations; left > 0 && s.num_absent > 0; --left) {
        s.begin_iteration();
        const int64_t num_before = s.num_absent;
        absent_before.assign(s.absent.begin(), s.absent.begin() + num_before);
        const double limit = search::draw_limit(s, temperature) +
                             price_absences(s, mean_cost, mean_demand);
        search::ruin(s);
        s.settle_ruined();
        insert_what_fits(s, search::order_customers(s));
        const double price = price_absences(s, mean_cost, mean_demand);
        for (int64_t idx = 0; idx < s.num_absent; ++idx)
            ++s.absences[s.absent[idx]];
        if ((s.num_absent == 0 || s.cost + price < limit) &&
            s.keeps_limits()) {
            search::commit(s);
            s.settle_shapes(infinity);
        } else {
            search::undo(s);
            s.num_absent = num_before;
            std::copy(absent_before.begin(), absent_before.end(),
                      s.absent.begin());
            s.settle_undone();
        }
        s.check();
        search::improve_by_moves(s, temperature);
    }
    if (s.num_absent == 0)
        s.keep_best();
    return s.num_absent;
}

int64_t insert_all(FleetSearch& s, bool along_curve,
                   std::optional<int64_t> opened_type) {
    const auto first = s.absent.begin();
    const std::vector<uint32_t> absent_before(first, first + s.num_absent);
    const auto insert = [&] {
        s.begin_iteration();
        s.prizes.offer_all(s);
        const int64_t num_customers = search::order_customers(s);
        if (along_curve)
            std::sort(s.queue.begin(), s.queue.begin() + num_customers);
        insert_what_fits(s, num_customers, true, opened_type);
    };
    insert();
    s.end_recreate();
    // Without the triangle inequality a drop may make others late.
    if (s.num_dropped > 0 && !s.keeps_limits()) {
        search::undo(s);
        s.num_absent = std::ssize(absent_before);
        std::copy(absent_before.begin(), absent_before.end(), first);
        s.settle_undone();
        insert();
    }
    search::commit(s);
    s.settle_shapes(infinity);
    s.check();
    if (s.num_absent == 0)
        s.keep_best();
    return s.num_absent;
}

} // namespace ncc::fleets

#include "fleets/placing.h"

#include "search/annealing.h"

#include <algorithm>
#include <vector>

namespace ncc::fleets {

namespace {

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

// Returns how often the absent customers have been absent, all together.
int64_t sum_absences(const FleetSearch& s) {
    int64_t sum = 0;
    for (int64_t idx = 0; idx < s.num_absent; ++idx)
        sum += s.absences[s.absent[idx]];
    return sum;
}

} // namespace

int64_t place_absent(FleetSearch& s, int64_t num_iterations,
                     double temperature) {
    std::vector<uint32_t> absent_before;
    for (int64_t left = num_iterations; left > 0 && s.num_absent > 0; --left) {
        s.begin_iteration();
        const double limit = search::draw_limit(s, temperature);
        const int64_t num_before = s.num_absent;
        absent_before.assign(s.absent.begin(), s.absent.begin() + num_before);
        const int64_t seldom = sum_absences(s);
        search::ruin(s);
        s.settle_ruined();
        insert_what_fits(s, search::order_customers(s));
        const int64_t often = sum_absences(s);
        for (int64_t idx = 0; idx < s.num_absent; ++idx)
            ++s.absences[s.absent[idx]];
        const bool is_better = often < seldom || s.num_absent == 0;
        const bool is_close = s.num_absent <= num_before && s.cost < limit;
        if ((is_better || is_close) && s.keeps_limits()) {
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

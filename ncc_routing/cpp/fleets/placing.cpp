#include "fleets/placing.h"

#include "search/annealing.h"

#include <algorithm>
#include <vector>

namespace ncc::fleets {

namespace {

// Inserts the first customers of `inserted` where they cost least; those who
// find no place are the absent ones of now.
void insert_what_fits(FleetSearch& s, int64_t num_customers,
                      std::optional<int64_t> opened_type) {
    const int64_t first = s.begin_recreate(num_customers, infinity);
    s.prizes.serves_all = true;
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
        if (found.before != 0)
            s.insert(customer, found);
        else if (s.prizes.is_needed(customer)) // not one on offer
            s.absent[num_absent++] = customer;
    }
    s.num_absent = num_absent;
    leave_optional(s);
}

// The absent customers before an iteration.
class Absent {
public:
    explicit Absent(const FleetSearch& s)
        : customers_(s.absent.begin(), s.absent.begin() + s.num_absent) {}

    [[nodiscard]] int64_t size() const { return std::ssize(customers_); }

    // Takes an iteration back.
    void take_back(FleetSearch& s) const {
        search::undo(s);
        s.num_absent = size();
        std::ranges::copy(customers_, s.absent.begin());
        s.settle_undone();
    }

private:
    std::vector<uint32_t> customers_;
};

} // namespace

void leave_optional(FleetSearch& s) {
    const auto first = s.absent.begin();
    s.num_absent = std::remove_if(first, first + s.num_absent,
                                  [&](uint32_t customer) {
                                      return s.may_leave(customer);
                                  }) -
                   first;
}

void insert_again(FleetSearch& s, std::optional<int64_t> opened_type) {
    const Absent before(s);
    s.begin_iteration();
    search::ruin(s);
    s.settle_ruined();
    insert_what_fits(s, search::order_customers(s), opened_type);
    s.end_recreate();
    if (s.num_absent > before.size() || !s.keeps_limits())
        before.take_back(s);
    else
        search::commit(s);
    s.check();
}

int64_t insert_all(FleetSearch& s, bool along_curve,
                   std::optional<int64_t> opened_type) {
    const Absent before(s);
    const auto insert = [&] {
        s.begin_iteration();
        s.prizes.offer_all(s);
        const int64_t num_customers = search::order_customers(s);
        if (along_curve)
            std::sort(s.queue.begin(), s.queue.begin() + num_customers);
        insert_what_fits(s, num_customers, opened_type);
    };
    insert();
    s.end_recreate();
    // Without the triangle inequality a drop may make others late.
    if (s.num_dropped > 0 && !s.keeps_limits()) {
        before.take_back(s);
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

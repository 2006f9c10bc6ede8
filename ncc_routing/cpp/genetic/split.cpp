#include "genetic/split.h"

namespace ncc::genetic {

namespace {

// Load of a route at most, in capacities.
constexpr double max_filled = 1.5;

} // namespace

Split::Split(const Problem& problem, uint32_t max_routes)
    : problem_(&problem), max_routes_(max_routes),
      num_nodes_(problem.num_nodes()), lengths_(num_nodes_),
      loads_(num_nodes_), returns_(num_nodes_),
      costs_((max_routes_ + 1) * num_nodes_),
      cuts_((max_routes_ + 1) * num_nodes_) {}

void Split::measure(std::span<const uint32_t> tour) {
    lengths_[0] = 0.0;
    loads_[0] = 0;
    uint32_t last = tour[0];
    for (std::size_t idx = 0; idx < tour.size(); ++idx) {
        const uint32_t customer = tour[idx];
        const double step = idx > 0 ? problem_->matrix(last, customer) : 0.0;
        lengths_[idx + 1] = lengths_[idx] + step;
        loads_[idx + 1] = loads_[idx] + problem_->demands[customer];
        returns_[idx + 1] = problem_->matrix(0, customer);
        last = customer;
    }
}

void Split::extend(std::span<const uint32_t> tour, std::size_t before,
                   std::size_t after, double penalty) {
    const double max_load =
        max_filled * static_cast<double>(problem_->capacity);
    const std::span<const double> costs_before = costs_of(before);
    const std::span<double> costs = costs_of(after);
    const std::span<uint32_t> cuts = cuts_of(after);
    for (std::size_t begin = 0; begin < tour.size(); ++begin) {
        if (costs_before[begin] == infinity)
            continue;
        const double fixed =
            costs_before[begin] + returns_[begin + 1] - lengths_[begin + 1];
        for (std::size_t end = begin + 1; end <= tour.size(); ++end) {
            const int64_t load = loads_[end] - loads_[begin];
            if (static_cast<double>(load) > max_load)
                break;
            const auto overload =
                static_cast<double>(problem_->overload(load));
            const double cost =
                fixed + lengths_[end] + returns_[end] + penalty * overload;
            if (cost < costs[end]) {
                costs[end] = cost;
                cuts[end] = static_cast<uint32_t>(begin);
            }
        }
    }
}

std::size_t Split::count_cuts() const {
    std::size_t number = 0;
    for (std::size_t end = num_nodes_ - 1; end > 0; end = cuts_[end])
        ++number;
    return number;
}

std::size_t Split::cut_limited(std::span<const uint32_t> tour,
                               double penalty) {
    std::fill(costs_.begin(), costs_.end(), infinity);
    costs_[0] = 0.0;
    std::size_t best = 0;
    for (std::size_t number = 1; number <= max_routes_; ++number) {
        extend(tour, number - 1, number, penalty);
        if (costs_of(number).back() < costs_of(best).back())
            best = number;
    }
    return best;
}

void Split::cut(std::span<const uint32_t> tour, double penalty,
                LinkedRoutes& routes) {
    NCC_CHECK(routes.num_slots == max_routes_);
    // What was looked up for other routes counts no more.
    ++routes.num_moves;
    measure(tour);
    const std::span<double> costs = costs_of(0);
    std::fill(costs.begin(), costs.end(), infinity);
    costs[0] = 0.0;
    extend(tour, 0, 0, penalty);
    const bool is_limited = count_cuts() > max_routes_;
    std::size_t number = is_limited ? cut_limited(tour, penalty) : 0;
    uint32_t used = 0;
    if (is_limited && number == 0) {
        // Too few routes even where each is overfull: as even as it goes.
        for (; used < max_routes_; ++used) {
            const std::size_t begin = used * tour.size() / max_routes_;
            const std::size_t end = (used + 1) * tour.size() / max_routes_;
            routes.lay(used, tour.subspan(begin, end - begin));
        }
    } else {
        for (std::size_t end = tour.size(); end > 0;) {
            const std::size_t begin = cuts_of(number)[end];
            routes.lay(used++, tour.subspan(begin, end - begin));
            end = begin;
            number -= is_limited ? 1 : 0;
        }
    }
    for (; used < max_routes_; ++used)
        routes.lay(used, {});
}

} // namespace ncc::genetic

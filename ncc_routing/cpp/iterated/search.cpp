#include "iterated/search.h"

#include "iterated/acceptance.h"
#include "iterated/edge_assembly.h"
#include "iterated/lengths.h"
#include "iterated/local_search.h"
#include "iterated/ruin.h"
#include "random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace ncc::iterated {

namespace {

// Lengths that keep the order of moves that cost nothing, as a share of the
// mean length to a nearest neighbour.
constexpr double unit_share = 0.02;

template <class Lengths>
double small_length(const Routes<Lengths>& routes,
                    MatrixView<const uint32_t> neighbours) {
    double total = 0.0;
    for (const uint32_t customer : routes.members)
        total += routes.length(customer, neighbours(customer, 0));
    return unit_share * total / static_cast<double>(routes.members.size());
}

// Customers that the first ruins remove: too many take much time until their
// number has adapted.
constexpr double first_removed = 10.0;

// Pairs of customers on a route up to which the first routes are improved as a
// whole, in a tenth of a second; later iterations improve what they touch.
constexpr int64_t max_first_effort = 50'000;

// Customers that a ruin removes at most: some stay, and a disc does not reach
// beyond the neighbours that are known.
double most_removed(const search::RoutingProblem& problem,
                    std::size_t num_members) {
    const auto others = static_cast<double>(num_members) - 1.0;
    const auto known = static_cast<double>(problem.neighbours.num_columns());
    return std::max(1.0, std::min(others, known));
}

template <class Lengths>
class IteratedSearch : public Search {
public:
    IteratedSearch(const search::RoutingProblem& problem, const Params& params,
                   std::span<const uint32_t> customers,
                   std::span<const int64_t> starts, int64_t num_slots,
                   uint64_t seed)
        : params_(params), routes_(problem, customers, starts, num_slots),
          ruin_(routes_, problem.neighbours, params.num_near),
          local_search_(routes_, problem.neighbours, params.num_near,
                        params.tolerance,
                        small_length(routes_, problem.neighbours)),
          assembly_(routes_, problem.neighbours), threshold_(params.window),
          sizes_{first_size(problem), first_size(problem)}, random_(seed) {
        if (first_effort() <= max_first_effort)
            descend();
    }

    void iterate(int64_t num_iterations, double begin, double end) override {
        const double step =
            (end - begin) / static_cast<double>(num_iterations);
        for (int64_t idx = 0; idx < num_iterations; ++idx)
            iterate_once(begin + static_cast<double>(idx) * step);
    }

    void add_partner(std::span<const uint32_t> customers,
                     std::span<const int64_t> starts) override {
        if (Lengths::is_symmetric)
            partners_.emplace_back(routes_.num_nodes, customers, starts);
    }

    [[nodiscard]] double cost() const override { return routes_.cost; }
    [[nodiscard]] double best_cost() const override {
        return routes_.best_cost;
    }
    [[nodiscard]] int64_t num_iterations() const override {
        return num_iterations_;
    }
    [[nodiscard]] search::RouteList current_routes() const override {
        return routes_.current_routes();
    }
    [[nodiscard]] search::RouteList best_routes() const override {
        return routes_.best_routes();
    }

private:
    // The first local search sees all nodes of each route together.
    [[nodiscard]] int64_t first_effort() const {
        int64_t effort = 0;
        for (const uint32_t route : routes_.open_routes)
            effort += routes_.routes[route].size * routes_.routes[route].size;
        return effort;
    }

    void descend() {
        routes_.begin_iteration();
        for (const uint32_t route : routes_.open_routes)
            routes_.renew(route);
        routes_.began = 0; // all are new
        local_search_.repair();
        local_search_.shorten();
        routes_.check();
        routes_.commit();
    }

    [[nodiscard]] RuinSize first_size(const search::RoutingProblem& problem) {
        return {first_removed, most_removed(problem, routes_.members.size()),
                params_.window};
    }

    void iterate_once(double progress) {
        ++num_iterations_;
        routes_.begin_iteration();
        RuinSize* const size = assemble() ? nullptr : &ruin();
        if (!local_search_.repair()) {
            routes_.undo();
            routes_.check();
            return;
        }
        local_search_.shorten();
        routes_.check();
        const double share = params_.threshold.at(progress);
        double most = threshold_.at(share);
        if (size != nullptr) {
            size->add(static_cast<double>(routes_.count_new_edges()),
                      params_.distance.at(progress));
            most = threshold_.add(routes_.cost, share);
        }
        if (routes_.cost <= most || routes_.cost < routes_.best_cost) {
            routes_.commit();
        } else {
            routes_.undo();
            routes_.check();
        }
    }

    // Takes edges of a partner over, or does nothing.
    bool assemble() {
        return !partners_.empty() && random_.unit() < params_.partner_share &&
               assembly_.perturb(
                   partners_[random_.below(std::ssize(partners_))], random_);
    }

    // Moves customers; returns the size of the ruin.
    RuinSize& ruin() {
        const auto kind =
            static_cast<std::size_t>(random_.below(std::ssize(ruin_kinds)));
        RuinSize& size = sizes_[kind];
        ruin_.perturb(ruin_kinds[kind], static_cast<int64_t>(size.value()),
                      random_);
        return size;
    }

    Params params_;
    Routes<Lengths> routes_;
    Ruin<Lengths> ruin_;
    LocalSearch<Lengths> local_search_;
    EdgeAssembly<Lengths> assembly_;
    std::vector<Partner> partners_;
    Threshold threshold_;
    std::array<RuinSize, ruin_kinds.size()> sizes_;
    Xorshift random_;
    int64_t num_iterations_ = 0;
};

// Whether all distances are whole numbers that a float holds.
bool fits_floats(const Metric& metric) {
    constexpr double most = 1 << 24;
    const auto size = static_cast<int64_t>(metric.num_nodes());
    for (int64_t i = 0; i < size; ++i)
        for (int64_t j = 0; j < size; ++j) {
            const double length = metric(i, j);
            if (!(std::abs(length) < most) || length != std::rint(length))
                return false;
        }
    return true;
}

} // namespace

std::unique_ptr<Search> make_search(const search::RoutingProblem& problem,
                                    const Params& params,
                                    std::span<const uint32_t> customers,
                                    std::span<const int64_t> starts,
                                    int64_t num_slots, uint64_t seed) {
    const auto make = [&]<class Lengths>() -> std::unique_ptr<Search> {
        return std::make_unique<IteratedSearch<Lengths>>(
            problem, params, customers, starts, num_slots, seed);
    };
    if (!problem.is_symmetric)
        return make.template operator()<DenseLengths<double, false>>();
    const bool is_small = std::ssize(problem.demands) <= max_dense;
    if (!is_small && problem.metric.matrix.empty())
        return make.template operator()<PlaneLengths>();
    if (is_small && fits_floats(problem.metric))
        return make.template operator()<DenseLengths<float, true>>();
    return make.template operator()<DenseLengths<double, true>>();
}

} // namespace ncc::iterated

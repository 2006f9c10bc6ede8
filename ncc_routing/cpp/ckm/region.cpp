#include "ckm/region.h"

#include "clustering/assignment.h"
#include "clustering/exchange.h"

#include <algorithm>

namespace ncc::ckm {

namespace {

constexpr int64_t num_dims = 2;

// Customers left over up to which exchanges make room for them.
constexpr int64_t max_exchanges = 200;

} // namespace

Region::Region(const Problem& problem, int64_t max_points,
               int64_t max_clusters)
    : problem_(&problem), nodes_(max_points), coords_(num_dims * max_points),
      weights_(max_points), labels_(max_points),
      point_of_(problem.num_nodes(), -1),
      capacities_(max_clusters, static_cast<double>(problem.capacity)),
      loads_(max_clusters), costs_(max_clusters),
      centers_(num_dims * max_clusters), medoids_(max_clusters),
      scores_(max_clusters * max_points), members_(max_points),
      work_(max_points, max_clusters, num_dims) {}

void Region::take(std::span<const int64_t> customers) {
    clear();
    add(customers);
}

void Region::gather(const Plan& plan, int64_t center, int64_t max_slots) {
    clear();
    const auto neighbours = problem_->neighbours.row(center);
    for (int64_t a = -1; a < std::ssize(neighbours); ++a) {
        const int64_t slot =
            plan.slot_of(a < 0 ? center : int64_t{neighbours[a]});
        if (slot < 0 || std::ranges::find(slots_, slot) != slots_.end() ||
            num_points_ + plan.size(slot) > max_points())
            continue;
        slots_.push_back(slot);
        add(plan.members(slot));
        if (std::ssize(slots_) == max_slots)
            break;
    }
}

void Region::clear() {
    for (int64_t i = 0; i < num_points_; ++i)
        point_of_[nodes_[i]] = -1;
    num_points_ = 0;
    slots_.clear();
}

void Region::add(std::span<const int64_t> customers) {
    NCC_CHECK(num_points_ + std::ssize(customers) <= max_points());
    for (const int64_t node : customers) {
        const int64_t i = num_points_++;
        nodes_[i] = node;
        point_of_[node] = static_cast<int32_t>(i);
        coords_[num_dims * i] = problem_->coords(node, 0);
        coords_[num_dims * i + 1] = problem_->coords(node, 1);
        weights_[i] = static_cast<double>(problem_->demands[node]);
    }
}

clustering::Points Region::points() const {
    return {{coords_.data(), num_points_, num_dims},
            std::span(weights_).first(num_points_)};
}

MatrixView<double> Region::centers() {
    return {centers_.data(), num_clusters_, num_dims};
}

void Region::seed_centers(clustering::Seeding rule, int64_t num_clusters,
                          NumpyGenerator& rng) {
    NCC_CHECK(num_clusters <= max_clusters());
    num_clusters_ = num_clusters;
    clustering::seed_centers(rule, points(), centers(), work_, rng);
}

void Region::disturb_centers(const Plan& plan, int64_t num_clusters,
                             NumpyGenerator& rng) {
    NCC_CHECK(num_clusters <= max_clusters());
    num_clusters_ = num_clusters;
    const MatrixView<const double> coords = points().coords;
    const int64_t num_old = std::ssize(slots_);
    int64_t start = 0;
    for (int64_t k = 0; k < std::min(num_old, num_clusters); ++k) {
        const int64_t size = plan.size(slots_[k]);
        for (int64_t d = 0; d < num_dims; ++d) {
            double total = 0.0;
            for (int64_t i = start; i < start + size; ++i)
                total += coords(i, d);
            centers()(k, d) = total / static_cast<double>(size);
        }
        start += size;
    }
    const int64_t num_moves = 1 + rng.below(2);
    for (int64_t k = num_old; k < num_clusters; ++k)
        clustering::copy_point(coords, rng.below(num_points_), centers(), k);
    for (int64_t move = 0; move < num_moves; ++move) {
        const int64_t k = rng.below(num_clusters);
        clustering::copy_point(coords, rng.below(num_points_), centers(), k);
    }
}

bool Region::cluster(const clustering::PriorityFormula& formula,
                     int64_t num_rounds, double weight_power) {
    const clustering::Points here = points();
    const clustering::TableRows rows{std::span(nodes_).first(num_points_),
                                     point_of_};
    const clustering::Partition partition{
        here.weights, std::span(capacities_).first(num_clusters_),
        std::span(loads_).first(num_clusters_),
        std::span(labels_).first(num_points_)};
    const MatrixView<double> scores(scores_.data(), num_clusters_,
                                    num_points_);
    int64_t num_unplaced = num_points_;
    for (int64_t round = 0; round < num_rounds; ++round) {
        if (formula.uses_affinity())
            clustering::find_medoids(here.coords, centers(), medoids_);
        clustering::score(formula, rows, here, problem_->coords.row(0),
                          centers(), medoids_, work_, scores);
        num_unplaced = clustering::assign_by_regret(scores, partition,
                                                    weight_power, work_);
        if (round + 1 < num_rounds)
            clustering::update_centers(here.coords, {}, partition.labels,
                                       centers(), work_);
    }
    if (0 < num_unplaced && num_unplaced <= max_exchanges)
        num_unplaced = clustering::place_by_exchange(scores, partition);
    return num_unplaced == 0;
}

int64_t Region::unplaced_demand() const {
    int64_t total = 0;
    for (int64_t i = 0; i < num_points_; ++i)
        if (labels_[i] < 0)
            total += problem_->demands[nodes_[i]];
    return total;
}

double Region::gain_in_fullness(const Plan& plan) const {
    const auto capacity = static_cast<double>(problem_->capacity);
    double total = 0.0;
    for (int64_t k = 0; k < num_clusters_; ++k) {
        const double share = loads_[k] / capacity;
        total += share * share;
    }
    for (const int64_t slot : slots_) {
        const double share = static_cast<double>(plan.load(slot)) / capacity;
        total -= share * share;
    }
    return total;
}

double Region::price(RoutePricer& pricer, double limit) {
    double total = 0.0;
    for (int64_t k = 0; k < num_clusters_; ++k) {
        int64_t size = 0;
        for (int64_t i = 0; i < num_points_; ++i)
            if (labels_[i] == k)
                members_[size++] = nodes_[i];
        costs_[k] =
            pricer.cost_of(std::span<const int64_t>(members_).first(size));
        total += costs_[k];
        if (total > limit)
            return infinity;
    }
    return total;
}

bool Region::replace(Plan& plan) {
    int64_t free = 0;
    const auto num_old = slots_.size();
    while (std::ssize(slots_) < num_clusters_) {
        while (free < plan.num_slots() && !plan.is_free(free))
            ++free;
        if (free == plan.num_slots()) {
            slots_.resize(num_old);
            return false;
        }
        slots_.push_back(free++);
    }
    for (const int64_t slot : slots_)
        plan.clear(slot);
    for (int64_t i = 0; i < num_points_; ++i)
        plan.put(nodes_[i], slots_[labels_[i]]);
    for (int64_t k = 0; k < num_clusters_; ++k)
        plan.set_totals(slots_[k], static_cast<int64_t>(loads_[k]), costs_[k]);
    return true;
}

} // namespace ncc::ckm

#include "medians/annealing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ncc::medians {

namespace {

// Clusters up to this size are judged with their best center at once.
constexpr double small_size = 8.0;

// Near points of a place whose clusters are annealed together, at most.
constexpr int64_t max_breadth = 12;

// A draw below the first is a relocation, one below the second a swap with a
// point close to the one whose cluster is joined, and others are swaps with
// that one itself.
constexpr double relocation_draw = 0.4;
constexpr double near_swap_draw = 0.7;

// Among the second, those with any point of the cluster where there are rules.
constexpr double far_swap_share = 0.5;

// Steps in which the temperature of a neighbourhood falls.
constexpr int num_steps = 10;

} // namespace

Annealing::Annealing(Openings& openings, const LocalParams& params)
    : openings_(openings), clusters_(openings.clusters()), params_(params),
      everyone_(clusters_.problem().num_points()),
      is_active_(clusters_.problem().num_clusters()) {
    std::iota(everyone_.begin(), everyone_.end(), 0);
    active_.reserve(everyone_.size());
}

void Annealing::anneal(double temperature, double price, int64_t num_moves,
                       NumpyGenerator& rng) {
    anneal(everyone_, temperature, price, num_moves, rng);
    clusters_.check();
}

void Annealing::anneal_locally(double price, int64_t num_trials,
                               NumpyGenerator& rng) {
    const auto labels = clusters_.groups().labels();
    const auto medoids = clusters_.medoids();
    const auto evaluate = [&] {
        const auto [distance, excess] = clusters_.evaluate();
        return distance + price * excess;
    };
    const auto keep = [&] {
        kept_labels_.assign(labels.begin(), labels.end());
        kept_medoids_.assign(medoids.begin(), medoids.end());
    };
    double best = evaluate();
    keep();
    const double high = params_.highest_temperature;
    const double low = params_.lowest_temperature;
    for (int64_t trial = 0; trial < num_trials; ++trial) {
        const bool transplants = rng.unit() < 0.5;
        choose_active(transplants, price, rng);
        const int64_t num_moves =
            params_.effort * std::ssize(active_) / num_steps + 1;
        const double start = low * std::pow(high / low, rng.unit());
        for (int step = 0; step < num_steps; ++step) {
            const double share = step / (num_steps - 1.0);
            const double temperature = start * std::pow(low / start, share);
            if (!clusters_.spare().empty())
                openings_.open_somewhere(price, rng);
            anneal(active_, temperature,
                   price * std::pow(params_.price_share, 1.0 - share),
                   num_moves, rng);
        }
        const double value = evaluate();
        if (value <= best) {
            best = value;
            keep();
            continue;
        }
        for (int64_t i = 0; i < std::ssize(labels); ++i)
            if (labels[i] != kept_labels_[i])
                clusters_.move(i, kept_labels_[i]);
        for (int64_t k = 0; k < std::ssize(medoids); ++k)
            clusters_.set_medoid(k, kept_medoids_[k]);
    }
    clusters_.check();
}

double Annealing::judge(int64_t i, int64_t j, int64_t to, double price) {
    const int64_t own = clusters_.label(i);
    return judge_side(judge_side(0.0, own, i, j, price), to, j, i, price);
}

double Annealing::judge_side(double change, int64_t k, int64_t leaving,
                             int64_t coming, double price) {
    change += clusters_.groups().pull(k, leaving, coming);
    if (judges_best_center(k, leaving)) {
        const double before = clusters_.cost(k, price);
        return change +
               (clusters_.best_cost(k, leaving, coming, price) - before);
    }
    change += price * clusters_.added_excess(k, leaving, coming);
    if (leaving != nobody)
        change -= clusters_.leaving_gain(leaving, k);
    if (coming != nobody)
        change += clusters_.joining_cost(coming, k);
    return change;
}

bool Annealing::judges_best_center(int64_t k, int64_t leaving) const {
    const bool is_small = clusters_.count(k) <= small_size;
    if (clusters_.problem().uses_means)
        return is_small;
    return is_small || (leaving != nobody && clusters_.is_medoid(leaving));
}

double Annealing::least_change(int64_t i, int64_t j, int64_t to,
                               double price) const {
    const int64_t own = clusters_.label(i);
    const Groups& groups = clusters_.groups();
    double leave = clusters_.leaving_gain(i, own);
    double join = clusters_.to_center(i, to);
    if (j != nobody) {
        leave += clusters_.leaving_gain(j, to);
        join += clusters_.to_center(j, own);
        if (clusters_.is_medoid(j))
            leave += join;
    }
    if (clusters_.is_medoid(i))
        leave += join;
    const double over =
        clusters_.added_excess(own, i, j) + clusters_.added_excess(to, j, i);
    return price * over + 0.5 * join - leave + groups.pull(own, i, j) +
           groups.pull(to, j, i);
}

void Annealing::apply(int64_t i, int64_t j, int64_t to, double price,
                      NumpyGenerator& rng) {
    const int64_t own = clusters_.label(i);
#ifdef NCC_DEBUG
    // What the best centers cost is known once they are found, and what the
    // old medoids cost before. Means move, and of many members the best one
    // is not known: those are estimates.
    const double before =
        clusters_.whole_cost(own, price) + clusters_.whole_cost(to, price);
    const double claim = judge(i, j, to, price);
    const bool is_exact[] = {judges_best_center(own, i),
                             judges_best_center(to, j)};
    const auto cost_of = [&](bool exact) {
        double total = 0.0;
        if (is_exact[0] == exact)
            total += clusters_.whole_cost(own, price);
        if (is_exact[1] == exact)
            total += clusters_.whole_cost(to, price);
        return total;
    };
#endif
    if (j != nobody)
        clusters_.move(j, own);
    clusters_.move(i, to);
#ifdef NCC_DEBUG
    double after = cost_of(false);
#endif
    settle(own, price, rng);
    settle(to, price, rng);
#ifdef NCC_DEBUG
    after += cost_of(true);
    const double count = std::max(clusters_.count(own), clusters_.count(to));
    if (clusters_.problem().uses_means ? is_exact[0] && is_exact[1]
                                       : count <= all_pairs_size)
        NCC_CHECK(std::abs(after - before - claim) <=
                  1e-6 * (std::abs(after) + std::abs(before) +
                          clusters_.problem().extent()));
#endif
}

void Annealing::settle(int64_t k, double price, NumpyGenerator& rng) {
    const double count = clusters_.count(k);
    if (count == 0 || clusters_.problem().uses_means)
        return;
    const int64_t medoid = clusters_.medoid(k);
    if (count <= medium_size || medoid == nobody ||
        clusters_.label(medoid) != k)
        clusters_.recenter(k, price);
    else if (rng.unit() * count < medium_size)
        clusters_.shift_medoid(k, price);
}

void Annealing::anneal(std::span<const int64_t> active, double temperature,
                       double price, int64_t num_moves, NumpyGenerator& rng) {
    const auto& near = clusters_.problem().near;
    // Close points are drawn more often than far ones.
    const auto draw_near = [&](int64_t i) {
        const double skew = rng.unit();
        const double place =
            skew * skew * static_cast<double>(near.num_columns());
        return near(i, static_cast<int64_t>(place));
    };
    const Groups& groups = clusters_.groups();
    const bool has_rules = groups.limits().have_rules();
    for (int64_t turn = 0; turn < num_moves; ++turn) {
        int64_t i = active[rng.below(std::ssize(active))];
        int64_t j = draw_near(i);
        const int64_t to = clusters_.label(j);
        if (clusters_.label(i) == to)
            continue;
        const double draw = rng.unit();
        if (draw < relocation_draw) {
            j = nobody;
        } else if (draw < near_swap_draw) {
            // Rules can leave no point close by that may be swapped.
            j = has_rules && rng.unit() < far_swap_share
                    ? active[rng.below(std::ssize(active))]
                    : draw_near(j);
            if (clusters_.label(j) != to)
                continue;
        }
        i = groups.rules().leader(i);
        if (j != nobody)
            j = groups.rules().leader(j);
        if (!groups.is_movable(i) || (j != nobody && !groups.is_movable(j)))
            continue;
        // Accepted with probability exp(-change / temperature).
        const double allowed = -temperature * std::log(1.0 - rng.unit());
        if (!groups.stays_whole(clusters_.label(i), i, j)) {
            if (j == nobody && groups.stays_whole(to, j, i))
                openings_.try_cutting(i, to, price, allowed);
            continue;
        }
        if (least_change(i, j, to, price) > allowed ||
            !groups.stays_whole(to, j, i) || judge(i, j, to, price) > allowed)
            continue;
        apply(i, j, to, price, rng);
    }
}

void Annealing::choose_active(bool transplants, double price,
                              NumpyGenerator& rng) {
    const Problem& problem = clusters_.problem();
    const int64_t size = problem.num_points();
    const int64_t degree = problem.near.num_columns();
    std::ranges::fill(is_active_, false);
    int64_t middle = rng.below(size);
    if (transplants && problem.num_clusters() > 1) {
        // The middle of the new cluster: rather far from its center.
        const int64_t k = clusters_.label(rng.below(size));
        openings_.try_closing(k, price, infinity);
        for (const int64_t other : openings_.touched())
            is_active_[other] = true;
        if (!clusters_.spare().empty())
            openings_.open_somewhere(price, rng);
        is_active_[k] = true;
        if (clusters_.count(k) > 0)
            middle = clusters_.medoid(k);
    }
    is_active_[clusters_.label(middle)] = true;
    const int64_t breadth = 2 + rng.below(std::min(max_breadth, degree - 1));
    for (int64_t c = 0; c < std::min(breadth, degree); ++c)
        is_active_[clusters_.label(problem.near(middle, c))] = true;
    active_.clear();
    for (int64_t i = 0; i < size; ++i)
        if (is_active_[clusters_.label(i)])
            active_.push_back(i);
}

} // namespace ncc::medians

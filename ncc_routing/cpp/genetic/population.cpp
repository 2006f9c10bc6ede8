#include "genetic/population.h"

#include <algorithm>
#include <limits>

namespace ncc::genetic {

namespace {

// How many edges of one solution the other has not. Each is counted by the
// customer that it leads to, an edge to the depot where it leads a route in.
int32_t count_differences(const Individual& one, const Individual& other) {
    const uint32_t* next = one.next.data();
    const uint32_t* prev = one.prev.data();
    const uint32_t* other_next = other.next.data();
    const uint32_t* other_prev = other.prev.data();
    const std::size_t num_nodes = one.next.size();
    int32_t found = 0;
    for (std::size_t node = 1; node < num_nodes; ++node) {
        // Numbers, not conditions: these alone are computed in vectors.
        const int32_t leads_elsewhere =
            int32_t{next[node] != other_next[node]} &
            int32_t{next[node] != other_prev[node]};
        const int32_t leads_in = int32_t{prev[node] == 0} &
                                 int32_t{other_prev[node] != 0} &
                                 int32_t{other_next[node] != 0};
        found += leads_elsewhere + leads_in;
    }
    return found;
}

} // namespace

Population::Population(const Problem& problem, const Params& params,
                       double penalty)
    : params_(params), penalty_(penalty),
      pool_(2 * static_cast<std::size_t>(params.min_size +
                                         params.generation_size + 1)),
      distances_(pool_.size() * pool_.size()),
      close_(static_cast<std::size_t>(params.num_close)) {
    const std::size_t num_nodes = problem.num_nodes();
    for (Individual& each : pool_) {
        each.tour.resize(num_nodes - 1);
        each.next.resize(num_nodes);
        each.prev.resize(num_nodes);
    }
    best_.length = infinity;
    for (Row row = 0; row < pool_.size(); ++row)
        free_.push_back(row);
}

void Population::sink(Kind kind, std::size_t place) {
    std::vector<Row>& members = members_[kind];
    const Row row = members[place];
    const double cost = cost_of(row);
    for (; place > 0 && cost < cost_of(members[place - 1]); --place)
        members[place] = members[place - 1];
    members[place] = row;
}

double Population::closeness_of(Kind kind, std::size_t place) {
    const std::vector<Row>& members = members_[kind];
    const std::span<const int32_t> distances = distances_of(members[place]);
    std::fill(close_.begin(), close_.end(),
              std::numeric_limits<int32_t>::max());
    for (std::size_t other = 0; other < members.size(); ++other) {
        const int32_t distance = distances[members[other]];
        if (other == place || distance >= close_.back())
            continue;
        std::size_t rank = close_.size() - 1;
        for (; rank > 0 && distance < close_[rank - 1]; --rank)
            close_[rank] = close_[rank - 1];
        close_[rank] = distance;
    }
    const std::size_t num_close = std::min(close_.size(), members.size() - 1);
    int64_t total = 0;
    for (std::size_t rank = 0; rank < num_close; ++rank)
        total += close_[rank];
    return -static_cast<double>(total) /
           static_cast<double>(std::max<std::size_t>(1, num_close));
}

void Population::update_fitness(Kind kind) {
    const std::vector<Row>& members = members_[kind];
    const auto size = static_cast<double>(members.size());
    ranked_.clear();
    for (std::size_t place = 0; place < members.size(); ++place)
        ranked_.emplace_back(closeness_of(kind, place), place);
    std::sort(ranked_.begin(), ranked_.end());
    // Diversity counts the more the larger the population.
    const double share =
        std::max(0.0, 1.0 - static_cast<double>(params_.num_elite) /
                                std::max(1.0, size));
    for (std::size_t rank = 0; rank < ranked_.size(); ++rank) {
        const std::size_t place = ranked_[rank].second;
        pool_[members[place]].fitness =
            (static_cast<double>(place) + share * static_cast<double>(rank)) /
            size;
    }
}

void Population::update_fitness() {
    update_fitness(Feasible);
    update_fitness(Infeasible);
}

void Population::drop(Kind kind, std::size_t place) {
    std::vector<Row>& members = members_[kind];
    free_.push_back(members[place]);
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(place));
}

bool Population::is_double(Kind kind, std::size_t place) const {
    const std::vector<Row>& members = members_[kind];
    const std::span<const int32_t> distances = distances_of(members[place]);
    for (std::size_t other = 0; other < members.size(); ++other)
        if (other != place && distances[members[other]] == 0)
            return true;
    return false;
}

void Population::drop_worst(Kind kind) {
    update_fitness(kind);
    // The first one is the cheapest and stays.
    std::size_t worst = 1;
    std::pair worst_by{false, -infinity};
    for (std::size_t place = 1; place < size(kind); ++place) {
        const std::pair by{is_double(kind, place),
                           member(kind, place).fitness};
        if (by > worst_by) {
            worst = place;
            worst_by = by;
        }
    }
    drop(kind, worst);
}

void Population::clear() {
    for (const Kind kind : {Feasible, Infeasible})
        while (size(kind) > 0)
            drop(kind, 0);
}

bool Population::add(LinkedRoutes& routes) {
    const auto [length, excess] = routes.measure();
    const Kind kind = excess == 0 ? Feasible : Infeasible;
    const Row row = free_.back();
    free_.pop_back();
    Individual& own = pool_[row];
    own.length = length;
    own.excess = excess;
    routes.write_tour(own.tour);
    for (uint32_t node = 1; node < own.next.size(); ++node) {
        const Node& linked = routes.nodes[node];
        own.next[node] = routes.nodes[linked.next].place;
        own.prev[node] = routes.nodes[linked.prev].place;
    }
    for (const Row other : members_[kind]) {
        const int32_t distance = count_differences(own, pool_[other]);
        distances_of(row)[other] = distance;
        distances_of(other)[row] = distance;
    }
    members_[kind].push_back(row);
    sink(kind, size(kind) - 1);
    const bool is_best =
        kind == Feasible && length < best_.length - least_gain;
    if (is_best)
        best_ = own;
    const auto min_size = static_cast<std::size_t>(params_.min_size);
    if (size(kind) >
        min_size + static_cast<std::size_t>(params_.generation_size))
        while (size(kind) > min_size)
            drop_worst(kind);
    return is_best;
}

const Individual& Population::select_parent(Xorshift& rng) const {
    const auto num_feasible = std::ssize(members_[Feasible]);
    const auto total = num_feasible + std::ssize(members_[Infeasible]);
    const auto draw = [&]() -> const Individual& {
        const int64_t number = rng.below(total);
        return pool_[number < num_feasible
                         ? members_[Feasible][number]
                         : members_[Infeasible][number - num_feasible]];
    };
    const Individual& first = draw();
    const Individual& second = draw();
    return second.fitness < first.fitness ? second : first;
}

void Population::change_penalty(double factor) {
    penalty_ *= factor;
    for (std::size_t place = 0; place < size(Infeasible); ++place)
        sink(Infeasible, place);
}

void Population::adapt_penalty(bool is_feasible) {
    ++num_watched_;
    if (is_feasible)
        ++num_feasible_;
    if (num_watched_ < params_.penalty_interval)
        return;
    const double share =
        static_cast<double>(num_feasible_) / static_cast<double>(num_watched_);
    if (share < params_.target_feasible - params_.tolerance &&
        penalty_ < params_.max_penalty)
        change_penalty(params_.penalty_increase);
    else if (share > params_.target_feasible + params_.tolerance &&
             penalty_ > params_.min_penalty)
        change_penalty(params_.penalty_decrease);
    num_watched_ = 0;
    num_feasible_ = 0;
}

std::vector<std::vector<uint32_t>> Population::best_routes() const {
    std::vector<std::vector<uint32_t>> routes;
    for (uint32_t first = 1; first < best_.next.size(); ++first) {
        if (best_.prev[first] != 0)
            continue;
        std::vector<uint32_t>& route = routes.emplace_back();
        for (uint32_t at = first; at != 0; at = best_.next[at])
            route.push_back(at);
    }
    return routes;
}

} // namespace ncc::genetic

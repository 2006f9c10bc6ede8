#include "columns/enumeration.h"

#include "random.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ncc::columns {

namespace {

std::size_t index_of(int64_t value) {
    return static_cast<std::size_t>(value);
}

using RowSet = std::array<uint64_t, most_enumerated / 64>;

bool holds(const RowSet& set, int32_t row) {
    return (set[index_of(row) / 64] >> (index_of(row) % 64) & 1) != 0;
}

// A path from the depot; `units` are its costs as they are.
struct Path {
    int64_t cost = 0;
    int64_t units = 0;
    int32_t main = 0;
    std::array<int32_t, max_extras> extras{};
    int32_t parent = -1;
    int32_t node = 0;
    int32_t next_alike = -1; // with the same node and rows
    RowSet rows{};
    SubsetRows::Parities parities{};
};

struct Key {
    RowSet rows;
    int32_t node;

    friend bool operator==(const Key&, const Key&) = default;
};

struct KeyHash {
    std::size_t operator()(const Key& key) const {
        uint64_t hash = static_cast<uint64_t>(key.node);
        for (const uint64_t word : key.rows) {
            hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
            hash ^= hash >> 29;
        }
        return hash;
    }
};

class Enumeration {
public:
    Enumeration(const RouteGraph& graph, const EnumerationCosts& costs,
                const Side& ends)
        : graph_(graph), costs_(costs), ends_(ends), completion_(graph, ends),
          arcs_(index_of(graph.num_nodes())),
          pending_(index_of(graph.horizon()) + 1) {
        for (int32_t i = 0; i < graph.num_nodes(); ++i)
            for (int32_t j = 1; j < graph.num_nodes(); ++j)
                if (i != j && costs.reduced(i, j) < no_arc)
                    arcs_[index_of(i)].push_back(
                        graph.arc(i, j, costs.reduced(i, j)));
    }

    // Estimates how many paths there are, dominated ones too, by random ones:
    // each stands for the product of the choices on its way (Knuth 1975).
    [[nodiscard]] double num_paths() const {
        constexpr int num_probes = 1000;
        Xorshift random(1);
        double sum = 0.0;
        std::vector<Path> choices;
        for (int probe = 0; probe < num_probes; ++probe) {
            double weight = 1.0;
            for (Path path = root();;
                 path = choices[index_of(random.below(std::ssize(choices)))]) {
                choices.clear();
                extend(path, -1,
                       [&](const Path& next) { choices.push_back(next); });
                if (choices.empty())
                    break;
                weight *= static_cast<double>(choices.size());
                sum += weight;
            }
        }
        return std::min(sum / num_probes, 1e18);
    }

    bool run(Effort& effort) {
        paths_.push_back(root());
        extend(0);
        for (auto& level : pending_) {
            for (const Path& path : level) {
                if (effort.is_spent(paths_.size() + num_pending_))
                    return false;
                keep(path);
            }
            num_pending_ -= level.size();
            level = {};
        }
        return true;
    }

    [[nodiscard]] Pool routes() const {
        Pool pool(graph_.num_nodes());
        std::vector<int32_t> customers;
        for (const auto& [set, last] : best_) {
            customers.clear();
            int64_t weight = 0;
            for (int32_t k = last.path; k > 0;
                 k = paths_[index_of(k)].parent) {
                customers.push_back(paths_[index_of(k)].node);
                weight += graph_.weights[index_of(customers.back())];
            }
            std::ranges::reverse(customers);
            pool.add(customers, weight);
        }
        return pool;
    }

private:
    struct Last {
        int64_t units;
        int32_t path;
    };

    const RouteGraph& graph_;
    const EnumerationCosts& costs_;
    const Side& ends_;
    LeastCosts completion_;
    std::vector<std::vector<Arc>> arcs_; // to customers, by tail
    std::vector<Path> paths_;
    std::vector<std::vector<Path>> pending_; // by the main resource
    std::size_t num_pending_ = 0;
    std::unordered_map<Key, int32_t, KeyHash> alike_;
    std::unordered_map<Key, Last, KeyHash> best_; // by rows

    // Keeps a path that no other replaces, closes and extends it.
    void keep(const Path& path) {
        const auto [entry, is_new] =
            alike_.try_emplace({path.rows, path.node}, -1);
        for (int32_t k = entry->second; k >= 0;
             k = paths_[index_of(k)].next_alike) {
            const Path& other = paths_[index_of(k)];
            if (other.extras[0] <= path.extras[0] &&
                other.extras[1] <= path.extras[1] && is_before(other, path))
                return;
        }
        const auto number = static_cast<int32_t>(paths_.size());
        paths_.push_back(path);
        paths_.back().next_alike = std::exchange(entry->second, number);
        close(number);
        extend(number);
    }

    [[nodiscard]] int32_t row_of(int32_t node) const {
        return costs_.row_of[index_of(node)];
    }

    // Whether one of two paths to the same node by the same rows costs
    // less. Of equal ones it must be the same one in all parts of a search:
    // each would otherwise be left to the other part.
    [[nodiscard]] bool is_before(const Path& one, const Path& other) const {
        if (one.units != other.units)
            return one.units < other.units;
        return has_lower_nodes(one, other);
    }

    // Compares the nodes from the last one to the first.
    [[nodiscard]] bool has_lower_nodes(const Path& one,
                                       const Path& other) const {
        const Path* a = &one;
        const Path* b = &other;
        while (a->node == b->node && a->parent >= 0 && b->parent >= 0) {
            a = &paths_[index_of(a->parent)];
            b = &paths_[index_of(b->parent)];
        }
        return a->node < b->node;
    }

    void close(int32_t number) {
        const Path& path = paths_[index_of(number)];
        const int64_t reduced = costs_.reduced(path.node, 0);
        if (reduced >= no_arc || path.cost + reduced > costs_.limit ||
            path.main + graph_.steps(path.node, 0) > graph_.horizon())
            return;
        for (std::size_t k = 0; k < graph_.extras.size(); ++k)
            if (path.extras[k] + graph_.extras[k].steps(path.node, 0) >
                graph_.extras[k].limit)
                return;
        const int64_t units = path.units + costs_.units(path.node, 0);
        const auto [entry, is_new] =
            best_.try_emplace({path.rows, 0}, Last{units, number});
        const Last& best = entry->second;
        if (units < best.units ||
            (units == best.units &&
             has_lower_nodes(path, paths_[index_of(best.path)])))
            entry->second = {units, number};
    }

    // Whether an end of a route from the next node fits a path. The cost of
    // the next path is without pairs.
    [[nodiscard]] bool ends_somehow(const Path& path, const Path& next,
                                    Room room) const {
        const int64_t most = costs_.limit - next.cost;
        for (int64_t k = 0; k < graph_.near.num_columns(); ++k) {
            const int32_t near = graph_.near(next.node, k);
            if (near >= 0 && holds(path.rows, row_of(near)))
                room.memory |= static_cast<uint16_t>(1U << k);
        }
        bool found = false;
        ends_.for_each(
            next.node, room, most + 1, [&](const Label& end, int64_t limit) {
                const int64_t pairs =
                    costs_.rows.of_both(path.parities, end.parities);
                found = end.cost + pairs <= most;
                return found ? -no_arc : limit;
            });
        return found;
    }

    [[nodiscard]] Path root() const {
        Path path;
        path.main = graph_.early[0];
        return path;
    }

    void extend(int32_t from) {
        const Path path = paths_[index_of(from)];
        extend(path, from, [&](const Path& next) {
            pending_[index_of(next.main)].push_back(next);
            ++num_pending_;
        });
    }

    // Calls `take` with each path that goes on to one more customer.
    template <class Take>
    void extend(const Path& path, int32_t from, Take take) const {
        for (const Arc& arc : arcs_[index_of(path.node)]) {
            const int32_t node = arc.head;
            const int32_t row = row_of(node);
            if (holds(path.rows, row))
                continue;
            Path next;
            next.node = node;
            next.main =
                std::max(path.main + arc.step, graph_.early[index_of(node)]);
            if (next.main > graph_.late[index_of(node)])
                continue;
            // Ends that are starts backwards count the load of their node.
            const int32_t own =
                graph_.is_symmetric ? graph_.weights[index_of(node)] : 0;
            next.cost = path.cost + arc.cost;
            Room room{graph_.horizon() - next.main + own, {}, 0};
            for (std::size_t k = 0; k < graph_.extras.size(); ++k) {
                next.extras[k] = path.extras[k] + arc.extras[k];
                room.extras[k] = graph_.extras[k].limit - next.extras[k];
            }
            if (next.cost + completion_(node, room) > costs_.limit ||
                !ends_somehow(path, next, room))
                continue;
            next.parities = path.parities;
            next.cost += costs_.rows.visit(index_of(node), next.parities);
            next.units = path.units + costs_.units(path.node, node);
            next.parent = from;
            next.rows = path.rows;
            next.rows[index_of(row) / 64] |= uint64_t{1}
                                             << (index_of(row) % 64);
            take(next);
        }
    }
};

} // namespace

std::optional<Pool> enumerate(const RouteGraph& graph,
                              const EnumerationCosts& costs, const Side& ends,
                              Effort& effort) {
    Enumeration enumeration(graph, costs, ends);
    if (effort.is_spent(static_cast<std::size_t>(enumeration.num_paths())) ||
        !enumeration.run(effort))
        return std::nullopt;
    return enumeration.routes();
}

} // namespace ncc::columns

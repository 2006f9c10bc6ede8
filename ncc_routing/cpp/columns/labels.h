#pragma once

#include "columns/graph.h"
#include "columns/relaxation.h"
#include "columns/subset_rows.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ncc::columns {

// The start of a route, or its end seen backwards.
struct Label {
    int64_t cost = 0;
    int32_t main = 0;
    std::array<int32_t, max_extras> extras{};
    int32_t parent = -1;
    uint16_t memory = 0; // of the ng set of the node
    uint16_t node = 0;
    SubsetRows::Parities parities{};
};

// What a label takes, or may take: resources, and members of the ng set of its
// node.
struct Room {
    int32_t main = 0;
    std::array<int32_t, max_extras> extras{};
    uint16_t memory = 0; // that it has, or may not have

    // Without branches, as none of them can be foreseen.
    [[nodiscard]] bool holds(const Room& other) const {
        const int lacks = static_cast<int>(other.main > main) |
                          static_cast<int>(other.extras[0] > extras[0]) |
                          static_cast<int>(other.extras[1] > extras[1]) |
                          (other.memory & memory);
        return lacks == 0;
    }
};

// What a label needs to become a route, a walk in the other direction, and
// what the route must cost less than.
struct Completions {
    const LoadWalks& loads;
    const TimeWalks& times;
    int64_t limit;
};

// What a pricing may take: a number of labels, and the time until something
// is over, which is asked now and then.
class Effort {
public:
    Effort(std::size_t max_labels, std::function<bool()> is_over)
        : max_labels_(max_labels), is_over_(std::move(is_over)) {}

    [[nodiscard]] bool is_spent(std::size_t num_labels) {
        return num_labels > max_labels_ ||
               (++num_asked_ % 1024 == 0 && is_over_());
    }

private:
    std::size_t max_labels_;
    std::function<bool()> is_over_;
    std::size_t num_asked_ = 0;
};

// Levels of the main resource and of the first extra, by node.
class Levels {
public:
    Levels(const RouteGraph& graph, std::size_t of_main, std::size_t of_extra)
        : num_main_(static_cast<std::size_t>(graph.horizon()) + 1),
          num_extra_(graph.extras.empty()
                         ? 1
                         : static_cast<std::size_t>(graph.extras[0].limit) +
                               1),
          of_main_(std::min(num_main_, of_main)),
          of_extra_(std::min(num_extra_, of_extra)) {}

    // Levels of a node; those of the extra follow on each other.
    [[nodiscard]] std::size_t size() const { return of_main_ * of_extra_; }
    [[nodiscard]] std::size_t of_extra() const { return of_extra_; }
    [[nodiscard]] std::size_t main(int32_t main) const {
        return static_cast<std::size_t>(main) * of_main_ / num_main_;
    }
    [[nodiscard]] std::size_t extra(int32_t extra) const {
        return static_cast<std::size_t>(extra) * of_extra_ / num_extra_;
    }
    [[nodiscard]] std::size_t index(int64_t node, int32_t main,
                                    int32_t extra) const {
        return (static_cast<std::size_t>(node) * of_main_ + this->main(main)) *
                   of_extra_ +
               this->extra(extra);
    }

    // Lets each level stand for all smaller ones too.
    void accumulate(std::vector<int64_t>& least) const;
    // The accumulated cost of what fits a room, or less.
    [[nodiscard]] int64_t least(const std::vector<int64_t>& least,
                                int64_t node, const Room& room) const {
        return room.main < 0 || room.extras[0] < 0
                   ? no_arc
                   : least[index(node, room.main, room.extras[0])];
    }

private:
    std::size_t num_main_;
    std::size_t num_extra_;
    std::size_t of_main_;
    std::size_t of_extra_;
};

// The undominated labels of one direction.
class Side {
public:
    explicit Side(const RouteGraph& graph);

    // Reads the ng sets, which have changed.
    void read_near();

    // Finds the labels of walks whose main resource is at most `limit` before
    // the last step, with costs(i, j) of an arc in this direction. Those are
    // left out that do not cost less than the limit of the completions with
    // any of them. `exact` compares the memories. Returns whether all were
    // found within the effort.
    bool run(MatrixView<const int64_t> costs, bool is_backward, int32_t limit,
             const Completions& completions, const SubsetRows& rows,
             bool exact, Effort& effort);

    [[nodiscard]] std::span<const Label> labels() const { return labels_; }
    [[nodiscard]] std::span<const Arc> arcs(int64_t node) const {
        return arcs_[static_cast<std::size_t>(node)];
    }

    // The members of an ng set that a memory and a node leave at the next.
    [[nodiscard]] uint16_t project(const Label& label, int64_t next) const;

    // The least cost of a label of a node that fits a room, or less.
    [[nodiscard]] int64_t least_cost(int64_t node, const Room& room) const {
        return levels_.least(least_, node, room);
    }

    // Calls `visit` with the labels of a node that fit a room and cost less
    // than `limit`, until it returns a new limit.
    template <class Visit>
    void for_each(int64_t node, const Room& room, int64_t limit,
                  Visit&& visit) const {
        if (room.main < 0 || room.extras[0] < 0)
            return;
        const std::size_t last = levels_.extra(room.extras[0]);
        for (std::size_t m = 0; m <= levels_.main(room.main); ++m)
            for (std::size_t e = 0; e <= last; ++e) {
                const std::size_t at = place(node, m, e);
                if (first_[at] >= limit)
                    continue;
                const Bucket& bucket = buckets_[at];
                for (std::size_t k = 0; k < bucket.costs.size(); ++k) {
                    if (bucket.costs[k] >= limit)
                        break;
                    if (room.holds(bucket.rooms[k]))
                        limit = visit(labels_[bucket.labels[k]], limit);
                }
            }
    }

    // The customers of a label, the last one first.
    void trace(int32_t label, std::vector<int32_t>& route) const;

private:
    // Labels of a node with about as much of the main resource, by cost.
    struct Bucket {
        std::vector<int64_t> costs;
        std::vector<Room> rooms;
        std::vector<SubsetRows::Parities> parities;
        std::vector<int32_t> labels;

        void clear();
        void insert(const Label& label, int32_t number);
        // `rows` where their prices count.
        [[nodiscard]] bool dominates(const Label& label, const Room& room,
                                     const SubsetRows* rows) const;
    };

    const RouteGraph& graph_;
    const SubsetRows* rows_ = nullptr; // of the run, if there are any
    std::vector<std::vector<Arc>> arcs_;
    std::vector<uint16_t> masks_; // of a node (row) in the ng set of another
    std::vector<Label> labels_;
    std::vector<std::vector<Label>> pending_; // by the main resource
    Levels levels_;
    std::vector<Bucket> buckets_; // by node and level
    std::vector<int64_t> first_;  // the least cost of a bucket
    std::vector<int64_t> least_;  // of all up to a bucket
    std::vector<int32_t> early_;
    std::vector<int32_t> late_;
    std::size_t num_pending_ = 0;
    // The least pending cost by node and main resource, where that suffices.
    std::vector<int64_t> least_pending_;
    bool is_backward_ = false;
    bool is_exact_ = false;

    [[nodiscard]] std::size_t place(int64_t node, std::size_t main_level,
                                    std::size_t extra_level) const {
        return static_cast<std::size_t>(node) * levels_.size() +
               main_level * levels_.of_extra() + extra_level;
    }
    void start(MatrixView<const int64_t> costs);
    void settle_minima();
    [[nodiscard]] bool is_dominated(const Label& label) const;
    void keep(const Label& label);
    [[nodiscard]] bool is_needed(const Label& label);
    [[nodiscard]] bool is_worthless(const Label& label,
                                    const Completions& completions,
                                    int32_t excluded) const;
    void extend(int32_t at, const Completions& completions);
};

// The least cost of the labels of each node with at most so much of the main
// resource and of the first extra, in fine levels of both.
class LeastCosts {
public:
    LeastCosts(const RouteGraph& graph, const Side& side);

    [[nodiscard]] int64_t operator()(int32_t node, const Room& room) const {
        return levels_.least(least_, node, room);
    }

private:
    Levels levels_;
    std::vector<int64_t> least_; // by node and level
};

struct Route {
    int64_t cost = 0;
    int64_t weight = 0;
    std::vector<int32_t> customers;
};

// What pricing finds. `ratio` is the least cost by weight, at most 0, rounded
// down to units of 2^-ratio_bits.
struct Pricing {
    bool is_complete = false;
    int64_t least_cost = 0;
    int64_t ratio = 0;
    std::vector<Route> routes;

    // Notes a negative cost.
    void note(int64_t cost, int64_t weight) {
        least_cost = std::min(least_cost, cost);
        const int64_t scaled = cost * (int64_t{1} << ratio_bits);
        // Rounded down.
        const int64_t divisor = std::max<int64_t>(weight, 1);
        ratio = std::min(ratio, -((-scaled + divisor - 1) / divisor));
    }
};

// Finds ng-routes of negative reduced cost (Baldacci, Mingozzi and Roberti
// 2011) by labels from both ends, which meet on the arc that crosses the
// middle of the main resource.
class Pricer {
public:
    explicit Pricer(const RouteGraph& graph);

    // Prices with the cost of each arc, and of pairs. `exact` proves the least
    // cost, else labels are dropped that may matter. It is given up beyond the
    // effort.
    Pricing price(MatrixView<const int64_t> costs, const SubsetRows& rows,
                  bool exact, Effort& effort);

    // Reads the ng sets, which have changed.
    void read_near() {
        forward_.read_near();
        backward_.read_near();
    }

    // Labels the starts and ends of routes of at most this cost, up to whole
    // ones. Returns whether all were found within the effort.
    bool label_wholly(MatrixView<const int64_t> costs, const SubsetRows& rows,
                      int64_t limit, Effort& effort);
    [[nodiscard]] bool is_labelled_wholly() const { return is_whole_; }

    // The labels of ends, those of starts where both are the same.
    [[nodiscard]] const Side& backward() const {
        return graph_.is_symmetric ? forward_ : backward_;
    }

    // Writes no_arc to `out` for each arc whose routes all cost more than a
    // limit, by the walks of the last pricing, with its costs. Returns how
    // many.
    int64_t drop_arcs(MatrixView<const int64_t> costs, int64_t limit,
                      MatrixView<int64_t> out) const;

    // The same by whole labels, which drops more, but nothing beyond the
    // effort.
    void drop_arcs(const SubsetRows& rows, int64_t limit,
                   MatrixView<int64_t> out, Effort& effort) const;

    [[nodiscard]] const RouteGraph& graph() const { return graph_; }

private:
    struct Meeting {
        int64_t cost = 0;
        int64_t weight = 0;
        int32_t head = -1; // label of the start
        int32_t tail = -1; // label of the end, -1 for the depot
    };

    RouteGraph graph_;
    Side forward_;
    Side backward_;
    bool is_whole_ = false;
    LoadWalks starts_;
    LoadWalks ends_; // backwards, unused where these are the same
    TimeWalks times_;
    TimeWalks times_back_;
    std::vector<int64_t> transposed_; // the costs of the last walks
    std::vector<Meeting> of_first_;   // best by the node before the middle
    std::vector<Meeting> of_second_;
    int32_t middle_;

    [[nodiscard]] const LoadWalks& ends() const {
        return graph_.is_symmetric ? starts_ : ends_;
    }
    void walk(MatrixView<const int64_t> costs);
    [[nodiscard]] bool label(MatrixView<const int64_t> costs,
                             const SubsetRows& rows, bool exact,
                             Effort& effort);
    void meet(const SubsetRows& rows, Pricing& found, Effort& effort);
    void note(const Meeting& meeting, int64_t first, int64_t second,
              Pricing& found);
    // What an end behind an arc may take, which has so much of the main
    // resource; all memories fit.
    [[nodiscard]] Room room_after(const Label& start, const Arc& arc,
                                  int32_t main) const;
    // Whether a start has an end behind an arc with which it costs at most a
    // limit.
    [[nodiscard]] bool has_end(const Label& start, const Arc& arc,
                               const Side& ends, const SubsetRows& rows,
                               int64_t limit) const;
    [[nodiscard]] Route route_of(const Meeting& meeting) const;
};

} // namespace ncc::columns

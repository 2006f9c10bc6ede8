#include "clustering/groups.h"

namespace ncc {

int64_t Groups::num_breaks() const {
    int64_t count = 0;
    if (rules().is_contiguous)
        for (int64_t k = 0; k < num_clusters(); ++k)
            count += num_parts(k) - (first(k) != nobody);
    return count;
}

int64_t Groups::num_parts(int64_t k, int64_t without) const {
    int64_t count = 0;
    const int64_t mark = num_walks_ + 1;
    queue_.clear();
    ends_.clear();
    for (int64_t i = first(k); i != nobody; i = next(i)) {
        if (marks_[i] >= mark || rules().leader(i) == without)
            continue;
        ++count;
        marks_[i] = ++num_walks_;
        std::size_t at = queue_.size();
        queue_.push_back(i);
        for (; at < queue_.size(); ++at)
            for (const int64_t q : rules().graph.row(queue_[at]))
                if (labels_[q] == k && marks_[q] < mark &&
                    rules().leader(q) != without) {
                    marks_[q] = num_walks_;
                    queue_.push_back(q);
                }
        ends_.push_back(std::ssize(queue_));
    }
    return count;
}

bool Groups::find_cut_off(int64_t i, std::vector<int64_t>& points) const {
    points.clear();
    const int64_t count = num_parts(label(i), i);
    int64_t kept = nobody;
    int64_t most = 0;
    int64_t begin = 0;
    for (int64_t part = 0; part < count; ++part) {
        // Those stay that must, else the largest part.
        int64_t size = ends_[part] - begin;
        for (int64_t at = begin; at < ends_[part]; ++at)
            if (!is_movable(rules().leader(queue_[at])))
                size = num_points();
        if (size > most) {
            most = size;
            kept = part;
        }
        begin = ends_[part];
    }
    begin = 0;
    for (int64_t part = 0; part < count; ++part) {
        if (part != kept)
            points.insert(points.end(), queue_.begin() + begin,
                          queue_.begin() + ends_[part]);
        begin = ends_[part];
    }
    return std::ranges::all_of(
        points, [&](int64_t p) { return is_movable(rules().leader(p)); });
}

bool Groups::hangs_together(int64_t k, int64_t leaving, int64_t coming) const {
    const Rules& all = rules();
    const int64_t target = ++num_walks_;
    const int64_t reached = ++num_walks_;
    int64_t left = 0;
    queue_.clear();
    const auto is_member = [&](int64_t q) {
        const int64_t leader = all.leader(q);
        return leader == coming || (labels_[q] == k && leader != leaving);
    };
    const auto aim_at = [&](int64_t q) {
        if (marks_[q] == target)
            return;
        marks_[q] = target;
        queue_.assign(1, q);
        ++left;
    };
    // The rest of the cluster hangs on the neighbours of what leaves.
    if (leaving != nobody)
        all.for_each_tied(leaving, [&](int64_t p) {
            for (const int64_t q : all.graph.row(p))
                if (labels_[q] == k && is_member(q))
                    aim_at(q);
        });
    else if (first(k) != nobody) {
        // It is whole, so that one neighbour of what comes is as good as all.
        int64_t neighbour = nobody;
        all.for_each_tied(coming, [&](int64_t p) {
            for (const int64_t q : all.graph.row(p))
                if (labels_[q] == k)
                    neighbour = q;
        });
        if (neighbour == nobody)
            return false;
        if (all.ring.empty() || all.ring[coming] == coming)
            return true;
        aim_at(neighbour);
    }
    if (coming != nobody)
        all.for_each_tied(coming, aim_at);
    if (left <= 1)
        return true;
    marks_[queue_[0]] = reached;
    --left;
    for (std::size_t at = 0; at < queue_.size() && left > 0; ++at)
        for (const int64_t q : all.graph.row(queue_[at])) {
            if (marks_[q] == reached || !is_member(q))
                continue;
            left -= marks_[q] == target;
            marks_[q] = reached;
            queue_.push_back(q);
        }
    return left == 0;
}

double Groups::attraction(int64_t i, int64_t k, int64_t without) const {
    const Rules& all = rules();
    double total = 0.0;
    all.for_each_tied(i, [&](int64_t p) {
        if (all.consistency > 0.0 && all.references[p] == k)
            total += all.consistency;
        const auto row = all.graph.row(p);
        for (std::size_t at = 0; all.compactness > 0.0 && at < row.size();
             ++at) {
            const int64_t leader = all.leader(row[at]);
            if (labels_[row[at]] == k && leader != without && leader != i)
                total +=
                    all.compactness * all.borders[all.graph.begins[p] + at];
        }
    });
    return total;
}

double Groups::price() const {
    const Rules& all = rules();
    double total = 0.0;
    if (!all.has_prices())
        return total;
    if (all.compactness > 0.0)
        for (const double border : all.borders)
            total += 0.5 * all.compactness * border;
    if (all.consistency > 0.0)
        for (const int64_t reference : all.references)
            total += reference == nobody ? 0.0 : all.consistency;
    for (int64_t k = 0; k < num_clusters(); ++k)
        total += price_of(k);
    return total;
}

double Groups::price_of(int64_t k) const {
    const Rules& all = rules();
    double total = 0.0;
    if (!all.has_prices())
        return total;
    for (int64_t i = first(k); i != nobody; i = next(i)) {
        if (all.consistency > 0.0 && all.references[i] == k)
            total -= all.consistency;
        const auto row = all.graph.row(i);
        for (std::size_t at = 0; all.compactness > 0.0 && at < row.size();
             ++at)
            if (labels_[row[at]] == k) // each border is that of two points
                total -= 0.5 * all.compactness *
                         all.borders[all.graph.begins[i] + at];
    }
    return total;
}

} // namespace ncc

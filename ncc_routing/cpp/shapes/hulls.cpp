#include "shapes/hulls.h"

#include <algorithm>
#include <utility>

namespace ncc::shapes {

namespace {

// Depth inside a hull that counts, as a share of its extent.
constexpr double tolerance = 1e-9;

} // namespace

HullFinder::HullFinder(MatrixView<const double> places)
    : rank_(places.num_rows()) {
    for (uint32_t node = 1; node < rank_.size(); ++node)
        node_.push_back(node);
    std::sort(node_.begin(), node_.end(), [&](uint32_t i, uint32_t j) {
        return std::pair{places(i, 0), places(i, 1)} <
               std::pair{places(j, 0), places(j, 1)};
    });
    for (const uint32_t node : node_) {
        rank_[node] = static_cast<uint32_t>(x_.size());
        x_.push_back(places(node, 0));
        y_.push_back(places(node, 1));
    }
    seen_.resize(node_.size());
}

double HullFinder::turn(uint32_t a, uint32_t b, uint32_t c) const {
    return (x_[b] - x_[a]) * (y_[c] - y_[a]) -
           (y_[b] - y_[a]) * (x_[c] - x_[a]);
}

bool HullFinder::is_deep(uint32_t a, uint32_t b, uint32_t place, double side,
                         double depth) const {
    const double dx = x_[b] - x_[a];
    const double dy = y_[b] - y_[a];
    const double area = side * turn(a, b, place);
    return area > 0.0 && area * area > depth * depth * (dx * dx + dy * dy);
}

void HullFinder::build_chain(double side, std::vector<uint32_t>& chain) const {
    chain.clear();
    for (const uint32_t place : members_) {
        while (chain.size() > 1 &&
               side * turn(chain[chain.size() - 2], chain.back(), place) <=
                   0.0)
            chain.pop_back();
        chain.push_back(place);
    }
}

void HullFinder::find_inside(std::span<const uint32_t> members,
                             std::vector<uint32_t>& inside) {
    inside.clear();
    ++num_hulls_;
    members_.clear();
    double low = infinity;
    double high = -infinity;
    for (const uint32_t node : members)
        if (0 < node && node < rank_.size()) {
            const uint32_t place = rank_[node];
            members_.push_back(place);
            seen_[place] = num_hulls_;
            low = std::min(low, y_[place]);
            high = std::max(high, y_[place]);
        }
    if (members_.size() < 3)
        return;
    std::sort(members_.begin(), members_.end());
    build_chain(1.0, lower_);
    build_chain(-1.0, upper_);
    const double left = x_[members_.front()];
    const double right = x_[members_.back()];
    const double depth = tolerance * std::max(right - left, high - low);
    std::size_t below = 0;
    std::size_t above = 0;
    for (uint32_t place = members_.front() + 1; place < members_.back();
         ++place) {
        const double x = x_[place];
        const double y = y_[place];
        if (y <= low || y >= high || seen_[place] == num_hulls_ ||
            x - left <= depth || right - x <= depth)
            continue;
        while (x_[lower_[below + 1]] < x)
            ++below;
        while (x_[upper_[above + 1]] < x)
            ++above;
        if (is_deep(lower_[below], lower_[below + 1], place, 1.0, depth) &&
            is_deep(upper_[above], upper_[above + 1], place, -1.0, depth))
            inside.push_back(node_[place]);
    }
}

HullOverlap::HullOverlap(const HullTable& table, int64_t num_routes)
    : finder_(table.places), unit_(table.unit), num_hulls_(table.num_nodes()),
      route_of_(table.num_nodes(), static_cast<uint32_t>(num_routes)),
      inside_(num_routes) {}

void HullOverlap::count(std::span<const uint32_t> nodes, int change) {
    for (const uint32_t node : nodes) {
        const int32_t before = num_hulls_[node];
        num_hulls_[node] += change;
        if (route_of_[node] < inside_.size())
            num_inside_ += static_cast<int>(num_hulls_[node] > 0) -
                           static_cast<int>(before > 0);
    }
}

void HullOverlap::set_route_of(uint32_t customer, uint32_t route) {
    const auto is_served = [&] {
        return route_of_[customer] < inside_.size();
    };
    const bool was_served = is_served();
    route_of_[customer] = route;
    if (num_hulls_[customer] > 0)
        num_inside_ +=
            static_cast<int>(is_served()) - static_cast<int>(was_served);
}

void HullOverlap::move(uint32_t customer, uint32_t route) {
    if (!has_place(customer) || route_of_[customer] == route)
        return;
    moved_.push_back({customer, route_of_[customer]});
    set_route_of(customer, route);
}

void HullOverlap::begin() {
    num_changed_ = 0;
    moved_.clear();
    cost_before_ = cost();
}

void HullOverlap::set(uint32_t route, std::span<const uint32_t> customers) {
    if (num_changed_ == std::ssize(before_))
        before_.emplace_back();
    auto& [changed, inside] = before_[num_changed_++];
    changed = route;
    std::swap(inside, inside_[route]);
    count(inside, -1);
    for (const uint32_t customer : customers)
        move(customer, route);
    finder_.find_inside(customers, inside_[route]);
    count(inside_[route], 1);
}

void HullOverlap::undo() {
    while (num_changed_ > 0) {
        auto& [route, inside] = before_[--num_changed_];
        count(inside_[route], -1);
        std::swap(inside, inside_[route]);
        count(inside_[route], 1);
    }
    for (auto origin = moved_.rbegin(); origin != moved_.rend(); ++origin)
        set_route_of(origin->customer, origin->route);
    moved_.clear();
}

void find_inside_other_hulls(MatrixView<const double> places,
                             std::span<const uint32_t> nodes,
                             std::span<const int64_t> starts,
                             std::span<bool> is_inside) {
    HullFinder finder(places);
    std::vector<bool> is_on_route(places.num_rows());
    for (const uint32_t node : nodes)
        is_on_route[node] = true;
    std::fill(is_inside.begin(), is_inside.end(), false);
    std::vector<uint32_t> inside;
    for (std::size_t route = 0; route + 1 < starts.size(); ++route) {
        finder.find_inside(
            nodes.subspan(starts[route], starts[route + 1] - starts[route]),
            inside);
        for (const uint32_t node : inside)
            if (is_on_route[node])
                is_inside[node] = true;
    }
}

} // namespace ncc::shapes

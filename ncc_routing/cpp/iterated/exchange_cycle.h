#pragma once

#include "arrays.h"
#include "iterated/routes.h"
#include "random.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

// Cycles on which edges of two solutions alternate, the AB-cycles of the edge
// assembly crossover.
//
// Y. Nagata, O. Bräysy (2009). Edge assembly-based memetic algorithm for the
// capacitated vehicle routing problem. Networks 54(4).
namespace ncc::iterated {

// The edges of other routes of the same customers; 0 is the depot.
struct Partner {
    Partner(std::size_t num_nodes, std::span<const uint32_t> customers,
            std::span<const int64_t> starts)
        : neighbours(num_nodes) {
        for (std::size_t route = 0; route + 1 < starts.size(); ++route) {
            uint32_t before = 0;
            for (int64_t idx = starts[route]; idx < starts[route + 1]; ++idx) {
                const bool is_last = idx + 1 == starts[route + 1];
                neighbours[customers[idx]] = {
                    before, is_last ? 0 : customers[idx + 1]};
                before = customers[idx];
            }
            if (before == 0)
                continue;
            ends.push_back(customers[starts[route]]);
            ends.push_back(before);
        }
    }

    std::vector<std::array<uint32_t, 2>> neighbours;
    std::vector<uint32_t> ends; // customers next to the depot
};

// An edge of a customer, by its slot there: 0 and 1 are the edges to the nodes
// before and behind it, 2 and 3 those of the partner.
struct CycleEdge {
    uint32_t customer;
    uint32_t slot;
    uint32_t other; // the place at the other end

    [[nodiscard]] bool is_own() const { return slot < 2; }
};

// Draws a cycle by a random walk.
template <class Lengths>
class ExchangeCycle {
public:
    explicit ExchangeCycle(const Routes<Lengths>& routes)
        : routes_(routes), used_(routes.num_nodes) {
        for (auto& each : left_)
            each.resize(routes.num_nodes);
    }

    // Returns the edges of a cycle, none where the walk found none.
    std::span<const CycleEdge> find(const Partner& partner, Xorshift& random) {
        partner_ = &partner;
        random_ = &random;
        for (int64_t attempt = 0; attempt < num_attempts; ++attempt)
            if (walk())
                return edges_;
        return {};
    }

private:
    static constexpr int64_t num_attempts = 50;
    static constexpr int64_t max_length = 2000;
    static constexpr int64_t num_looks = 20; // for an edge of the depot
    static constexpr uint32_t none = ~uint32_t{0};

    struct Mark {
        uint64_t stamp = 0; // of the walk
        uint32_t value = 0;
    };

    bool walk() {
        ++stamp_;
        edges_.clear();
        uint32_t node =
            routes_.members[random_->below(std::ssize(routes_.members))];
        uint32_t kind = 0; // of the next edge: an own one, or the partner's
        while (std::ssize(edges_) < max_length) {
            // The walk closes where it leaves a node by the same kind again.
            Mark& left = left_[kind][node];
            if (left.stamp == stamp_) {
                edges_.erase(edges_.begin(), edges_.begin() + left.value);
                return true;
            }
            left = {stamp_, static_cast<uint32_t>(edges_.size())};
            const CycleEdge edge =
                node == 0 ? leave_depot(kind) : leave(node, kind);
            if (edge.customer == none)
                return false;
            edges_.push_back(edge);
            use(edge.customer, edge.slot);
            if (node == 0) {
                node = edge.customer;
            } else {
                node = edge.other;
                if (node != 0)
                    use(node, slot_at_other(edge));
            }
            kind = 1 - kind;
        }
        return false;
    }

    // The place at the other end of an edge.
    [[nodiscard]] uint32_t other_end(uint32_t customer, uint32_t slot) const {
        const Node& at = routes_.nodes[customer];
        if (slot >= 2)
            return partner_->neighbours[customer][slot - 2];
        return routes_.place(slot == 0 ? at.prev : at.next);
    }

    [[nodiscard]] uint32_t slot_at_other(const CycleEdge& edge) const {
        if (edge.is_own())
            return 1 - edge.slot;
        return partner_->neighbours[edge.other][0] == edge.customer ? 2 : 3;
    }

    // The slots, as bits, of edges that one solution alone has and the walk
    // has not used.
    [[nodiscard]] uint32_t free_slots(uint32_t customer) const {
        uint32_t mask = 15;
        for (const uint32_t own : {0U, 1U})
            for (const uint32_t other : {2U, 3U}) {
                const uint32_t both = (1U << own) | (1U << other);
                if ((mask & both) == both &&
                    other_end(customer, own) == other_end(customer, other))
                    mask &= ~both;
            }
        const Mark& used = used_[customer];
        return used.stamp == stamp_ ? mask & ~used.value : mask;
    }

    void use(uint32_t customer, uint32_t slot) {
        Mark& used = used_[customer];
        if (used.stamp != stamp_)
            used = {stamp_, 0};
        used.value |= 1U << slot;
    }

    [[nodiscard]] CycleEdge leave(uint32_t customer, uint32_t kind) {
        const uint32_t free = (free_slots(customer) >> (2 * kind)) & 3U;
        if (free == 0)
            return {none, 0, 0};
        uint32_t slot = 2 * kind + (free == 2 ? 1 : 0);
        if (free == 3 && random_->unit() < 0.5)
            ++slot;
        return {customer, slot, other_end(customer, slot)};
    }

    [[nodiscard]] CycleEdge leave_depot(uint32_t kind) {
        for (int64_t look = 0; look < num_looks; ++look) {
            const uint32_t customer = kind == 0 ? own_end() : partner_end();
            if (!routes_.is_customer(customer))
                continue;
            const uint32_t free = free_slots(customer);
            for (uint32_t slot = 2 * kind; slot < 2 * kind + 2; ++slot)
                if (((free >> slot) & 1U) != 0 &&
                    other_end(customer, slot) == 0)
                    return {customer, slot, 0};
        }
        return {none, 0, 0};
    }

    // A random first or last customer of a route.
    [[nodiscard]] uint32_t own_end() {
        const auto& open = routes_.open_routes;
        const uint32_t route = open[random_->below(std::ssize(open))];
        const Node& depot = routes_.nodes[routes_.depot_of(route)];
        return random_->unit() < 0.5 ? depot.prev : depot.next;
    }

    [[nodiscard]] uint32_t partner_end() {
        return partner_->ends[random_->below(std::ssize(partner_->ends))];
    }

    const Routes<Lengths>& routes_;
    const Partner* partner_ = nullptr;
    Xorshift* random_ = nullptr;
    uint64_t stamp_ = 0;
    std::vector<Mark> used_;                // slots of each customer
    std::array<std::vector<Mark>, 2> left_; // places in the walk, by kind
    std::vector<CycleEdge> edges_;
};

} // namespace ncc::iterated

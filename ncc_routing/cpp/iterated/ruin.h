#pragma once

#include "arrays.h"
#include "iterated/routes.h"
#include "random.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace ncc::iterated {

enum class RuinKind : uint8_t { Concentric, Sequential };
inline constexpr std::array ruin_kinds{RuinKind::Concentric,
                                       RuinKind::Sequential};

// Removes customers, and inserts them whatever the loads.
template <class Lengths>
class Ruin {
public:
    Ruin(Routes<Lengths>& routes, MatrixView<const uint32_t> neighbours,
         int64_t num_near)
        : routes_(routes), neighbours_(neighbours), num_near_(num_near) {}

    void perturb(RuinKind kind, int64_t num_removed, Xorshift& random) {
        removed_.clear();
        if (kind == RuinKind::Concentric)
            remove_disc(num_removed, random);
        else
            remove_strings(num_removed, random);
        for (std::size_t idx = removed_.size(); idx > 1; --idx)
            std::swap(removed_[idx - 1],
                      removed_[random.below(static_cast<int64_t>(idx))]);
        // Next to the nearest customer, or where it costs least.
        const int64_t num_seen = random.unit() < 0.5 ? 1 : num_near_;
        for (const uint32_t customer : removed_)
            routes_.insert(customer, find_position(customer, num_seen));
        for (std::size_t idx = 0; idx < routes_.num_changed(); ++idx)
            routes_.add_up(routes_.changed_route(idx));
    }

private:
    void remove(uint32_t customer) {
        removed_.push_back(customer);
        routes_.remove(customer);
    }

    // The customers around a random one.
    void remove_disc(int64_t num_removed, Xorshift& random) {
        const uint32_t center =
            routes_.members[random.below(std::ssize(routes_.members))];
        remove(center);
        for (const uint32_t near : neighbours_.row(center)) {
            if (std::ssize(removed_) >= num_removed)
                break;
            if (!routes_.is_absent(near))
                remove(near);
        }
    }

    // A string of customers of a random route; another one where it ends.
    void remove_strings(int64_t num_removed, Xorshift& random) {
        while (std::ssize(removed_) < num_removed) {
            const uint32_t first =
                routes_.members[random.below(std::ssize(routes_.members))];
            if (routes_.is_absent(first))
                continue;
            uint32_t node;
            do {
                node = routes_.nodes[first].next;
                if (!routes_.is_customer(node))
                    node = routes_.nodes[node].next;
                remove(node);
            } while (node != first && std::ssize(removed_) < num_removed);
        }
    }

    // The node behind which a customer costs least, next to the nearest
    // `num_seen` neighbours.
    uint32_t find_position(uint32_t customer, int64_t num_seen) {
        const auto row = routes_.lengths.row(customer);
        double least = infinity;
        uint32_t best = routes_.num_nodes;
        const auto offer = [&](uint32_t before) {
            const Node& at = routes_.nodes[before];
            const double detour = row.from(routes_.place(before)) +
                                  row.to(routes_.place(at.next)) - at.to_next;
            if (detour < least) {
                least = detour;
                best = before;
            }
        };
        const auto offer_both = [&](uint32_t node) {
            offer(node);
            offer(routes_.nodes[node].prev);
        };
        const double to_depot = row.to(0);
        bool is_depot_seen = false;
        for (const uint32_t near : neighbours_.row(customer)) {
            if (num_seen <= 0)
                break;
            if (!is_depot_seen && to_depot < row.to(near)) {
                is_depot_seen = true;
                --num_seen;
                for (const uint32_t route : routes_.open_routes)
                    offer_both(routes_.depot_of(route));
            }
            if (routes_.is_absent(near) || near == customer)
                continue;
            --num_seen;
            offer_both(near);
        }
        if (least == infinity)
            for (const uint32_t route : routes_.open_routes)
                offer_both(routes_.depot_of(route));
        return best;
    }

    Routes<Lengths>& routes_;
    MatrixView<const uint32_t> neighbours_;
    int64_t num_near_;
    std::vector<uint32_t> removed_;
};

} // namespace ncc::iterated

#include "ckm/penalties.h"

namespace ncc::ckm {

double ClusterPenalties::cost_of(std::span<const int64_t> customers) const {
    double total = 0.0;
    if (rate > 0.0) {
        double x = 0.0;
        double y = 0.0;
        for (const int64_t i : customers) {
            x += places(i, 0);
            y += places(i, 1);
        }
        x /= static_cast<double>(customers.size());
        y /= static_cast<double>(customers.size());
        for (const int64_t i : customers) {
            const double dx = places(i, 0) - x;
            const double dy = places(i, 1) - y;
            total += rate * (dx * dx + dy * dy);
        }
    }
    if (unit > 0.0) {
        // Each pair is counted from both of its sides.
        int64_t num_parted = 0;
        for (const int64_t i : customers) {
            if (districts[i] < 0)
                continue;
            num_parted += district_sizes[i];
            for (const int64_t j : customers)
                if (districts[j] == districts[i])
                    --num_parted;
        }
        total += 0.5 * unit * static_cast<double>(num_parted);
    }
    return total;
}

} // namespace ncc::ckm

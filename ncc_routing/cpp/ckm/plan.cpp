#include "ckm/plan.h"

namespace ncc::ckm {

void Plan::add_penalties(const ClusterPenalties& penalties) {
    for (int64_t slot = 0; slot < num_slots(); ++slot)
        if (!is_free(slot))
            costs_[slot] += penalties.cost_of(members_[slot]);
}

} // namespace ncc::ckm

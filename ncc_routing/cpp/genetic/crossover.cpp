#include "genetic/crossover.h"

#include <algorithm>

namespace ncc::genetic {

void OrderCrossover::cross(std::span<const uint32_t> first,
                           std::span<const uint32_t> second, Xorshift& rng,
                           std::span<uint32_t> child) {
    const auto size = std::ssize(first);
    const int64_t begin = rng.below(size);
    const int64_t length = 1 + rng.below(size);
    std::fill(is_taken_.begin(), is_taken_.end(), 0);
    int64_t at = begin;
    for (int64_t step = 0; step < length; ++step) {
        child[at] = first[at];
        is_taken_[first[at]] = 1;
        at = at + 1 < size ? at + 1 : 0;
    }
    int64_t from = at;
    for (int64_t step = 0; step < size; ++step) {
        const uint32_t customer = second[from];
        from = from + 1 < size ? from + 1 : 0;
        if (is_taken_[customer] == 0) {
            child[at] = customer;
            at = at + 1 < size ? at + 1 : 0;
        }
    }
}

} // namespace ncc::genetic

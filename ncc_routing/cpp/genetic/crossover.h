#pragma once

#include "random.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::genetic {

// Order crossover (OX): a piece of one tour, and the others in the order of a
// second one.
// C. Prins (2004). A simple and effective evolutionary algorithm for the
// vehicle routing problem. Computers & Operations Research 31(12).
class OrderCrossover {
public:
    explicit OrderCrossover(uint32_t num_nodes) : is_taken_(num_nodes) {}

    // Writes the offspring of two tours of all customers to `child`.
    void cross(std::span<const uint32_t> first,
               std::span<const uint32_t> second, Xorshift& rng,
               std::span<uint32_t> child);

private:
    std::vector<char> is_taken_; // whether each customer is on it already
};

} // namespace ncc::genetic

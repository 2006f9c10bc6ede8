#pragma once

#include <cstdint>

namespace ncc {

// xorshift64*: several times as fast as numpy's generators.
// S. Vigna (2016). An experimental exploration of Marsaglia's xorshift
// generators, scrambled. ACM Transactions on Mathematical Software 42(4).
class Xorshift {
public:
    // The seed must not be 0.
    explicit Xorshift(uint64_t seed) : state_(seed) {}

    // A number in [0, 1).
    double unit() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        const uint64_t bits = state_ * 2685821657736338717ULL;
        return static_cast<double>(static_cast<int64_t>(bits >> 11)) *
               (1.0 / 9007199254740992.0);
    }

    // A whole number below `count`.
    int64_t below(int64_t count) {
        return static_cast<int64_t>(unit() * static_cast<double>(count));
    }

private:
    uint64_t state_;
};

// What numpy's capsule "BitGenerator" points to, see numpy/random/bitgen.h.
struct BitGenerator {
    void* state;
    uint64_t (*next_uint64)(void*);
    uint32_t (*next_uint32)(void*);
    double (*next_double)(void*);
    uint64_t (*next_raw)(void*);
};

// Draws what numpy.random.Generator.random draws.
class NumpyGenerator {
public:
    NumpyGenerator() = default;
    explicit NumpyGenerator(const BitGenerator* bits) : bits_(bits) {}

    // A number in [0, 1).
    double unit() { return bits_->next_double(bits_->state); }

    // A whole number below `count`.
    int64_t below(int64_t count) {
        return static_cast<int64_t>(unit() * static_cast<double>(count));
    }

private:
    const BitGenerator* bits_ = nullptr;
};

} // namespace ncc

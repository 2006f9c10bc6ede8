#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

// Asks for memory that is read soon; the search goes on meanwhile. A macro:
// GCC takes a function that does nothing else for pure, and leaves out its
// calls unless it is as small as the one below.
#if defined(__GNUC__) || defined(__clang__)
#define NCC_PREFETCH(address) __builtin_prefetch(address)
#else
#define NCC_PREFETCH(address) static_cast<void>(address)
#endif

namespace ncc {

// Asks for the memory of the first `count` values before they are read. They
// may begin anywhere in a line of the cache, and so end in one more.
template <class T>
void prefetch(std::span<const T> values, std::size_t count) {
    constexpr std::size_t line = 64 / sizeof(T);
    for (std::size_t idx = 0; idx < std::min(count + 1, values.size());
         idx += line)
        NCC_PREFETCH(&values[idx]);
}

} // namespace ncc

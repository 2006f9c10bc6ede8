#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace ncc {

// Asks for the memory of the first `count` values before they are read. They
// may begin anywhere in a line of the cache, and so end in one more.
template <class T>
void prefetch([[maybe_unused]] std::span<const T> values,
              [[maybe_unused]] std::size_t count) {
#if defined(__GNUC__) || defined(__clang__)
    constexpr std::size_t line = 64 / sizeof(T);
    for (std::size_t idx = 0; idx < std::min(count + 1, values.size());
         idx += line)
        __builtin_prefetch(&values[idx]);
#endif
}

} // namespace ncc

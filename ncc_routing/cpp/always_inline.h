#pragma once

// Lets a compiler write out a function where it is called, however large.
#if defined(__GNUC__) || defined(__clang__)
#define NCC_ALWAYS_INLINE [[gnu::always_inline]] inline
#elif defined(_MSC_VER)
#define NCC_ALWAYS_INLINE __forceinline
#else
#define NCC_ALWAYS_INLINE inline
#endif

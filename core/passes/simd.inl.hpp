// Vectors of one instruction set, written with the compiler's vector types: one source for every target.
// Each target compiles these files in a namespace of its own; nothing here may have external linkage.
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__x86_64__)
// GCC 12 takes the undefined operands inside its own AVX-512 intrinsics for a fault of ours.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

constexpr int vector_bytes = HALFPIXEL_VECTOR_BYTES;

template <class T, int N>
struct VectorOf {
    typedef T type __attribute__((vector_size(sizeof(T) * N)));
    typedef T loose __attribute__((vector_size(sizeof(T) * N), aligned(alignof(T)), may_alias));
};
template <class T, int N>
using Vec = typename VectorOf<T, N>::type;

template <class T>
constexpr int lanes_of = vector_bytes / int(sizeof(T));

template <class T, int N>
inline Vec<T, N> load_vector(const T* from) {
    return *reinterpret_cast<const typename VectorOf<T, N>::loose*>(from);
}

template <class T, int N>
inline void store_vector(T* to, Vec<T, N> v) {
    *reinterpret_cast<typename VectorOf<T, N>::loose*>(to) = v;
}

template <class T, int N>
inline Vec<T, N> broadcast(T value) {
    return Vec<T, N>{} + value;
}

// Past the caches: for results that nobody reads soon. `to` is aligned to the vector's size.
template <class T, int N>
inline void stream_vector(T* to, Vec<T, N> v) {
#if defined(__x86_64__)
    if constexpr (sizeof(v) == 16) _mm_stream_si128(reinterpret_cast<__m128i*>(to), (__m128i)v);
#if HALFPIXEL_VECTOR_BYTES >= 32
    else if constexpr (sizeof(v) == 32)
        _mm256_stream_si256(reinterpret_cast<__m256i*>(to), (__m256i)v);
#endif
#if HALFPIXEL_VECTOR_BYTES >= 64
    else if constexpr (sizeof(v) == 64)
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to), (__m512i)v);
#endif
    else
        store_vector<T, N>(to, v);
#else
    store_vector<T, N>(to, v);
#endif
}

inline void stream_fence() {
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

// Elements before the first address in `to` that is aligned for a vector of N elements.
template <class T, int N>
inline std::int64_t unaligned_head(const T* to) {
    constexpr std::uintptr_t size = sizeof(T) * N;
    const std::uintptr_t past = reinterpret_cast<std::uintptr_t>(to) % size;
    return past ? std::int64_t((size - past) / sizeof(T)) : 0;
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

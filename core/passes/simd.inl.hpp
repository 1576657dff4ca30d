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

#include "tables.hpp"

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
    return value - Vec<T, N>{};  // of every value itself, -0 too: no instruction
}

template <class T>
constexpr int part_of = 16 / int(sizeof(T));  // elements in 128 bits

// The parts of a vector to to(0), to(1), ...
template <class T, class To>
inline void store_parts(const To& to, Vec<T, lanes_of<T>> v) {
#if HALFPIXEL_VECTOR_BYTES == 64
    const auto store = [&](int part, __m128 x) { _mm_storeu_ps(reinterpret_cast<float*>(to(part)), x); };
    store(0, _mm512_castps512_ps128((__m512)v));
    store(1, _mm512_extractf32x4_ps((__m512)v, 1));
    store(2, _mm512_extractf32x4_ps((__m512)v, 2));
    store(3, _mm512_extractf32x4_ps((__m512)v, 3));
#elif HALFPIXEL_VECTOR_BYTES == 32
    _mm_storeu_ps(reinterpret_cast<float*>(to(0)), _mm256_castps256_ps128((__m256)v));
    _mm_storeu_ps(reinterpret_cast<float*>(to(1)), _mm256_extractf128_ps((__m256)v, 1));
#else
    store_vector<T, lanes_of<T>>(to(0), v);
#endif
}

// Past the caches: for results that nobody reads soon. `to` is aligned to piece_bytes. Pieces of a cache line that
// follow each other are joined by the processor, so that rows may meet inside of one. A plain store into such a line
// would cost it several times as much.
template <class T, int N>
inline void stream_vector(T* to, Vec<T, N> v) {
#if defined(__x86_64__)
    if constexpr (sizeof(v) == 16) {
        _mm_stream_si128(reinterpret_cast<__m128i*>(to), (__m128i)v);
        return;
    }
#if HALFPIXEL_VECTOR_BYTES >= 32
    if constexpr (sizeof(v) == 32) {
        if (reinterpret_cast<std::uintptr_t>(to) % 32 == 0) {
            _mm256_stream_si256(reinterpret_cast<__m256i*>(to), (__m256i)v);
            return;
        }
        __m128i* at = reinterpret_cast<__m128i*>(to);
        _mm_stream_si128(at, _mm256_castsi256_si128((__m256i)v));
        _mm_stream_si128(at + 1, _mm256_extracti128_si256((__m256i)v, 1));
        return;
    }
#endif
#if HALFPIXEL_VECTOR_BYTES >= 64
    if constexpr (sizeof(v) == 64) {
        if (reinterpret_cast<std::uintptr_t>(to) % 64 == 0) {
            _mm512_stream_si512(reinterpret_cast<__m512i*>(to), (__m512i)v);
            return;
        }
        __m128i* at = reinterpret_cast<__m128i*>(to);
        _mm_stream_si128(at, _mm512_castsi512_si128((__m512i)v));
        _mm_stream_si128(at + 1, _mm512_extracti32x4_epi32((__m512i)v, 1));
        _mm_stream_si128(at + 2, _mm512_extracti32x4_epi32((__m512i)v, 2));
        _mm_stream_si128(at + 3, _mm512_extracti32x4_epi32((__m512i)v, 3));
        return;
    }
#endif
#endif
    store_vector<T, N>(to, v);
}

// n elements, whole pieces past the caches.
template <class T>
inline void stream_row(T* to, const T* from, std::int64_t n) {
    constexpr int P = piece_bytes / int(sizeof(T));
    std::int64_t x = 0;
    for (; x + P <= n; x += P) stream_vector<T, P>(to + x, load_vector<T, P>(from + x));
    std::memcpy(to + x, from + x, (n - x) * sizeof(T));
}

// The first n elements of v.
template <class T, int N>
inline void stream_some(T* to, Vec<T, N> v, std::int64_t n) {
    T buffer[N];
    store_vector<T, N>(buffer, v);
    if constexpr (sizeof(v) >= piece_bytes)
        stream_row<T>(to, buffer, n);
    else
        std::memcpy(to, buffer, n * sizeof(T));
}

inline void stream_fence() {
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

// Elements before the first address in `to` that is a multiple of `Bytes`, at most n.
template <int Bytes, class T>
inline std::int64_t streaming_head(const T* to, std::int64_t n) {
    const std::uintptr_t past = reinterpret_cast<std::uintptr_t>(to) % Bytes;
    const std::int64_t head = past ? std::int64_t((Bytes - past) / sizeof(T)) : 0;
    return head < n ? head : n;
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

// Pass I: two axes of integers at once, two taps on each, with weights that are whole multiples of a power of two.
// Every sum is exact, so it has the bits of the floating-point passes, and as many outputs fit a vector as 16 or 32
// bits allow. Results follow from two input rows without a buffer between the axes.
#pragma once

#include <type_traits>

#include "kernels.hpp"
#include "simd.inl.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

constexpr int pair_bytes = vector_bytes < 32 ? 16 : 32;
template <class T>
using PairVec = Vec<T, pair_bytes / int(sizeof(T))>;

// What sums across are kept in, between the axes: 16-bit integers of bytes. float rounds the sums of 16-bit integers in
// one instruction.
template <class E>
using PairSum = std::conditional_t<sizeof(E) == 1, std::int16_t, float>;

// A window of 16 bytes for each part of a vector.
inline PairVec<std::uint8_t> load_windows(const char* row, const i64* window) {
#if HALFPIXEL_VECTOR_BYTES >= 32
    const auto part = [=](int p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + window[p])); };
    return (PairVec<std::uint8_t>)_mm256_inserti128_si256(_mm256_castsi128_si256(part(0)), part(1), 1);
#else
    return load_vector<std::uint8_t, 16>(reinterpret_cast<const std::uint8_t*>(row) + *window);
#endif
}

// Of each 16 bytes.
inline PairVec<std::uint8_t> shuffle_parts(PairVec<std::uint8_t> v, PairVec<std::uint8_t> index) {
#if HALFPIXEL_VECTOR_BYTES >= 32
    return (PairVec<std::uint8_t>)_mm256_shuffle_epi8((__m256i)v, (__m256i)index);
#elif defined(__x86_64__)
    return (PairVec<std::uint8_t>)_mm_shuffle_epi8((__m128i)v, (__m128i)index);
#else
    return __builtin_shuffle(v, index);
#endif
}

#if !defined(__x86_64__)
// Products of neighbours, added: E in vectors of integers `Wide` of twice the size.
template <class E, class Wide>
inline PairVec<Wide> sum_pairs(PairVec<std::uint8_t> x, PairVec<std::uint8_t> weights) {
    using From = std::conditional_t<(E(-1) < E(0)), Wide, std::make_unsigned_t<Wide>>;
    constexpr int bits = 8 * sizeof(E);
    const PairVec<Wide> w = (PairVec<Wide>)weights, even = (w << bits) >> bits, odd = w >> bits;
    const PairVec<From> v = (PairVec<From>)x;
    return (PairVec<Wide>)((v << bits) >> bits) * even + (PairVec<Wide>)(v >> bits) * odd;
}
#endif

// Sums of the pairs that index picks. Unsigned 16-bit samples are taken 32768 lower, as signed ones; weights that add
// up to one leave it so in the result.
template <class E>
inline PairVec<PairSum<E>> sums_across(const char* row, const i64* window, const std::uint8_t* index,
                                       const std::uint8_t* weights) {
    using Bytes = PairVec<std::uint8_t>;
    Bytes x = shuffle_parts(load_windows(row, window), load_vector<std::uint8_t, pair_bytes>(index));
    const Bytes w = load_vector<std::uint8_t, pair_bytes>(weights);
    if constexpr (std::is_same_v<E, std::uint16_t>) x = (Bytes)((PairVec<E>)x ^ std::uint16_t(0x8000));
#if HALFPIXEL_VECTOR_BYTES >= 32
    const __m256i v = (__m256i)x, u = (__m256i)w;
    if constexpr (sizeof(E) == 2)
        return (PairVec<float>)_mm256_cvtepi32_ps(_mm256_madd_epi16(v, u));
    else
        return (PairVec<std::int16_t>)(E(-1) < E(0) ? _mm256_maddubs_epi16(u, v) : _mm256_maddubs_epi16(v, u));
#elif defined(__x86_64__)
    const __m128i v = (__m128i)x, u = (__m128i)w;
    if constexpr (sizeof(E) == 2)
        return (PairVec<float>)_mm_cvtepi32_ps(_mm_madd_epi16(v, u));
    else
        return (PairVec<std::int16_t>)(E(-1) < E(0) ? _mm_maddubs_epi16(u, v) : _mm_maddubs_epi16(v, u));
#else
    if constexpr (sizeof(E) == 2)
        return __builtin_convertvector(sum_pairs<std::int16_t, std::int32_t>(x, w), PairVec<float>);
    else
        return sum_pairs<E, std::int16_t>(x, w);
#endif
}

// Sums with pair_fraction bits of fraction, rounded half to even, side by side: part after part of each in turn. Half
// up is right but for a tie above an even number, which a low byte of 64 shows; no high byte is 128.
template <class E>
inline PairVec<std::uint8_t> narrow_pair(PairVec<std::int16_t> a, PairVec<std::int16_t> b) {
    static_assert(pair_fraction == 7);
#if HALFPIXEL_VECTOR_BYTES >= 32
    const __m256i x = (__m256i)a, y = (__m256i)b;
    const __m256i scale = _mm256_set1_epi16(256), tie = _mm256_set1_epi16(std::int16_t(0x8040));
    const __m256i up = _mm256_mulhrs_epi16(x, scale), up2 = _mm256_mulhrs_epi16(y, scale);
    const __m256i half_up = E(-1) < E(0) ? _mm256_packs_epi16(up, up2) : _mm256_packus_epi16(up, up2);
    const __m256i ties = _mm256_packus_epi16(_mm256_cmpeq_epi8(x, tie), _mm256_cmpeq_epi8(y, tie));
    return (PairVec<std::uint8_t>)_mm256_add_epi8(half_up, ties);
#elif defined(__x86_64__)
    const __m128i x = (__m128i)a, y = (__m128i)b;
    const __m128i scale = _mm_set1_epi16(256), tie = _mm_set1_epi16(std::int16_t(0x8040));
    const __m128i up = _mm_mulhrs_epi16(x, scale), up2 = _mm_mulhrs_epi16(y, scale);
    const __m128i half_up = E(-1) < E(0) ? _mm_packs_epi16(up, up2) : _mm_packus_epi16(up, up2);
    const __m128i ties = _mm_packus_epi16(_mm_cmpeq_epi8(x, tie), _mm_cmpeq_epi8(y, tie));
    return (PairVec<std::uint8_t>)_mm_add_epi8(half_up, ties);
#else
    const auto rounded = [](PairVec<std::int16_t> v) { return ((v + 64) >> 7) + ((v & 255) == 64); };
    using Bytes = PairVec<std::uint8_t>;
    constexpr Bytes low = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
    return __builtin_shuffle((Bytes)rounded(a), (Bytes)rounded(b), low);
#endif
}

template <class E>
inline PairVec<std::uint8_t> narrow_pair(PairVec<float> a, PairVec<float> b) {
    using Words = PairVec<std::uint16_t>;
#if HALFPIXEL_VECTOR_BYTES >= 32
    Words v = (Words)_mm256_packs_epi32(_mm256_cvtps_epi32((__m256)a), _mm256_cvtps_epi32((__m256)b));
#elif defined(__x86_64__)
    Words v = (Words)_mm_packs_epi32(_mm_cvtps_epi32((__m128)a), _mm_cvtps_epi32((__m128)b));
#else
    constexpr float rounding = 12582912.0f;  // leaves an integer in the low bits, rounded half to even
    constexpr Words low = {0, 2, 4, 6, 8, 10, 12, 14};
    Words v = __builtin_shuffle((Words)(a + rounding), (Words)(b + rounding), low);
#endif
    if constexpr (std::is_same_v<E, std::uint16_t>) v ^= std::uint16_t(0x8000);
    return (PairVec<std::uint8_t>)v;
}

// `Outputs` rows of results from two input rows.
template <class E, int Outputs, bool Stream>
inline void pair_rows(const char* top, const char* bottom, const PairTable& table, const PairSum<E>* down, char* dst,
                      i64 dst_stride) {
    using Sum = PairSum<E>;
    constexpr int N = pair_bytes / int(sizeof(Sum));
    PairVec<Sum> w[Outputs][2];
    for (int o = 0; o < Outputs; ++o)
        for (int t = 0; t < 2; ++t) w[o][t] = broadcast<Sum, N>(down[2 * o + t]);
    const i64 last = table.blocks - 1, end = table.bytes - pair_block;
    const i64* window = table.window;
    const std::int32_t* patterns = table.pattern;
    const std::uint8_t *indices = table.index, *all_weights = table.weights;
    for (i64 b = 0; b <= last; ++b, window += pair_parts) {
        const std::uint8_t* index = indices + patterns[b] * pair_parts * 16;
        const std::uint8_t* weights = all_weights + patterns[b] * pair_parts * 16;
        char* to = dst + (b < last ? b * pair_block : end);
        for (int g = 0; g < pair_block / pair_bytes; ++g, to += pair_bytes) {
            PairVec<Sum> upper[2], lower[2];
            for (int s = 0; s < 2; ++s) {
                const int part = 2 * s + g;
                upper[s] = sums_across<E>(top, window + part, index + 16 * part, weights + 16 * part);
                lower[s] = sums_across<E>(bottom, window + part, index + 16 * part, weights + 16 * part);
            }
            for (int o = 0; o < Outputs; ++o) {
                const auto sum = [&](int s) { return upper[s] * w[o][0] + lower[s] * w[o][1]; };
                const PairVec<std::uint8_t> result = narrow_pair<E>(sum(0), sum(1));
                auto* at = reinterpret_cast<std::uint8_t*>(to + o * dst_stride);
                if constexpr (Stream)
                    stream_vector<std::uint8_t, pair_bytes>(at, result);
                else
                    store_vector<std::uint8_t, pair_bytes>(at, result);
            }
        }
    }
}

template <class E, bool Stream>
inline void pair_outputs(const char* src, i64 src_stride, const PairTable& table, i64 begin, i64 end, char* dst,
                         i64 dst_stride) {
    const i64* tops = table.top;
    const PairSum<E>* down = static_cast<const PairSum<E>*>(table.down);
    for (i64 o = begin; o < end;) {
        const char* top = src + tops[o] * src_stride;
        char* to = dst + (o - begin) * dst_stride;
        if (o + 1 < end && tops[o + 1] == tops[o]) {
            pair_rows<E, 2, Stream>(top, top + src_stride, table, down + 2 * o, to, dst_stride);
            o += 2;
        } else {
            pair_rows<E, 1, Stream>(top, top + src_stride, table, down + 2 * o, to, dst_stride);
            o += 1;
        }
    }
}

template <class E>
void pairs(const void* src, i64 src_stride, const PairTable& table, i64 begin, i64 end, void* dst, i64 dst_stride,
           bool stream) {
    const char* from = static_cast<const char*>(src);
    char* to = static_cast<char*>(dst);
    if (stream)
        pair_outputs<E, true>(from, src_stride, table, begin, end, to, dst_stride);
    else
        pair_outputs<E, false>(from, src_stride, table, begin, end, to, dst_stride);
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

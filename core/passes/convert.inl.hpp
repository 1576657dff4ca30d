// Elements to accumulators and back, N at a time. Back is the one rounding of a result: integers round half to even
// and saturate, bool is true from one half up, float16 and bfloat16 round to nearest even.
#pragma once

#include <type_traits>

#include "elements.hpp"
#include "simd.inl.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

// How an element lies in memory, and the bits that a vector of it holds.
template <class E>
struct Carrier {
    using type = E;
};
template <>
struct Carrier<Bool8> {
    using type = std::uint8_t;
};
template <>
struct Carrier<Half> {
    using type = std::uint16_t;
};
template <>
struct Carrier<BFloat16> {
    using type = std::uint16_t;
};

// Integers to and from 32 bits. Bytes take intrinsics: GCC 12 makes 50 instructions of these conversions.
template <class I, int N>
inline Vec<std::int32_t, N> widen_integer(Vec<I, N> v) {
#if HALFPIXEL_VECTOR_BYTES >= 64
    if constexpr (sizeof(I) == 1 && N == 16)
        return (Vec<std::int32_t, N>)(I(-1) < I(0) ? _mm512_cvtepi8_epi32((__m128i)v)
                                                   : _mm512_cvtepu8_epi32((__m128i)v));
#endif
#if HALFPIXEL_VECTOR_BYTES >= 32
    if constexpr (sizeof(I) == 1 && N == 8) {
        std::int64_t bytes;
        std::memcpy(&bytes, &v, 8);
        const __m128i low = _mm_cvtsi64_si128(bytes);
        return (Vec<std::int32_t, N>)(I(-1) < I(0) ? _mm256_cvtepi8_epi32(low) : _mm256_cvtepu8_epi32(low));
    }
#endif
    return __builtin_convertvector(v, Vec<std::int32_t, N>);
}

template <class I, int N>
inline Vec<I, N> narrow_integer(Vec<std::int32_t, N> v) {
#if HALFPIXEL_VECTOR_BYTES >= 64
    if constexpr (sizeof(I) == 1 && N == 16) return (Vec<I, N>)_mm512_cvtepi32_epi8((__m512i)v);
#endif
#if HALFPIXEL_VECTOR_BYTES >= 32
    if constexpr (sizeof(I) == 1 && N == 8) {
        const __m256i low_bytes = _mm256_broadcastsi128_si256(_mm_setr_epi32(0x0c080400, -1, -1, -1));
        const __m256i quads = _mm256_shuffle_epi8((__m256i)v, low_bytes);
        const __m128i joined = _mm_unpacklo_epi32(_mm256_castsi256_si128(quads), _mm256_extracti128_si256(quads, 1));
        const std::int64_t bytes = _mm_cvtsi128_si64(joined);
        Vec<I, N> result;
        std::memcpy(&result, &bytes, 8);
        return result;
    }
#endif
    return __builtin_convertvector(v, Vec<I, N>);
}

template <class E, class Acc, int N>
struct Convert {
    using Raw = typename Carrier<E>::type;

    static Vec<Acc, N> widen(Vec<Raw, N> raw) {
        if constexpr (sizeof(Raw) <= 2) return __builtin_convertvector(widen_integer<Raw, N>(raw), Vec<Acc, N>);
        return __builtin_convertvector(raw, Vec<Acc, N>);
    }

    static Vec<Raw, N> narrow(Vec<Acc, N> v);
};

// Adding 1.5 * 2^(mantissa bits) rounds to an integer, half to even, and leaves it in the low bits.
template <class Acc>
constexpr Acc rounding_constant = sizeof(Acc) == 4 ? Acc(12582912.0) : Acc(6755399441055744.0);

// Of finite values. The instructions for it are spelled out because GCC 12 makes two of each comparison.
template <class Acc, int N>
inline Vec<Acc, N> clamp(Vec<Acc, N> v, Acc lo, Acc hi) {
    const Vec<Acc, N> low = broadcast<Acc, N>(lo), high = broadcast<Acc, N>(hi);
#if HALFPIXEL_VECTOR_BYTES >= 64
    if constexpr (sizeof(v) == 64 && sizeof(Acc) == 4)
        return (Vec<Acc, N>)_mm512_min_ps(_mm512_max_ps((__m512)v, (__m512)low), (__m512)high);
    if constexpr (sizeof(v) == 64 && sizeof(Acc) == 8)
        return (Vec<Acc, N>)_mm512_min_pd(_mm512_max_pd((__m512d)v, (__m512d)low), (__m512d)high);
#endif
#if HALFPIXEL_VECTOR_BYTES >= 32
    if constexpr (sizeof(v) == 32 && sizeof(Acc) == 4)
        return (Vec<Acc, N>)_mm256_min_ps(_mm256_max_ps((__m256)v, (__m256)low), (__m256)high);
    if constexpr (sizeof(v) == 32 && sizeof(Acc) == 8)
        return (Vec<Acc, N>)_mm256_min_pd(_mm256_max_pd((__m256d)v, (__m256d)low), (__m256d)high);
#endif
    v = v < low ? low : v;
    return v > high ? high : v;
}

template <class E>
constexpr double lowest = E(-1) < E(0) ? -double(std::uint64_t(1) << (8 * sizeof(E) - 1)) : 0.0;
template <class E>
constexpr double highest = E(-1) < E(0) ? double((std::uint64_t(1) << (8 * sizeof(E) - 1)) - 1)
                                        : double(std::uint64_t(~std::uint64_t(0)) >> (64 - 8 * sizeof(E)));

// Integers of up to 32 bits (16 with a float accumulator).
template <class E, class Acc, int N>
inline Vec<E, N> round_to_integer(Vec<Acc, N> v) {
    using Bits = std::conditional_t<sizeof(Acc) == 4, std::int32_t, std::int64_t>;
    v = clamp<Acc, N>(v, Acc(lowest<E>), Acc(highest<E>)) + rounding_constant<Acc>;
    if constexpr (sizeof(Acc) == 4) return narrow_integer<E, N>((Vec<Bits, N>)v);
    const Vec<std::int32_t, N> low = __builtin_convertvector((Vec<Bits, N>)v, Vec<std::int32_t, N>);
    if constexpr (sizeof(E) == 4)
        return (Vec<E, N>)low;
    else
        return narrow_integer<E, N>(low);
}

// 64-bit integers: from 2^52 on every double is whole, and only the ends of the range can overflow.
template <class E, int N>
inline Vec<E, N> round_to_integer64(Vec<double, N> v) {
    Vec<E, N> result;
    for (int i = 0; i < N; ++i) {
        double x = v[i];
        if (x > -4503599627370496.0 && x < 4503599627370496.0)
            x = (x + rounding_constant<double>)-rounding_constant<double>;
        constexpr double end = E(-1) < E(0) ? 9223372036854775808.0 : 18446744073709551616.0;
        result[i] = x >= end         ? E(~std::uint64_t(0) >> (E(-1) < E(0) ? 1 : 0))
                    : x <= lowest<E> ? E(std::uint64_t(E(-1) < E(0)) << 63)
                                     : E(x);
    }
    return result;
}

template <class E, class Acc, int N>
inline Vec<typename Carrier<E>::type, N> Convert<E, Acc, N>::narrow(Vec<Acc, N> v) {
    if constexpr (sizeof(E) == 8)
        return round_to_integer64<E, N>(v);
    else
        return round_to_integer<E, Acc, N>(v);
}

template <class Acc, int N>
struct Convert<Acc, Acc, N> {
    using Raw = Acc;
    static Vec<Acc, N> widen(Vec<Acc, N> v) { return v; }
    static Vec<Acc, N> narrow(Vec<Acc, N> v) { return v; }
};

template <class Acc, int N>
struct Convert<Bool8, Acc, N> {
    using Raw = std::uint8_t;
    static Vec<Acc, N> widen(Vec<Raw, N> raw) {
        const Vec<std::int32_t, N> wide = widen_integer<Raw, N>(raw);
        return __builtin_convertvector(wide != 0 ? broadcast<std::int32_t, N>(1) : broadcast<std::int32_t, N>(0),
                                       Vec<Acc, N>);
    }
    static Vec<Raw, N> narrow(Vec<Acc, N> v) {
        const auto truth = v >= Acc(0.5);
        return __builtin_convertvector(-truth, Vec<Raw, N>);
    }
};

template <int N>
struct Convert<BFloat16, float, N> {
    using Raw = std::uint16_t;
    static Vec<float, N> widen(Vec<Raw, N> raw) {
        return (Vec<float, N>)(__builtin_convertvector(raw, Vec<std::uint32_t, N>) << 16);
    }
    static Vec<Raw, N> narrow(Vec<float, N> v) {
        using U = Vec<std::uint32_t, N>;
        const U bits = (U)v;
        const U rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
        const U quiet = (bits >> 16) | 0x40u;
        return __builtin_convertvector(v == v ? rounded : quiet, Vec<Raw, N>);
    }
};

// float16 without conversion instructions. Scaling by powers of two does the subnormals and their rounding.
template <int N>
struct HalfBits {
    using U = Vec<std::uint32_t, N>;
    using F = Vec<float, N>;

    static F widen(Vec<std::uint16_t, N> raw) {
        const U h = __builtin_convertvector(raw, U);
        const U sign = (h & 0x8000u) << 16, magnitude = (h & 0x7fffu) << 13;
        const F scaled = (F)magnitude * 5.192296858534828e33f;  // 2^112: exponent bias 15 to 127, subnormals too
        const U special = (U)(magnitude >= 0x0f800000u);        // infinity and NaN keep their bits
        const U nan = (U)(magnitude > 0x0f800000u) & 0x00400000u;
        return (F)(sign | (special ? (magnitude | 0x7f800000u | nan) : (U)scaled));
    }

    static Vec<std::uint16_t, N> narrow(F v) {
        const U bits = (U)v, sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
        // Normal results: rebias, then round to nearest even by adding half of the dropped bits.
        const U normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
        // Below 2^-14: adding 0.5 aligns the value so that its low bits are the result, rounded by the addition.
        const U subnormal = (U)((F)magnitude + 0.5f) - 0x3f000000u;
        const U nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
        U result = magnitude < 0x38800000u ? subnormal : normal;
        result = magnitude >= 0x477ff000u ? (U{} + 0x7c00u) : result;
        result = magnitude > 0x7f800000u ? nan : result;
        return __builtin_convertvector(result | sign, Vec<std::uint16_t, N>);
    }
};

template <int N>
struct Convert<Half, float, N> {
    using Raw = std::uint16_t;
    static Vec<float, N> widen(Vec<Raw, N> raw) {
#if HALFPIXEL_VECTOR_BYTES >= 64
        if constexpr (N == 16) return (Vec<float, N>)_mm512_cvtph_ps((__m256i)raw);
#endif
#if HALFPIXEL_VECTOR_BYTES >= 32
        if constexpr (N == 8) return (Vec<float, N>)_mm256_cvtph_ps((__m128i)raw);
#endif
        return HalfBits<N>::widen(raw);
    }
    static Vec<Raw, N> narrow(Vec<float, N> v) {
#if HALFPIXEL_VECTOR_BYTES >= 64
        if constexpr (N == 16) return (Vec<Raw, N>)_mm512_cvtps_ph((__m512)v, _MM_FROUND_TO_NEAREST_INT);
#endif
#if HALFPIXEL_VECTOR_BYTES >= 32
        if constexpr (N == 8) return (Vec<Raw, N>)_mm256_cvtps_ph((__m256)v, _MM_FROUND_TO_NEAREST_INT);
#endif
        return HalfBits<N>::narrow(v);
    }
};

template <class E, class Acc, int N>
inline Vec<Acc, N> load_as(const E* from) {
    using Raw = typename Carrier<E>::type;
    return Convert<E, Acc, N>::widen(load_vector<Raw, N>(reinterpret_cast<const Raw*>(from)));
}

template <class E, class Acc, int N>
inline void store_as(E* to, Vec<Acc, N> v) {
    using Raw = typename Carrier<E>::type;
    store_vector<Raw, N>(reinterpret_cast<Raw*>(to), Convert<E, Acc, N>::narrow(v));
}

// A fused pass adds taps with one rounding each, a fused multiply-add: for the pass that reads 8-bit elements, which is
// bound by arithmetic and not by memory. Its weights are multiples of 2^-40, so product and sum are exact in double and
// a target without the instruction gets the same bits from one rounding of that.
template <int N>
inline Vec<float, N> fused(Vec<float, N> x, Vec<float, N> w, Vec<float, N> acc) {
#if HALFPIXEL_VECTOR_BYTES == 64
    return (Vec<float, N>)_mm512_fmadd_ps((__m512)x, (__m512)w, (__m512)acc);
#elif HALFPIXEL_VECTOR_BYTES == 32
    return (Vec<float, N>)_mm256_fmadd_ps((__m256)x, (__m256)w, (__m256)acc);
#elif defined(__aarch64__)
    return (Vec<float, N>)vfmaq_f32((float32x4_t)acc, (float32x4_t)x, (float32x4_t)w);
#else
    const auto half = [](__m128 a, __m128 b, __m128 c) {
        return _mm_cvtpd_ps(_mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(a), _mm_cvtps_pd(b)), _mm_cvtps_pd(c)));
    };
    const __m128 a = (__m128)x, b = (__m128)w, c = (__m128)acc;
    const __m128 low = half(a, b, c);
    const __m128 high = half(_mm_movehl_ps(a, a), _mm_movehl_ps(b, b), _mm_movehl_ps(c, c));
    return (Vec<float, N>)_mm_movelh_ps(low, high);
#endif
}

template <bool Fused, class Acc, int N>
inline Vec<Acc, N> add_tap(Vec<Acc, N> acc, Vec<Acc, N> x, Vec<Acc, N> w) {
    if constexpr (Fused)
        return fused<N>(x, w, acc);
    else
        return acc + x * w;
}

// Integers of up to 16 bits from four vectors of accumulators in one go, as AVX2 and SSE4.1 pack them.
#if defined(__x86_64__) && HALFPIXEL_VECTOR_BYTES <= 32
template <class E, class Acc>
constexpr bool narrows_four = std::is_same_v<Acc, float> && std::is_integral_v<E> && sizeof(E) <= 2;

// 32-bit integers of two vectors, saturated to 16 bits with a sign, or to those of E. The conversion rounds half to
// even and turns what lies below its range, and NaN, into the least integer; what lies above is cut off before.
template <class E, bool Signed>
inline Vec<std::int16_t, vector_bytes / 2> round_two(Vec<float, lanes_of<float>> a, Vec<float, lanes_of<float>> b) {
    const Vec<float, lanes_of<float>> high = broadcast<float, lanes_of<float>>(float(highest<E>));
#if HALFPIXEL_VECTOR_BYTES == 32
    const __m256i x = _mm256_cvtps_epi32(_mm256_min_ps((__m256)high, (__m256)a));
    const __m256i y = _mm256_cvtps_epi32(_mm256_min_ps((__m256)high, (__m256)b));
    return (Vec<std::int16_t, 16>)(Signed ? _mm256_packs_epi32(x, y) : _mm256_packus_epi32(x, y));
#else
    const __m128i x = _mm_cvtps_epi32(_mm_min_ps((__m128)high, (__m128)a));
    const __m128i y = _mm_cvtps_epi32(_mm_min_ps((__m128)high, (__m128)b));
    return (Vec<std::int16_t, 8>)(Signed ? _mm_packs_epi32(x, y) : _mm_packus_epi32(x, y));
#endif
}

// Calls store(at, vector) for each whole vector of results.
template <class E, class Store>
inline void narrow_four(const Vec<float, lanes_of<float>>* v, const Store& store) {
    using Result = Vec<E, lanes_of<E>>;
    if constexpr (sizeof(E) == 2) {
        for (int half = 0; half < 2; ++half) {
            const auto words = round_two<E, (E(-1) < E(0))>(v[2 * half], v[2 * half + 1]);
#if HALFPIXEL_VECTOR_BYTES == 32
            store(half * lanes_of<E>, (Result)_mm256_permute4x64_epi64((__m256i)words, 0xd8));
#else
            store(half * lanes_of<E>, (Result)words);
#endif
        }
    } else {
        const auto low = round_two<E, true>(v[0], v[1]), high = round_two<E, true>(v[2], v[3]);
#if HALFPIXEL_VECTOR_BYTES == 32
        const __m256i x = (__m256i)low, y = (__m256i)high;
        const __m256i bytes = E(-1) < E(0) ? _mm256_packs_epi16(x, y) : _mm256_packus_epi16(x, y);
        const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        store(0, (Result)_mm256_permutevar8x32_epi32(bytes, order));
#else
        const __m128i x = (__m128i)low, y = (__m128i)high;
        store(0, (Result)(E(-1) < E(0) ? _mm_packs_epi16(x, y) : _mm_packus_epi16(x, y)));
#endif
    }
}
#else
template <class E, class Acc>
constexpr bool narrows_four = false;
#endif

// Any number of elements: a short rest goes through a full vector, so that it is computed in the same way.
template <class E, class Acc, int N>
inline Vec<Acc, N> load_some(const E* from, std::int64_t n) {
    E buffer[N] = {};
    std::memcpy(buffer, from, n * sizeof(E));
    return load_as<E, Acc, N>(buffer);
}

template <class E, class Acc, int N>
inline void store_some(E* to, Vec<Acc, N> v, std::int64_t n) {
    E buffer[N];
    store_as<E, Acc, N>(buffer, v);
    std::memcpy(to, buffer, n * sizeof(E));
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

// Pass P of bytes where integer sums are exact and so have the bits of float sums: two taps an instruction, and one
// conversion for an output.
#pragma once

#include "kernels.hpp"
#include "simd.inl.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

#if HALFPIXEL_VECTOR_BYTES == 32
// Steps: of the table, 0: any.
template <int Rows, int Steps>
inline void byte_sum_rows(const char* const* src, float* const* dst, const ByteSumTable& table) {
    const i64 steps = Steps ? Steps : table.steps, last = table.blocks - 1, end = table.length - byte_sum_block;
    const i64* window = table.window;
    const std::int32_t* patterns = table.pattern;
    const std::uint8_t* indices = table.index;
    const std::int16_t* all_weights = table.weights;
    const __m256 scale = _mm256_set1_ps(table.scale);
    const auto load = [](const void* at) { return _mm256_loadu_si256(static_cast<const __m256i*>(at)); };
    for (i64 b = 0; b <= last; ++b, window += 2) {
        const std::uint8_t* index = indices + patterns[b] * steps * byte_sum_bytes;
        const std::int16_t* weights = all_weights + patterns[b] * steps * (byte_sum_bytes / 2);
        const i64 at = b < last ? b * byte_sum_block : end;
        for (int r = 0; r < Rows; ++r) {
            const auto half = [&](int h) {
                return _mm_loadu_si128(reinterpret_cast<const __m128i*>(src[r] + window[h]));
            };
            const __m256i bytes = _mm256_inserti128_si256(_mm256_castsi128_si256(half(0)), half(1), 1);
            __m256i sum = _mm256_madd_epi16(_mm256_shuffle_epi8(bytes, load(index)), load(weights));
            for (i64 s = 1; s < steps; ++s)
                sum = _mm256_add_epi32(
                    sum, _mm256_madd_epi16(_mm256_shuffle_epi8(bytes, load(index + s * 32)), load(weights + s * 16)));
            _mm256_storeu_ps(dst[r] + at, _mm256_mul_ps(_mm256_cvtepi32_ps(sum), scale));
        }
    }
}

template <int Rows>
inline void byte_sum_steps(const char* const* src, float* const* dst, const ByteSumTable& table) {
    switch (table.steps) {
        case 1:
            return byte_sum_rows<Rows, 1>(src, dst, table);
        case 2:
            return byte_sum_rows<Rows, 2>(src, dst, table);
        default:
            return byte_sum_rows<Rows, 0>(src, dst, table);
    }
}

void byte_sums(const void* const* src, void* const* dst, i64 rows, const ByteSumTable& table) {
    const auto from = reinterpret_cast<const char* const*>(src);
    const auto to = reinterpret_cast<float* const*>(dst);
    i64 r = 0;
    for (; r + 4 <= rows; r += 4) byte_sum_steps<4>(from + r, to + r, table);
    for (; r < rows; ++r) byte_sum_steps<1>(from + r, to + r, table);
}
#endif

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

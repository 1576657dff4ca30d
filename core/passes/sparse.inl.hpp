// Passes V and S at once, where most of the input is skipped: an output from the two samples that it takes of either of
// its two rows. The bits are those of V, then S. Nothing is fetched ahead: the processor follows the rows by itself
// where so little is done to them.
#pragma once

#include <type_traits>
#include <utility>

#include "kernels.hpp"
#include "simd.inl.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

// The two input rows of an output row, and their weights.
template <class Acc>
struct SparseRow {
    const Acc *top, *bottom;
    Acc down[2];
};

// The samples first, first + 1 of as many outputs as fill 16 bytes.
template <class Acc>
inline Vec<Acc, part_of<Acc>> load_pairs(const Acc* row, const i64* firsts) {
    if constexpr (sizeof(Acc) == 8) {
        return load_vector<Acc, 2>(row + firsts[0]);
    } else {
        Vec<double, 2> pairs;  // integers would go through other registers
        for (int i = 0; i < 2; ++i) {
            double pair;
            std::memcpy(&pair, row + firsts[i], sizeof(pair));
            pairs[i] = pair;
        }
        return (Vec<Acc, 4>)pairs;
    }
}

// Elements First, First + 2, ... of a and b.
template <class Acc, int First, int... I>
inline Vec<Acc, part_of<Acc>> of_pairs(Vec<Acc, part_of<Acc>> a, Vec<Acc, part_of<Acc>> b,
                                       std::integer_sequence<int, I...>) {
    using Index = Vec<std::conditional_t<sizeof(Acc) == 4, std::int32_t, std::int64_t>, part_of<Acc>>;
    return __builtin_shuffle(a, b, Index{(2 * I + First)...});
}

// As many neighbouring outputs as fill 16 bytes, with two taps each.
template <class Acc>
inline Vec<Acc, part_of<Acc>> sparse_part(const SparseRow<Acc>& row, const i64* firsts, const Acc* weights) {
    constexpr int N = part_of<Acc>;
    constexpr auto lanes = std::make_integer_sequence<int, N>{};
    Vec<Acc, N> taps[2];
    for (int half = 0; half < 2; ++half) {
        const i64* from = firsts + half * (N / 2);
        const Vec<Acc, N> top = load_pairs<Acc>(row.top, from), bottom = load_pairs<Acc>(row.bottom, from);
        taps[half] = (top * row.down[0] + bottom * row.down[1]) * load_vector<Acc, N>(weights + half * N);
    }
    return of_pairs<Acc, 0>(taps[0], taps[1], lanes) + of_pairs<Acc, 1>(taps[0], taps[1], lanes);
}

// One channel of an output; at: its first sample, step: elements to the second one.
template <class Acc>
inline Acc sparse_output(const SparseRow<Acc>& row, i64 at, i64 step, i64 taps, const Acc* across) {
    if (taps == 0) return Acc(0);
    const Acc *top = row.top + at, *bottom = row.bottom + at;
    const Acc first = (top[0] * row.down[0] + bottom[0] * row.down[1]) * across[0];
    return taps == 1 ? first : first + (top[step] * row.down[0] + bottom[step] * row.down[1]) * across[1];
}

template <int Channels, class Acc>
inline void sparse_row(const SparseRow<Acc>& row, Acc* dst, i64 out_size, i64 any_channels, const TapTable& across) {
    constexpr i64 block = 32;  // outputs whose taps are counted at once
    const i64 channels = Channels ? Channels : any_channels;
    const i64 *firsts = across.first, *counts = across.count, *offsets = across.offset;
    const Acc* weights = static_cast<const Acc*>(across.weights);
    for (i64 o = 0; o < out_size;) {
        const i64 end = o + block < out_size ? o + block : out_size;
        if constexpr (Channels == 1) {
            constexpr int N = part_of<Acc>;
            const i64 last = end - 1;
            const bool are_pairs = offsets[last] + counts[last] - offsets[o] == 2 * (end - o);
            const Acc* w = weights + offsets[o];
            for (; are_pairs && o + N <= end; o += N, w += 2 * N)
                store_vector<Acc, N>(dst + o, sparse_part<Acc>(row, firsts + o, w));
        }
        for (; o < end; ++o)
            for (i64 c = 0; c < channels; ++c)
                dst[o * channels + c] =
                    sparse_output<Acc>(row, firsts[o] * channels + c, channels, counts[o], weights + offsets[o]);
    }
}

template <int Channels, class Acc>
inline void sparse_rows(const char* src, i64 src_stride, const TapTable& down, i64 begin, i64 end, char* dst,
                        i64 dst_stride, i64 out_size, i64 channels, const TapTable& across) {
    const Acc* weights = static_cast<const Acc*>(down.weights);
    for (i64 o = begin; o < end; ++o, dst += dst_stride) {
        const char* top = src + down.first[o] * src_stride;
        const Acc* w = weights + down.offset[o];
        const SparseRow<Acc> row{
            reinterpret_cast<const Acc*>(top), reinterpret_cast<const Acc*>(top + src_stride), {w[0], w[1]}};
        sparse_row<Channels, Acc>(row, reinterpret_cast<Acc*>(dst), out_size, channels, across);
    }
}

template <class Acc>
void sparse(const void* src, i64 src_stride, const TapTable& down, i64 begin, i64 end, void* dst, i64 dst_stride,
            i64 out_size, i64 channels, const TapTable& across) {
    const char* from = static_cast<const char*>(src);
    char* to = static_cast<char*>(dst);
    const auto rows = [&](auto known) {
        sparse_rows<decltype(known)::value, Acc>(from, src_stride, down, begin, end, to, dst_stride, out_size, channels,
                                                 across);
    };
    switch (channels) {
        case 1:
            return rows(std::integral_constant<int, 1>{});
        case 3:
            return rows(std::integral_constant<int, 3>{});
        default:
            return rows(std::integral_constant<int, 0>{});
    }
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

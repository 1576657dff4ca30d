// Pass W: the input rows of a shrinking axis are read once, top to bottom, and each is added to every output row that
// is open there. Pass V would read (and convert) a row for each of the outputs it belongs to. Taps are added in the
// same order, so the bits are those of pass V.
#pragma once

#include "convert.inl.hpp"
#include "kernels.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

// One segment at columns [x, x + U vectors): K open outputs in registers.
template <bool Fused, class Src, class Acc, int K, int U>
inline void walk_columns(const char* row, i64 stride, const WalkSegment& s, const Acc* weights, Acc* const* sums,
                         i64 x) {
    constexpr int N = lanes_of<Acc>;
    Vec<Acc, N> acc[K][U];
    for (int k = 0; k < K; ++k)
        for (int u = 0; u < U; ++u)
            acc[k][u] = k < K - s.starting ? load_vector<Acc, N>(sums[k] + x + u * N) : broadcast<Acc, N>(Acc(-0.0));
    for (i64 r = 0; r < s.rows; ++r, row += stride, weights += s.open) {
        for (int u = 0; u < U; ++u) {
            const Vec<Acc, N> v = load_as<Src, Acc, N>(reinterpret_cast<const Src*>(row) + x + u * N);
            for (int k = 0; k < K; ++k) acc[k][u] = add_tap<Fused, Acc, N>(acc[k][u], v, broadcast<Acc, N>(weights[k]));
        }
    }
    for (int k = 0; k < K; ++k)
        for (int u = 0; u < U; ++u) store_vector<Acc, N>(sums[k] + x + u * N, acc[k][u]);
}

template <bool Fused, class Src, class Acc, int K>
inline void walk_rest(const char* row, i64 stride, const WalkSegment& s, const Acc* weights, Acc* const* sums, i64 x,
                      i64 n) {
    constexpr int N = lanes_of<Acc>;
    Vec<Acc, N> acc[K];
    for (int k = 0; k < K; ++k)
        acc[k] = k < K - s.starting ? load_some<Acc, Acc, N>(sums[k] + x, n) : broadcast<Acc, N>(Acc(-0.0));
    for (i64 r = 0; r < s.rows; ++r, row += stride, weights += s.open) {
        const Vec<Acc, N> v = load_some<Src, Acc, N>(reinterpret_cast<const Src*>(row) + x, n);
        for (int k = 0; k < K; ++k) acc[k] = add_tap<Fused, Acc, N>(acc[k], v, broadcast<Acc, N>(weights[k]));
    }
    for (int k = 0; k < K; ++k) store_some<Acc, Acc, N>(sums[k] + x, acc[k], n);
}

template <bool Fused, class Src, class Acc, int K>
inline void walk_segment(const char* row, i64 stride, const WalkSegment& s, const Acc* weights, Acc* const* sums, i64 x,
                         i64 end) {
    constexpr int N = lanes_of<Acc>;
    constexpr int U = vector_bytes >= 64 || K <= 2 ? 4 : 2;  // the sums fit the registers
    for (; x + U * N <= end; x += U * N) walk_columns<Fused, Src, Acc, K, U>(row, stride, s, weights, sums, x);
    for (; x + N <= end; x += N) walk_columns<Fused, Src, Acc, K, 1>(row, stride, s, weights, sums, x);
    if (x < end) walk_rest<Fused, Src, Acc, K>(row, stride, s, weights, sums, x, end - x);
}

// Brings the rows of a segment's columns closer while another one is worked on.
template <class Src>
inline void prefetch_rows(const char* row, i64 stride, i64 rows, i64 x, i64 end) {
    for (i64 r = 0; r < rows; ++r, row += stride)
        for (i64 at = x * i64(sizeof(Src)); at < end * i64(sizeof(Src)); at += 64) __builtin_prefetch(row + at);
}

template <bool Fused, class Src, class Acc>
void walk(const void* src, i64 src_stride, const WalkTable& table, void* const* outputs, i64 n) {
    constexpr i64 strip = 4096 / i64(sizeof(Acc));  // the sums of the open outputs stay in the L1 cache
    const Acc* weights = static_cast<const Acc*>(table.weights);
    for (i64 x = 0; x < n; x += strip) {
        const i64 end = x + strip < n ? x + strip : n;
        for (i64 i = 0; i < table.segments; ++i) {
            const WalkSegment& s = table.segment[i];
            const char* row = static_cast<const char*>(src) + s.row * src_stride;
            if (i + 1 < table.segments)
                prefetch_rows<Src>(row + s.rows * src_stride, src_stride, table.segment[i + 1].rows, x, end);
            Acc* sums[walk_most_open];
            for (i64 k = 0; k < s.open; ++k) sums[k] = static_cast<Acc*>(outputs[s.output + k]);
            const Acc* w = weights + s.weights;
            switch (s.open) {
                case 1:
                    walk_segment<Fused, Src, Acc, 1>(row, src_stride, s, w, sums, x, end);
                    break;
                case 2:
                    walk_segment<Fused, Src, Acc, 2>(row, src_stride, s, w, sums, x, end);
                    break;
                case 3:
                    walk_segment<Fused, Src, Acc, 3>(row, src_stride, s, w, sums, x, end);
                    break;
                case 4:
                    walk_segment<Fused, Src, Acc, 4>(row, src_stride, s, w, sums, x, end);
                    break;
                case 5:
                    walk_segment<Fused, Src, Acc, 5>(row, src_stride, s, w, sums, x, end);
                    break;
                default:
                    break;
            }
        }
    }
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

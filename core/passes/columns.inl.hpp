// Pass T: as many rows as a vector has lanes are transposed, so that a column is a vector; then any number of taps,
// anywhere, is pass V again. Pass S does few outputs without the detour.
#pragma once

#include "convert.inl.hpp"
#include "kernels.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

// One stage of a transposition: exchanges the off-diagonal halves of every 2S x 2S tile.
template <class T, int N, int S, int... I>
inline void swap_halves(Vec<T, N>& a, Vec<T, N>& b, std::integer_sequence<int, I...>) {
    using Index = Vec<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>, N>;
    constexpr Index low = {(I & S ? N + I - S : I)...}, high = {(I & S ? N + I : I + S)...};
    const Vec<T, N> x = __builtin_shuffle(a, b, low), y = __builtin_shuffle(a, b, high);
    a = x;
    b = y;
}

template <class T, int N, int S>
inline void transpose_stage(Vec<T, N>* v) {
    for (int i = 0; i < N; ++i)
        if (!(i & S)) swap_halves<T, N, S>(v[i], v[i + S], std::make_integer_sequence<int, N>{});
    if constexpr (S > 1) transpose_stage<T, N, S / 2>(v);
}

template <class T, int N>
inline void transpose_tile(Vec<T, N>* v) {
    if constexpr (N > 1) transpose_stage<T, N, N / 2>(v);
}

// rows of n elements -> n vectors; absent rows repeat the first one.
template <class Acc>
inline void transpose_in(const Acc* const* rows, i64 n, Acc* columns) {
    constexpr int N = lanes_of<Acc>;
    i64 x = 0;
    for (; x + N <= n; x += N) {
        Vec<Acc, N> tile[N];
        for (int r = 0; r < N; ++r) tile[r] = load_vector<Acc, N>(rows[r] + x);
        transpose_tile<Acc, N>(tile);
        for (int r = 0; r < N; ++r) store_vector<Acc, N>(columns + (x + r) * N, tile[r]);
    }
    for (; x < n; ++x)
        for (int r = 0; r < N; ++r) columns[x * N + r] = rows[r][x];
}

template <class Acc>
inline void transpose_out(const Acc* columns, i64 n, Acc* const* rows, i64 count) {
    constexpr int N = lanes_of<Acc>;
    i64 x = 0;
    for (; x + N <= n; x += N) {
        Vec<Acc, N> tile[N];
        for (int r = 0; r < N; ++r) tile[r] = load_vector<Acc, N>(columns + (x + r) * N);
        transpose_tile<Acc, N>(tile);
        for (int r = 0; r < count; ++r) store_vector<Acc, N>(rows[r] + x, tile[r]);
    }
    for (; x < n; ++x)
        for (int r = 0; r < count; ++r) rows[r][x] = columns[x * N + r];
}

// One output column from the columns of its taps.
template <class Acc>
inline Vec<Acc, lanes_of<Acc>> column_sum(const Acc* from, i64 step, const Acc* w, i64 taps, bool has_gaps) {
    constexpr int N = lanes_of<Acc>;
    if (taps == 0) return Vec<Acc, N>{};
    Vec<Acc, N> acc = load_vector<Acc, N>(from) * w[0];
    for (i64 t = 1; t < taps; ++t) {
        if (has_gaps && w[t] == Acc(0)) continue;
        acc = acc + load_vector<Acc, N>(from + t * step) * w[t];
    }
    return acc;
}

template <class Acc>
void columns(const void* const* src, void* const* dst, i64 rows, i64 in_size, i64 out_size, i64 channels,
             const TapTable& table, void* scratch) {
    constexpr int N = lanes_of<Acc>;
    Acc* in = static_cast<Acc*>(scratch);
    Acc* out = in + in_size * channels * N;
    const Acc* from[N];
    Acc* to[N];
    for (int r = 0; r < N; ++r) from[r] = static_cast<const Acc*>(src[r < rows ? r : 0]);
    for (i64 r = 0; r < rows; ++r) to[r] = static_cast<Acc*>(dst[r]);
    transpose_in<Acc>(from, in_size * channels, in);
    const Acc* weights = static_cast<const Acc*>(table.weights);
    const bool has_gaps = table.has_gaps;
    for (i64 o = 0; o < out_size; ++o)
        for (i64 c = 0; c < channels; ++c) {
            const Acc* column = in + (table.first[o] * channels + c) * N;
            const auto sum = column_sum<Acc>(column, channels * N, weights + table.offset[o], table.count[o], has_gaps);
            store_vector<Acc, N>(out + (o * channels + c) * N, sum);
        }
    transpose_out<Acc>(out, out_size * channels, to, rows);
}

template <class Acc>
void scalar(const void* src, void* dst, i64 out_size, i64 channels, const TapTable& table) {
    const Acc* weights = static_cast<const Acc*>(table.weights);
    Acc* to = static_cast<Acc*>(dst);
    for (i64 o = 0; o < out_size; ++o) {
        const Acc* w = weights + table.offset[o];
        const i64 taps = table.count[o];
        const Acc* from = static_cast<const Acc*>(src) + table.first[o] * channels;
        for (i64 c = 0; c < channels; ++c, ++to) {
            Acc acc = taps ? from[c] * w[0] : Acc(0);
            for (i64 t = 1; t < taps; ++t)
                if (w[t] != Acc(0)) acc = acc + from[t * channels + c] * w[t];
            *to = acc;
        }
    }
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

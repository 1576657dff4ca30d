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

// Calls tile(x) for starts that cover [0, n) in steps of N, the last one moved back to end at n; rest(x) where n < N.
template <int N, class Tile, class Rest>
inline void for_tiles(i64 n, const Tile& tile, const Rest& rest) {
    for (i64 x = 0; x + N <= n; x += N) tile(x);
    if (n % N == 0) return;
    if (n > N)
        tile(n - N);
    else
        for (i64 x = 0; x < n; ++x) rest(x);
}

// Elements [begin, begin + n) of N rows -> n vectors.
template <class Acc>
inline void transpose_in(const Acc* const* rows, i64 begin, i64 n, Acc* columns) {
    constexpr int N = lanes_of<Acc>;
    const auto tile = [=](i64 x) {
        Vec<Acc, N> v[N];
        for (int r = 0; r < N; ++r) v[r] = load_vector<Acc, N>(rows[r] + begin + x);
        transpose_tile<Acc, N>(v);
        for (int r = 0; r < N; ++r) store_vector<Acc, N>(columns + (x + r) * N, v[r]);
    };
    for_tiles<N>(n, tile, [=](i64 x) {
        for (int r = 0; r < N; ++r) columns[x * N + r] = rows[r][begin + x];
    });
}

// n vectors -> elements [begin, begin + n) of the first `count` rows.
template <class Acc>
inline void transpose_out(const Acc* columns, i64 begin, i64 n, Acc* const* rows, i64 count) {
    constexpr int N = lanes_of<Acc>;
    const auto tile = [=](i64 x) {
        Vec<Acc, N> v[N];
        for (int r = 0; r < N; ++r) v[r] = load_vector<Acc, N>(columns + (x + r) * N);
        transpose_tile<Acc, N>(v);
        for (i64 r = 0; r < count; ++r) store_vector<Acc, N>(rows[r] + begin + x, v[r]);
    };
    for_tiles<N>(n, tile, [=](i64 x) {
        for (i64 r = 0; r < count; ++r) rows[r][begin + x] = columns[x * N + r];
    });
}

// One output column from the columns of its taps.
template <bool Fused, class Acc>
inline Vec<Acc, lanes_of<Acc>> column_sum(const Acc* from, i64 step, const Acc* w, i64 taps, bool has_gaps) {
    constexpr int N = lanes_of<Acc>;
    if (taps == 0) return Vec<Acc, N>{};
    Vec<Acc, N> acc = load_vector<Acc, N>(from) * w[0];
    for (i64 t = 1; t < taps; ++t) {
        if (has_gaps && w[t] == Acc(0)) continue;
        acc = add_tap<Fused, Acc, N>(acc, load_vector<Acc, N>(from + t * step), broadcast<Acc, N>(w[t]));
    }
    return acc;
}

// Outputs [begin, end) whose taps lie in columns [lo, hi): as many as keep the transposed columns in the L1 cache.
struct ColumnGroup {
    i64 begin, end, lo, hi;
};

inline ColumnGroup next_group(const TapTable& table, i64 begin, i64 out_size, i64 most_columns) {
    ColumnGroup group{begin, begin, 0, 0};
    for (; group.end < out_size; ++group.end) {
        const i64 first = table.first[group.end], last = first + table.count[group.end];
        if (last == first) continue;
        const i64 lo = group.hi == 0 || first < group.lo ? first : group.lo, hi = last > group.hi ? last : group.hi;
        if (group.end > begin && hi - lo > most_columns) break;
        group.lo = lo;
        group.hi = hi;
    }
    return group;
}

template <bool Fused, class Acc>
void columns(const void* const* src, void* const* dst, i64 rows, i64 out_size, i64 channels, const TapTable& table,
             void* scratch) {
    constexpr int N = lanes_of<Acc>;
    const Acc* from[N];
    Acc* to[N];
    for (int r = 0; r < N; ++r) from[r] = static_cast<const Acc*>(src[r < rows ? r : 0]);
    for (i64 r = 0; r < rows; ++r) to[r] = static_cast<Acc*>(dst[r]);
    const Acc* weights = static_cast<const Acc*>(table.weights);
    const bool has_gaps = table.has_gaps;
    Acc* in = static_cast<Acc*>(scratch);
    const i64 most = column_group / channels > 0 ? column_group / channels : 1;
    for (i64 begin = 0; begin < out_size;) {
        const ColumnGroup group = next_group(table, begin, out_size, most);
        transpose_in<Acc>(from, group.lo * channels, (group.hi - group.lo) * channels, in);
        Acc* out = in + (group.hi - group.lo) * channels * N;
        for (i64 o = group.begin; o < group.end; ++o)
            for (i64 c = 0; c < channels; ++c) {
                const Acc* column = in + ((table.first[o] - group.lo) * channels + c) * N;
                const Acc* w = weights + table.offset[o];
                const auto sum = column_sum<Fused, Acc>(column, channels * N, w, table.count[o], has_gaps);
                store_vector<Acc, N>(out + ((o - group.begin) * channels + c) * N, sum);
            }
        transpose_out<Acc>(out, group.begin * channels, (group.end - group.begin) * channels, to, rows);
        begin = group.end;
    }
}

template <bool Fused, class Acc>
inline Acc scalar_sum(const Acc* from, i64 step, const Acc* w, i64 taps) {
    if (taps == 0) return Acc(0);
    Acc acc = *from * w[0];
    for (i64 t = 1; t < taps; ++t) {
        if (w[t] == Acc(0)) continue;
        if constexpr (Fused)
            acc = Acc(double(acc) + double(from[t * step]) * double(w[t]));  // exact but for the last rounding
        else
            acc = acc + from[t * step] * w[t];
    }
    return acc;
}

template <bool Fused, class Acc>
void scalar(const void* src, void* dst, i64 out_size, i64 channels, const TapTable& table) {
    const Acc* weights = static_cast<const Acc*>(table.weights);
    Acc* to = static_cast<Acc*>(dst);
    for (i64 o = 0; o < out_size; ++o) {
        const Acc* from = static_cast<const Acc*>(src) + table.first[o] * channels;
        for (i64 c = 0; c < channels; ++c, ++to)
            *to = scalar_sum<Fused, Acc>(from + c, channels, weights + table.offset[o], table.count[o]);
    }
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

// Pass T: as many rows as a vector has lanes are transposed, so that a column is a vector; then any number of taps,
// anywhere, is pass V again. Pass S does few outputs without the detour.
#pragma once

#include "convert.inl.hpp"
#include "kernels.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

// The parts at part(0), part(1), ... side by side: loads and inserts leave the shuffle port free.
template <class T, class Part>
inline Vec<T, lanes_of<T>> join_parts(const Part& part) {
#if HALFPIXEL_VECTOR_BYTES == 64
    const auto load = [&](int g) { return _mm_loadu_ps(reinterpret_cast<const float*>(part(g))); };
    __m512 v = _mm512_castps128_ps512(load(0));
    v = _mm512_insertf32x4(v, load(1), 1);
    v = _mm512_insertf32x4(v, load(2), 2);
    return (Vec<T, lanes_of<T>>)_mm512_insertf32x4(v, load(3), 3);
#elif HALFPIXEL_VECTOR_BYTES == 32
    const auto load = [&](int g) { return _mm_loadu_ps(reinterpret_cast<const float*>(part(g))); };
    return (Vec<T, lanes_of<T>>)_mm256_insertf128_ps(_mm256_castps128_ps256(load(0)), load(1), 1);
#else
    return load_vector<T, lanes_of<T>>(part(0));
#endif
}

// Exchanges the off-diagonal halves of the S x S corners of every 128-bit part.
template <class T, int S, int... I>
inline void swap_in_parts(Vec<T, lanes_of<T>>& a, Vec<T, lanes_of<T>>& b, std::integer_sequence<int, I...>) {
    constexpr int N = lanes_of<T>;
    using Index = Vec<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>, N>;
    constexpr Index low = {(I & S ? N + I - S : I)...}, high = {(I & S ? N + I : I + S)...};
    const Vec<T, N> x = __builtin_shuffle(a, b, low), y = __builtin_shuffle(a, b, high);
    a = x;
    b = y;
}

// Transposes the tile of N rows whose row r starts at row(r), into N vectors.
//
// Columns come in groups of one part. v[i] joins the parts of rows i, P + i, 2P + i, ...; transposing within the parts
// leaves row after row of one column in each vector.
template <class T, class Row>
inline void transpose_tile(const Row& row, Vec<T, lanes_of<T>>* columns) {
    constexpr int N = lanes_of<T>, P = part_of<T>;
    constexpr auto lanes = std::make_integer_sequence<int, N>{};
    for (int group = 0; group < N; group += P) {
        Vec<T, N>* v = columns + group;
        for (int i = 0; i < P; ++i) v[i] = join_parts<T>([&](int g) { return row(g * P + i) + group; });
        if constexpr (P == 4) {
            for (int i = 0; i < 2; ++i) swap_in_parts<T, 2>(v[i], v[i + 2], lanes);
            for (int i = 0; i < 4; i += 2) swap_in_parts<T, 1>(v[i], v[i + 1], lanes);
        } else {
            swap_in_parts<T, 1>(v[0], v[1], lanes);
        }
    }
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
        transpose_tile<Acc>([&](int r) { return rows[r] + begin + x; }, v);
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
        transpose_tile<Acc>([&](int r) { return columns + (x + r) * N; }, v);
        for (i64 r = 0; r < count; ++r) store_vector<Acc, N>(rows[r] + begin + x, v[r]);
    };
    for_tiles<N>(n, tile, [=](i64 x) {
        for (i64 r = 0; r < count; ++r) rows[r][begin + x] = columns[x * N + r];
    });
}

// C channels of neighbouring outputs from the columns of their taps. Many sums at a time hide each other's latency.
template <class Acc>
struct ColumnOutput {
    const Acc* from;
    const Acc* weights;
    i64 taps;
};

template <bool Fused, class Acc, int C>
struct ColumnSums {
    static constexpr int N = lanes_of<Acc>;
    Vec<Acc, N> of[C];

    explicit ColumnSums(const ColumnOutput<Acc>& output) {
        for (int c = 0; c < C; ++c)
            of[c] = output.taps ? load_vector<Acc, N>(output.from + c * N) * broadcast<Acc, N>(output.weights[0])
                                : Vec<Acc, N>{};
    }
    void add(const ColumnOutput<Acc>& output, i64 t, i64 step) {
        const Vec<Acc, N> w = broadcast<Acc, N>(output.weights[t]);
        for (int c = 0; c < C; ++c)
            of[c] = add_tap<Fused, Acc, N>(of[c], load_vector<Acc, N>(output.from + t * step + c * N), w);
    }
    void add_rest(const ColumnOutput<Acc>& output, i64 t, i64 step, bool has_gaps) {
        for (; t < output.taps; ++t)
            if (!has_gaps || output.weights[t] != Acc(0)) add(output, t, step);
    }
    void store(Acc* to) const {
        for (int c = 0; c < C; ++c) store_vector<Acc, N>(to + c * N, of[c]);
    }
};

// An index sequence, because the compiler would keep the sums in memory and not in registers if it had to count.
template <bool Fused, class Acc, int C, int... I>
inline void column_sums(const ColumnOutput<Acc>* outputs, i64 step, bool has_gaps, Acc* to,
                        std::integer_sequence<int, I...>) {
    const ColumnOutput<Acc> output[] = {outputs[I]...};
    ColumnSums<Fused, Acc, C> sums[] = {ColumnSums<Fused, Acc, C>(output[I])...};
    i64 t = 1;
    if (sizeof...(I) > 1 && !has_gaps)
        for (; ((t < output[I].taps) && ...); ++t) (sums[I].add(output[I], t, step), ...);
    (sums[I].add_rest(output[I], t, step, has_gaps), ...);
    (sums[I].store(to + I * step), ...);
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

// Channels [c, c + C) of a group's outputs, `Outputs` of them at a time.
template <bool Fused, class Acc, int C, int Outputs>
inline void channel_sums(const Acc* in, const ColumnGroup& group, i64 channels, i64 c, const TapTable& table,
                         Acc* out) {
    constexpr int N = lanes_of<Acc>;
    const i64 step = channels * N;
    const auto output_at = [&](i64 o) {
        return ColumnOutput<Acc>{in + (table.first[o] - group.lo) * step + c * N,
                                 static_cast<const Acc*>(table.weights) + table.offset[o], table.count[o]};
    };
    i64 o = group.begin;
    out += c * N;
    for (; o + Outputs <= group.end; o += Outputs, out += Outputs * step) {
        ColumnOutput<Acc> outputs[Outputs];
        for (int i = 0; i < Outputs; ++i) outputs[i] = output_at(o + i);
        column_sums<Fused, Acc, C>(outputs, step, table.has_gaps, out, std::make_integer_sequence<int, Outputs>{});
    }
    for (; o < group.end; ++o, out += step) {
        const ColumnOutput<Acc> output = output_at(o);
        column_sums<Fused, Acc, C>(&output, step, table.has_gaps, out, std::integer_sequence<int, 0>{});
    }
}

template <bool Fused, class Acc>
inline void group_sums(const Acc* in, const ColumnGroup& group, i64 channels, const TapTable& table, Acc* out) {
    i64 c = 0;
    for (; c + 4 <= channels; c += 4) channel_sums<Fused, Acc, 4, 1>(in, group, channels, c, table, out);
    switch (channels - c) {
        case 1:
            return channel_sums<Fused, Acc, 1, 4>(in, group, channels, c, table, out);
        case 2:
            return channel_sums<Fused, Acc, 2, 4>(in, group, channels, c, table, out);
        case 3:
            return channel_sums<Fused, Acc, 3, 2>(in, group, channels, c, table, out);
    }
}

template <bool Fused, class Acc>
void columns(const void* const* src, void* const* dst, i64 rows, i64 out_size, i64 channels, const TapTable& table,
             void* scratch) {
    constexpr int N = lanes_of<Acc>;
    const Acc* from[N];
    Acc* to[N];
    for (int r = 0; r < N; ++r) from[r] = static_cast<const Acc*>(src[r < rows ? r : 0]);
    for (i64 r = 0; r < rows; ++r) to[r] = static_cast<Acc*>(dst[r]);
    Acc* in = static_cast<Acc*>(scratch);
    const i64 most = column_group / channels > 0 ? column_group / channels : 1;
    for (i64 begin = 0; begin < out_size;) {
        const ColumnGroup group = next_group(table, begin, out_size, most);
        const i64 columns_in = (group.hi - group.lo) * channels;
        Acc* out = in + columns_in * N;
        transpose_in<Acc>(from, group.lo * channels, columns_in, in);
        group_sums<Fused, Acc>(in, group, channels, table, out);
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

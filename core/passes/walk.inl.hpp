// Pass W: the input rows of a shrinking axis are read and converted once, top to bottom, and each is added to every
// output row that is open there, whose sums stay in registers. Pass V would convert a row once for each of its outputs.
// Taps are added in the same order, so the bits are those of pass V.
#pragma once

#include "convert.inl.hpp"
#include "kernels.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

constexpr i64 walk_prefetch = 128;  // bytes ahead in each row: the columns after the next ones

template <class Acc, int Open, int Unroll>
struct WalkSums {
    Vec<Acc, lanes_of<Acc>> of[Open][Unroll];

    void clear(int open) {
        for (int u = 0; u < Unroll; ++u) of[open][u] = broadcast<Acc, lanes_of<Acc>>(Acc(-0.0));
    }
    void next_output() {
        for (int k = 0; k + 1 < Open; ++k)
            for (int u = 0; u < Unroll; ++u) of[k][u] = of[k + 1][u];
        clear(Open - 1);
    }
};

// `rows` rows that the first Takers open outputs take.
template <bool Fused, class Acc, int Takers, int Open, int Unroll, class Load>
inline void walk_rows(const char*& row, i64 stride, i64 rows, const Acc*& weights, const Load& load,
                      WalkSums<Acc, Open, Unroll>& sums) {
    constexpr int N = lanes_of<Acc>;
    for (; rows > 0; --rows, row += stride, weights += Takers) {
        for (int u = 0; u < Unroll; ++u) {
            const Vec<Acc, N> v = load(row, u);
            for (int k = 0; k < Takers; ++k)
                sums.of[k][u] = add_tap<Fused, Acc, N>(sums.of[k][u], v, broadcast<Acc, N>(weights[k]));
        }
    }
}

// Columns [x, x + Unroll vectors) of all outputs; load(row, u) is vector u of a row, store(output, u, sum) takes a
// result; carried(k, u) is vector u of open output k's sums. Returns the weights of the outputs behind.
template <bool Fused, class Acc, int Open, int Unroll, class Load, class Store, class Carried>
inline const Acc* walk_columns(const char* row, i64 stride, const WalkTable& table, const Load& load,
                               const Store& store, const Carried& carried) {
    const Acc* weights = static_cast<const Acc*>(table.weights);
    const i64* rows = table.rows;
    const i64 outputs = table.outputs, counts = table.open + 1;
    WalkSums<Acc, Open, Unroll> sums;
    for (int k = 0; k < Open; ++k) sums.clear(k);
    if (table.resumes)
        for (int k = 0; k + 1 < Open; ++k)
            for (int u = 0; u < Unroll; ++u) sums.of[k][u] = load_vector<Acc, lanes_of<Acc>>(carried(k, u));
    for (i64 o = 0; o < outputs; ++o, rows += counts) {
        if constexpr (Open > walk_whole_open) {
            row += rows[0] * stride;
            walk_rows<Fused, Acc, 1, Open, Unroll>(row, stride, rows[1], weights, load, sums);
        }
        walk_rows<Fused, Acc, 2, Open, Unroll>(row, stride, rows[2], weights, load, sums);
        if constexpr (Open >= 3) walk_rows<Fused, Acc, 3, Open, Unroll>(row, stride, rows[3], weights, load, sums);
        if constexpr (Open >= 4) walk_rows<Fused, Acc, 4, Open, Unroll>(row, stride, rows[4], weights, load, sums);
        if constexpr (Open >= 5) walk_rows<Fused, Acc, 5, Open, Unroll>(row, stride, rows[5], weights, load, sums);
        for (int u = 0; u < Unroll; ++u) store(o, u, sums.of[0][u]);
        sums.next_output();
    }
    if (table.carry)
        for (int k = 0; k + 1 < Open; ++k)
            for (int u = 0; u < Unroll; ++u) store_vector<Acc, lanes_of<Acc>>(carried(k, u), sums.of[k][u]);
    return weights;
}

// Vectors of a strip: the sums fit the registers.
constexpr int walk_unroll(int open) { return vector_bytes >= 64 ? (open <= 2 ? 8 : 4) : (open <= 2 ? 4 : 2); }

template <bool Fused, class Src, class Acc, int Open>
inline void walk_all(const char* row, i64 stride, const WalkTable& table, void* const* outputs, i64 n) {
    constexpr int N = lanes_of<Acc>, Unroll = walk_unroll(Open);
    i64 x = 0;
    const auto load = [&](const char* from, int u) {
        const Src* at = reinterpret_cast<const Src*>(from) + x + u * N;
        if (u * N * i64(sizeof(Src)) % 64 == 0) __builtin_prefetch(reinterpret_cast<const char*>(at) + walk_prefetch);
        return load_as<Src, Acc, N>(at);
    };
    const auto store = [&](i64 o, int u, Vec<Acc, N> sum) {
        store_vector<Acc, N>(static_cast<Acc*>(outputs[o]) + x + u * N, sum);
    };
    const auto carried = [&](int k, int u) {
        return reinterpret_cast<Acc*>(static_cast<char*>(table.carry) + k * table.carry_stride) + x + u * N;
    };
    for (; x + Unroll * N <= n; x += Unroll * N)
        walk_columns<Fused, Acc, Open, Unroll>(row, stride, table, load, store, carried);
    for (; x + N <= n; x += N) walk_columns<Fused, Acc, Open, 1>(row, stride, table, load, store, carried);
    if (x == n) return;
    const auto load_rest = [&](const char* from, int) {
        return load_some<Src, Acc, N>(reinterpret_cast<const Src*>(from) + x, n - x);
    };
    const auto store_rest = [&](i64 o, int, Vec<Acc, N> sum) {
        store_some<Acc, Acc, N>(static_cast<Acc*>(outputs[o]) + x, sum, n - x);
    };
    walk_columns<Fused, Acc, Open, 1>(row, stride, table, load_rest, store_rest, carried);
}

template <bool Fused, class Src, class Acc>
void walk(const void* src, i64 src_stride, const WalkTable& table, void* const* outputs, i64 n) {
    const char* row = static_cast<const char*>(src) + table.first_row * src_stride;
    switch (table.open) {
        case 2:
            return walk_all<Fused, Src, Acc, 2>(row, src_stride, table, outputs, n);
        case 3:
            return walk_all<Fused, Src, Acc, 3>(row, src_stride, table, outputs, n);
        case 4:
            return walk_all<Fused, Src, Acc, 4>(row, src_stride, table, outputs, n);
        default:
            return walk_all<Fused, Src, Acc, 5>(row, src_stride, table, outputs, n);
    }
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

// Pass W: the input rows of a shrinking axis are read and converted once, top to bottom, and each is added to every
// output row that is open there, whose sums stay in registers. Pass V would convert a row once for each of its outputs.
// Taps are added in the same order, so the bits are those of pass V.
//
// All open outputs take every row, with weight 0 before their first one: integers only, where 0 * x is 0.
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

// Columns [x, x + Unroll vectors) of all outputs; load(row, u) is vector u of a row, store(output, u, sum) takes a
// result.
template <bool Fused, class Acc, int Open, int Unroll, class Load, class Store>
inline void walk_columns(const char* row, i64 stride, const WalkTable& table, const Load& load, const Store& store) {
    constexpr int N = lanes_of<Acc>;
    const Acc* weights = static_cast<const Acc*>(table.weights);
    const i64* rows = table.rows;
    WalkSums<Acc, Open, Unroll> sums;
    for (int k = 0; k < Open; ++k) sums.clear(k);
    for (i64 o = 0; o < table.outputs; ++o) {
        for (i64 r = rows[o]; r > 0; --r, row += stride, weights += Open) {
            for (int u = 0; u < Unroll; ++u) {
                const Vec<Acc, N> v = load(row, u);
                for (int k = 0; k < Open; ++k)
                    sums.of[k][u] = add_tap<Fused, Acc, N>(sums.of[k][u], v, broadcast<Acc, N>(weights[k]));
            }
        }
        for (int u = 0; u < Unroll; ++u) store(o, u, sums.of[0][u]);
        sums.next_output();
    }
}

template <bool Fused, class Src, class Acc, int Open>
inline void walk_all(const char* row, i64 stride, const WalkTable& table, void* const* outputs, i64 n) {
    constexpr int N = lanes_of<Acc>;
    constexpr int Unroll =
        vector_bytes >= 64 ? (Open <= 2 ? 8 : 4) : (Open <= 2 ? 4 : 2);  // the sums fit the registers
    i64 x = 0;
    const auto load = [&](const char* from, int u) {
        const Src* at = reinterpret_cast<const Src*>(from) + x + u * N;
        if (u * N * i64(sizeof(Src)) % 64 == 0) __builtin_prefetch(reinterpret_cast<const char*>(at) + walk_prefetch);
        return load_as<Src, Acc, N>(at);
    };
    const auto store = [&](i64 o, int u, Vec<Acc, N> sum) {
        store_vector<Acc, N>(static_cast<Acc*>(outputs[o]) + x + u * N, sum);
    };
    for (; x + Unroll * N <= n; x += Unroll * N)
        walk_columns<Fused, Acc, Open, Unroll>(row, stride, table, load, store);
    for (; x + N <= n; x += N) walk_columns<Fused, Acc, Open, 1>(row, stride, table, load, store);
    if (x == n) return;
    const auto load_rest = [&](const char* from, int) {
        return load_some<Src, Acc, N>(reinterpret_cast<const Src*>(from) + x, n - x);
    };
    const auto store_rest = [&](i64 o, int, Vec<Acc, N> sum) {
        store_some<Acc, Acc, N>(static_cast<Acc*>(outputs[o]) + x, sum, n - x);
    };
    walk_columns<Fused, Acc, Open, 1>(row, stride, table, load_rest, store_rest);
}

template <bool Fused, class Src, class Acc>
void walk(const void* src, i64 src_stride, const WalkTable& table, void* const* outputs, i64 n) {
    const char* row = static_cast<const char*>(src) + table.first_row * src_stride;
    switch (table.open) {
        case 1:
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

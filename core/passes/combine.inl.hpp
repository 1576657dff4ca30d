// Pass V: an output row is a weighted sum of input rows. Lanes are outputs and taps are added in table order, so the
// bits depend neither on the vector width nor on how a row is cut.
#pragma once

#include "convert.inl.hpp"
#include "kernels.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

// Elements behind an address aligned to a piece, up to one aligned to a vector of results. A short row is better stored
// in pieces than begun so.
template <class Dst, int N>
inline i64 pieces_before_vectors(const Dst* dst, i64 n) {
    constexpr i64 long_row = 4096;  // bytes
    constexpr int bytes = N * int(sizeof(Dst));
    if constexpr (bytes <= piece_bytes) return 0;
    return n * i64(sizeof(Dst)) < long_row ? 0 : streaming_head<bytes>(dst, n);
}

template <class Dst, class Acc, int Unroll, bool Stream>
inline void store_results(Dst* dst, const Vec<Acc, lanes_of<Acc>>* acc) {
    constexpr int N = lanes_of<Acc>;
    using Raw = typename Carrier<Dst>::type;
    if constexpr (Unroll == 4 && narrows_four<Dst, Acc>) {
        narrow_four<Dst>(acc, [=](i64 at, Vec<Dst, lanes_of<Dst>> v) {
            if constexpr (Stream)
                stream_vector<Dst, lanes_of<Dst>>(dst + at, v);
            else
                store_vector<Dst, lanes_of<Dst>>(dst + at, v);
        });
    } else {
        for (int u = 0; u < Unroll; ++u) {
            if constexpr (Stream)
                stream_vector<Raw, N>(reinterpret_cast<Raw*>(dst + u * N), Convert<Dst, Acc, N>::narrow(acc[u]));
            else
                store_as<Dst, Acc, N>(dst + u * N, acc[u]);
        }
    }
}

// The sum over taps for `Unroll` vectors at column x; row(t) is the start of tap t's row.
template <bool Fused, class Src, class Dst, class Acc, int Unroll, bool Stream, class Row>
inline void combine_at(const Row& row, const Acc* weights, i64 taps, i64 ahead, Dst* dst, i64 x) {
    constexpr int N = lanes_of<Acc>;
    for (i64 t = taps; t < taps + ahead; ++t)
        for (int at = 0; at < Unroll * N; at += line_bytes / int(sizeof(Src))) __builtin_prefetch(row(t) + x + at);
    Vec<Acc, N> acc[Unroll];
    const Src* r = row(0) + x;
    for (int u = 0; u < Unroll; ++u) acc[u] = load_as<Src, Acc, N>(r + u * N) * weights[0];
    for (i64 t = 1; t < taps; ++t) {
        r = row(t) + x;
        const Vec<Acc, N> w = broadcast<Acc, N>(weights[t]);
        for (int u = 0; u < Unroll; ++u) acc[u] = add_tap<Fused, Acc, N>(acc[u], load_as<Src, Acc, N>(r + u * N), w);
    }
    store_results<Dst, Acc, Unroll, Stream>(dst + x, acc);
}

template <bool Fused, class Src, class Dst, class Acc, bool Stream, class Row>
inline void combine_rest(const Row& row, const Acc* weights, i64 taps, Dst* dst, i64 x, i64 n) {
    constexpr int N = lanes_of<Acc>;
    Vec<Acc, N> acc = load_some<Src, Acc, N>(row(0) + x, n) * weights[0];
    for (i64 t = 1; t < taps; ++t)
        acc = add_tap<Fused, Acc, N>(acc, load_some<Src, Acc, N>(row(t) + x, n), broadcast<Acc, N>(weights[t]));
    using Raw = typename Carrier<Dst>::type;
    if constexpr (Stream)
        stream_some<Raw, N>(reinterpret_cast<Raw*>(dst + x), Convert<Dst, Acc, N>::narrow(acc), n);
    else
        store_some<Dst, Acc, N>(dst + x, acc, n);
}

// Fewer than four vectors of accumulators, whose results fill no vector each: stored past the caches from a buffer.
template <bool Fused, class Src, class Dst, class Acc, class Row>
inline void combine_pieces(const Row& row, const Acc* weights, i64 taps, Dst* dst, i64 x, i64 n) {
    constexpr int N = lanes_of<Acc>;
    Dst buffer[4 * N];
    const auto row_at = [&](i64 t) { return row(t) + x; };
    for (i64 at = 0; at < n; at += N)
        combine_rest<Fused, Src, Dst, Acc, false>(row_at, weights, taps, buffer, at, n - at < N ? n - at : N);
    stream_row<Dst>(dst + x, buffer, n);
}

template <class Dst, class Acc>
inline void combine_nothing(Dst* dst, i64 n) {
    constexpr int N = lanes_of<Acc>;
    i64 x = 0;
    for (; x + N <= n; x += N) store_as<Dst, Acc, N>(dst + x, Vec<Acc, N>{});
    if (x < n) store_some<Dst, Acc, N>(dst + x, Vec<Acc, N>{}, n - x);
}

template <bool Fused, class Src, class Dst, class Acc, bool Stream, class Row>
inline void combine_row(const Row& row, const Acc* weights, i64 taps, i64 ahead, Dst* dst, i64 n) {
    constexpr int N = lanes_of<Acc>;
    if (taps == 0) return combine_nothing<Dst, Acc>(dst, n);
    i64 x = 0;
    if constexpr (Stream) {
        x = streaming_head<piece_bytes>(dst, n);
        for (i64 at = 0; at < x; at += N)  // a head can be longer than a vector of narrow elements
            combine_rest<Fused, Src, Dst, Acc, false>(row, weights, taps, dst, at, x - at < N ? x - at : N);
        if constexpr (narrows_four<Dst, Acc>) {
            const i64 pieces = pieces_before_vectors<Dst, lanes_of<Dst>>(dst + x, n - x);
            combine_pieces<Fused, Src, Dst, Acc>(row, weights, taps, dst, x, pieces);
            x += pieces;
        } else {
            const i64 pieces = pieces_before_vectors<Dst, N>(dst + x, n - x);
            if (pieces) combine_rest<Fused, Src, Dst, Acc, true>(row, weights, taps, dst, x, pieces);
            x += pieces;
        }
    }
    for (; x + 4 * N <= n; x += 4 * N) combine_at<Fused, Src, Dst, Acc, 4, Stream>(row, weights, taps, ahead, dst, x);
    if constexpr (Stream && narrows_four<Dst, Acc>)
        return combine_pieces<Fused, Src, Dst, Acc>(row, weights, taps, dst, x, n - x);
    for (; x + N <= n; x += N) combine_at<Fused, Src, Dst, Acc, 1, Stream>(row, weights, taps, 0, dst, x);
    if (x == n) return;
    if (!Stream && n >= N && !std::is_same_v<Src, Dst>)
        combine_at<Fused, Src, Dst, Acc, 1, false>(row, weights, taps, 0, dst, n - N);
    else
        combine_rest<Fused, Src, Dst, Acc, Stream>(row, weights, taps, dst, x, n - x);
}

template <bool Fused, class Src, class Dst, class Acc>
void combine(const void* const* rows, const void* weights, i64 taps, i64 ahead, void* dst, i64 n, bool stream) {
    const auto row = [rows](i64 t) { return static_cast<const Src*>(rows[t]); };
    const Acc* w = static_cast<const Acc*>(weights);
    if (stream)
        combine_row<Fused, Src, Dst, Acc, true>(row, w, taps, ahead, static_cast<Dst*>(dst), n);
    else
        combine_row<Fused, Src, Dst, Acc, false>(row, w, taps, ahead, static_cast<Dst*>(dst), n);
}

// Of an output that takes `count` rows from `first` on, those that follow row `end` without a gap.
inline i64 rows_ahead(i64 end, i64 first, i64 count) {
    return first <= end && first + count > end ? first + count - end : 0;
}

template <class Dst, class Acc, bool Stream, class Row>
inline void combine_two_rows(const Row& row, const Acc* weights, const Acc* weights2, i64 taps, Dst* dst, Dst* dst2,
                             i64 n) {
    constexpr int N = lanes_of<Acc>;
    const auto ends = [&](i64 x, i64 count) {
        const auto row_at = [&](i64 t) { return row(t) + x; };
        combine_row<false, Acc, Dst, Acc, Stream>(row_at, weights, taps, 0, dst + x, count);
        combine_row<false, Acc, Dst, Acc, Stream>(row_at, weights2, taps, 0, dst2 + x, count);
    };
    i64 x = 0;
    if constexpr (Stream) x = streaming_head<vector_bytes>(dst, n);
    if (x > 0) ends(0, x);
    for (; x + 4 * N <= n; x += 4 * N) {
        Vec<Acc, N> acc[4], acc2[4];
        for (int u = 0; u < 4; ++u) {
            const Vec<Acc, N> v = load_vector<Acc, N>(row(0) + x + u * N);
            acc[u] = v * weights[0];
            acc2[u] = v * weights2[0];
        }
        for (i64 t = 1; t < taps; ++t) {
            const Vec<Acc, N> w = broadcast<Acc, N>(weights[t]), w2 = broadcast<Acc, N>(weights2[t]);
            for (int u = 0; u < 4; ++u) {
                const Vec<Acc, N> v = load_vector<Acc, N>(row(t) + x + u * N);
                acc[u] = acc[u] + v * w;
                acc2[u] = acc2[u] + v * w2;
            }
        }
        store_results<Dst, Acc, 4, Stream>(dst + x, acc);
        store_results<Dst, Acc, 4, Stream>(dst2 + x, acc2);
    }
    if (x < n) ends(x, n - x);
}

template <class Dst, class Acc>
void combine_two(const void* const* rows, const void* weights, const void* weights2, i64 taps, void* dst, void* dst2,
                 i64 n, bool stream) {
    const auto from = [rows](i64 t) { return static_cast<const Acc*>(rows[t]); };
    const Acc *w = static_cast<const Acc*>(weights), *w2 = static_cast<const Acc*>(weights2);
    Dst *to = static_cast<Dst*>(dst), *to2 = static_cast<Dst*>(dst2);
    if (stream)
        combine_two_rows<Dst, Acc, true>(from, w, w2, taps, to, to2, n);
    else
        combine_two_rows<Dst, Acc, false>(from, w, w2, taps, to, to2, n);
}

template <bool Fused, class Src, class Dst, class Acc>
void combine_axis(const void* src, i64 src_stride, const TapTable& table, i64 begin, i64 end, void* dst, i64 dst_stride,
                  i64 n, bool stream) {
    // Copies, or the compiler reads the table again after every store.
    const i64 *first = table.first, *count = table.count, *offset = table.offset;
    const Acc* weights = static_cast<const Acc*>(table.weights);
    for (i64 o = begin; o < end; ++o) {
        const char* base = static_cast<const char*>(src) + first[o] * src_stride;
        Dst* to = reinterpret_cast<Dst*>(static_cast<char*>(dst) + (o - begin) * dst_stride);
        const auto row = [=](i64 t) { return reinterpret_cast<const Src*>(base + t * src_stride); };
        const i64 ahead = o + 1 < end ? rows_ahead(first[o] + count[o], first[o + 1], count[o + 1]) : 0;
        if (stream)
            combine_row<Fused, Src, Dst, Acc, true>(row, weights + offset[o], count[o], ahead, to, n);
        else
            combine_row<Fused, Src, Dst, Acc, false>(row, weights + offset[o], count[o], ahead, to, n);
    }
}

template <class Src, class Dst, class Acc>
void convert_row(const void* src, void* dst, i64 n, bool stream) {
    constexpr int N = lanes_of<Acc>;
    using Raw = typename Carrier<Dst>::type;
    const Src* from = static_cast<const Src*>(src);
    Dst* to = static_cast<Dst*>(dst);
    i64 x = 0;
    const auto narrow = [](const Src* at) { return Convert<Dst, Acc, N>::narrow(load_as<Src, Acc, N>(at)); };
    Raw* raw = reinterpret_cast<Raw*>(to);
    const auto some = [=](i64 at, i64 count) {
        store_some<Dst, Acc, N>(to + at, load_some<Src, Acc, N>(from + at, count), count);
    };
    const auto stream_rest = [=](i64 at, i64 count) {
        stream_some<Raw, N>(raw + at, Convert<Dst, Acc, N>::narrow(load_some<Src, Acc, N>(from + at, count)), count);
    };
    if (stream) {
        x = streaming_head<piece_bytes>(to, n);
        for (i64 at = 0; at < x; at += N) some(at, x - at < N ? x - at : N);
        const i64 pieces = pieces_before_vectors<Dst, N>(to + x, n - x);
        if (pieces) stream_rest(x, pieces);
        x += pieces;
        for (; x + N <= n; x += N) stream_vector<Raw, N>(raw + x, narrow(from + x));
        if (x < n) stream_rest(x, n - x);
        return;
    }
    if constexpr (std::is_same_v<Src, Acc> && narrows_four<Dst, Acc>) {
        for (; x + 4 * N <= n; x += 4 * N) {
            Vec<Acc, N> v[4];
            for (int u = 0; u < 4; ++u) v[u] = load_vector<Acc, N>(from + x + u * N);
            narrow_four<Dst>(v, [=](i64 at, Vec<Dst, lanes_of<Dst>> narrowed) {
                store_vector<Dst, lanes_of<Dst>>(to + x + at, narrowed);
            });
        }
    }
    for (; x + N <= n; x += N) store_vector<Raw, N>(raw + x, narrow(from + x));
    if (x < n) some(x, n - x);
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

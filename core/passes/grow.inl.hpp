// Pass FP: two growing axes at once, a strip of columns after the other. The strip's input rows go through pass P into
// a buffer that stays in the L1 cache, and pass V combines them from there. Index and weights of a block of outputs
// stay in registers over all rows, and a short row costs no call of its own. The bits are those of P, then V.
#pragma once

#include "combine.inl.hpp"
#include "permute.inl.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

// Block b of `rows` rows: row r from src + r * src_stride bytes to dst + r * dst_length elements. What lies `ahead`
// bytes further is fetched meanwhile. Taps: of the table, 0: any.
template <class E, class Acc, bool Wide, int Taps>
inline void permute_column(const char* src, i64 src_stride, i64 rows, const PermuteTable& table, i64 b, i64 ahead,
                           Acc* dst, i64 dst_length) {
    constexpr int N = lanes_of<Acc>;
    const i64 p = table.pattern[b], taps = Taps ? Taps : table.taps, step = table.step;
    const Permutation<E, Acc, Wide> permutation(table.index + p * N);
    const Acc* weights = static_cast<const Acc*>(table.weights) + p * taps * N;
    src += table.window[b] * i64(sizeof(E));
    if (table.kind[p] == BlockKind::masked) {
        const Vec<Acc, N> initial = load_vector<Acc, N>(static_cast<const Acc*>(table.initial) + p * N);
        for (i64 r = 0; r < rows; ++r, src += src_stride, dst += dst_length) {
            const E* from = reinterpret_cast<const E*>(src);
            __builtin_prefetch(src + ahead);
            Vec<Acc, N> acc = initial;
            for (i64 t = 0; t < taps; ++t) {
                const Vec<Acc, N> w = load_vector<Acc, N>(weights + t * N);
                const Vec<Acc, N> sum = acc + permutation.of(from + t * step) * w;
                acc = w != Acc(0) ? sum : acc;
            }
            store_vector<Acc, N>(dst, acc);
        }
        return;
    }
    for (i64 r = 0; r < rows; ++r, src += src_stride, dst += dst_length) {
        const E* from = reinterpret_cast<const E*>(src);
        __builtin_prefetch(src + ahead);
        Vec<Acc, N> acc = load_vector<Acc, N>(weights) * permutation.of(from);
        for (i64 t = 1; t < taps; ++t)
            acc = acc + permutation.of(from + t * step) * load_vector<Acc, N>(weights + t * N);
        store_vector<Acc, N>(dst, acc);
    }
}

// Where a strip of input rows lies, and where its blocks go: the one at element `left` of a row to `buffer`.
template <class Acc>
struct GrowStrip {
    const char* rows;
    i64 stride, count;  // of rows
    Acc* buffer;
    i64 left, width;
};

// Blocks [begin, end) of all rows, `ahead` as above: a run of like blocks goes row by row, so that lines of input rows
// that take each other's place in the cache need not stay, and what is no run block by block.
template <class E, class Acc, bool Wide, int Taps>
inline void permute_strip(const GrowStrip<Acc>& strip, const PermuteTable& table, i64 begin, i64 end, i64 ahead) {
    constexpr int N = lanes_of<Acc>;
    const i64* window = table.window;
    for (i64 b = begin; b < end; ++b) {
        const i64 like = table.has_runs ? end_of_run(table, b) : b, stop = like < end ? like : end;
        if (stop - b > 1) {
            const i64 read = (window[stop - 1] - window[b] + N) * i64(sizeof(E));
            const auto row = [&](i64 r) {
                const char* src = strip.rows + r * strip.stride;
                for (i64 at = 0; at < read; at += line_bytes)
                    __builtin_prefetch(src + window[b] * i64(sizeof(E)) + ahead + at);
                return reinterpret_cast<const E*>(src);
            };
            const auto place = [&](i64 r) { return strip.buffer + r * strip.width + b * N - strip.left; };
            permute_run<false, E, Acc, Wide, Taps>(row, place, strip.count, table, b, stop);
            b = stop;
            if (b == end) return;
        }
        const i64 at = b + 1 < table.blocks ? b * N : table.length - N;
        permute_column<E, Acc, Wide, Taps>(strip.rows, strip.stride, strip.count, table, b, ahead,
                                           strip.buffer + at - strip.left, strip.width);
    }
}

template <class E, class Acc, bool Wide>
inline void permute_strip_of(const GrowStrip<Acc>& strip, const PermuteTable& table, i64 begin, i64 end, i64 ahead) {
    switch (table.taps) {
        case 2:
            return permute_strip<E, Acc, Wide, 2>(strip, table, begin, end, ahead);
        case 4:
            return permute_strip<E, Acc, Wide, 4>(strip, table, begin, end, ahead);
        default:
            return permute_strip<E, Acc, Wide, 0>(strip, table, begin, end, ahead);
    }
}

// Outputs from some begin to `end`, whose input rows fit the buffer.
struct GrowRange {
    i64 end;
    i64 first_row, rows;
};

inline GrowRange grow_range(const TapTable& down, i64 begin, i64 end) {
    const i64 *first = down.first, *count = down.count;
    i64 low = first[begin], high = low + count[begin], stop = begin + 1;
    for (; stop < end; ++stop) {
        const i64 lower = first[stop] < low ? first[stop] : low;
        const i64 higher = first[stop] + count[stop] > high ? first[stop] + count[stop] : high;
        if (higher - lower > grow_rows) break;
        low = lower;
        high = higher;
    }
    return {stop, low, high - low};
}

template <class E, class Acc, bool Stream>
inline void grow_outputs(const void* src, i64 src_stride, const TapTable& down, i64 begin, i64 end, void* dst,
                         i64 dst_stride, const PermuteTable& across, void* scratch) {
    constexpr int N = lanes_of<Acc>;
    constexpr i64 strip = grow_strip_bytes / vector_bytes;  // blocks
    Acc* buffer = static_cast<Acc*>(scratch);
    const Acc* weights = static_cast<const Acc*>(down.weights);
    const i64* window = across.window;
    const i64 blocks = across.blocks, length = across.length;
    const auto at = [=](i64 b) { return b + 1 < blocks ? b * N : length - N; };
    // Short rows stored past the caches must follow each other: two of them share a line.
    const bool by_two = !Stream && go_together(dst_stride, false);
    for (i64 from = begin; from < end;) {
        const GrowRange range = grow_range(down, from, end);
        const char* rows = static_cast<const char*>(src) + range.first_row * src_stride;
        for (i64 b0 = 0; b0 < blocks; b0 += strip) {
            const i64 b1 = b0 + strip < blocks ? b0 + strip : blocks;
            const i64 left = at(b0), width = at(b1 - 1) + N - left;
            // The next strip, or the first one of the rows behind these, which may be those of the next plane.
            const i64 ahead = b1 < blocks ? (window[b1] - window[b0]) * i64(sizeof(E))
                                          : (window[0] - window[b0]) * i64(sizeof(E)) + range.rows * src_stride;
            const GrowStrip<Acc> part{rows, src_stride, range.rows, buffer, left, width};
            if (across.wide)
                permute_strip_of<E, Acc, true>(part, across, b0, b1, ahead);
            else
                permute_strip_of<E, Acc, false>(part, across, b0, b1, ahead);
            for (i64 o = from; o < range.end; ++o) {
                const Acc* base = buffer + (down.first[o] - range.first_row) * width;
                const auto row = [=](i64 t) { return base + t * width; };
                E* out = reinterpret_cast<E*>(static_cast<char*>(dst) + (o - begin) * dst_stride) + left;
                if (by_two && o + 1 < range.end && share_taps(down, o)) {
                    E* below = reinterpret_cast<E*>(reinterpret_cast<char*>(out) + dst_stride);
                    combine_two_rows<E, Acc, Stream>(row, weights + down.offset[o], weights + down.offset[o + 1],
                                                     down.count[o], out, below, width);
                    ++o;
                    continue;
                }
                combine_row<false, Acc, E, Acc, Stream>(row, weights + down.offset[o], down.count[o], 0, out, width);
            }
        }
        from = range.end;
    }
}

template <class E, class Acc>
void grow(const void* src, i64 src_stride, const TapTable& down, i64 begin, i64 end, void* dst, i64 dst_stride,
          const PermuteTable& across, void* scratch, bool stream) {
    if (stream)
        grow_outputs<E, Acc, true>(src, src_stride, down, begin, end, dst, dst_stride, across, scratch);
    else
        grow_outputs<E, Acc, false>(src, src_stride, down, begin, end, dst, dst_stride, across, scratch);
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

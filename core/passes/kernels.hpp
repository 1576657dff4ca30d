// The table of passes that each instruction set fills in. The engine calls through it and knows no vector width.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tables.hpp"

namespace halfpixel {

enum class Element {
    bool8,
    uint8,
    int8,
    uint16,
    int16,
    uint32,
    int32,
    uint64,
    int64,
    float16,
    bfloat16,
    float32,
    float64
};

// Pass V for one output row: dst = sum over t < taps of weights[t] * rows[t], n elements. The `ahead` rows behind those
// are read next: they are fetched into the caches meanwhile. stream: past the caches.
using CombineFn = void (*)(const void* const* rows, const void* weights, i64 taps, i64 ahead, void* dst, i64 n,
                           bool stream);

// Pass V for two output rows from the same rows of accumulators, one tap or more. To stream, they lie a multiple of 64
// bytes apart.
using CombineTwoFn = void (*)(const void* const* rows, const void* weights, const void* weights2, i64 taps, void* dst,
                              void* dst2, i64 n, bool stream);

// Whether an output and the one behind it take the same samples, one at least.
inline bool share_taps(const TapTable& table, i64 output) {
    return table.count[output] > 0 && table.first[output] == table.first[output + 1] &&
           table.count[output] == table.count[output + 1];
}

// Whether two rows that far apart are well written in turns: not where both take turns in the same lines of a cache.
inline bool go_together(i64 apart, bool stream) {
    constexpr i64 alias_bytes = 4096;  // between addresses that the first-level cache takes for each other
    return apart % alias_bytes != 0 && (!stream || apart % line_bytes == 0);
}

// Pass V for outputs [begin, end) of an axis of rows: row i of src at src + i * src_stride (bytes).
using CombineAxisFn = void (*)(const void* src, i64 src_stride, const TapTable& table, i64 begin, i64 end, void* dst,
                               i64 dst_stride, i64 n, bool stream);

// Pass W: sums of n elements of input rows; outputs[i] receives output row i of the walk, as accumulators.
using WalkFn = void (*)(const void* src, i64 src_stride, const WalkTable& table, void* const* outputs, i64 n);

// Pass WW: a walk of up to `lanes` outputs down the rows, and one of all outputs across what it leaves: in_length
// elements of a row, `channels` to a column. outputs[i], `lanes` of them, receives row i as accumulators, and up to a
// part behind it.
// scratch: shrink_scratch accumulators; most_step: the columns between the ends of two outputs.
using ShrinkFn = void (*)(const void* src, i64 src_stride, const WalkTable& down, const WalkTable& across,
                          i64 in_length, i64 channels, i64 most_step, void* const* outputs, void* scratch);

// Pass P for `rows` rows at once; every row holds at least the elements that the blocks' windows reach.
using PermuteFn = void (*)(const void* const* src, void* const* dst, i64 rows, const PermuteTable& table);

// Pass P of bytes by integer sums, which have its bits.
using ByteSumsFn = void (*)(const void* const* src, void* const* dst, i64 rows, const ByteSumTable& table);

// Pass FP: outputs [begin, end) of a growing axis of rows that grow too, elements on both sides. No output has more
// than grow_rows taps; every row holds at least a vector of outputs and what the blocks' windows reach. scratch:
// grow_rows x grow_strip_bytes. stream: past the caches.
using GrowFn = void (*)(const void* src, i64 src_stride, const TapTable& down, i64 begin, i64 end, void* dst,
                        i64 dst_stride, const PermuteTable& across, void* scratch, bool stream);
constexpr i64 grow_rows = 32, grow_strip_bytes = 512;

// Pass I: output rows [begin, end), elements on both sides, each a block wide at least. To stream, results start at
// multiples of 16 bytes and their rows have multiples of it.
using PairsFn = void (*)(const void* src, i64 src_stride, const PairTable& table, i64 begin, i64 end, void* dst,
                         i64 dst_stride, bool stream);

// Pass T for up to `lanes` rows: transposed, combined by column, transposed back, as many columns at a time as fit the
// L1 cache. scratch: vectors for the columns of one group and for all outputs.
using ColumnsFn = void (*)(const void* const* src, void* const* dst, i64 rows, i64 out_size, i64 channels,
                           const TapTable& table, void* scratch);
constexpr i64 column_group = 384;

// Pass WW walks down so many columns of accumulators before it walks across them, and transposes so many sums back.
constexpr i64 shrink_sums = 96;
inline i64 shrink_columns(i64 most_step, i64 channels) {
    constexpr i64 least = 592;  // a strip and some outputs
    const i64 needed = 2 * most_step * channels + least / 2;
    return needed > least ? needed : least;
}
inline i64 shrink_scratch(i64 lanes, i64 most_step, i64 channels) {
    const i64 carried = (walk_most_open - 1) * (channels > 4 ? channels : 4);
    return (2 * shrink_columns(most_step, channels) + shrink_sums + carried + 1) * lanes;
}

// Pass S: one output after the other, for few outputs of few taps far apart.
using ScalarFn = void (*)(const void* src, void* dst, i64 out_size, i64 channels, const TapTable& table);

// Passes V and S at once, where most of the input is skipped: outputs [begin, end) of an axis of rows, two taps each,
// from rows of accumulators to rows of them, out_size outputs long. No output of a row has more than two taps.
using SparseFn = void (*)(const void* src, i64 src_stride, const TapTable& down, i64 begin, i64 end, void* dst,
                          i64 dst_stride, i64 out_size, i64 channels, const TapTable& across);

// n elements to accumulators, or accumulators to elements.
using ConvertFn = void (*)(const void* src, void* dst, i64 n, bool stream);

struct AverageKernels {
    std::size_t element_size;
    std::size_t acc_size;  // 4: float, 8: double
    i64 lanes;             // accumulators in a vector
    // [source holds accumulators][result holds accumulators]
    CombineFn combine[2][2];
    CombineTwoFn combine_two[2];  // [result holds accumulators]
    CombineAxisFn combine_axis[2][2];
    WalkFn walk;
    ShrinkFn shrink;
    ConvertFn load, store;
    PermuteFn permute;
    PermuteFn permute_elements;  // the same of elements; null: they are better converted first
    ByteSumsFn byte_sums;        // null: for other elements and instruction sets
    GrowFn grow;
    PairsFn pairs;  // null: the elements are no integers of 8 or 16 bits
    ColumnsFn columns;
    ScalarFn scalar;
    SparseFn sparse;
};

// dst[i] = src[index[i]] for n units.
using GatherFn = void (*)(const void* src, void* dst, const i64* index, i64 n, i64 unit);
// One row of 16 bytes or more, from a row that holds every window. The row `ahead` bytes further is moved next: what of
// it is needed is fetched meanwhile.
using ShuffleFn = void (*)(const void* src, i64 ahead, void* dst, const ShuffleTable& table);
using CopyFn = void (*)(const void* src, void* dst, i64 bytes, bool stream);

struct RearrangeShape {
    i64 batch, channels, height, width, blocksize;  // of the side with more channels
    bool crd;
};
// Planes [begin, end) of batch x channels of the spatial side. With a buffer of rearrange_buffer bytes, results are
// written past the caches.
using RearrangeFn = void (*)(const void* src, void* dst, const RearrangeShape& shape, i64 unit, i64 begin, i64 end,
                             void* buffer);

// Lines of the side with more channels that are made at once, in all planes of a block.
inline i64 rearrange_lines(const RearrangeShape& s, i64 unit) {
    constexpr i64 near_cache = 1 << 13;
    const i64 fit = near_cache / (s.blocksize * s.blocksize * s.width * unit);
    return fit < 1 ? 1 : fit < s.height ? fit : s.height;
}
inline i64 rearrange_buffer(const RearrangeShape& s, i64 unit) {
    return rearrange_lines(s, unit) * s.blocksize * s.blocksize * s.width * unit;
}

struct Kernels {
    const char* name;
    // acc_bits 64 asks for double accumulators where float would do; fused for passes over 8-bit elements that add
    // each tap with one rounding.
    AverageKernels (*average)(Element element, int acc_bits, bool fused);
    GatherFn gather;
    ShuffleFn shuffle;
    CopyFn copy;
    RearrangeFn depth_to_space, space_to_depth;
    void (*fence)();  // streamed stores are visible to other threads after it
};

}  // namespace halfpixel

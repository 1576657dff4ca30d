// What the kernels read: plain structs of pointers. The plan owns the memory.
#pragma once

#include <cstdint>

namespace halfpixel {

using i64 = std::int64_t;

// Of a cache, and of one store past the caches: rows of results start at multiples of a piece.
constexpr int line_bytes = 64, piece_bytes = 16;

// An axis table with its weights rounded once to the accumulator type.
struct TapTable {
    const i64* first;
    const i64* count;
    const i64* offset;
    const void* weights;
    i64 max_taps;
    bool has_gaps;  // a weight of exactly 0 stands between others: such a tap must be skipped, 0 * inf is not 0
};

// What is special about a block of pass P. masked: some lanes have fewer taps, their padding must not be added.
// halving: lane i starts at element 2 i of the window, the taps are neighbours, and every lane has the same weights.
// parted: every part of 16 bytes takes its lanes from 16 bytes of one window.
enum class BlockKind : std::uint8_t { plain, masked, halving, parted };

// Pass P: blocks of `lanes` neighbouring outputs, each a permutation of a window of the input row.
// Equal blocks share one pattern. A row of `length` outputs has ceil(length / lanes) blocks; the last one ends
// with the row and may overlap the block before it.
struct PermuteTable {
    i64 blocks;
    i64 length;                   // output elements of a row, channels included
    i64 taps;                     // taps of every pattern
    i64 step;                     // elements between taps: the interleaved channels
    const i64* window;            // per block: first element of the window
    const std::int32_t* pattern;  // per block
    const std::int32_t* index;    // per pattern, lanes: position in the window (two windows when wide)
    const void* weights;          // per pattern, taps x lanes
    const void* initial;          // per pattern, lanes: -0.0, or +0.0 for an output without taps
    const BlockKind* kind;        // per pattern
    bool has_runs;                // many blocks have the pattern of the one before them
    bool wide;                    // indices reach into a second window right behind the first
};

// Pass P of bytes whose weights are whole multiples of a power of two: blocks of 8 outputs, the sums in 32-bit
// integers. Either half of a block picks bytes from a window of 16 of its own, two taps at a time, as 16-bit integers;
// bytes with a sign lie in their high halves. The last block ends with the row and may overlap the block before it.
constexpr i64 byte_sum_block = 8, byte_sum_bytes = 32;

struct ByteSumTable {
    i64 blocks;
    i64 length;                   // outputs of a row
    i64 steps;                    // pairs of taps
    float scale;                  // of an integer sum
    const i64* window;            // per block and half: first byte
    const std::int32_t* pattern;  // per block
    const std::uint8_t* index;    // per pattern and step, 32: position in the window, or none with the top bit set
    const std::int16_t* weights;  // per pattern and step, 16
};

// A row moved 16 bytes at a time: each block of them is a permutation of 16 bytes, or 32 when wide, of the input row.
// The last block ends with the row and may overlap the block before it.
struct ShuffleTable {
    i64 blocks;
    i64 length;                   // bytes of a row of outputs
    const i64* window;            // per block: first byte
    const std::int32_t* pattern;  // per block
    const std::uint8_t* index;    // per pattern, 16: position in the window
    bool wide;
};

// Pass I: integers of one or two bytes, two taps an axis. A row of results comes in blocks of 32 bytes, each from four
// windows of 16 bytes, whose bytes are picked as pairs of elements: an output's taps. Parts of a block lie in the order
// 0, 2, 1, 3, in which vectors of 32 bytes are packed. The last block ends with the row and may overlap the block
// before it.
constexpr i64 pair_block = 32, pair_parts = 4;
constexpr int pair_fraction = 7;  // bits that sums of bytes have behind the point after both axes

struct PairTable {
    i64 blocks;
    i64 bytes;                    // of a row of results
    const i64* window;            // per block and part: first byte
    const std::int32_t* pattern;  // per block
    const std::uint8_t* index;    // per pattern and part, 16: position in the window
    const std::uint8_t* weights;  // per pattern and part, 16: 8-bit or, of 16-bit elements, 16-bit integers
    const i64* top;               // per output row: the upper one of its two input rows
    const void* down;             // per output row, 2: 16-bit integers or, of 16-bit elements, floats
};

// Pass W: outputs in order, up to `open` of them at a time. For each output the rows up to its last one that the
// outputs before it have not consumed: first those that no output takes, then those that it alone takes, then those
// that the one behind it takes as well, and so on; and for each row the weights of its takers, in their order. With up
// to walk_whole_open outputs open all of them take every row, where they need not with weight 0: for integers, where 0
// * x is 0.
constexpr i64 walk_least_open = 2, walk_most_open = 5, walk_whole_open = 2;

struct WalkTable {
    i64 first_row;
    const i64* rows;  // per output: how many have 0, 1, ... `open` takers
    i64 outputs;
    i64 open;             // walk_least_open to walk_most_open
    const void* weights;  // per row and taker
    // The sums of outputs that are open behind the last one: `open` - 1 rows of accumulators, `carry_stride` bytes
    // apart, for the walk that goes on from there. resumes: they hold those of the walk before.
    void* carry;
    i64 carry_stride;
    bool resumes;
};

}  // namespace halfpixel

// A map as 64-bit words: what a host keeps in a compiled program, and builds again in this process or in another one.
//
// Words hold what decides the tables, not the tables: some 40 for a resize of two axes. src/halfpixel/plan/words.py
// writes them, map_from_words reads them; both follow the order of the members here. Doubles are words by their bits.
#pragma once

#include <cstdint>
#include <memory>

#include "host_map.hpp"

namespace halfpixel {

constexpr i64 host_words_version = 1;

enum class MapKind : i64 { average, move, constant, depth_to_space, space_to_depth };

// After the version and the kind:
//   average, move     element (move: bytes of one), pairs, transposed, in_shape, value, tables
//   constant          in_bytes, out_shape, value
//   depth_to_space,
//   space_to_depth    batch, channels, height, width of the side with more channels, blocksize, crd, bytes of an
//   element
// A shape is its rank and its lengths; a value is the count of its bytes (0: every output lies inside the input) and 16
// bytes in two words. Tables are their count, and for each
//   axis, filter, in_size, out_size, step, start and divisor of its line in two words each, whether it is antialiased,
//   numerator and denominator of its scale in two words each, rounding, a, exclude_outside, extrapolate
// where the filter is 0 nearest, 1 linear, 2 cubic. Transposed tables lead from out_size to in_size.
//
// Throws std::invalid_argument for anything else, and std::bad_alloc.
std::unique_ptr<const HostMap> map_from_words(const i64* words, i64 count);

}  // namespace halfpixel

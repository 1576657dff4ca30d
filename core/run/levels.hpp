// A shape seen as nested levels, outermost first, down to the innermost resampled axis; the axes behind that one are
// `inner` neighbouring elements of it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "../plan/axis_table.hpp"

namespace halfpixel {

using AxisTables = std::vector<std::pair<i64, std::shared_ptr<const AxisTable>>>;

struct Level {
    i64 in_size, out_size;
    std::shared_ptr<const AxisTable> table;  // empty: every index maps to itself
};

struct Levels {
    std::vector<i64> in_shape, out_shape;
    std::vector<Level> levels;
    i64 inner = 1;   // elements of an index of the last level
    i64 lead = 0;    // levels before the first resampled one
    i64 planes = 1;  // their indices, all combinations

    Levels(std::vector<i64> in_shape, const AxisTables& tables);

    bool is_copy() const { return levels.empty(); }
    i64 last() const { return i64(levels.size()) - 1; }
    i64 contiguous_from() const { return is_copy() ? 0 : last(); }
    i64 out_elements() const;

    // Byte offset of plane p for the strides of one side.
    i64 plane_offset(i64 plane, const i64* strides) const;
};

// Work cut for threads: planes x ranges of the outputs of the first resampled level.
struct Tasks {
    i64 chunk;   // outputs per task
    i64 chunks;  // tasks per plane
    Tasks(i64 planes, i64 outputs, i64 least_chunk, int threads);
};

// Threads worth starting for that many multiply-adds (or moved elements).
int useful_threads(int threads, double operations);

// Whether results of that many bytes should be written past the caches.
bool should_stream(i64 bytes);

}  // namespace halfpixel

// Moves: nearest along any axes, DepthToSpace and SpaceToDepth. Elements are units of bytes and pass untouched.
#pragma once

#include <vector>

#include "../passes/kernels.hpp"
#include "../plan/shuffle_blocks.hpp"
#include "levels.hpp"

namespace halfpixel {

class MoveProgram {
  public:
    // Every table has one tap per output.
    MoveProgram(std::vector<i64> in_shape, const AxisTables& tables, i64 element_size);

    const std::vector<i64>& in_shape() const { return levels_.in_shape; }
    const std::vector<i64>& out_shape() const { return levels_.out_shape; }
    std::size_t element_size() const { return std::size_t(element_size_); }
    double operations() const { return double(levels_.out_elements()); }
    i64 contiguous_from() const { return levels_.contiguous_from(); }  // as AverageProgram's

    void run(const char* in, const i64* in_strides, char* out, const i64* out_strides, int threads) const;

  private:
    struct Side {
        const i64* in_strides;
        const i64* out_strides;
        bool stream;
    };
    void produce(i64 level, const char* in, char* out, const Side& side, i64 begin, i64 end) const;
    void move_rows(i64 level, const char* in, char* out, const Side& side, i64 begin, i64 end) const;
    void move_row(const char* in, i64 ahead, char* out, i64 begin, i64 end, bool stream) const;

    Levels levels_;
    i64 element_size_;
    bool shuffles_ = false;  // rows are moved by blocks of bytes
    ShuffleBlocks shuffle_;
};

void run_depth_to_space(const char* in, char* out, const RearrangeShape& shape, i64 unit, int threads);
void run_space_to_depth(const char* in, char* out, const RearrangeShape& shape, i64 unit, int threads);

}  // namespace halfpixel

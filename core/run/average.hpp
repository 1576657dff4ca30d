// Weighted averages along any axes of an array: linear, cubic and every gradient.
//
// One recursion over the levels. A shrinking level combines input slabs first and hands the sum down; a growing level
// hands its input slabs down first, keeps the results in a ring and combines those. So shrinking axes run outermost to
// innermost, then growing axes innermost to outermost, and nothing larger than a slab lies between two axes.
#pragma once

#include <memory>
#include <vector>

#include "../passes/kernels.hpp"
#include "../plan/byte_sum_blocks.hpp"
#include "../plan/pair_blocks.hpp"
#include "../plan/permute_blocks.hpp"
#include "../plan/walk.hpp"
#include "levels.hpp"

namespace halfpixel {

class AverageProgram {
  public:
    AverageProgram(std::vector<i64> in_shape, const AxisTables& tables, Element element);

    const std::vector<i64>& in_shape() const { return levels_.in_shape; }
    const std::vector<i64>& out_shape() const { return levels_.out_shape; }
    std::size_t element_size() const { return kernels_.element_size; }
    double operations() const { return operations_; }

    // Axes from this one on lie behind each other without gaps in what run reads and writes.
    i64 contiguous_from() const { return levels_.contiguous_from(); }

    // Strides in bytes, one per axis; the last level's inner elements are contiguous on both sides.
    void run(const char* in, const i64* in_strides, char* out, const i64* out_strides, int threads) const;

  private:
    friend class AverageRun;
    enum class Horizontal { none, permute, columns, scalar };

    template <class Acc>
    void prepare(Element element);
    template <class Acc>
    void prepare_horizontal();
    void prepare_pairs();
    void prepare_byte_sums(Element element);
    template <class Acc>
    void prepare_across();

    Levels levels_;
    const AverageKernels& kernels(i64 level) const { return level == fused_level_ ? fused_kernels_ : kernels_; }

    AverageKernels kernels_, fused_kernels_;
    i64 fused_level_;  // its taps are added with one rounding each; -1: none
    bool same_type_;   // elements are accumulators
    Horizontal horizontal_ = Horizontal::none;
    i64 batch_ = 1;  // rows that the horizontal pass takes at once
    double operations_ = 0;
    std::vector<TapTable> taps_;        // per level
    std::vector<i64> walks_;            // per level: outputs open at a time in pass W, 0 where it can't be used
    std::vector<float> fused_weights_;  // of fused_level_, on the grid
    // Pass WW stands for pass T where it serves: the walk across the last level, and its longest step.
    Walk<float> float_across_;
    Walk<double> double_across_;
    i64 longest_step_ = 0;
    PermuteBlocks<float> float_blocks_;
    PermuteBlocks<double> double_blocks_;
    PermuteTable permute_{};
    bool has_byte_sums_ = false;  // the horizontal pass can take elements and sum integers
    ByteSumBlocks byte_sums_;
    bool has_pairs_ = false;  // the last two levels can be done by pass I
    PairBlocks pairs_;
    i64 least_input_ = 0;
    std::vector<i64> in_strides_, out_strides_;  // of slabs of accumulators, per level, in bytes
};

}  // namespace halfpixel

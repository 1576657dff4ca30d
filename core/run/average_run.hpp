// One execution of an AverageProgram.
#pragma once

#include <vector>

#include "arena.hpp"
#include "average.hpp"

namespace halfpixel {

class RowStream;

class AverageRun {
  public:
    AverageRun(const AverageProgram& program, const char* in, const i64* in_strides, char* out, const i64* out_strides,
               int threads);
    void execute();

  private:
    // A slab: data, whether it holds accumulators, and byte strides per level. Strides of level l and deeper count.
    struct Source {
        const char* data;
        bool acc;
        const i64* strides;
        Source at(i64 level, i64 index) const { return {data + index * strides[level], acc, strides}; }
    };
    struct Target {
        char* data;
        bool acc;
        const i64* strides;
        bool stream;
        Target at(i64 level, i64 index) const { return {data + index * strides[level], acc, strides, stream}; }
    };
    struct Slot {
        char* data;
        i64 row;  // the input index whose result it holds, -1: none
    };

    void run_task(i64 plane, i64 begin, i64 end);
    void run_rows(i64 begin, i64 end);

    // Outputs [begin, end) of `level` and everything below it; target.data is where output `begin` goes.
    void produce(i64 level, Source source, Target target, i64 begin, i64 end);
    void produce_all(i64 level, Source source, Target target);
    void loop(i64 level, Source source, Target target, i64 begin, i64 end);
    void shrink(i64 level, Source source, Target target, i64 begin, i64 end);
    bool skips(i64 level, Source source, Target target) const;
    void shrink_by_skipping(i64 level, Source source, Target target, i64 begin, i64 end);
    bool walks(i64 level, Source source) const;
    void shrink_by_walk(i64 level, Source source, Target target, i64 begin, i64 end);
    template <class Acc>
    void shrink_by_walk_of(i64 level, Source source, Target target, i64 begin, i64 end);
    bool walks_across() const;
    void walk_rows(i64 level, Source source, const WalkTable& walk, Target target);
    void walk_across(i64 level, Source source, const WalkTable& down, Target target);
    bool grows_at_once(i64 level, Source source, Target target) const;
    bool pairs(i64 level, Source source, Target target) const;
    void grow_by_pairs(i64 level, Source source, Target target, i64 begin, i64 end);
    void grow(i64 level, Source source, Target target, i64 begin, i64 end);
    void last(Source source, Target target, i64 begin, i64 end);

    void fill_ring(i64 level, Source source, std::vector<Slot>& ring, i64 first, i64 count, i64 limit);

    // How the slabs below a level are combined: `count` rows of `length` elements that lie behind each other on both
    // sides, their sizes those of the in or the out side.
    struct SlabRows {
        const void** taps;   // room for the rows of one output and of the one behind it
        const void** moved;  // the same for another row of the slab, or for a part of the row
        char* weights;       // room for the weights of one output without its gaps
        bool in_sizes;
        i64 length;
        i64 below;  // the innermost level that is not part of a row
        i64 count;
        CombineFn combine;
        i64 size(const Level& level) const { return in_sizes ? level.in_size : level.out_size; }
    };
    // In memory of the arena, which the caller has marked. `like` has the strides of the slabs.
    SlabRows slab_rows(i64 level, Source like, Target target, bool in_sizes) const;

    // One output slab of `level` from the slabs row_at(index) below it. Where another one follows before `end`, what it
    // reads beyond is fetched.
    template <class RowAt>
    void combine(i64 level, i64 output, i64 end, const RowAt& row_at, Source like, Target target, const SlabRows& slab);
    // The same of a single row as the next one of `lines`; nothing is fetched.
    template <class RowAt>
    void combine_lines(i64 level, i64 output, const RowAt& row_at, Source like, Target target, const SlabRows& slab,
                       RowStream& lines);
    bool cuts_pieces(i64 level, Target target) const;
    template <class RowAt>
    i64 rows_ahead(i64 level, i64 output, const RowAt& row_at, const void** rows) const;
    template <class RowAt>
    i64 taps_of(i64 level, i64 output, const RowAt& row_at, const void** rows, const void*& weights, char* spare) const;

    void horizontal(const Source* sources, const Target* targets, i64 rows);
    void horizontal_pass(const void* const* from, void* const* to, i64 rows, bool elements);

    bool batches_below(i64 level) const;
    i64 size_of(bool acc) const { return i64(acc ? p_.kernels_.acc_size : p_.kernels_.element_size); }

    const AverageProgram& p_;
    const char* in_;
    const i64* in_strides_;
    char* out_;
    const i64* out_strides_;
    int threads_;
    bool stream_;       // results go past the caches
    bool one_strip_;    // a row of results is one strip of pass FP
    bool stream_rows_;  // rows of a horizontal pass too, which costs them a copy within the cache
};

}  // namespace halfpixel

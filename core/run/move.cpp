#include "move.hpp"

#include <algorithm>
#include <stdexcept>

#include "../isa/isa.hpp"
#include "../threads/pool.hpp"
#include "arena.hpp"

namespace halfpixel {
namespace {

constexpr i64 least_outputs_per_task = 16;

}  // namespace

MoveProgram::MoveProgram(std::vector<i64> in_shape, const AxisTables& tables, i64 element_size)
    : levels_(std::move(in_shape), tables), element_size_(element_size) {
    for (const Level& level : levels_.levels)
        if (level.table && (level.table->max_taps > 1 || std::ranges::count(level.table->count, 0)))
            throw std::invalid_argument("a move takes exactly one sample per output");
    if (levels_.is_copy()) return;
    const i64 unit = levels_.inner * element_size_;
    shuffles_ = unit <= 16 && build_shuffle_blocks(*levels_.levels[levels_.last()].table, unit, shuffle_);
}

void MoveProgram::run(const char* in, const i64* in_strides, char* out, const i64* out_strides, int threads) const {
    const i64 elements = levels_.out_elements();
    if (elements == 0) return;
    const Side side{in_strides, out_strides, should_stream(elements * element_size_)};
    if (levels_.is_copy()) {
        active_kernels().copy(in, out, elements * element_size_, side.stream);
        active_kernels().fence();
        return;
    }
    threads = useful_threads(threads, double(elements));
    const i64 level = levels_.lead, outputs = levels_.levels[level].out_size;
    const Tasks tasks(levels_.planes, outputs, least_outputs_per_task, threads);
    run_tasks(levels_.planes * tasks.chunks, threads, [&](i64 task) {
        const i64 plane = task / tasks.chunks, begin = task % tasks.chunks * tasks.chunk;
        const i64 end = std::min(begin + tasks.chunk, outputs);
        char* to = out + levels_.plane_offset(plane, out_strides) + begin * out_strides[level];
        produce(level, in + levels_.plane_offset(plane, in_strides), to, side, begin, end);
        if (side.stream) active_kernels().fence();
    });
}

void MoveProgram::produce(i64 level, const char* in, char* out, const Side& side, i64 begin, i64 end) const {
    if (level == levels_.last()) return move_row(in, 0, out, begin, end, side.stream);
    if (level + 1 == levels_.last()) return move_rows(level, in, out, side, begin, end);
    const AxisTable* table = levels_.levels[level].table.get();
    for (i64 o = begin; o < end; ++o) {
        const i64 i = table ? table->first[o] : o;
        produce(level + 1, in + i * side.in_strides[level], out + (o - begin) * side.out_strides[level], side, 0,
                levels_.levels[level + 1].out_size);
    }
}

// Rows that repeat are gathered once, into the cache, and written as often as they occur.
void MoveProgram::move_rows(i64 level, const char* in, char* out, const Side& side, i64 begin, i64 end) const {
    Arena& arena = thread_arena();
    const Arena::Mark mark(arena);
    const AxisTable* table = levels_.levels[level].table.get();
    const i64 outputs = levels_.levels[levels_.last()].out_size;
    const i64 bytes = outputs * levels_.inner * element_size_;
    char* row = side.stream ? arena.take(bytes) : nullptr;
    const char* done = nullptr;
    for (i64 o = begin; o < end; ++o) {
        const i64 i = table ? table->first[o] : o;
        const bool repeats = table && o > begin && table->first[o - 1] == i;
        char* to = out + (o - begin) * side.out_strides[level];
        char* fresh = side.stream ? row : to;
        if (!repeats) {
            const i64 ahead = table && o + 1 < end ? (table->first[o + 1] - i) * side.in_strides[level] : 0;
            move_row(in + i * side.in_strides[level], ahead, fresh, 0, outputs, false);
            done = fresh;
        }
        if (done != to) active_kernels().copy(done, to, bytes, side.stream);
    }
}

void MoveProgram::move_row(const char* in, i64 ahead, char* out, i64 begin, i64 end, bool stream) const {
    const Level& level = levels_.levels[levels_.last()];
    const i64 unit = levels_.inner * element_size_;
    if (shuffles_ && begin == 0 && end == level.out_size)
        return active_kernels().shuffle(in, ahead, out, shuffle_.table);
    if (unit > 16) {
        for (i64 o = begin; o < end; ++o)
            active_kernels().copy(in + level.table->first[o] * unit, out + (o - begin) * unit, unit, stream);
        return;
    }
    active_kernels().gather(in, out, level.table->first.data() + begin, end - begin, unit);
}

namespace {

void run_rearrange(RearrangeFn rearrange, const char* in, char* out, const RearrangeShape& shape, i64 unit,
                   int threads) {
    const i64 planes = shape.batch * (shape.channels / (shape.blocksize * shape.blocksize));
    const i64 elements = shape.batch * shape.channels * shape.height * shape.width;
    if (elements == 0) return;
    threads = useful_threads(threads, double(elements));
    const Tasks tasks(1, planes, 1, threads);
    const bool stream = should_stream(elements * unit);
    run_tasks(tasks.chunks, threads, [&](i64 task) {
        const i64 begin = task * tasks.chunk, end = std::min(begin + tasks.chunk, planes);
        Arena& arena = thread_arena();
        const Arena::Mark mark(arena);
        rearrange(in, out, shape, unit, begin, end, stream ? arena.take(rearrange_buffer(shape, unit)) : nullptr);
        if (stream) active_kernels().fence();
    });
}

}  // namespace

void run_depth_to_space(const char* in, char* out, const RearrangeShape& shape, i64 unit, int threads) {
    run_rearrange(active_kernels().depth_to_space, in, out, shape, unit, threads);
}

void run_space_to_depth(const char* in, char* out, const RearrangeShape& shape, i64 unit, int threads) {
    run_rearrange(active_kernels().space_to_depth, in, out, shape, unit, threads);
}

}  // namespace halfpixel

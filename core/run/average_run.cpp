#include "average_run.hpp"

#include <algorithm>
#include <cstring>

#include "../isa/isa.hpp"
#include "../threads/pool.hpp"
#include "row_stream.hpp"

namespace halfpixel {
namespace {

constexpr i64 least_outputs_per_task = 16;
constexpr i64 most_rows = 16;         // that a horizontal pass is ever given at once
constexpr i64 least_skipped = 5;      // input columns for each output, from which on reading them one by one pays
constexpr i64 vector_padding = 64;    // bytes behind a row that is written in whole vectors
constexpr i64 most_ahead = 64 << 10;  // bytes fetched before they are needed: more would push out what is in use
constexpr std::size_t kept_scratch = 64 << 20;

}  // namespace

AverageRun::AverageRun(const AverageProgram& program, const char* in, const i64* in_strides, char* out,
                       const i64* out_strides, int threads)
    : p_(program), in_(in), in_strides_(in_strides), out_(out), out_strides_(out_strides) {
    threads_ = useful_threads(threads, p_.operations_);
    const i64 bytes = p_.levels_.out_elements() * i64(p_.kernels_.element_size);
    stream_ = should_stream(bytes);
    stream_rows_ = should_stream(bytes / 8);
    one_strip_ = p_.permute_.length * i64(p_.kernels_.acc_size) <= grow_strip_bytes;
}

void AverageRun::execute() {
    const Levels& levels = p_.levels_;
    if (levels.out_elements() == 0) return;
    if (levels.is_copy()) {
        active_kernels().copy(in_, out_, levels.inner * i64(p_.kernels_.element_size), stream_);
        active_kernels().fence();
        return;
    }
    const bool only_rows = levels.lead == levels.last() && p_.horizontal_ != AverageProgram::Horizontal::none;
    const i64 planes = only_rows ? 1 : levels.planes;
    const i64 outputs = only_rows ? levels.planes : levels.levels[levels.lead].out_size;
    const Tasks tasks(planes, outputs, least_outputs_per_task, threads_);
    run_tasks(planes * tasks.chunks, threads_, [&](i64 task) {
        const i64 begin = task % tasks.chunks * tasks.chunk, end = std::min(begin + tasks.chunk, outputs);
        if (only_rows)
            run_rows(begin, end);
        else
            run_task(task / tasks.chunks, begin, end);
        thread_arena().trim(kept_scratch);
        if (stream_) active_kernels().fence();
    });
}

void AverageRun::run_task(i64 plane, i64 begin, i64 end) {
    const i64 level = p_.levels_.lead;
    const Source source{in_ + p_.levels_.plane_offset(plane, in_strides_), p_.same_type_, in_strides_};
    const Target target{out_ + p_.levels_.plane_offset(plane, out_strides_), p_.same_type_, out_strides_, stream_};
    produce(level, source, target.at(level, begin), begin, end);
}

// Only the innermost level is resampled: planes are its rows.
void AverageRun::run_rows(i64 begin, i64 end) {
    Source sources[most_rows];
    Target targets[most_rows];
    for (i64 row = begin; row < end; row += p_.batch_) {
        const i64 rows = std::min(p_.batch_, end - row);
        for (i64 r = 0; r < rows; ++r) {
            sources[r] = {in_ + p_.levels_.plane_offset(row + r, in_strides_), p_.same_type_, in_strides_};
            targets[r] = {out_ + p_.levels_.plane_offset(row + r, out_strides_), p_.same_type_, out_strides_, stream_};
        }
        horizontal(sources, targets, rows);
    }
}

bool AverageRun::batches_below(i64 level) const {
    return level + 1 == p_.levels_.last() && p_.horizontal_ != AverageProgram::Horizontal::none;
}

void AverageRun::produce(i64 level, Source source, Target target, i64 begin, i64 end) {
    const Level& here = p_.levels_.levels[level];
    if (level == p_.levels_.last())
        last(source, target, begin, end);
    else if (!here.table)
        loop(level, source, target, begin, end);
    else if (here.table->shrinking)
        shrink(level, source, target, begin, end);
    else
        grow(level, source, target, begin, end);
}

void AverageRun::produce_all(i64 level, Source source, Target target) {
    produce(level, source, target, 0, p_.levels_.levels[level].out_size);
}

void AverageRun::loop(i64 level, Source source, Target target, i64 begin, i64 end) {
    if (!batches_below(level)) {
        for (i64 i = begin; i < end; ++i) produce_all(level + 1, source.at(level, i), target.at(level, i - begin));
        return;
    }
    Source sources[most_rows];
    Target targets[most_rows];
    for (i64 i = begin; i < end; i += p_.batch_) {
        const i64 rows = std::min(p_.batch_, end - i);
        for (i64 r = 0; r < rows; ++r) {
            sources[r] = source.at(level, i + r);
            targets[r] = target.at(level, i + r - begin);
        }
        horizontal(sources, targets, rows);
    }
}

void AverageRun::shrink(i64 level, Source source, Target target, i64 begin, i64 end) {
    if (walks(level, source)) return shrink_by_walk(level, source, target, begin, end);
    if (skips(level, source, target)) return shrink_by_skipping(level, source, target, begin, end);
    Arena& arena = thread_arena();
    const Arena::Mark mark(arena);
    const i64 slab = p_.in_strides_[level];
    const i64 batch = batches_below(level) ? p_.batch_ : 1;
    const auto row_at = [&](i64 i) { return source.at(level, i).data; };
    char* memory = arena.take(slab * batch);
    const SlabRows slab_of = slab_rows(level, source, Target{memory, true, p_.in_strides_.data(), false}, true);
    Source sources[most_rows];
    Target targets[most_rows];
    for (i64 o = begin; o < end; o += batch) {
        const i64 rows = std::min(batch, end - o);
        for (i64 r = 0; r < rows; ++r) {
            char* sum = memory + r * slab;
            combine(level, o + r, end, row_at, source, Target{sum, true, p_.in_strides_.data(), false}, slab_of);
            sources[r] = {sum, true, p_.in_strides_.data()};
            targets[r] = target.at(level, o + r - begin);
        }
        if (batches_below(level))
            horizontal(sources, targets, rows);
        else
            produce_all(level + 1, sources[0], targets[0]);
    }
}

// Linear without antialias, far down: most columns are skipped.
bool AverageRun::skips(i64 level, Source source, Target target) const {
    if (!batches_below(level) || !p_.same_type_ || !source.acc || (target.stream && stream_rows_)) return false;
    const AxisTable &down = *p_.levels_.levels[level].table, &across = *p_.levels_.levels[p_.levels_.last()].table;
    return down.max_taps == 2 && across.max_taps == 2 && !down.has_gaps && !across.has_gaps &&
           across.out_size * least_skipped <= across.in_size;
}

void AverageRun::shrink_by_skipping(i64 level, Source source, Target target, i64 begin, i64 end) {
    const TapTable &down = p_.taps_[level], &across = p_.taps_[p_.levels_.last()];
    const i64 out_size = p_.levels_.levels[p_.levels_.last()].out_size, inner = p_.levels_.inner;
    Arena& arena = thread_arena();
    const Arena::Mark mark(arena);
    char* row = arena.take(p_.in_strides_[level]);
    for (i64 o = begin; o < end;) {
        i64 pairs_end = o;
        while (pairs_end < end && down.count[pairs_end] == 2) ++pairs_end;
        const Target to = target.at(level, o - begin);
        if (pairs_end > o) {
            p_.kernels_.sparse(source.data, source.strides[level], down, o, pairs_end, to.data, to.strides[level],
                               out_size, inner, across);
            o = pairs_end;
            continue;
        }
        const void* rows[] = {source.at(level, down.first[o]).data};
        const char* weights = static_cast<const char*>(down.weights) + down.offset[o] * i64(p_.kernels_.acc_size);
        p_.kernels_.combine[1][1](rows, weights, down.count[o], 0, row,
                                  p_.in_strides_[level] / i64(p_.kernels_.acc_size), false);
        p_.kernels_.scalar(row, to.data, out_size, inner, across);
        ++o;
    }
}

bool AverageRun::walks(i64 level, Source source) const {
    return p_.walks_[level] > 0 && batches_below(level) && !source.acc;
}

void AverageRun::shrink_by_walk(i64 level, Source source, Target target, i64 begin, i64 end) {
    if (p_.kernels_.acc_size == 4)
        shrink_by_walk_of<float>(level, source, target, begin, end);
    else
        shrink_by_walk_of<double>(level, source, target, begin, end);
}

// Pass WW serves where its other half can stand for pass T.
bool AverageRun::walks_across() const { return p_.longest_step_ > 0; }

template <class Acc>
void AverageRun::shrink_by_walk_of(i64 level, Source source, Target target, i64 begin, i64 end) {
    Arena& arena = thread_arena();
    const Arena::Mark mark(arena);
    const AxisTable& table = *p_.levels_.levels[level].table;
    const Acc* weights = static_cast<const Acc*>(p_.taps_[level].weights);
    const i64 slab = p_.in_strides_[level], open = p_.walks_[level], carry_stride = slab + vector_padding;
    const i64 batch = walks_across() ? p_.kernels_.lanes : most_rows;
    char* carry = arena.take((open - 1) * carry_stride);
    Walk<Acc> walk;
    for (i64 o = begin; o < end; o += batch) {
        plan_walk(table, weights, open, o, std::min(o + batch, end), end, o > begin, walk);
        walk.table.carry = carry;
        walk.table.carry_stride = carry_stride;
        if (walks_across())
            walk_across(level, source, walk.table, target.at(level, o - begin));
        else
            walk_rows(level, source, walk.table, target.at(level, o - begin));
    }
}

void AverageRun::walk_rows(i64 level, Source source, const WalkTable& walk, Target target) {
    Arena& arena = thread_arena();
    const Arena::Mark mark(arena);
    const i64 slab = p_.in_strides_[level];
    char* memory = arena.take(slab * walk.outputs);
    Source sources[most_rows];
    Target targets[most_rows];
    void* sums[most_rows];
    for (i64 r = 0; r < walk.outputs; ++r) {
        sums[r] = memory + r * slab;
        sources[r] = {memory + r * slab, true, p_.in_strides_.data()};
        targets[r] = target.at(level, r);
    }
    p_.kernels(level).walk(source.data, source.strides[level], walk, sums, slab / i64(p_.kernels_.acc_size));
    horizontal(sources, targets, walk.outputs);
}

void AverageRun::walk_across(i64 level, Source source, const WalkTable& down, Target target) {
    Arena& arena = thread_arena();
    const Arena::Mark mark(arena);
    const AverageKernels& kernels = p_.kernels(level);
    const Level& last = p_.levels_.levels[p_.levels_.last()];
    const WalkTable& across = kernels.acc_size == 4 ? p_.float_across_.table : p_.double_across_.table;
    const i64 inner = p_.levels_.inner, step = p_.longest_step_, acc = i64(kernels.acc_size);
    const i64 length = last.out_size * inner;
    void* sums[most_rows];
    for (i64 r = 0; r < kernels.lanes; ++r) sums[r] = arena.take(length * acc + vector_padding);
    kernels.shrink(source.data, source.strides[level], down, across, last.in_size * inner, inner, step, sums,
                   arena.take(shrink_scratch(kernels.lanes, step, inner) * acc));
    for (i64 r = 0; r < down.outputs; ++r) {
        const Target to = target.at(level, r);
        if (to.acc)
            std::memcpy(to.data, sums[r], length * acc);
        else
            kernels.store(sums[r], to.data, length, to.stream);
    }
}

// Both growing axes at once: elements in, elements out.
bool AverageRun::grows_at_once(i64 level, Source source, Target target) const {
    const AxisTable& table = *p_.levels_.levels[level].table;
    const bool elements = p_.same_type_ || (!source.acc && !target.acc);
    const Level& last = p_.levels_.levels[p_.levels_.last()];
    return batches_below(level) && p_.horizontal_ == AverageProgram::Horizontal::permute && elements &&
           (!stream_ || one_strip_) && !last.table->shrinking && !p_.taps_[level].has_gaps &&
           table.max_taps <= grow_rows && last.in_size * p_.levels_.inner >= p_.least_input_ &&
           p_.permute_.length >= p_.kernels_.lanes;
}

bool AverageRun::pairs(i64 level, Source source, Target target) const {
    return p_.has_pairs_ && level + 1 == p_.levels_.last() && !source.acc && !target.acc;
}

void AverageRun::grow_by_pairs(i64 level, Source source, Target target, i64 begin, i64 end) {
    const PairTable& table = p_.pairs_.table;
    const i64 in_stride = source.strides[level], out_stride = target.strides[level];
    const auto pass = [&](i64 from, i64 to, char* out, i64 stride, bool stream) {
        p_.kernels_.pairs(source.data, in_stride, table, from, to, out, stride, stream);
    };
    const i64 offsets = i64(reinterpret_cast<std::uintptr_t>(target.data)) | out_stride | table.bytes;
    if (!target.stream || offsets % piece_bytes == 0) return pass(begin, end, target.data, out_stride, target.stream);
    Arena& arena = thread_arena();
    const Arena::Mark mark(arena);
    char* memory = arena.take(table.bytes * most_rows);
    RowStream lines;
    for (i64 o = begin; o < end; o += most_rows) {
        const i64 rows = std::min(most_rows, end - o);
        pass(o, o + rows, memory, table.bytes, false);
        for (i64 r = 0; r < rows; ++r) {
            const char* row = memory + r * table.bytes;
            lines.write(
                target.data + (o - begin + r) * out_stride, table.bytes,
                [&](i64 at, i64 bytes, char* to, bool stream) { active_kernels().copy(row + at, to, bytes, stream); });
        }
    }
}

void AverageRun::grow(i64 level, Source source, Target target, i64 begin, i64 end) {
    if (pairs(level, source, target)) return grow_by_pairs(level, source, target, begin, end);
    Arena& arena = thread_arena();
    if (grows_at_once(level, source, target)) {
        const Arena::Mark mark(arena);
        p_.kernels_.grow(source.data, source.strides[level], p_.taps_[level], begin, end, target.data,
                         target.strides[level], p_.permute_, arena.take(grow_rows * grow_strip_bytes),
                         target.stream && one_strip_);
        return;
    }
    const Arena::Mark mark(arena);
    const AxisTable& table = *p_.levels_.levels[level].table;
    const i64 slab = p_.out_strides_[level];
    const i64 limit = source_range(table, begin, end).second;
    // A batch is read ahead of the last row that an output needs, and must not push out the first one.
    const i64 slots = std::max<i64>(1, table.max_taps + (batches_below(level) ? p_.batch_ - 1 : 0));
    std::vector<Slot> ring(slots);
    for (Slot& slot : ring) slot = {arena.take(slab), -1};
    const auto row_at = [&](i64 i) { return ring[i % slots].data; };
    const Source like{nullptr, true, p_.out_strides_.data()};
    const SlabRows slab_of = slab_rows(level, like, target, false);
    const i64 apart = target.strides[level];
    // Two rows at once, but for slabs that are no rows.
    const bool by_two =
        batches_below(level) && slab_of.count == 1 && !p_.taps_[level].has_gaps && go_together(apart, target.stream);
    const bool by_lines = slab_of.count == 1 && cuts_pieces(level, target);
    RowStream lines;
    for (i64 o = begin; o < end; ++o) {
        fill_ring(level, source, ring, table.first[o], table.count[o], limit);
        const Target to = target.at(level, o - begin);
        if (by_two && o + 1 < end && share_taps(p_.taps_[level], o)) {
            const char* weights = static_cast<const char*>(p_.taps_[level].weights);
            const i64 *offset = table.offset.data(), size = i64(p_.kernels_.acc_size);
            for (i64 t = 0; t < table.count[o]; ++t) slab_of.taps[t] = row_at(table.first[o] + t);
            p_.kernels_.combine_two[target.acc](slab_of.taps, weights + offset[o] * size,
                                                weights + offset[o + 1] * size, table.count[o], to.data,
                                                to.data + apart, slab_of.length, to.stream);
            ++o;
            continue;
        }
        if (by_lines)
            combine_lines(level, o, row_at, like, to, slab_of, lines);
        else
            combine(level, o, o + 1, row_at, like, to, slab_of);
    }
}

void AverageRun::fill_ring(i64 level, Source source, std::vector<Slot>& ring, i64 first, i64 count, i64 limit) {
    const i64 slots = i64(ring.size());
    const auto missing = [&](i64 i) { return ring[i % slots].row != i; };
    const auto slot_target = [&](i64 i) {
        Slot& slot = ring[i % slots];
        slot.row = i;
        return Target{slot.data, true, p_.out_strides_.data(), false};
    };
    if (!batches_below(level)) {
        for (i64 i = first; i < first + count; ++i)
            if (missing(i)) produce_all(level + 1, source.at(level, i), slot_target(i));
        return;
    }
    Source sources[most_rows];
    Target targets[most_rows];
    for (i64 i = first; i < first + count; ++i) {
        if (!missing(i)) continue;
        i64 rows = 0;
        for (i64 r = i; r < limit && rows < p_.batch_ && r < first + slots && missing(r); ++r, ++rows) {
            sources[rows] = source.at(level, r);
            targets[rows] = slot_target(r);
        }
        horizontal(sources, targets, rows);
    }
}

void AverageRun::last(Source source, Target target, i64 begin, i64 end) {
    const i64 level = p_.levels_.last();
    if (p_.horizontal_ != AverageProgram::Horizontal::none) {  // rows are never cut: the task is the whole row
        horizontal(&source, &target, 1);
        return;
    }
    const TapTable& taps = p_.taps_[level];
    const bool by_lines = cuts_pieces(level, target) && !p_.levels_.levels[level].table->shrinking;
    if (!taps.has_gaps && !by_lines) {
        p_.kernels(level).combine_axis[source.acc][target.acc](source.data, source.strides[level], taps, begin, end,
                                                               target.data, target.strides[level], p_.levels_.inner,
                                                               target.stream);
        return;
    }
    const auto row_at = [&](i64 i) { return source.at(level, i).data; };
    const Arena::Mark mark(thread_arena());
    const SlabRows slab = slab_rows(level, source, target, true);
    RowStream lines;
    for (i64 o = begin; o < end; ++o) {
        const Target to = target.at(level, o - begin);
        if (by_lines)
            combine_lines(level, o, row_at, source, to, slab, lines);
        else
            combine(level, o, end, row_at, source, to, slab);
    }
}

template <class RowAt>
i64 AverageRun::taps_of(i64 level, i64 output, const RowAt& row_at, const void** rows, const void*& weights,
                        char* spare) const {
    const TapTable& table = p_.taps_[level];
    const i64 size = i64(p_.kernels_.acc_size), first = table.first[output], count = table.count[output];
    const char* own = static_cast<const char*>(table.weights) + table.offset[output] * size;
    weights = own;
    if (!table.has_gaps) {
        for (i64 t = 0; t < count; ++t) rows[t] = row_at(first + t);
        return count;
    }
    static constexpr char zero[8] = {},
                          negative_zero[2][8] = {{0, 0, 0, char(0x80)}, {0, 0, 0, 0, 0, 0, 0, char(0x80)}};
    i64 taps = 0;
    for (i64 t = 0; t < count; ++t) {
        const char* w = own + t * size;
        if (!std::memcmp(w, zero, size) || !std::memcmp(w, negative_zero[size == 8], size)) continue;
        std::memcpy(spare + taps * size, w, size);
        rows[taps++] = row_at(first + t);
    }
    weights = spare;
    return taps;
}

template <class RowAt>
i64 AverageRun::rows_ahead(i64 level, i64 output, const RowAt& row_at, const void** rows) const {
    const TapTable& table = p_.taps_[level];
    const i64 first = std::max(table.first[output + 1], table.first[output] + table.count[output]);
    const i64 count = std::max<i64>(0, table.first[output + 1] + table.count[output + 1] - first);
    for (i64 r = 0; r < count; ++r) rows[r] = row_at(first + r);
    return count;
}

AverageRun::SlabRows AverageRun::slab_rows(i64 level, Source like, Target target, bool in_sizes) const {
    const std::vector<Level>& levels = p_.levels_.levels;
    Arena& arena = thread_arena();
    const i64 most = std::max<i64>(1, p_.taps_[level].max_taps);
    const auto pointers = [&] { return reinterpret_cast<const void**>(arena.take(2 * most * i64(sizeof(void*)))); };
    SlabRows slab{pointers(), nullptr, nullptr, in_sizes, p_.levels_.inner, p_.levels_.last(), 1, nullptr};
    for (; slab.below > level; --slab.below) {  // levels that lie behind each other on both sides are one long row
        const i64 l = slab.below;
        if (like.strides[l] != slab.length * size_of(like.acc) ||
            target.strides[l] != slab.length * size_of(target.acc))
            break;
        slab.length *= slab.size(levels[l]);
    }
    for (i64 l = level + 1; l <= slab.below; ++l) slab.count *= slab.size(levels[l]);
    slab.moved = pointers();
    if (p_.taps_[level].has_gaps) slab.weights = arena.take(most * 8);
    slab.combine = p_.kernels(level).combine[like.acc][target.acc];
    return slab;
}

template <class RowAt>
void AverageRun::combine(i64 level, i64 output, i64 end, const RowAt& row_at, Source like, Target target,
                         const SlabRows& slab) {
    const void* weights;
    const i64 taps = taps_of(level, output, row_at, slab.taps, weights, slab.weights);
    i64 ahead = output + 1 < end ? rows_ahead(level, output, row_at, slab.taps + taps) : 0;
    if (ahead * slab.length * size_of(like.acc) > most_ahead) ahead = 0;
    if (slab.count == 1) return slab.combine(slab.taps, weights, taps, ahead, target.data, slab.length, target.stream);
    for (i64 i = 0; i < slab.count; ++i) {
        i64 rest = i, from = 0, to = 0;
        for (i64 l = slab.below; l > level; --l) {
            const i64 size = slab.size(p_.levels_.levels[l]);
            from += rest % size * like.strides[l];
            to += rest % size * target.strides[l];
            rest /= size;
        }
        for (i64 t = 0; t < taps + ahead; ++t) slab.moved[t] = static_cast<const char*>(slab.taps[t]) + from;
        slab.combine(slab.moved, weights, taps, ahead, target.data + to, slab.length, target.stream);
    }
}

// Whether rows of a level go past the caches, but start or end within a piece.
bool AverageRun::cuts_pieces(i64 level, Target target) const {
    const i64 offsets = i64(reinterpret_cast<std::uintptr_t>(target.data)) | target.strides[level];
    return target.stream && offsets % piece_bytes != 0;
}

template <class RowAt>
void AverageRun::combine_lines(i64 level, i64 output, const RowAt& row_at, Source like, Target target,
                               const SlabRows& slab, RowStream& lines) {
    const void* weights;
    const i64 taps = taps_of(level, output, row_at, slab.taps, weights, slab.weights);
    const i64 from_size = size_of(like.acc), to_size = size_of(target.acc);
    lines.write(target.data, slab.length * to_size, [&](i64 at, i64 bytes, char* to, bool stream) {
        const i64 moved = at / to_size * from_size;
        for (i64 t = 0; t < taps; ++t) slab.moved[t] = static_cast<const char*>(slab.taps[t]) + moved;
        slab.combine(slab.moved, weights, taps, 0, to, bytes / to_size, stream);
    });
}

// The horizontal pass reads and writes accumulators; other elements are converted a row at a time, within the cache.
void AverageRun::horizontal(const Source* sources, const Target* targets, i64 rows) {
    Arena& arena = thread_arena();
    const Arena::Mark mark(arena);
    const Level& level = p_.levels_.levels[p_.levels_.last()];
    const i64 in_length = level.in_size * p_.levels_.inner, out_length = level.out_size * p_.levels_.inner;
    const i64 acc = i64(p_.kernels_.acc_size);
    const void* from[most_rows];
    void* to[most_rows];
    const bool elements = p_.horizontal_ == AverageProgram::Horizontal::permute && !sources[0].acc &&
                          p_.kernels_.permute_elements && in_length >= p_.least_input_;
    for (i64 r = 0; r < rows; ++r) {
        from[r] = sources[r].data;
        to[r] = targets[r].data;
        if (!elements && (!sources[r].acc || in_length < p_.least_input_)) {
            char* row = arena.take(std::max(in_length, p_.least_input_) * acc);
            if (sources[r].acc)
                std::memcpy(row, sources[r].data, in_length * acc);
            else
                p_.kernels_.load(sources[r].data, row, in_length, false);
            if (in_length < p_.least_input_) std::memset(row + in_length * acc, 0, (p_.least_input_ - in_length) * acc);
            from[r] = row;
        }
        if (!targets[r].acc || (targets[r].stream && stream_rows_)) to[r] = arena.take(out_length * acc);
    }
    horizontal_pass(from, to, rows, elements);
    for (i64 r = 0; r < rows; ++r)
        if (to[r] != targets[r].data) p_.kernels_.store(to[r], targets[r].data, out_length, targets[r].stream);
}

void AverageRun::horizontal_pass(const void* const* from, void* const* to, i64 rows, bool elements) {
    const Level& level = p_.levels_.levels[p_.levels_.last()];
    const TapTable& taps = p_.taps_[p_.levels_.last()];
    const AverageKernels& kernels = p_.kernels(p_.levels_.last());
    switch (p_.horizontal_) {
        case AverageProgram::Horizontal::permute:
            if (elements && p_.has_byte_sums_)
                kernels.byte_sums(from, to, rows, p_.byte_sums_.table);
            else
                (elements ? kernels.permute_elements : kernels.permute)(from, to, rows, p_.permute_);
            return;
        case AverageProgram::Horizontal::columns: {
            Arena& arena = thread_arena();
            const Arena::Mark mark(arena);
            // A group of outputs is as wide as column_group elements, or one output; it has no more outputs than the
            // row.
            const i64 widest = std::max(column_group + p_.levels_.inner, taps.max_taps * p_.levels_.inner);
            const i64 vectors = widest + level.out_size * p_.levels_.inner;
            char* scratch = arena.take(vectors * p_.kernels_.lanes * i64(p_.kernels_.acc_size));
            for (i64 r = 0; r < rows; r += p_.kernels_.lanes)
                kernels.columns(from + r, to + r, std::min(p_.kernels_.lanes, rows - r), level.out_size,
                                p_.levels_.inner, taps, scratch);
            return;
        }
        case AverageProgram::Horizontal::scalar:
            for (i64 r = 0; r < rows; ++r) kernels.scalar(from[r], to[r], level.out_size, p_.levels_.inner, taps);
            return;
        case AverageProgram::Horizontal::none:
            return;
    }
}

}  // namespace halfpixel

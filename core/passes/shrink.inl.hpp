// Pass WW: both axes of an image of integers shrink at once. Pass W goes down the rows for some columns, and again
// across the sums that it leaves, as soon as they complete an output; what lies between stays in the L1 cache.
//
// Across, a vector holds one column of many rows. With three or four channels in float that is one part of each row,
// which needs no transposition: a fourth sum, of the next pixel's first channel, is thrown away.
#pragma once

#include "columns.inl.hpp"
#include "walk.inl.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

// The walk across, between two stretches of columns.
template <class Acc>
struct WalkAcross {
    WalkTable table;  // of the outputs that are next
    i64 done, all;    // outputs
    i64 channels;
    Acc* carried;  // vectors of the open outputs' sums

    bool takes_pixels() const { return part_of<Acc> == 4 && (channels == 3 || channels == 4); }
    int vectors() const { return takes_pixels() ? part_of<Acc> : int(channels); }

    // Makes the table that of the outputs which so many columns complete, at most `most`. Returns their columns.
    i64 choose(i64 columns, i64 most) {
        i64 taken = 0;
        for (table.outputs = 0; table.outputs < most && done + table.outputs < all; ++table.outputs) {
            i64 step = 0;
            for (i64 k = 0; k <= table.open; ++k) step += table.rows[table.outputs * (table.open + 1) + k];
            if (taken + step > columns) break;
            taken += step;
        }
        return taken;
    }
    void go_on(const Acc* weights) {
        table.rows += table.outputs * (table.open + 1);
        table.weights = weights;
        table.resumes = true;
        done += table.outputs;
    }
};

// Vectors [v, v + Unroll) of the outputs; `from` is the first column, `column` elements wide.
template <class Acc, int Open, int Unroll, class Load, class Store>
inline const Acc* walk_vectors(const WalkAcross<Acc>& walk, const Acc* from, i64 column, int v, const Load& load,
                               const Store& store) {
    constexpr int N = lanes_of<Acc>;
    const int vectors = walk.vectors();
    return walk_columns<false, Acc, Open, Unroll>(
        reinterpret_cast<const char*>(from), column * i64(sizeof(Acc)), walk.table,
        [=](const char* at, int u) { return load(reinterpret_cast<const Acc*>(at), v + u); },
        [=](i64 o, int u, Vec<Acc, N> sum) { store(o, v + u, sum); },
        [=, carried = walk.carried](int k, int u) { return carried + (k * vectors + v + u) * N; });
}

// A vector joins a part of each of N / P rows, which are `row_step` apart.
template <class Acc, int Open>
const Acc* walk_pixels(const WalkAcross<Acc>& walk, const Acc* from, i64 row_step, Acc* const* outputs) {
    constexpr int N = lanes_of<Acc>, P = part_of<Acc>, G = N / P, Unroll = Open <= 2 ? 4 : 2;
    const i64 channels = walk.channels, done = walk.done;
    const auto load = [=](const Acc* at, int v) {
        return join_parts<Acc>([=](int g) { return at + (v * G + g) * row_step; });
    };
    const auto store = [=](i64 o, int v, Vec<Acc, N> sum) {
        store_parts<Acc>([=](int g) { return outputs[v * G + g] + (done + o) * channels; }, sum);
    };
    const Acc* weights = nullptr;
    for (int v = 0; v < 4; v += Unroll) weights = walk_vectors<Acc, Open, Unroll>(walk, from, channels, v, load, store);
    return weights;
}

// A vector is an element of N rows.
template <class Acc, int Open>
const Acc* walk_transposed(const WalkAcross<Acc>& walk, const Acc* from, Acc* sums) {
    constexpr int N = lanes_of<Acc>;
    const i64 channels = walk.channels, column = channels * N;
    const auto load = [=](const Acc* at, int v) { return load_vector<Acc, N>(at + v * N); };
    const auto store = [=](i64 o, int v, Vec<Acc, N> sum) { store_vector<Acc, N>(sums + o * column + v * N, sum); };
    const Acc* weights = nullptr;
    int v = 0;
    if (channels == 3 && Open <= 4) return walk_vectors<Acc, Open, 3>(walk, from, column, v, load, store);
    for (; v + 2 <= channels; v += 2) weights = walk_vectors<Acc, Open, 2>(walk, from, column, v, load, store);
    if (v < channels) weights = walk_vectors<Acc, Open, 1>(walk, from, column, v, load, store);
    return weights;
}

template <bool Fused, class Src, class Acc, int Open>
void shrink_open(const Src* src, i64 src_stride, const WalkTable& down, WalkAcross<Acc>& across, i64 begin, i64 end,
                 i64 capacity, Acc* const* outputs, Acc* scratch) {
    constexpr int N = lanes_of<Acc>;
    const bool pixels = across.takes_pixels();
    const i64 channels = across.channels, strip = walk_unroll(int(down.open)) * N;
    Acc *rows = scratch, *columns = rows + capacity * N, *sums = columns + capacity * N;
    for (i64 kept = 0; across.done < across.all;) {  // elements that no output has taken yet, and the walk down has
        const i64 room = (capacity - kept) / strip * strip, n = room < end - begin ? room : end - begin;
        WalkTable table = down;
        table.carry = static_cast<Acc*>(down.carry) + begin;
        void* fresh[N];
        for (i64 r = 0; r < N; ++r) fresh[r] = rows + r * capacity + (pixels ? kept : 0);
        walk<Fused, Src, Acc>(src + begin, src_stride, table, fresh, n);
        if (!pixels) transpose_in<Acc>(reinterpret_cast<const Acc* const*>(fresh), 0, n, columns + kept * N);
        begin += n;
        kept += n;
        i64 at = 0;
        const i64 most = pixels ? across.all : shrink_sums / channels;
        for (;;) {
            const i64 taken = across.choose((kept - at) / channels, most);
            if (across.table.outputs == 0) break;
            const Acc* weights;
            if (pixels) {
                weights = walk_pixels<Acc, Open>(across, rows + at, capacity, outputs);
            } else {
                weights = walk_transposed<Acc, Open>(across, columns + at * N, sums);
                transpose_out<Acc>(sums, across.done * channels, across.table.outputs * channels, outputs,
                                   down.outputs);
            }
            across.go_on(weights);
            at += taken * channels;
        }
        kept -= at;
        if (pixels)
            for (i64 r = 0; r < N; ++r) std::memmove(rows + r * capacity, rows + r * capacity + at, kept * sizeof(Acc));
        else
            std::memmove(columns, columns + at * N, kept * N * sizeof(Acc));
    }
}

template <bool Fused, class Src, class Acc>
void shrink(const void* src, i64 src_stride, const WalkTable& down, const WalkTable& across, i64 in_length,
            i64 channels, i64 most_step, void* const* outputs, void* scratch) {
    constexpr int N = lanes_of<Acc>;
    const i64 capacity = shrink_columns(most_step, channels), begin = across.first_row * channels;
    Acc* memory = static_cast<Acc*>(scratch);
    Acc* carried = memory + (2 * capacity + shrink_sums) * N;
    if (down.outputs < N) std::memset(memory, 0, capacity * N * sizeof(Acc));
    WalkAcross<Acc> walk{across, 0, across.outputs, channels, carried};
    walk.table.carry = carried;
    const auto run = [&]<int Open>(std::integral_constant<int, Open>) {
        shrink_open<Fused, Src, Acc, Open>(static_cast<const Src*>(src), src_stride, down, walk, begin, in_length,
                                           capacity, reinterpret_cast<Acc* const*>(outputs), memory);
    };
    switch (across.open) {
        case 2:
            return run(std::integral_constant<int, 2>{});
        case 3:
            return run(std::integral_constant<int, 3>{});
        case 4:
            return run(std::integral_constant<int, 4>{});
        default:
            return run(std::integral_constant<int, 5>{});
    }
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

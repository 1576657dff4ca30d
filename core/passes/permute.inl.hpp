// Pass P: neighbouring outputs of a row as permutations of a window of the input row, one vector at a time.
#pragma once

#include "convert.inl.hpp"
#include "kernels.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

template <class Acc>
using IndexVec = Vec<std::conditional_t<sizeof(Acc) == 4, std::int32_t, std::int64_t>, lanes_of<Acc>>;

template <class Acc>
inline IndexVec<Acc> load_index(const std::int32_t* index) {
    constexpr int N = lanes_of<Acc>;
    const Vec<std::int32_t, N> narrow = load_vector<std::int32_t, N>(index);
    if constexpr (sizeof(Acc) == 4)
        return narrow;
    else
        return __builtin_convertvector(narrow, IndexVec<Acc>);
}

// Whether the bytes of two windows fit the 16 that one instruction permutes.
template <class E, class Acc>
constexpr bool permutes_bytes = vector_bytes == 32 && sizeof(Acc) == 4 && std::is_integral_v<E> && sizeof(E) == 1;

// Lanes of a window of one vector of elements E, or of two that follow each other, converted.
template <class E, class Acc, bool Wide>
class Permutation {
    static constexpr int N = lanes_of<Acc>;
    static constexpr bool is_signed = E(-1) < E(0);

  public:
    explicit Permutation(const std::int32_t* index) : index_(load_index<Acc>(index)) {
#if HALFPIXEL_VECTOR_BYTES == 32
        // A byte to the low end of its lane, or to the high end where the shift down brings its sign.
        if constexpr (permutes_bytes<E, Acc>)
            index_ = is_signed ? (index_ << 24) | 0x00808080 : index_ | std::int32_t(0x80808000);
        else if constexpr (sizeof(Acc) == 4 && Wide)
            from_second_ = index_ << 28;  // bit 3 becomes the sign
#endif
    }

    Vec<Acc, N> of(const E* window) const {
#if HALFPIXEL_VECTOR_BYTES == 32
        if constexpr (permutes_bytes<E, Acc>) {
            const __m256i lanes = _mm256_shuffle_epi8(bytes(window), (__m256i)index_);
            return (Vec<Acc, N>)_mm256_cvtepi32_ps(is_signed ? _mm256_srai_epi32(lanes, 24) : lanes);
        }
#endif
        const Vec<Acc, N> low = load_as<E, Acc, N>(window);
        if constexpr (!Wide) {
            return one(low);
        } else {
            const Vec<Acc, N> high = load_as<E, Acc, N>(window + N);
#if HALFPIXEL_VECTOR_BYTES == 32
            // The compiler would compare the index with N again for every window.
            if constexpr (sizeof(Acc) == 4)
                return (Vec<Acc, N>)_mm256_blendv_ps((__m256)one(low), (__m256)one(high), (__m256)from_second_);
#endif
            return __builtin_shuffle(low, high, index_);
        }
    }

  private:
#if HALFPIXEL_VECTOR_BYTES == 32
    // Of the window, or of both, in either half.
    static __m256i bytes(const E* window) {
        if constexpr (Wide)
            return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(window)));
        std::int64_t narrow;
        std::memcpy(&narrow, window, sizeof(narrow));
        return _mm256_set1_epi64x(narrow);
    }
#endif

    Vec<Acc, N> one(Vec<Acc, N> v) const {
#if HALFPIXEL_VECTOR_BYTES == 32
        if constexpr (sizeof(Acc) == 4) return (Vec<Acc, N>)_mm256_permutevar8x32_ps((__m256)v, (__m256i)index_);
#endif
        return __builtin_shuffle(v, index_);
    }

    IndexVec<Acc> index_, from_second_;
};

#if HALFPIXEL_VECTOR_BYTES == 32
// Lanes of a parted block: two loads and a permutation within each half take less time than one across both.
class PartedPermutation {
  public:
    explicit PartedPermutation(const std::int32_t* index) {
        for (int part = 0; part < 2; ++part) {
            const std::int32_t* from = index + part * 4;
            for (int i = 0; i < 4; ++i) first_[part] = i == 0 || from[i] < first_[part] ? from[i] : first_[part];
            for (int i = 0; i < 4; ++i) index_[part * 4 + i] = from[i] - std::int32_t(first_[part]);
        }
    }

    Vec<float, 8> of(const float* window) const {
        const __m256 both = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(window + first_[0])),
                                                 _mm_loadu_ps(window + first_[1]), 1);
        return (Vec<float, 8>)_mm256_permutevar_ps(both, (__m256i)index_);
    }

  private:
    i64 first_[2];
    Vec<std::int32_t, 8> index_;
};
#endif

// Every other element of a and then of b, from element First on, within each part of 16 bytes: one instruction.
template <class T, int First, int... I>
inline Vec<T, lanes_of<T>> every_other(Vec<T, lanes_of<T>> a, Vec<T, lanes_of<T>> b, std::integer_sequence<int, I...>) {
    constexpr int N = lanes_of<T>, P = 16 / int(sizeof(T));
    constexpr IndexVec<T> index = {(I / P * P + I % (P / 2) * 2 + First + (I % P < P / 2 ? 0 : N))...};
    return __builtin_shuffle(a, b, index);
}

// The order of elements of a and b that every_other left in parts.
template <class T, int... I>
inline Vec<T, lanes_of<T>> join_halves(Vec<T, lanes_of<T>> v, std::integer_sequence<int, I...>) {
    constexpr int N = lanes_of<T>, H = 8 / int(sizeof(T));
    constexpr IndexVec<T> index = {(I % (N / 2) / H * 2 * H + I % H + (I < N / 2 ? 0 : H))...};
    return __builtin_shuffle(v, index);
}

// Blocks [begin, end) of one pattern in `rows` rows, index and weights in registers: the compiler can't know that
// results leave them alone. from(r): row r; to(r): where its block `begin` goes. Taps: of the pattern, 0: any.
template <bool Fused, class Src, class Acc, bool Wide, int Taps, class From, class To>
inline void permute_run(const From& from, const To& to, i64 rows, const PermuteTable& table, i64 begin, i64 end) {
    constexpr int N = lanes_of<Acc>;
    constexpr auto lanes = std::make_integer_sequence<int, N>{};
    const i64 p = table.pattern[begin], taps = Taps ? Taps : table.taps, step = table.step, blocks = end - begin;
    const i64* windows = table.window + begin;
    const Acc* weights = static_cast<const Acc*>(table.weights) + p * taps * N;
    Vec<Acc, N> kept[Taps + 1];
    for (int t = 0; t < Taps; ++t) kept[t] = load_vector<Acc, N>(weights + t * N);
    const auto weight = [&](i64 t) { return Taps ? kept[t] : load_vector<Acc, N>(weights + t * N); };
    const auto each = [&](const auto& sum_of) {
        for (i64 r = 0; r < rows; ++r) {
            const Src* src = from(r);
            Acc* dst = to(r);
            for (i64 b = 0; b < blocks; ++b) store_vector<Acc, N>(dst + b * N, sum_of(src + windows[b]));
        }
    };
    if (Wide && table.kind[p] == BlockKind::halving) {  // the taps in pairs: even and odd elements of two vectors
        each([&](const Src* window) {
            Vec<Acc, N> acc = broadcast<Acc, N>(Acc(-0.0));
            for (i64 t = 0; t < taps; t += 2) {
                const Vec<Acc, N> x = load_as<Src, Acc, N>(window + t), y = load_as<Src, Acc, N>(window + t + N);
                acc = add_tap<Fused, Acc, N>(acc, every_other<Acc, 0>(x, y, lanes), weight(t));
                if (t + 1 < taps) acc = add_tap<Fused, Acc, N>(acc, every_other<Acc, 1>(x, y, lanes), weight(t + 1));
            }
            return join_halves<Acc>(acc, lanes);
        });
        return;
    }
    const auto permuted = [&](const auto& permutation) {
        each([&](const Src* window) {
            Vec<Acc, N> acc = weight(0) * permutation.of(window);
            for (i64 t = 1; t < taps; ++t)
                acc = add_tap<Fused, Acc, N>(acc, permutation.of(window + t * step), weight(t));
            return acc;
        });
    };
#if HALFPIXEL_VECTOR_BYTES == 32
    if constexpr (std::is_same_v<Src, float> && std::is_same_v<Acc, float> && !Wide)
        if (table.kind[p] == BlockKind::parted) return permuted(PartedPermutation(table.index + p * N));
#endif
    permuted(Permutation<Src, Acc, Wide>(table.index + p * N));
}

// The end of the blocks from b on that have its pattern and lie where their number says: the last one of a row may not.
inline i64 end_of_run(const PermuteTable& table, i64 b) {
    i64 end = b;
    if (table.kind[table.pattern[b]] == BlockKind::masked) return end;
    while (end + 1 < table.blocks && table.pattern[end] == table.pattern[b]) ++end;
    return end;
}

// `Rows` rows share the loads of index and weights. Taps: of the table, 0: any.
template <bool Fused, class Src, class Acc, bool Wide, int Rows, int Taps>
inline void permute_blocks(const Src* const* src, Acc* const* dst, const PermuteTable& table) {
    constexpr int N = lanes_of<Acc>;
    const i64 blocks = table.blocks, taps = Taps ? Taps : table.taps, step = table.step, length = table.length;
    const i64* windows = table.window;
    const std::int32_t *patterns = table.pattern, *indices = table.index;
    const Acc *weights = static_cast<const Acc*>(table.weights), *initials = static_cast<const Acc*>(table.initial);
    const BlockKind* kinds = table.kind;
    const bool has_runs = table.has_runs;
    const Src* from[Rows];
    Acc* to[Rows];
    for (int r = 0; r < Rows; ++r) {
        from[r] = src[r];
        to[r] = dst[r];
    }
    for (i64 b = 0; b < blocks; ++b) {
        if (has_runs) {
            const i64 end = end_of_run(table, b);
            const auto row = [&](i64 r) { return from[r]; };
            const auto place = [&](i64 r) { return to[r] + b * N; };
            if (end > b) permute_run<Fused, Src, Acc, Wide, Taps>(row, place, Rows, table, b, end);
            b = end;
        }
        const i64 p = patterns[b], at = b + 1 < blocks || length < N ? b * N : length - N, window = windows[b];
        const Permutation<Src, Acc, Wide> permutation(indices + p * N);
        const Acc* w = weights + p * taps * N;
        const auto store = [&](int r, Vec<Acc, N> sum) {
            if (length >= N)
                store_vector<Acc, N>(to[r] + at, sum);
            else
                store_some<Acc, Acc, N>(to[r], sum, length);
        };
        if (kinds[p] == BlockKind::masked) {
            Vec<Acc, N> acc[Rows];
            for (int r = 0; r < Rows; ++r) acc[r] = load_vector<Acc, N>(initials + p * N);
            for (i64 t = 0; t < taps; ++t) {
                const Vec<Acc, N> wt = load_vector<Acc, N>(w + t * N);
                for (int r = 0; r < Rows; ++r) {
                    const Vec<Acc, N> x = permutation.of(from[r] + window + t * step);
                    const Vec<Acc, N> sum = add_tap<Fused, Acc, N>(acc[r], x, wt);
                    acc[r] = wt != Acc(0) ? sum : acc[r];
                }
            }
            for (int r = 0; r < Rows; ++r) store(r, acc[r]);
            continue;
        }
        Vec<Acc, N> kept[Taps + 1];
        for (int t = 0; t < Taps; ++t) kept[t] = load_vector<Acc, N>(w + t * N);
        const auto weight = [&](i64 t) { return Taps ? kept[t] : load_vector<Acc, N>(w + t * N); };
        for (int r = 0; r < Rows; ++r) {
            const Src* x = from[r] + window;
            Vec<Acc, N> acc = weight(0) * permutation.of(x);
            for (i64 t = 1; t < taps; ++t) acc = add_tap<Fused, Acc, N>(acc, permutation.of(x + t * step), weight(t));
            store(r, acc);
        }
    }
}

template <bool Fused, class Src, class Acc, bool Wide, int Taps>
inline void permute_rows(const Src* const* src, Acc* const* dst, i64 rows, const PermuteTable& table) {
    i64 r = 0;
    for (; r + 4 <= rows; r += 4) permute_blocks<Fused, Src, Acc, Wide, 4, Taps>(src + r, dst + r, table);
    for (; r < rows; ++r) permute_blocks<Fused, Src, Acc, Wide, 1, Taps>(src + r, dst + r, table);
}

template <bool Fused, class Src, class Acc, bool Wide>
inline void permute_rows_of(const Src* const* src, Acc* const* dst, i64 rows, const PermuteTable& table) {
    switch (table.taps) {
        case 2:
            return permute_rows<Fused, Src, Acc, Wide, 2>(src, dst, rows, table);
        case 4:
            return permute_rows<Fused, Src, Acc, Wide, 4>(src, dst, rows, table);
        case 8:
            return permute_rows<Fused, Src, Acc, Wide, 8>(src, dst, rows, table);
        default:
            return permute_rows<Fused, Src, Acc, Wide, 0>(src, dst, rows, table);
    }
}

template <bool Fused, class Src, class Acc>
void permute(const void* const* src, void* const* dst, i64 rows, const PermuteTable& table) {
    const auto from = reinterpret_cast<const Src* const*>(src);
    const auto to = reinterpret_cast<Acc* const*>(dst);
    if (table.wide)
        permute_rows_of<Fused, Src, Acc, true>(from, to, rows, table);
    else
        permute_rows_of<Fused, Src, Acc, false>(from, to, rows, table);
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

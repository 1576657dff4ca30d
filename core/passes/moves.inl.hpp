// Moves: nearest, DepthToSpace, SpaceToDepth. Elements pass untouched, whatever they are.
#pragma once

#include <type_traits>
#include <utility>

#include "kernels.hpp"
#include "simd.inl.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

struct Unit16 {
    std::uint64_t low, high;
};

// Calls f with a zero of the integer type of that width; wider units are moved byte by byte by the caller.
template <class F>
inline bool with_unit(i64 unit, const F& f) {
    switch (unit) {
        case 1:
            f(std::uint8_t{});
            return true;
        case 2:
            f(std::uint16_t{});
            return true;
        case 4:
            f(std::uint32_t{});
            return true;
        case 8:
            f(std::uint64_t{});
            return true;
        case 16:
            f(Unit16{});
            return true;
        default:
            return false;
    }
}

void gather(const void* src, void* dst, const i64* index, i64 n, i64 unit) {
    const bool done = with_unit(unit, [=](auto zero) {
        using T = decltype(zero);
        const T* from = static_cast<const T*>(src);
        T* to = static_cast<T*>(dst);
        for (i64 i = 0; i < n; ++i) to[i] = from[index[i]];
    });
    if (done) return;
    for (i64 i = 0; i < n; ++i)
        std::memcpy(static_cast<char*>(dst) + i * unit, static_cast<const char*>(src) + index[i] * unit, unit);
}

// 16 bytes of the 16 or 32 at a window.
template <bool Wide>
class ByteShuffle {
    using Bytes = Vec<std::uint8_t, 16>;

  public:
    explicit ByteShuffle(const std::uint8_t* index) : index_(load_vector<std::uint8_t, 16>(index)) {
#if defined(__x86_64__)
        if constexpr (Wide) {  // the top bit set: a zero
            in_high_ = index_ - 16;
            index_ = index_ + 112;
        }
#endif
    }

    Bytes of(const std::uint8_t* window) const {
        const Bytes low = load_vector<std::uint8_t, 16>(window);
#if defined(__x86_64__)
        const Bytes from_low = (Bytes)_mm_shuffle_epi8((__m128i)low, (__m128i)index_);
        if constexpr (!Wide) return from_low;
        const Bytes high = load_vector<std::uint8_t, 16>(window + 16);
        return from_low | (Bytes)_mm_shuffle_epi8((__m128i)high, (__m128i)in_high_);
#else
        if constexpr (!Wide) return __builtin_shuffle(low, index_);
        return __builtin_shuffle(low, load_vector<std::uint8_t, 16>(window + 16), index_);
#endif
    }

  private:
    Bytes index_, in_high_;
};

template <bool Wide, bool Ahead>
inline void shuffle_blocks(const std::uint8_t* from, i64 ahead, std::uint8_t* to, const ShuffleTable& table) {
    const i64 last = table.blocks - 1, length = table.length;
    const i64* windows = table.window;
    const std::int32_t* patterns = table.pattern;
    const std::uint8_t* indices = table.index;
    for (i64 b = 0; b <= last;) {
        const std::int32_t pattern = patterns[b];
        const ByteShuffle<Wide> shuffle(indices + 16 * pattern);
        for (; b <= last && patterns[b] == pattern; ++b) {
            const std::uint8_t* window = from + windows[b];
            if constexpr (Ahead) __builtin_prefetch(window + ahead);
            store_vector<std::uint8_t, 16>(to + (b < last ? 16 * b : length - 16), shuffle.of(window));
        }
    }
}

void shuffle(const void* src, i64 ahead, void* dst, const ShuffleTable& table) {
    const auto* from = static_cast<const std::uint8_t*>(src);
    auto* to = static_cast<std::uint8_t*>(dst);
    const auto move = [=](auto wide) {
        if (ahead)
            shuffle_blocks<wide, true>(from, ahead, to, table);
        else
            shuffle_blocks<wide, false>(from, 0, to, table);
    };
    if (table.wide)
        move(std::true_type{});
    else
        move(std::false_type{});
}

void copy(const void* src, void* dst, i64 bytes, bool stream) {
    if (!stream) {
        std::memcpy(dst, src, bytes);
        return;
    }
    constexpr int N = vector_bytes;
    const auto* from = static_cast<const std::uint8_t*>(src);
    auto* to = static_cast<std::uint8_t*>(dst);
    i64 x = streaming_head<piece_bytes>(to, bytes);
    std::memcpy(to, from, x);
    const auto stream_pieces = [&](i64 end) {
        for (; x + piece_bytes <= end; x += piece_bytes)
            stream_vector<std::uint8_t, piece_bytes>(to + x, load_vector<std::uint8_t, piece_bytes>(from + x));
    };
    stream_pieces(x + streaming_head<N>(to + x, bytes - x));
    for (; x + N <= bytes; x += N) stream_vector<std::uint8_t, N>(to + x, load_vector<std::uint8_t, N>(from + x));
    stream_pieces(bytes);
    std::memcpy(to + x, from + x, bytes - x);
}

// Two rows side by side and apart again, a vector of each at a time: width >= their lanes I. Wider stores keep more
// bytes on the way to the second-level cache, but not across two of its lines.
template <class T>
constexpr int lanes_of_two = (vector_bytes < 32 ? 16 : 32) / int(sizeof(T));

template <class T, int... I>
inline void interleave_two(const T* rows, i64 row_stride, T* line, i64 width, std::integer_sequence<int, I...>) {
    constexpr int N = sizeof...(I);
    const auto piece = [=](i64 w) {
        const Vec<T, N> a = load_vector<T, N>(rows + w), b = load_vector<T, N>(rows + row_stride + w);
        store_vector<T, N>(line + 2 * w, __builtin_shufflevector(a, b, (I / 2 + I % 2 * N)...));
        store_vector<T, N>(line + 2 * w + N, __builtin_shufflevector(a, b, (N / 2 + I / 2 + I % 2 * N)...));
    };
    for (i64 w = 0; w + N <= width; w += N) piece(w);
    if (width % N) piece(width - N);
}

template <class T, int... I>
inline void deinterleave_two(const T* line, T* rows, i64 row_stride, i64 width, std::integer_sequence<int, I...>) {
    constexpr int N = sizeof...(I);
    const auto piece = [=](i64 w) {
        const Vec<T, N> a = load_vector<T, N>(line + 2 * w), b = load_vector<T, N>(line + 2 * w + N);
        store_vector<T, N>(rows + w, __builtin_shufflevector(a, b, (2 * I)...));
        store_vector<T, N>(rows + row_stride + w, __builtin_shufflevector(a, b, (2 * I + 1)...));
    };
    for (i64 w = 0; w + N <= width; w += N) piece(w);
    if (width % N) piece(width - N);
}

// line[w * b + j] = row j of the channels at w: rows lie row_stride elements apart. B is b, or 0 for any.
template <int B, class T>
inline void interleave(const T* rows, i64 row_stride, T* line, i64 width, i64 blocksize) {
    if constexpr (B == 2 && sizeof(T) <= 8)
        if (width >= lanes_of_two<T>)
            return interleave_two(rows, row_stride, line, width, std::make_integer_sequence<int, lanes_of_two<T>>{});
    const i64 b = B ? B : blocksize;
    for (i64 w = 0; w < width; ++w)
        for (i64 j = 0; j < b; ++j) line[w * b + j] = rows[j * row_stride + w];
}

template <int B, class T>
inline void deinterleave(const T* line, T* rows, i64 row_stride, i64 width, i64 blocksize) {
    if constexpr (B == 2 && sizeof(T) <= 8)
        if (width >= lanes_of_two<T>)
            return deinterleave_two(line, rows, row_stride, width, std::make_integer_sequence<int, lanes_of_two<T>>{});
    const i64 b = B ? B : blocksize;
    for (i64 w = 0; w < width; ++w)
        for (i64 j = 0; j < b; ++j) rows[j * row_stride + w] = line[w * b + j];
}

// Calls f with the block size as a constant where it is a common one.
template <class F>
inline void with_blocksize(i64 blocksize, const F& f) {
    switch (blocksize) {
        case 2:
            return f(std::integral_constant<int, 2>{});
        case 3:
            return f(std::integral_constant<int, 3>{});
        case 4:
            return f(std::integral_constant<int, 4>{});
        default:
            return f(std::integral_constant<int, 0>{});
    }
}

// Where the b x b planes of channels lie that make one spatial plane, row by row of a block, in elements.
struct DeepPlanes {
    i64 first, stride;
};

inline DeepPlanes deep_planes(const RearrangeShape& s, i64 plane) {
    const i64 block = s.blocksize * s.blocksize, spatial = s.channels / block, area = s.height * s.width;
    const i64 n = plane / spatial, c = plane % spatial;
    return {(n * s.channels + (s.crd ? c * block : c)) * area, (s.crd ? 1 : spatial) * area};
}

// Results that go past the caches are made in the buffer, a line at a time, within the cache.
template <int B, class T>
[[gnu::noinline]] void plane_to_space(const T* deep, i64 deep_stride, T* space, const RearrangeShape& s, T* buffer) {
    const i64 b = s.blocksize, length = s.width * b;
    for (i64 h = 0; h < s.height; ++h)
        for (i64 i = 0; i < b; ++i, space += length) {
            interleave<B, T>(deep + i * b * deep_stride + h * s.width, deep_stride, buffer ? buffer : space, s.width,
                             b);
            if (buffer) copy(buffer, space, length * i64(sizeof(T)), true);
        }
}

// Lines [begin, end) of each of the b x b planes, which lie to_stride elements apart. The lines `ahead` elements
// further are read next: they are fetched meanwhile.
template <int B, class T>
inline void lines_to_depth(const T* space, i64 ahead, T* to, i64 to_stride, const RearrangeShape& s, i64 begin,
                           i64 end) {
    constexpr i64 cache_line = 64 / sizeof(T);
    const i64 b = s.blocksize, length = s.width * b;
    for (i64 h = begin; h < end; ++h)
        for (i64 i = 0; i < b; ++i) {
            const T* line = space + (h * b + i) * length;
            T* row = to + i * b * to_stride + (h - begin) * s.width;
            deinterleave<B, T>(line, row, to_stride, s.width, b);
            if (ahead)
                for (i64 w = 0; w < length; w += cache_line) __builtin_prefetch(line + ahead + w);
        }
}

// Results that go past the caches are made in the buffer, as many lines at a time as it has room for: short rows that
// begin and end inside of a cache line are better written together.
template <int B, class T>
[[gnu::noinline]] void plane_to_depth(const T* space, T* deep, i64 deep_stride, const RearrangeShape& s, T* buffer) {
    if (!buffer) return lines_to_depth<B, T>(space, 0, deep, deep_stride, s, 0, s.height);
    const i64 planes = s.blocksize * s.blocksize, bytes = i64(sizeof(T));
    const i64 lines = rearrange_lines(s, bytes), stride = lines * s.width;
    for (i64 h = 0; h < s.height; h += lines) {
        const i64 end = h + lines < s.height ? h + lines : s.height;
        lines_to_depth<B, T>(space, stride * planes, buffer, stride, s, h, end);
        for (i64 k = 0; k < planes; ++k)
            copy(buffer + k * stride, deep + k * deep_stride + h * s.width, (end - h) * s.width * bytes, true);
    }
}

// Calls f(zero of the unit's type, block size, deep planes, offset in the spatial side) for planes [begin, end).
template <class F>
inline void for_planes(const RearrangeShape& s, i64 unit, i64 begin, i64 end, const F& f) {
    const i64 area = s.height * s.width * s.blocksize * s.blocksize;
    with_unit(unit, [&](auto zero) {
        with_blocksize(s.blocksize, [&](auto b) {
            for (i64 plane = begin; plane < end; ++plane) f(zero, b, deep_planes(s, plane), plane * area);
        });
    });
}

void depth_to_space(const void* src, void* dst, const RearrangeShape& s, i64 unit, i64 begin, i64 end, void* buffer) {
    for_planes(s, unit, begin, end, [&](auto zero, auto b, const DeepPlanes& deep, i64 space) {
        using T = decltype(zero);
        plane_to_space<b.value, T>(static_cast<const T*>(src) + deep.first, deep.stride, static_cast<T*>(dst) + space,
                                   s, static_cast<T*>(buffer));
    });
}

void space_to_depth(const void* src, void* dst, const RearrangeShape& s, i64 unit, i64 begin, i64 end, void* buffer) {
    for_planes(s, unit, begin, end, [&](auto zero, auto b, const DeepPlanes& deep, i64 space) {
        using T = decltype(zero);
        plane_to_depth<b.value, T>(static_cast<const T*>(src) + space, static_cast<T*>(dst) + deep.first, deep.stride,
                                   s, static_cast<T*>(buffer));
    });
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

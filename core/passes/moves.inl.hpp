// Moves: nearest, DepthToSpace, SpaceToDepth. Elements pass untouched, whatever they are.
#pragma once

#include <type_traits>

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

// line[w * b + j] = row j of the channels at w: rows lie row_stride elements apart. B is b, or 0 for any.
template <int B, class T>
inline void interleave(const T* rows, i64 row_stride, T* line, i64 width, i64 blocksize) {
    const i64 b = B ? B : blocksize;
    for (i64 w = 0; w < width; ++w)
        for (i64 j = 0; j < b; ++j) line[w * b + j] = rows[j * row_stride + w];
}

template <int B, class T>
inline void deinterleave(const T* line, T* rows, i64 row_stride, i64 width, i64 blocksize) {
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

// Where the b rows of channels lie that make line `line` of spatial plane `plane`, in elements.
struct DeepRows {
    i64 first, stride;
};

inline DeepRows deep_rows(const RearrangeShape& s, i64 plane, i64 line) {
    const i64 b = s.blocksize, spatial = s.channels / (b * b), area = s.height * s.width;
    const i64 n = plane / spatial, c = plane % spatial, h = line / b, i = line % b;
    const i64 channel = s.crd ? (c * b + i) * b : i * b * spatial + c;
    return {(n * s.channels + channel) * area + h * s.width, (s.crd ? 1 : spatial) * area};
}

// With a line buffer, results are made there, within the cache, and written past the caches.
template <int B, class T>
inline void line_to_space(const T* deep, const DeepRows& rows, T* line, const RearrangeShape& s, T* buffer) {
    interleave<B, T>(deep + rows.first, rows.stride, buffer ? buffer : line, s.width, s.blocksize);
    if (buffer) copy(buffer, line, s.width * s.blocksize * i64(sizeof(T)), true);
}

template <int B, class T>
inline void line_to_depth(const T* line, T* deep, const DeepRows& rows, const RearrangeShape& s, T* buffer) {
    if (!buffer) return deinterleave<B, T>(line, deep + rows.first, rows.stride, s.width, s.blocksize);
    deinterleave<B, T>(line, buffer, s.width, s.width, s.blocksize);
    for (i64 j = 0; j < s.blocksize; ++j)
        copy(buffer + j * s.width, deep + rows.first + j * rows.stride, s.width * i64(sizeof(T)), true);
}

// Calls f(zero of the unit's type, block size, deep rows, offset in the spatial side) for every line of planes [begin,
// end).
template <class F>
inline void for_lines(const RearrangeShape& s, i64 unit, i64 begin, i64 end, const F& f) {
    const i64 lines = s.height * s.blocksize, length = s.width * s.blocksize;
    with_unit(unit, [&](auto zero) {
        with_blocksize(s.blocksize, [&](auto b) {
            for (i64 plane = begin; plane < end; ++plane)
                for (i64 line = 0; line < lines; ++line)
                    f(zero, b, deep_rows(s, plane, line), (plane * lines + line) * length);
        });
    });
}

void depth_to_space(const void* src, void* dst, const RearrangeShape& s, i64 unit, i64 begin, i64 end, void* buffer) {
    for_lines(s, unit, begin, end, [&](auto zero, auto b, const DeepRows& rows, i64 line) {
        using T = decltype(zero);
        line_to_space<b.value, T>(static_cast<const T*>(src), rows, static_cast<T*>(dst) + line, s,
                                  static_cast<T*>(buffer));
    });
}

void space_to_depth(const void* src, void* dst, const RearrangeShape& s, i64 unit, i64 begin, i64 end, void* buffer) {
    for_lines(s, unit, begin, end, [&](auto zero, auto b, const DeepRows& rows, i64 line) {
        using T = decltype(zero);
        line_to_depth<b.value, T>(static_cast<const T*>(src) + line, static_cast<T*>(dst), rows, s,
                                  static_cast<T*>(buffer));
    });
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET

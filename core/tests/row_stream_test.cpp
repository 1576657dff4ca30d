// Rows written past the caches line by line: every byte once, in its place, and none beside them.
#include "../run/row_stream.hpp"

#include <vector>

#include "check.hpp"

namespace halfpixel {
namespace {

constexpr char untouched = 0x5a;

char byte_of(i64 row, i64 at) { return char(row * 31 + at % 29); }

// Rows of `bytes` from `offset` on, `apart` bytes from start to start; whole lines are asked for past the caches only
// where they start at a multiple of a line.
bool rows_are_right(i64 offset, i64 rows, i64 bytes, i64 apart) {
    std::vector<char> memory(std::size_t(offset + rows * apart + 2 * line_bytes), untouched);
    char* base = memory.data() + (line_bytes - i64(reinterpret_cast<std::uintptr_t>(memory.data()) % line_bytes));
    bool right = true;
    {
        RowStream lines;
        for (i64 r = 0; r < rows; ++r)
            lines.write(base + offset + r * apart, bytes, [&](i64 at, i64 count, char* to, bool stream) {
                right &= !stream || (reinterpret_cast<std::uintptr_t>(to) % line_bytes == 0 && count % line_bytes == 0);
                for (i64 i = 0; i < count; ++i) to[i] = byte_of(r, at + i);
            });
    }
    active_kernels().fence();
    for (i64 at = -1; at <= offset + rows * apart; ++at) {
        const i64 r = (at - offset) / apart, column = (at - offset) % apart;
        const bool inside = at >= offset && r < rows && column < bytes;
        right &= base[at] == (inside ? byte_of(r, column) : untouched);
    }
    return right;
}

HALFPIXEL_TEST(rows_past_the_caches_are_written_once_and_in_place) {
    for (const i64 offset : {0, 4, 16, 60})
        for (const i64 bytes : {4, 12, 60, 64, 68, 128, 200, 640, 1052})
            for (const i64 gap : {0, 4, 64, 100}) CHECK(rows_are_right(offset, 7, bytes, bytes + gap));
}

}  // namespace
}  // namespace halfpixel

// Rows of results that follow each other in memory, written past the caches in whole lines: what a row leaves of its
// last line waits for the row behind it. A plain store into a line whose other part goes past the caches would cost it
// several times as much.
#pragma once

#include <algorithm>
#include <cstring>

#include "../isa/isa.hpp"

namespace halfpixel {

class RowStream {
  public:
    RowStream() = default;
    ~RowStream() { flush(); }
    RowStream(const RowStream&) = delete;
    RowStream& operator=(const RowStream&) = delete;

    // make(at, bytes, to, stream) makes the bytes from `at` on of the row, at an address as far behind a multiple of a
    // line as theirs.
    template <class Make>
    void write(char* row, i64 bytes, const Make& make) {
        if (row != end_) {
            flush();
            begin_ = end_ = row;
        }
        const i64 past = behind_line(row);
        const i64 head = past ? std::min(line_bytes - past, bytes) : 0;
        if (head > 0) make(0, head, line_ + past, false);
        end_ += head;
        if (behind_line(end_) != 0) return;
        flush();
        const i64 body = (bytes - head) / line_bytes * line_bytes, rest = bytes - head - body;
        if (body > 0) make(head, body, row + head, true);
        if (rest > 0) make(head + body, rest, line_, false);
        begin_ = row + head + body;
        end_ = begin_ + rest;
    }

  private:
    static i64 behind_line(const char* at) { return i64(reinterpret_cast<std::uintptr_t>(at) % line_bytes); }

    // Of a line that other rows or tasks write a part of, the own one is stored plainly, like theirs.
    void flush() {
        const char* from = line_ + behind_line(begin_);
        if (end_ - begin_ == line_bytes)
            active_kernels().copy(from, begin_, line_bytes, true);
        else if (end_ != begin_)
            std::memcpy(begin_, from, std::size_t(end_ - begin_));
        begin_ = end_;
    }

    alignas(line_bytes) char line_[line_bytes];
    char *begin_ = nullptr, *end_ = nullptr;  // what lies in line_
};

}  // namespace halfpixel

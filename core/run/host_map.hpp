// A map from one dense array in C order to another, whole: passes, the value where the input ends, no Python.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "average.hpp"
#include "host_interface.hpp"
#include "move.hpp"

namespace halfpixel {

using SharedProgram = std::variant<std::shared_ptr<const AverageProgram>, std::shared_ptr<const MoveProgram>>;

class HostMap {
  public:
    using Ranges = std::vector<std::pair<i64, i64>>;  // one [begin, end) an axis

    // The program writes the box `inside` of the output; every other element becomes `value`, the bytes of one element.
    // Complex elements are a last axis of 2 in the program and none here.
    HostMap(SharedProgram program, std::vector<i64> out_shape, Ranges inside, std::string value);

    // Every element of the output is `value`, whatever the in_bytes hold: a sum over nothing is 0.
    HostMap(i64 in_bytes, std::vector<i64> out_shape, std::string value);

    // DepthToSpace, or SpaceToDepth where to_space is false; elements of `unit` bytes.
    HostMap(const RearrangeShape& shape, bool to_space, i64 unit);

    i64 in_bytes() const { return in_bytes_; }
    i64 out_bytes() const { return out_bytes_; }

    // Throws std::bad_alloc.
    void run(const char* in, char* out, int threads) const;

  private:
    struct Resampled {
        SharedProgram program;
        std::vector<i64> in_strides, out_strides;  // of the program's axes, in bytes
        i64 begin = 0;                             // where the box starts in the output, in bytes
        i64 copied = 0;  // bytes of a box that the program cannot write in place, and which is copied there
    };
    struct Rearranged {
        RearrangeShape shape;
        bool to_space;
        i64 unit;
    };

    void prepare_output(i64 unit);
    Resampled prepare(SharedProgram program) const;
    void run_resampled(const Resampled& map, const char* in, char* out, int threads) const;
    void fill_outside(std::size_t axis, char* out) const;
    void copy_box(std::size_t axis, const char*& dense, char* out) const;

    std::variant<std::monostate, Resampled, Rearranged> map_;
    i64 in_bytes_ = 0, out_bytes_ = 0;
    std::vector<i64> out_shape_;
    std::vector<i64> strides_;  // of the output's axes, in bytes
    Ranges inside_;
    std::size_t cut_axes_ = 0;  // axes from here on lie inside as a whole
    std::string value_;
};

}  // namespace halfpixel

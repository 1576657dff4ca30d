#include "host_map.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace halfpixel {
namespace {

std::vector<i64> dense_strides(const std::vector<i64>& shape, i64 unit) {
    std::vector<i64> strides(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0; unit *= shape[axis]) strides[axis] = unit;
    return strides;
}

i64 product(const std::vector<i64>& shape, i64 unit) {
    for (const i64 length : shape)
        if (__builtin_mul_overflow(unit, length, &unit)) throw std::invalid_argument("more bytes than 63 bits count");
    return unit;
}

// Copies what is there already, doubling it, so that a value of any width is written in few long copies.
void repeat(char* out, i64 bytes, const std::string& value) {
    if (bytes == 0) return;
    i64 done = i64(value.size());
    std::memcpy(out, value.data(), value.size());
    for (; done < bytes; done *= 2) std::memcpy(out + done, out, std::size_t(std::min(done, bytes - done)));
}

}  // namespace

HostMap::HostMap(SharedProgram program, std::vector<i64> out_shape, Ranges inside, std::string value)
    : out_shape_(std::move(out_shape)), inside_(std::move(inside)), value_(std::move(value)) {
    if (inside_.size() != out_shape_.size()) throw std::invalid_argument("one range is needed for every axis");
    for (std::size_t axis = 0; axis < inside_.size(); ++axis) {
        const auto [begin, end] = inside_[axis];
        if (begin < 0 || end < begin || end > out_shape_[axis])
            throw std::invalid_argument("a range beside the output");
        if (begin != 0 || end != out_shape_[axis]) cut_axes_ = axis + 1;
    }
    std::visit(
        [&](const auto& p) {
            const bool pairs = p->out_shape().size() == out_shape_.size() + 1;
            const i64 unit = i64(p->element_size()) * (pairs ? p->out_shape().back() : 1);
            if (cut_axes_ != 0 && i64(value_.size()) != unit) throw std::invalid_argument("a value of another width");
            in_bytes_ = product(p->in_shape(), i64(p->element_size()));
            prepare_output(unit);
        },
        program);
    map_ = prepare(std::move(program));
}

HostMap::HostMap(i64 in_bytes, std::vector<i64> out_shape, std::string value)
    : in_bytes_(in_bytes),
      out_shape_(std::move(out_shape)),
      inside_(out_shape_.size(), {0, 0}),
      cut_axes_(1),
      value_(std::move(value)) {
    if (out_shape_.empty() || value_.empty()) throw std::invalid_argument("an array with axes and elements");
    prepare_output(i64(value_.size()));
}

HostMap::HostMap(const RearrangeShape& shape, bool to_space, i64 unit) : map_(Rearranged{shape, to_space, unit}) {
    if (shape.blocksize < 1 || shape.channels % (shape.blocksize * shape.blocksize) != 0)
        throw std::invalid_argument("channels of whole blocks");
    in_bytes_ = out_bytes_ = product({shape.batch, shape.channels, shape.height, shape.width}, unit);
}

void HostMap::prepare_output(i64 unit) {
    out_bytes_ = product(out_shape_, unit);
    strides_ = dense_strides(out_shape_, unit);
}

HostMap::Resampled HostMap::prepare(SharedProgram program) const {
    Resampled map{std::move(program), {}, {}};
    std::visit(
        [&](const auto& p) {
            const i64 size = i64(p->element_size());
            const std::vector<i64>& shape = p->out_shape();
            if (shape.size() < out_shape_.size() || shape.size() > out_shape_.size() + 1)
                throw std::invalid_argument("a program of another rank");
            for (std::size_t axis = 0; axis < inside_.size(); ++axis) {
                const auto [begin, end] = inside_[axis];
                if (shape[axis] != end - begin) throw std::invalid_argument("a program of another box");
                map.begin += begin * strides_[axis];
            }
            map.in_strides = dense_strides(p->in_shape(), size);
            // The axis from which on the program needs all without gaps may itself be cut, those behind it may not.
            if (i64(cut_axes_) <= p->contiguous_from() + 1) {
                map.out_strides = strides_;
                if (shape.size() > out_shape_.size()) map.out_strides.push_back(size);
            } else {
                map.out_strides = dense_strides(shape, size);
                map.copied = product(shape, size);
            }
        },
        map.program);
    return map;
}

void HostMap::run(const char* in, char* out, int threads) const {
    if (out_bytes_ == 0) return;
    if (const auto* map = std::get_if<Rearranged>(&map_)) {
        const auto rearrange = map->to_space ? run_depth_to_space : run_space_to_depth;
        return rearrange(in, out, map->shape, map->unit, threads);
    }
    if (const auto* map = std::get_if<Resampled>(&map_)) run_resampled(*map, in, out, threads);
    if (cut_axes_ != 0) fill_outside(0, out);
}

void HostMap::run_resampled(const Resampled& map, const char* in, char* out, int threads) const {
    const auto run = [&](char* to) {
        std::visit([&](const auto& p) { p->run(in, map.in_strides.data(), to, map.out_strides.data(), threads); },
                   map.program);
    };
    if (map.copied == 0) return run(out + map.begin);
    const auto dense = std::make_unique_for_overwrite<char[]>(std::size_t(map.copied));
    run(dense.get());
    const char* from = dense.get();
    copy_box(0, from, out);
}

// Elements before and behind the range of the axis, then the same inside it for the next axis.
void HostMap::fill_outside(std::size_t axis, char* out) const {
    const auto [begin, end] = inside_[axis];
    const i64 stride = strides_[axis];
    repeat(out, begin * stride, value_);
    repeat(out + end * stride, (out_shape_[axis] - end) * stride, value_);
    if (axis + 1 == cut_axes_) return;
    for (i64 i = begin; i < end; ++i) fill_outside(axis + 1, out + i * stride);
}

void HostMap::copy_box(std::size_t axis, const char*& dense, char* out) const {
    const auto [begin, end] = inside_[axis];
    const i64 stride = strides_[axis];
    if (axis + 1 < cut_axes_) {
        for (i64 i = begin; i < end; ++i) copy_box(axis + 1, dense, out + i * stride);
        return;
    }
    std::memcpy(out + begin * stride, dense, std::size_t((end - begin) * stride));
    dense += (end - begin) * stride;
}

}  // namespace halfpixel

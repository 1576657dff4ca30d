// Programs as Python sees them, and what the bindings ask of arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../run/host_map.hpp"

namespace halfpixel {

namespace nb = nanobind;

using InArray = nb::ndarray<nb::ro, nb::device::cpu>;
using OutArray = nb::ndarray<nb::device::cpu>;
using Table = std::shared_ptr<AxisTable>;

constexpr double gil_worth_releasing = 4e4;  // about 10 microseconds of work

inline std::vector<i64> byte_strides(const auto& array) {
    std::vector<i64> strides(array.ndim());
    for (std::size_t i = 0; i < strides.size(); ++i) strides[i] = array.stride(i) * i64(array.itemsize());
    return strides;
}

inline bool has_shape(const auto& array, const std::vector<i64>& shape) {
    if (array.ndim() != shape.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (i64(array.shape(i)) != shape[i]) return false;
    return true;
}

// Axes from `begin` on lie behind each other without gaps. Axes of length 1 have no stride to speak of.
inline bool contiguous_from(const auto& array, std::size_t begin) {
    i64 expected = 1;
    for (std::size_t i = array.ndim(); i-- > begin;) {
        if (array.shape(i) != 1 && array.stride(i) != expected) return false;
        expected *= i64(array.shape(i));
    }
    return true;
}

Element element_from(const std::string& name);

class Program {
  public:
    Program(std::vector<i64> in_shape, const std::vector<std::pair<i64, Table>>& tables, const std::string& element,
            bool move)
        : program_(make(std::move(in_shape), tables, element, move)) {}

    const SharedProgram& shared() const { return program_; }
    std::vector<i64> in_shape() const {
        return std::visit([](const auto& p) { return p->in_shape(); }, program_);
    }
    std::vector<i64> out_shape() const {
        return std::visit([](const auto& p) { return p->out_shape(); }, program_);
    }
    i64 contiguous_axis() const {
        return std::visit([](const auto& p) { return p->contiguous_from(); }, program_);
    }

    void run(InArray x, OutArray out, int threads) const {
        std::visit([&](const auto& p) { run_on(*p, x, out, threads); }, program_);
    }

  private:
    static SharedProgram make(std::vector<i64> in_shape, const std::vector<std::pair<i64, Table>>& tables,
                              const std::string& element, bool move) {
        const AxisTables shared(tables.begin(), tables.end());
        if (move) return std::make_shared<const MoveProgram>(std::move(in_shape), shared, std::stoll(element));
        return std::make_shared<const AverageProgram>(std::move(in_shape), shared, element_from(element));
    }

    void run_on(const auto& p, const InArray& x, const OutArray& out, int threads) const {
        if (!has_shape(x, p.in_shape()) || !has_shape(out, p.out_shape()))
            throw std::invalid_argument("arrays of another shape");
        if (x.itemsize() != p.element_size() || out.itemsize() != p.element_size())
            throw std::invalid_argument("arrays of another element size");
        const std::size_t begin = std::size_t(p.contiguous_from());
        if (!contiguous_from(x, begin) || !contiguous_from(out, begin))
            throw std::invalid_argument("the last resampled axis and those behind it must be contiguous");
        const std::vector<i64> in_strides = byte_strides(x), out_strides = byte_strides(out);
        const char* from = static_cast<const char*>(x.data());
        char* to = static_cast<char*>(out.data());
        if (p.operations() < gil_worth_releasing)
            return p.run(from, in_strides.data(), to, out_strides.data(), threads);
        nb::gil_scoped_release release;
        p.run(from, in_strides.data(), to, out_strides.data(), threads);
    }

    SharedProgram program_;
};

// HostMap and host_interface, for the shared libraries of other hosts.
void bind_host_map(nb::module_& m);

}  // namespace halfpixel

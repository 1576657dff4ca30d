// The Python module halfpixel._core: tables and programs for the planner, and nothing that knows ONNX.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "../isa/isa.hpp"
#include "program.hpp"

namespace halfpixel {

using namespace nb::literals;

Element element_from(const std::string& name) {
    static constexpr std::pair<const char*, Element> names[] = {
        {"bool", Element::bool8},      {"uint8", Element::uint8},       {"int8", Element::int8},
        {"uint16", Element::uint16},   {"int16", Element::int16},       {"uint32", Element::uint32},
        {"int32", Element::int32},     {"uint64", Element::uint64},     {"int64", Element::int64},
        {"float16", Element::float16}, {"bfloat16", Element::bfloat16}, {"float32", Element::float32},
        {"float64", Element::float64},
    };
    for (const auto& [known, element] : names)
        if (name == known) return element;
    throw std::invalid_argument("unknown element " + name);
}

namespace {

i128 integer_at(const nb::bytes& bytes, std::size_t index) {
    if (bytes.size() < 16 * (index + 1)) throw std::invalid_argument("16 bytes are needed for every integer");
    i128 value;
    std::memcpy(&value, bytes.c_str() + 16 * index, 16);
    return value;
}

Line line_from(const nb::bytes& bytes) {
    const Line line{integer_at(bytes, 0), integer_at(bytes, 1), integer_at(bytes, 2)};
    if (line.divisor <= 0) throw std::invalid_argument("the divisor of a line is positive");
    return line;
}

Rounding rounding_from(const std::string& name) {
    if (name == "round_prefer_floor") return Rounding::half_down;
    if (name == "round_prefer_ceil") return Rounding::half_up;
    if (name == "floor") return Rounding::floor;
    if (name == "ceil") return Rounding::ceil;
    throw std::invalid_argument("unknown rounding " + name);
}

void check_sizes(i64 in_size, i64 out_size) {
    if (in_size < 1 || out_size < 0)
        throw std::invalid_argument("an axis has at least one input and no negative output");
}

Table make_nearest(i64 in_size, i64 out_size, nb::bytes line, const std::string& rounding, bool extrapolate) {
    check_sizes(in_size, out_size);
    return std::make_shared<AxisTable>(
        nearest_table(in_size, out_size, line_from(line), rounding_from(rounding), extrapolate));
}

Table make_filter(i64 in_size, i64 out_size, const nb::bytes& line, const std::optional<nb::bytes>& scale,
                  FilterRule rule, bool extrapolate) {
    check_sizes(in_size, out_size);
    if (scale) {
        rule.antialias = true;
        rule.scale = {integer_at(*scale, 0), integer_at(*scale, 1)};
        if (rule.scale.numerator <= 0 || rule.scale.denominator <= 0)
            throw std::invalid_argument("a scale is positive");
    }
    return std::make_shared<AxisTable>(filter_table(in_size, out_size, line_from(line), rule, extrapolate));
}

Table make_linear(i64 in_size, i64 out_size, nb::bytes line, std::optional<nb::bytes> scale, bool exclude_outside,
                  bool extrapolate) {
    FilterRule rule;
    rule.exclude_outside = exclude_outside;
    return make_filter(in_size, out_size, line, scale, rule, extrapolate);
}

Table make_cubic(i64 in_size, i64 out_size, nb::bytes line, std::optional<nb::bytes> scale, double a,
                 bool exclude_outside, bool extrapolate) {
    FilterRule rule;
    rule.filter = Filter::cubic;
    rule.cubic_a = a;
    rule.exclude_outside = exclude_outside;
    return make_filter(in_size, out_size, line, scale, rule, extrapolate);
}

template <class T>
using InVector = nb::ndarray<nb::ro, const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const InVector<T>& values) {
    return {values.data(), values.size()};
}

Table make_taps(i64 in_size, i64 out_size, const InVector<i64>& first, const InVector<i64>& count,
                const InVector<double>& weights) {
    check_sizes(in_size, out_size);
    return std::make_shared<AxisTable>(taps_table(in_size, out_size, span_of(first), span_of(count), span_of(weights)));
}

// A read-only view of a table's vector; the table lives as long as the view.
template <class T>
nb::ndarray<nb::numpy, const T, nb::ndim<1>> view_of(nb::handle_t<AxisTable> self, const std::vector<T>& values) {
    return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(values.data(), {values.size()}, self);
}

// x is the input; `deep` the side with more channels, `space` the other one.
RearrangeShape rearrange_shape(const auto& deep, const auto& space, i64 blocksize, bool crd) {
    if (deep.ndim() != 4 || space.ndim() != 4 || blocksize < 1)
        throw std::invalid_argument("rank 4 and a positive blocksize");
    const RearrangeShape shape{i64(deep.shape(0)), i64(deep.shape(1)), i64(deep.shape(2)),
                               i64(deep.shape(3)), blocksize,          crd};
    const bool fits = i64(space.shape(0)) == shape.batch &&
                      i64(space.shape(1)) * blocksize * blocksize == shape.channels &&
                      i64(space.shape(2)) == shape.height * blocksize && i64(space.shape(3)) == shape.width * blocksize;
    if (!fits || deep.itemsize() != space.itemsize() || !contiguous_from(deep, 0) || !contiguous_from(space, 0))
        throw std::invalid_argument("arrays that do not belong together");
    return shape;
}

template <auto run>
void rearrange(const InArray& x, const OutArray& out, const RearrangeShape& shape, int threads) {
    const char* from = static_cast<const char*>(x.data());
    char* to = static_cast<char*>(out.data());
    if (double(x.size()) < gil_worth_releasing) return run(from, to, shape, i64(x.itemsize()), threads);
    nb::gil_scoped_release release;
    run(from, to, shape, i64(x.itemsize()), threads);
}

void depth_to_space(InArray x, OutArray out, i64 blocksize, bool crd, int threads) {
    rearrange<run_depth_to_space>(x, out, rearrange_shape(x, out, blocksize, crd), threads);
}

void space_to_depth(InArray x, OutArray out, i64 blocksize, bool crd, int threads) {
    rearrange<run_space_to_depth>(x, out, rearrange_shape(out, x, blocksize, crd), threads);
}

nb::dict build_info() {
    nb::dict info;
    info["version"] = HALFPIXEL_VERSION;
    info["compiler"] = __VERSION__;
    info["isa"] = active_kernels().name;
    info["available_isas"] = available_isas();
    return info;
}

}  // namespace

void bind_dense_call(nb::module_& m);  // dense_call.cpp
void bind_short_call(nb::module_& m);  // short_call.cpp

NB_MODULE(_core, m) {
    nb::set_leak_warnings(false);  // cached plans live until the process ends

    nb::class_<AxisTable>(m, "AxisTable")
        .def_ro("in_size", &AxisTable::in_size)
        .def_ro("out_size", &AxisTable::out_size)
        .def_ro("max_taps", &AxisTable::max_taps)
        .def_prop_ro("nbytes", &AxisTable::bytes)
        .def_ro("is_identity", &AxisTable::identity)
        .def_ro("is_shrinking", &AxisTable::shrinking)
        .def_prop_ro("inside", [](const AxisTable& t) { return std::pair(t.inside_begin, t.inside_end); })
        .def_prop_ro("first", [](nb::handle_t<AxisTable> t) { return view_of(t, nb::cast<AxisTable&>(t).first); })
        .def_prop_ro("count", [](nb::handle_t<AxisTable> t) { return view_of(t, nb::cast<AxisTable&>(t).count); })
        .def_prop_ro("offset", [](nb::handle_t<AxisTable> t) { return view_of(t, nb::cast<AxisTable&>(t).offset); })
        .def_prop_ro("weights", [](nb::handle_t<AxisTable> t) { return view_of(t, nb::cast<AxisTable&>(t).weights); })
        .def("transpose", [](const AxisTable& t) { return std::make_shared<AxisTable>(transpose(t)); })
        .def(
            "slice",
            [](const AxisTable& t, i64 out_begin, i64 out_end, i64 in_begin, i64 in_end) {
                return std::make_shared<AxisTable>(slice(t, out_begin, out_end, in_begin, in_end));
            },
            "out_begin"_a, "out_end"_a, "in_begin"_a, "in_end"_a)
        .def("source_range", &source_range, "out_begin"_a, "out_end"_a);

    m.def("nearest_table", &make_nearest, "in_size"_a, "out_size"_a, "line"_a, "nearest_mode"_a, "extrapolate"_a);
    m.def("linear_table", &make_linear, "in_size"_a, "out_size"_a, "line"_a, "scale"_a.none(), "exclude_outside"_a,
          "extrapolate"_a);
    m.def("cubic_table", &make_cubic, "in_size"_a, "out_size"_a, "line"_a, "scale"_a.none(), "a"_a, "exclude_outside"_a,
          "extrapolate"_a);

    m.def("taps_table", &make_taps, "in_size"_a, "out_size"_a, "first"_a, "count"_a, "weights"_a);

    nb::class_<Program>(m, "Program")
        .def(nb::init<std::vector<i64>, const std::vector<std::pair<i64, Table>>&, const std::string&, bool>(),
             "in_shape"_a, "tables"_a, "element"_a, "move"_a)
        .def_prop_ro("in_shape", &Program::in_shape)
        .def_prop_ro("out_shape", &Program::out_shape)
        .def_prop_ro("contiguous_from", &Program::contiguous_axis)
        .def("run", &Program::run, "x"_a, "out"_a, "threads"_a);

    m.def("depth_to_space", &depth_to_space, "x"_a, "out"_a, "blocksize"_a, "crd"_a, "threads"_a);
    m.def("space_to_depth", &space_to_depth, "x"_a, "out"_a, "blocksize"_a, "crd"_a, "threads"_a);
    bind_host_map(m);
    bind_dense_call(m);
    bind_short_call(m);
    m.def("isa", [] { return std::string(active_kernels().name); });
    m.def("available_isas", &available_isas);
    m.def("build_info", &build_info);
}

}  // namespace halfpixel

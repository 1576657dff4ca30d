#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "../run/host_functions.hpp"
#include "program.hpp"

namespace halfpixel {

using namespace nb::literals;

namespace {

std::string text(const nb::bytes& bytes) { return std::string(bytes.c_str(), bytes.size()); }

void make_resampled(HostMap* self, const Program& program, std::vector<i64> out_shape, HostMap::Ranges inside,
                    const nb::bytes& value) {
    new (self) HostMap(program.shared(), std::move(out_shape), std::move(inside), text(value));
}

HostMap make_constant(i64 in_bytes, std::vector<i64> out_shape, const nb::bytes& value) {
    return HostMap(in_bytes, std::move(out_shape), text(value));
}

HostMap make_rearranged(const std::vector<i64>& deep_shape, i64 blocksize, bool crd, bool to_space, i64 unit) {
    if (deep_shape.size() != 4) throw std::invalid_argument("rank 4");
    const RearrangeShape shape{deep_shape[0], deep_shape[1], deep_shape[2], deep_shape[3], blocksize, crd};
    return HostMap(shape, to_space, unit);
}

std::uintptr_t address_of(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

}  // namespace

void bind_host_map(nb::module_& m) {
    nb::class_<HostMap>(m, "HostMap")
        .def("__init__", &make_resampled, "program"_a, "out_shape"_a, "inside"_a, "value"_a)
        .def_static("constant", &make_constant, "in_bytes"_a, "out_shape"_a, "value"_a)
        .def_static("rearranged", &make_rearranged, "deep_shape"_a, "blocksize"_a, "crd"_a, "to_space"_a, "unit"_a)
        .def_prop_ro("address", [](const HostMap& map) { return address_of(&map); })
        .def_prop_ro("in_bytes", &HostMap::in_bytes)
        .def_prop_ro("out_bytes", &HostMap::out_bytes);
    m.def("host_interface", [] { return address_of(&host_interface()); });
}

}  // namespace halfpixel

// Running a HostMap on memory that Python knows by its address: the short way of a call, without arrays.
#include <nanobind/nanobind.h>

#include <cstdint>

#include "../run/host_map.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace halfpixel {
namespace {

constexpr i64 bytes_worth_releasing = 1 << 16;

// x and out hold in_bytes and out_bytes, are aligned to their elements, and do not overlap: the caller's care.
void run_map(const HostMap& map, std::uintptr_t x, std::uintptr_t out, int threads) {
    const char* from = reinterpret_cast<const char*>(x);
    char* to = reinterpret_cast<char*>(out);
    if (map.in_bytes() + map.out_bytes() < bytes_worth_releasing) return map.run(from, to, threads);
    nb::gil_scoped_release release;
    map.run(from, to, threads);
}

}  // namespace

void bind_run_map(nb::module_& m) { m.def("run_map", &run_map, "map"_a, "x"_a, "out"_a, "threads"_a); }

}  // namespace halfpixel

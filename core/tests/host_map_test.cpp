// Maps for other hosts: dense arrays in and out, the value beside the input, pairs, rearrangements, the host's threads.
#include "../run/host_map.hpp"

#include <complex>
#include <cstring>
#include <thread>

#include "../run/host_functions.hpp"
#include "check.hpp"

namespace halfpixel {
namespace {

template <class T>
std::string bytes_of(T value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class T>
std::vector<T> run(const HostMap& map, const std::vector<T>& x, int threads = 1) {
    CHECK(map.in_bytes() == i64(x.size() * sizeof(T)));
    std::vector<T> y(std::size_t(map.out_bytes()) / sizeof(T));
    CHECK(host_interface().run(&map, x.data(), y.data(), threads) == host_ok);
    return y;
}

// Output i of `count` at input coordinate i - 1: one sample before the input, the input, and what follows.
std::shared_ptr<const AxisTable> shifted(i64 in, i64 count, bool nearest) {
    const Line line{1, -1, 1};
    return std::make_shared<AxisTable>(nearest ? nearest_table(in, count, line, Rounding::floor, true)
                                               : filter_table(in, count, line, FilterRule{}, true));
}

std::shared_ptr<const AxisTable> inside_of(const AxisTable& table) {
    return std::make_shared<AxisTable>(slice(table, table.inside_begin, table.inside_end, 0, table.in_size));
}

std::shared_ptr<const AxisTable> doubled(i64 in) {
    return std::make_shared<AxisTable>(filter_table(in, 2 * in, {2, -1, 4}, FilterRule{}, false));
}

HALFPIXEL_TEST(a_host_map_averages) {
    const auto program =
        std::make_shared<const AverageProgram>(std::vector<i64>{2, 2}, AxisTables{{1, doubled(2)}}, Element::float32);
    const HostMap map(program, {2, 4}, {{0, 2}, {0, 4}}, "");
    CHECK(run<float>(map, {1, 2, 3, 4}) == std::vector<float>{1, 1.25, 1.75, 2, 3, 3.25, 3.75, 4});
}

HALFPIXEL_TEST(complex_elements_are_pairs) {
    using Complex = std::complex<double>;
    const auto program =
        std::make_shared<const AverageProgram>(std::vector<i64>{2, 2}, AxisTables{{0, doubled(2)}}, Element::float64);
    const HostMap map(program, {4}, {{0, 4}}, "");
    CHECK(run<Complex>(map, {{1, 8}, {2, 4}}) == std::vector<Complex>{{1, 8}, {1.25, 7}, {1.75, 5}, {2, 4}});
}

// The box is written in place where the cut axis is the last resampled one or before it.
HALFPIXEL_TEST(elements_beside_the_input_take_the_value) {
    const auto table = shifted(3, 5, false);
    FilterRule rule;
    const auto rows = std::make_shared<AxisTable>(filter_table(2, 2, {0, 0, 1}, rule, false));
    const auto program = std::make_shared<const AverageProgram>(
        std::vector<i64>{3, 2}, AxisTables{{0, inside_of(*table)}, {1, rows}}, Element::float32);
    const HostMap map(program, {5, 2}, {{1, 4}, {0, 2}}, bytes_of(9.0f));
    CHECK(run<float>(map, {1, 2, 3, 4, 5, 6}) == std::vector<float>{9, 9, 1, 1, 3, 3, 5, 5, 9, 9});
}

// Here every output inside is an input: nothing is resampled, and the box has gaps that a copy cannot step over.
HALFPIXEL_TEST(a_box_with_gaps_is_copied) {
    const auto table = inside_of(*shifted(2, 4, true));
    CHECK(table->identity);
    const auto program = std::make_shared<const MoveProgram>(std::vector<i64>{2, 2}, AxisTables{{1, table}}, 2);
    const HostMap map(program, {2, 4}, {{0, 2}, {1, 3}}, bytes_of(std::uint16_t(7)));
    CHECK(run<std::uint16_t>(map, {1, 2, 3, 4}) == std::vector<std::uint16_t>{7, 1, 2, 7, 7, 3, 4, 7});
}

HALFPIXEL_TEST(both_axes_may_end_beside_the_input) {
    const auto table = inside_of(*shifted(2, 4, true));
    const auto program =
        std::make_shared<const MoveProgram>(std::vector<i64>{2, 2}, AxisTables{{0, table}, {1, table}}, 16);
    using Wide = std::complex<double>;
    const HostMap map(program, {4, 4}, {{1, 3}, {1, 3}}, bytes_of(Wide(0, 5)));
    const Wide v(0, 5);
    CHECK(run<Wide>(map, {1, 2, 3, 4}) == std::vector<Wide>{v, v, v, v, v, 1, 2, v, v, 3, 4, v, v, v, v, v});
}

HALFPIXEL_TEST(a_sum_over_nothing_is_a_constant) {
    CHECK(run<double>(HostMap(0, {2, 3}, bytes_of(0.5)), {}) == std::vector<double>(6, 0.5));
    CHECK(run<double>(HostMap(8, {2, 0}, bytes_of(0.5)), {1.0}).empty());
}

HALFPIXEL_TEST(a_host_map_rearranges) {
    const std::vector<std::uint16_t> x = {0, 1, 2, 3, 4, 5, 6, 7}, y = {0, 2, 4, 6, 1, 3, 5, 7};
    const RearrangeShape shape{1, 8, 1, 1, 2, false};
    CHECK(run(HostMap(shape, true, 2), x) == y);
    CHECK(run(HostMap(shape, false, 2), y) == x);
}

HALFPIXEL_TEST(what_does_not_belong_together_is_refused) {
    const auto program =
        std::make_shared<const AverageProgram>(std::vector<i64>{2}, AxisTables{{0, doubled(2)}}, Element::float32);
    CHECK_THROWS(std::invalid_argument, HostMap(program, {4}, {}, ""));
    CHECK_THROWS(std::invalid_argument, HostMap(program, {5}, {{0, 5}}, ""));
    CHECK_THROWS(std::invalid_argument, HostMap(program, {6}, {{1, 5}}, "12"));
    CHECK_THROWS(std::invalid_argument, HostMap(program, {6}, {{3, 7}}, bytes_of(1.0f)));
    CHECK_THROWS(std::invalid_argument, HostMap({1, 6, 1, 1, 2, false}, true, 1));
}

struct Host {
    std::vector<int> calls;
};

// The tasks of a host: the last one first, each from a thread of its own.
void parallel(void* host, std::int64_t tasks, void (*task)(void*, std::int64_t), void* context) {
    static_cast<Host*>(host)->calls.push_back(int(tasks));
    for (std::int64_t i = tasks; i-- > 0;) std::thread([=] { task(context, i); }).join();
}

HALFPIXEL_TEST(a_host_brings_its_threads) {
    if (std::thread::hardware_concurrency() < 2) return;
    const i64 planes = 64, length = 1 << 12;
    const auto program = std::make_shared<const AverageProgram>(std::vector<i64>{planes, length},
                                                                AxisTables{{1, doubled(length)}}, Element::float32);
    const HostMap map(program, {planes, 2 * length}, {{0, planes}, {0, 2 * length}}, "");
    std::vector<float> x(std::size_t(planes * length)), y(2 * x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = float(i % 251);
    Host host;
    CHECK(host_interface().run_on(&map, x.data(), y.data(), parallel, &host) == host_ok);
    CHECK(host.calls.size() == 1 && host.calls[0] > 1);
    CHECK(y[1] == 0.25 && y[2] == 0.75 && y == run(map, x));
}

HALFPIXEL_TEST(the_interface_has_a_version) { CHECK(host_interface().version == host_interface_version); }

}  // namespace
}  // namespace halfpixel

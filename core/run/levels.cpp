#include "levels.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "arena.hpp"

namespace halfpixel {

Levels::Levels(std::vector<i64> shape, const AxisTables& tables) : in_shape(std::move(shape)), out_shape(in_shape) {
    const i64 rank = i64(in_shape.size());
    std::vector<std::shared_ptr<const AxisTable>> by_axis(rank);
    i64 last_axis = -1;
    for (const auto& [axis, table] : tables) {
        if (axis < 0 || axis >= rank) throw std::invalid_argument("axis outside the rank");
        if (table->in_size != in_shape[axis]) throw std::invalid_argument("table of another input length");
        out_shape[axis] = table->out_size;
        if (table->identity) continue;
        by_axis[axis] = table;
        last_axis = std::max(last_axis, axis);
    }
    for (i64 axis = 0; axis <= last_axis; ++axis) levels.push_back({in_shape[axis], out_shape[axis], by_axis[axis]});
    for (i64 axis = last_axis + 1; axis < rank; ++axis) inner *= in_shape[axis];
    while (lead <= last() && !levels[lead].table) planes *= levels[lead++].in_size;
}

i64 Levels::out_elements() const {
    i64 total = 1;
    for (const i64 size : out_shape) total *= size;
    return total;
}

i64 Levels::plane_offset(i64 plane, const i64* strides) const {
    i64 offset = 0;
    for (i64 l = lead - 1; l >= 0; --l) {
        offset += plane % levels[l].in_size * strides[l];
        plane /= levels[l].in_size;
    }
    return offset;
}

Tasks::Tasks(i64 planes, i64 outputs, i64 least_chunk, int threads) {
    const i64 wanted = threads > 1 ? std::max<i64>(1, 4 * threads / std::max<i64>(1, planes)) : 1;
    chunk = std::max(least_chunk, (outputs + wanted - 1) / wanted);
    chunks = (outputs + chunk - 1) / chunk;
}

int useful_threads(int threads, double operations) {
    constexpr double worth_a_thread = 2e5;  // about 50 microseconds
    return std::max(1, std::min(threads, int(std::min(operations / worth_a_thread, 1e6))));
}

namespace {

// Of the last-level cache that this processor core uses, in bytes; 0 where the system does not say. sysconf would give
// the sum of all caches of the chip where each serves a few cores.
i64 last_level_cache() {
    i64 kilobytes = 0;
    if (std::FILE* file = std::fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r")) {
        long long read = 0;
        if (std::fscanf(file, "%lldK", &read) == 1) kilobytes = read;
        std::fclose(file);
    }
    return kilobytes > 0 ? kilobytes * 1024 : std::max<i64>(0, sysconf(_SC_LEVEL3_CACHE_SIZE));
}

// The size from which results are better written past the caches.
//
// A cache of up to 48 MB belongs to a handful of cores and takes their stores faster than memory does, as long as they
// find room there beside what else lies in it: a quarter. A larger one is spread over the chip of a many-core server:
// one core's stores into it ran at half the speed of stores past it.
i64 streaming_size() {
    constexpr i64 megabyte = 1 << 20;
    const i64 l2 = sysconf(_SC_LEVEL2_CACHE_SIZE), l3 = last_level_cache();
    if (l3 == 0) return 8 * megabyte;
    return l3 <= 48 * megabyte ? l3 / 4 : 2 * std::max(l2, megabyte);
}

}  // namespace

bool should_stream(i64 bytes) {
    static const i64 size = streaming_size();
    return bytes > size;
}

Arena& thread_arena() {
    thread_local Arena arena;
    return arena;
}

}  // namespace halfpixel

// The functions of HostInterface, each a call of the core behind a status.
#include "host_functions.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <thread>

#include "../threads/pool.hpp"
#include "host_words.hpp"

namespace halfpixel {
namespace {

const HostMap& map_at(const void* map) { return *static_cast<const HostMap*>(map); }

std::int32_t run_with_pool(const void* map, const void* in, void* out, std::int32_t threads) {
    try {
        map_at(map).run(static_cast<const char*>(in), static_cast<char*>(out), threads);
        return host_ok;
    } catch (const std::bad_alloc&) {
        return host_out_of_memory;
    }
}

std::int32_t run_with_host(const void* map, const void* in, void* out, ParallelFor parallel, void* host) {
    static const int threads = std::max(1, int(std::thread::hardware_concurrency()));
    const HostThreads executor(parallel, host);
    return run_with_pool(map, in, out, threads);
}

std::int32_t make(const std::int64_t* words, std::int64_t count, void** map) {
    try {
        *map = const_cast<HostMap*>(map_from_words(words, count).release());
        return host_ok;
    } catch (const std::bad_alloc&) {
        return host_out_of_memory;
    } catch (const std::length_error&) {  // a table longer than any vector
        return host_out_of_memory;
    } catch (const std::exception&) {
        return host_invalid;
    }
}

void free_map(void* map) { delete static_cast<HostMap*>(map); }

std::int64_t in_bytes_of(const void* map) { return map_at(map).in_bytes(); }
std::int64_t out_bytes_of(const void* map) { return map_at(map).out_bytes(); }

}  // namespace

const HostInterface& host_interface() {
    static constexpr HostInterface interface{host_interface_version, run_with_pool, run_with_host, in_bytes_of,
                                             out_bytes_of,           make,          free_map};
    return interface;
}

}  // namespace halfpixel

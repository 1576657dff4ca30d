// How a shared library of another host runs a prepared map: plain C, found by one address, linked with nothing.
//
// A map leads from one dense array in C order to another; both are known before and are never looked into here. The
// library gets the address of a HostInterface and of a map from Python, once, and needs no Python to run it.
#pragma once

#include <cstdint>

namespace halfpixel {

// A host's threads: calls task(context, i) for every i in [0, tasks), in any order, and returns when all are done.
using ParallelFor = void (*)(void* host, std::int64_t tasks, void (*task)(void* context, std::int64_t i),
                             void* context);

constexpr std::int32_t host_interface_version = 1;

enum HostStatus : std::int32_t { host_ok = 0, host_out_of_memory = 1, host_invalid = 2 };

// Functions may be added behind the last one, with a new version. All may be called from many threads at once.
struct HostInterface {
    std::int32_t version;
    // Both return host_ok or host_out_of_memory. in and out hold in_bytes and out_bytes, are aligned to their elements,
    // and do not overlap. `threads` of the core's pool at most, the caller's among them.
    std::int32_t (*run)(const void* map, const void* in, void* out, std::int32_t threads);
    std::int32_t (*run_on)(const void* map, const void* in, void* out, ParallelFor parallel, void* host);
    std::int64_t (*in_bytes)(const void* map);
    std::int64_t (*out_bytes)(const void* map);
    // A map of the library's own, from words (host_words.hpp) to `free`; a HostStatus.
    std::int32_t (*make)(const std::int64_t* words, std::int64_t count, void** map);
    void (*free)(void* map);
};

}  // namespace halfpixel

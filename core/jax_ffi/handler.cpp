// XLA's typed foreign function interface: a compiled program holds a map as words and runs it, without Python.
//
// Nothing in the program is an address. So it may be kept, stored and loaded in another process, as long as that
// process has called halfpixel_jax_connect. A state of the program would hold its map; but XLA takes the type of a
// state only after its client for the CPU exists, and targets are registered before.
#include <atomic>
#include <cstdint>
#include <memory>

#include <xla/ffi/api/ffi.h>

#include "map_cache.hpp"

namespace ffi = xla::ffi;

namespace halfpixel {
namespace {

std::atomic<const HostInterface*> host{nullptr};
std::atomic<std::int32_t> default_threads{1};

ffi::Error failure(std::int32_t status) {
    if (status == host_out_of_memory) return ffi::Error(ffi::ErrorCode::kResourceExhausted, "halfpixel: no memory");
    return ffi::Error(ffi::ErrorCode::kInvalidArgument,
                      "halfpixel: the program holds a map of another version, or a damaged one; trace it again");
}

// threads: at most so many; 0 is the default of this process.
ffi::Error run_map(ffi::AnyBuffer x, ffi::Result<ffi::AnyBuffer> y, ffi::Span<const std::int64_t> words,
                   std::int64_t threads) {
    static MapCache maps;
    const HostInterface* functions = host.load(std::memory_order_acquire);
    if (functions == nullptr) return ffi::Error(ffi::ErrorCode::kFailedPrecondition, "import halfpixel.jax first");
    const MapCache::Found found = maps.find(*functions, words.begin(), std::int64_t(words.size()));
    if (found.status != host_ok) return failure(found.status);
    if (std::int64_t(x.size_bytes()) != functions->in_bytes(found.map.get()) ||
        std::int64_t(y->size_bytes()) != functions->out_bytes(found.map.get()))
        return failure(host_invalid);
    const std::int32_t count = threads > 0 ? std::int32_t(threads) : default_threads.load(std::memory_order_relaxed);
    const std::int32_t status = functions->run(found.map.get(), x.untyped_data(), y->untyped_data(), count);
    return status == host_ok ? ffi::Error::Success() : failure(status);
}

}  // namespace
}  // namespace halfpixel

#pragma GCC visibility push(default)

XLA_FFI_DEFINE_HANDLER_SYMBOL(halfpixel_jax_run, halfpixel::run_map,
                              ffi::Ffi::Bind()
                                  .Arg<ffi::AnyBuffer>()
                                  .Ret<ffi::AnyBuffer>()
                                  .Attr<ffi::Span<const std::int64_t>>("words")
                                  .Attr<std::int64_t>("threads"));

// The version of XLA's interface that the library was built for; XLA's client does not start with another one.
extern "C" void halfpixel_jax_api(std::int32_t* major, std::int32_t* minor) {
    *major = XLA_FFI_API_MAJOR;
    *minor = XLA_FFI_API_MINOR;
}

// Gives the library the core's functions; false where they are of another version.
extern "C" bool halfpixel_jax_connect(const halfpixel::HostInterface* functions, std::int32_t threads) {
    if (functions->version != halfpixel::host_interface_version) return false;
    halfpixel::default_threads.store(threads);
    halfpixel::host.store(functions, std::memory_order_release);
    return true;
}

#pragma GCC visibility pop

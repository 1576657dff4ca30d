// Calls of onnxruntime that may fail, and functions that it calls, which may not throw.
#pragma once

#include <memory>
#include <new>
#include <utility>

#include "ort_tables.hpp"

namespace halfpixel::ort {

const Api& api();

// A failure on its way to onnxruntime.
struct Failed {
    Status* status;
};

inline void check(Status* status) {
    if (status) throw Failed{status};
}

[[noreturn]] inline void refuse(int code, const char* message) { throw Failed{api().CreateStatus(code, message)}; }

// Runs a body; returns null, or the status of its failure.
template <class Body>
Status* guarded(Body&& body) noexcept {
    try {
        std::forward<Body>(body)();
        return nullptr;
    } catch (const Failed& failed) {
        return failed.status;
    } catch (const std::bad_alloc&) {
        return api().CreateStatus(runtime_exception, "halfpixel: the system gave no memory");
    } catch (...) {
        return api().CreateStatus(fail, "halfpixel: an exception that nobody expects");
    }
}

// What one function of a table makes and another one frees.
template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

}  // namespace halfpixel::ort

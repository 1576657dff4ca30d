// The thread pool: tasks 0 .. n-1 of one call at a time, the caller takes part.
//
// Workers are created when first needed and kept. After fork the child has none and makes its own. A call from a
// second thread while the pool is busy runs its tasks alone: nobody waits for somebody else's work.
#pragma once

#include <cstdint>
#include <functional>

namespace halfpixel {

// Runs task(i) for every i in [0, tasks), on at most `threads` threads, this one included. Returns when all are done.
// A task may throw std::bad_alloc only: the others still run, then it is thrown here.
void run_tasks(std::int64_t tasks, int threads, const std::function<void(std::int64_t)>& task);

}  // namespace halfpixel

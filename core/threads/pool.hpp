// The thread pool: tasks 0 .. n-1 of one call at a time, the caller takes part.
//
// Workers are created when first needed and kept. After fork the child has none and makes its own. A call from a
// second thread while the pool is busy runs its tasks alone: nobody waits for somebody else's work. Within HostThreads
// the tasks run on the threads of the program that called us, and the pool is left alone.
#pragma once

#include <cstdint>
#include <functional>

namespace halfpixel {

// Runs task(i) for every i in [0, tasks), on at most `threads` threads, this one included. Returns when all are done.
// A task may throw std::bad_alloc only: the others still run, then it is thrown here.
void run_tasks(std::int64_t tasks, int threads, const std::function<void(std::int64_t)>& task);

// As long as it lives, run_tasks on this thread hands tasks to a host's own threads, however many those are.
class HostThreads {
  public:
    // Calls task(context, i) for every i in [0, tasks), in any order and on any thread, and returns when all are done.
    using Parallel = void (*)(void* host, std::int64_t tasks, void (*task)(void* context, std::int64_t i),
                              void* context);

    HostThreads(Parallel parallel, void* host);
    ~HostThreads();
    HostThreads(const HostThreads&) = delete;
    HostThreads& operator=(const HostThreads&) = delete;

    void run(std::int64_t tasks, const std::function<void(std::int64_t)>& task) const;

  private:
    Parallel parallel_;
    void* host_;
    const HostThreads* outer_;  // in force again afterwards
};

}  // namespace halfpixel

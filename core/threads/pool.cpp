#include "pool.hpp"

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace halfpixel {
namespace {

using i64 = std::int64_t;

class Pool {
  public:
    void run(i64 tasks, int threads, const std::function<void(i64)>& task) {
        std::unique_lock turn(turn_, std::try_to_lock);
        if (!turn.owns_lock()) {
            for (i64 i = 0; i < tasks; ++i) task(i);
            return;
        }
        const int helpers = int(threads - 1 < tasks - 1 ? threads - 1 : tasks - 1);
        const int ready = grow(helpers);
        {
            std::lock_guard lock(mutex_);
            task_ = &task;
            tasks_ = tasks;
            next_.store(0, std::memory_order_relaxed);
            wanted_ = ready;
            working_ = ready;
            generation_.fetch_add(1, std::memory_order_release);
        }
        wake_.notify_all();
        drain(task, tasks);
        wait_for_helpers();
    }

  private:
    // Workers on this call: fewer when the system refuses another thread.
    int grow(int helpers) {
        while (int(workers_.size()) < helpers) {
            try {
                const int id = int(workers_.size());
                workers_.emplace_back([this, id, seen = generation_.load()] { work(id, seen); });
                workers_.back().detach();
            } catch (const std::system_error&) {
                break;
            }
        }
        return helpers < int(workers_.size()) ? helpers : int(workers_.size());
    }

    void drain(const std::function<void(i64)>& task, i64 tasks) {
        for (i64 i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < tasks;) task(i);
    }

    void work(int id, std::uint64_t seen) {
        for (;;) {
            const std::function<void(i64)>* task;
            i64 tasks;
            spin_until_changed(seen);
            {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, [&] { return generation_.load(std::memory_order_relaxed) != seen; });
                seen = generation_.load(std::memory_order_relaxed);
                if (id >= wanted_) continue;
                task = task_;
                tasks = tasks_;
            }
            drain(*task, tasks);
            if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
                std::lock_guard lock(mutex_);
                done_.notify_one();
            }
        }
    }

    // About 20 microseconds: calls that follow each other closely need no wake-up by the kernel.
    void spin_until_changed(std::uint64_t seen) const {
        for (int i = 0; i < 400 && generation_.load(std::memory_order_acquire) == seen; ++i) pause();
    }

    void wait_for_helpers() {
        for (int i = 0; i < 400 && working_.load(std::memory_order_acquire) > 0; ++i) pause();
        if (working_.load(std::memory_order_acquire) == 0) return;
        std::unique_lock lock(mutex_);
        done_.wait(lock, [&] { return working_.load(std::memory_order_acquire) == 0; });
    }

    static void pause() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }

    std::mutex turn_;  // held for the length of a call
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    std::vector<std::thread> workers_;
    const std::function<void(i64)>* task_ = nullptr;
    i64 tasks_ = 0;
    int wanted_ = 0;
    std::atomic<int> working_{0};
    std::atomic<i64> next_{0};
    std::atomic<std::uint64_t> generation_{0};
};

// Never destroyed: workers outlive main, and a child after fork must not touch the parent's mutexes.
std::atomic<Pool*> current_pool{nullptr};

Pool& pool() {
    static const bool registered = [] {
        current_pool = new Pool;
        pthread_atfork(nullptr, nullptr, [] { current_pool = new Pool; });
        return true;
    }();
    (void)registered;
    return *current_pool;
}

thread_local const HostThreads* host_threads = nullptr;

}  // namespace

HostThreads::HostThreads(Parallel parallel, void* host) : parallel_(parallel), host_(host), outer_(host_threads) {
    host_threads = this;
}

HostThreads::~HostThreads() { host_threads = outer_; }

void HostThreads::run(i64 tasks, const std::function<void(i64)>& task) const {
    using Task = std::function<void(i64)>;
    parallel_(
        host_, tasks, [](void* context, i64 i) { (*static_cast<const Task*>(context))(i); }, const_cast<Task*>(&task));
}

void run_tasks(i64 tasks, int threads, const std::function<void(i64)>& task) {
    std::atomic<bool> out_of_memory{false};
    const std::function<void(i64)> guarded = [&](i64 i) {
        try {
            task(i);
        } catch (const std::bad_alloc&) {
            out_of_memory = true;
        }
    };
    if (threads <= 1 || tasks <= 1)
        for (i64 i = 0; i < tasks; ++i) guarded(i);
    else if (host_threads)
        host_threads->run(tasks, guarded);
    else
        pool().run(tasks, threads, guarded);
    if (out_of_memory) throw std::bad_alloc();
}

}  // namespace halfpixel

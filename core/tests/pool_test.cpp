// The thread pool: every task once, calls from many threads, a child after fork.
#include "../threads/pool.hpp"

#include <unistd.h>

#include <atomic>
#include <new>
#include <thread>

#include "check.hpp"
#include "child.hpp"

namespace halfpixel {
namespace {

bool runs_each_task_once(std::int64_t tasks, int threads) {
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(tasks));
    run_tasks(tasks, threads, [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
    for (const std::atomic<int>& count : runs)
        if (count != 1) return false;
    return true;
}

HALFPIXEL_TEST(each_task_runs_once) {
    for (std::int64_t tasks : {0, 1, 2, 7, 1000})
        for (int threads : {1, 2, 3, 8}) CHECK(runs_each_task_once(tasks, threads));
}

HALFPIXEL_TEST(many_threads_call_at_once) {
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 4; ++caller)
        callers.emplace_back([&] {
            for (int call = 0; call < 200; ++call) wrong += !runs_each_task_once(16, 3);
        });
    for (std::thread& caller : callers) caller.join();
    CHECK(wrong == 0);
}

// The child has none of the parent's workers. It ends without cleaning up what belongs to the parent.
HALFPIXEL_TEST(a_forked_child_has_its_own_workers) {
    CHECK(runs_each_task_once(64, 3));
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) _exit(runs_each_task_once(64, 3) ? 0 : 1);
    CHECK(tests::ends_well(child));
}

struct CountingHost {
    std::vector<std::int64_t> calls;  // the tasks of each
    static void parallel(void* host, std::int64_t tasks, void (*task)(void*, std::int64_t), void* context) {
        static_cast<CountingHost*>(host)->calls.push_back(tasks);
        std::thread([=] {
            for (std::int64_t i = tasks; i-- > 0;) task(context, i);
        }).join();
    }
};

HALFPIXEL_TEST(tasks_run_on_the_threads_of_a_host_as_long_as_that_is_said) {
    CountingHost outer, inner;
    {
        const HostThreads threads(CountingHost::parallel, &outer);
        CHECK(runs_each_task_once(7, 2));
        {
            const HostThreads nested(CountingHost::parallel, &inner);
            CHECK(runs_each_task_once(5, 2));
        }
        CHECK(runs_each_task_once(3, 2));
        CHECK(runs_each_task_once(1, 2));  // nothing to share
        bool on_another_thread = true;
        std::thread([&] { on_another_thread = runs_each_task_once(4, 2); }).join();
        CHECK(on_another_thread);
        CHECK_THROWS(std::bad_alloc, (run_tasks(2, 2, [](std::int64_t) { throw std::bad_alloc(); }), 0));
    }
    CHECK(runs_each_task_once(9, 2));
    CHECK(outer.calls == (std::vector<std::int64_t>{7, 3, 2}));
    CHECK(inner.calls == (std::vector<std::int64_t>{5}));
}

HALFPIXEL_TEST(lack_of_memory_in_a_task_reaches_the_caller_after_the_others_ran) {
    for (const int threads : {1, 3}) {
        std::atomic<int> done{0};
        const auto task = [&](std::int64_t i) {
            if (i == 1) throw std::bad_alloc();
            ++done;
        };
        CHECK_THROWS(std::bad_alloc, (run_tasks(8, threads, task), 0));
        CHECK(done == 7);
        run_tasks(8, threads, [&](std::int64_t) { ++done; });
        CHECK(done == 15);
    }
}

}  // namespace
}  // namespace halfpixel

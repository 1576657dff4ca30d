// A forked child that a test waits for, but not for ever.
#pragma once

#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace halfpixel::tests {

// True if the child exits with status 0 within ten seconds; later it is killed.
inline bool ends_well(pid_t child) {
    int status = -1;
    pid_t ended = 0;
    for (int wait = 0; wait < 1000 && ended == 0; ++wait) {
        ended = waitpid(child, &status, WNOHANG);
        if (ended == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    if (ended == 0) kill(child, SIGKILL);
    return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace halfpixel::tests

// Who calls Python, and the end of it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace halfpixel::ort {

// Calls of the planner are counted, so that the end of the interpreter can wait for those under way and stop all later
// ones: a thread that asks an interpreter for its lock while it ends never comes back.
class Gate {
  public:
    void close();  // returns when nobody is inside; nobody comes in afterwards

  private:
    friend class Visit;
    bool enter();
    void leave();

    std::mutex mutex_;
    std::condition_variable left_;
    std::int64_t inside_ = 0;
    bool closed_ = false;
};

// One call: inside as long as it lives, if the gate was open.
class Visit {
  public:
    explicit Visit(Gate& gate) : gate_(gate), inside_(gate.enter()) {}
    ~Visit() {
        if (inside_) gate_.leave();
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    explicit operator bool() const { return inside_; }

  private:
    Gate& gate_;
    const bool inside_;
};

// The process's own. Never destroyed: sessions may outlive static objects. A child after fork starts with an open one.
Gate& python_gate();

}  // namespace halfpixel::ort

// The least that C++ tests need: named cases, checks that say what they compared, no library.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace halfpixel::tests {

struct Case {
    const char* name;
    void (*body)();
};

inline std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

inline int& failures() {
    static int count = 0;
    return count;
}

struct Registration {
    Registration(const char* name, void (*body)()) { cases().push_back({name, body}); }
};

inline void report(bool passed, const char* what, const char* file, int line) {
    if (passed) return;
    ++failures();
    std::printf("%s:%d: not true: %s\n", file, line, what);
}

}  // namespace halfpixel::tests

#define HALFPIXEL_TEST(name)                                                        \
    static void name();                                                             \
    static const ::halfpixel::tests::Registration registration_##name{#name, name}; \
    static void name()

#define CHECK(...) ::halfpixel::tests::report((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

#define CHECK_THROWS(exception, ...)                                                                \
    do {                                                                                            \
        bool thrown = false;                                                                        \
        try {                                                                                       \
            (void)(__VA_ARGS__);                                                                    \
        } catch (const exception&) {                                                                \
            thrown = true;                                                                          \
        }                                                                                           \
        ::halfpixel::tests::report(thrown, #__VA_ARGS__ " throws " #exception, __FILE__, __LINE__); \
    } while (false)

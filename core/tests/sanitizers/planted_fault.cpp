// Faults on purpose, built only with sanitizers: a clean sanitizer run proves nothing before it has caught these.
// As a program the first argument picks the fault; as a library, Python calls planted_fault through ctypes.
#include <climits>
#include <cstring>
#include <vector>

extern "C" __attribute__((visibility("default"))) int planted_fault(const char* kind) {
    if (std::strcmp(kind, "heap") == 0) {
        std::vector<float> samples(16);
        const float* volatile past_the_end = samples.data() + samples.size();
        return static_cast<int>(*past_the_end);
    }
    volatile int largest = INT_MAX;
    return largest + 1;
}

int main(int count, char** arguments) { return planted_fault(count > 1 ? arguments[1] : "heap"); }

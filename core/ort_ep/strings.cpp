#include "strings.hpp"

#include <cstring>
#include <numeric>

#include "calls.hpp"

namespace halfpixel::ort {
namespace {

// All strings of a tensor behind each other.
struct Text {
    std::vector<char> bytes;
    std::vector<std::size_t> begins;  // one more than there are strings

    explicit Text(const Value& value, std::int64_t elements) : begins(std::size_t(elements)) {
        std::size_t size = 0;
        check(api().GetStringTensorDataLength(&value, &size));
        bytes.resize(size);
        check(api().GetStringTensorContent(&value, bytes.data(), size, begins.data(), begins.size()));
        begins.push_back(size);
    }
};

}  // namespace

void move_strings(const Value& in, std::int64_t in_elements, Value& out, const std::vector<std::int64_t>& out_shape,
                  const std::function<void(const void*, void*)>& run) {
    const Text text(in, in_elements);
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(in_elements));
    std::iota(numbers.begin(), numbers.end(), 0);
    std::int64_t elements = 1;
    for (const std::int64_t length : out_shape) elements *= length;
    std::vector<std::int64_t> moved(static_cast<std::size_t>(elements));
    run(numbers.data(), moved.data());
    for (std::size_t i = 0; i < moved.size(); ++i) {
        const std::size_t from = std::size_t(moved[i]);
        const std::size_t size = text.begins[from + 1] - text.begins[from];
        char* to = nullptr;
        check(api().GetResizedStringTensorElementBuffer(&out, i, size, &to));
        if (size) std::memcpy(to, text.bytes.data() + text.begins[from], size);
    }
}

}  // namespace halfpixel::ort

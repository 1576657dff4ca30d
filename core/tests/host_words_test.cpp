// Maps from words, which may come from a file that somebody else wrote: a map or a refusal, whatever they hold.
#include "../run/host_words.hpp"

#include <bit>

#include "../run/host_functions.hpp"
#include "check.hpp"

namespace halfpixel {
namespace {

using Words = std::vector<i64>;

const i64 a = std::bit_cast<i64>(-0.75);

// (2, 3) float32, axis 1 to 6 in mode `filter`: x = (2 i - 1) / 4.
Words doubled(i64 filter, i64 antialias) {
    return {1, 0, 11, 0,  0, 2, 2,         3, 0, 0, 0, 1, 1, filter, 3, 6,
            2, 0, -1, -1, 4, 0, antialias, 1, 0, 1, 0, 0, a, 0,      0};
}

std::int32_t status_of(const Words& words) {
    void* map = nullptr;
    const std::int32_t status = host_interface().make(words.data(), i64(words.size()), &map);
    CHECK((status == host_ok) == (map != nullptr));
    host_interface().free(map);
    return status;
}

HALFPIXEL_TEST(words_make_a_map) {
    const Words words = doubled(1, 0);
    const auto map = map_from_words(words.data(), i64(words.size()));
    const std::vector<float> x = {1, 2, 3, 4, 4, 8}, expected = {1, 1.25, 1.75, 2.25, 2.75, 3, 4, 4, 4, 5, 7, 8};
    std::vector<float> y(12);
    CHECK(map->in_bytes() == 24 && map->out_bytes() == 48);
    map->run(reinterpret_cast<const char*>(x.data()), reinterpret_cast<char*>(y.data()), 1);
    CHECK(y == expected);
}

// Values that are small, or so large that no memory could hold what they ask for.
HALFPIXEL_TEST(any_word_may_be_any_number) {
    const i64 values[] = {0, 1, 2, 3, 5, 7, 16, -1, -2, INT64_MIN, INT64_MAX, i64(1) << 60, -(i64(1) << 60)};
    const Words kinds[] = {doubled(0, 0),
                           doubled(1, 0),
                           doubled(2, 1),
                           {1, 3, 1, 8, 1, 1, 2, 0, 4},
                           {1, 4, 1, 8, 1, 1, 2, 1, 4},
                           {1, 2, 8, 2, 2, 3, 8, 0, 0}};
    for (const Words& kind : kinds) {
        CHECK(status_of(kind) == host_ok);
        for (std::size_t place = 0; place < kind.size(); ++place) {
            CHECK(status_of(Words(kind.begin(), kind.begin() + i64(place))) == host_invalid);
            for (const i64 value : values) {
                Words words = kind;
                words[place] = value;
                CHECK(status_of(words) <= host_invalid);
            }
        }
    }
}

HALFPIXEL_TEST(bytes_beyond_63_bits_are_refused) {
    CHECK(status_of({1, 3, i64(1) << 32, 4, i64(1) << 32, 1, 2, 0, 4}) == host_invalid);
    CHECK(status_of({1, 2, 0, 2, i64(1) << 31, i64(1) << 31, 8, 0, 0}) == host_invalid);
}

}  // namespace
}  // namespace halfpixel

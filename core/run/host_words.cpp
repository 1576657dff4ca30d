#include "host_words.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace halfpixel {
namespace {

constexpr i64 most_axes = 1024;

class Reader {
  public:
    Reader(const i64* words, i64 count) : next_(words), end_(words + count) {}

    i64 word() {
        if (next_ == end_) throw std::invalid_argument("words are missing");
        return *next_++;
    }

    i64 within(i64 least, i64 most) {
        const i64 value = word();
        if (value < least || value > most) throw std::invalid_argument("a word out of its range");
        return value;
    }

    bool flag() { return within(0, 1) != 0; }
    double real() { return std::bit_cast<double>(word()); }

    i128 wide() {
        const std::uint64_t low = std::uint64_t(word());
        return i128(word()) << 64 | low;
    }

    std::vector<i64> shape() {
        std::vector<i64> lengths(std::size_t(within(0, most_axes)));
        for (i64& length : lengths) length = within(0, INT64_MAX);
        return lengths;
    }

    std::string value() {
        const std::size_t size = std::size_t(within(0, 16));
        const i64 words[2] = {word(), word()};
        char bytes[16];
        std::memcpy(bytes, words, sizeof bytes);
        return std::string(bytes, size);
    }

    void finish() const {
        if (next_ != end_) throw std::invalid_argument("words are left over");
    }

  private:
    const i64* next_;
    const i64* end_;
};

// What the planner keeps to, so that no sum of a table's construction overflows 128 bits.
constexpr i128 largest_term = i128(1) << 110, largest_divisor = i128(1) << 98;

bool fits(i128 value, i128 largest) { return value >= -largest && value <= largest; }

void check_line(const Line& line, i64 out_size) {
    if (line.divisor <= 0 || line.divisor > largest_divisor || !fits(line.start, largest_term) ||
        !fits(line.step, largest_term / out_size))
        throw std::invalid_argument("a line out of its range");
}

void check_scale(const Fraction& scale) {
    if (scale.numerator <= 0 || scale.denominator <= 0 || !fits(scale.numerator, largest_term) ||
        !fits(scale.denominator, largest_term))
        throw std::invalid_argument("a scale out of its range");
}

// Bytes of the largest array between the axes, which holds the longer side of each.
void check_bytes(const std::vector<i64>& in_shape, const std::vector<i64>& out_shape) {
    i64 bytes = 2 * sizeof(double);
    for (std::size_t axis = 0; axis < in_shape.size(); ++axis)
        if (__builtin_mul_overflow(bytes, std::max<i64>({1, in_shape[axis], out_shape[axis]}), &bytes))
            throw std::invalid_argument("more bytes than 63 bits count");
}

struct AxisRequest {
    i64 axis;
    AxisTable table;
};

AxisRequest read_table(Reader& reader, i64 rank, bool transposed) {
    const i64 axis = reader.within(0, rank - 1), filter = reader.within(0, 2);
    const i64 in_size = reader.within(1, INT64_MAX), out_size = reader.within(1, INT64_MAX);
    const Line line{reader.wide(), reader.wide(), reader.wide()};
    FilterRule rule;
    rule.antialias = reader.flag();
    rule.scale = {reader.wide(), reader.wide()};
    check_line(line, out_size);
    check_scale(rule.scale);
    const Rounding rounding = Rounding(reader.within(0, 3));
    rule.filter = filter == 1 ? Filter::linear : Filter::cubic;
    rule.cubic_a = reader.real();
    rule.exclude_outside = reader.flag();
    const bool extrapolate = reader.flag();
    AxisTable table = filter == 0 ? nearest_table(in_size, out_size, line, rounding, extrapolate)
                                  : filter_table(in_size, out_size, line, rule, extrapolate);
    return {axis, transposed ? transpose(table) : std::move(table)};
}

std::unique_ptr<const HostMap> read_resampled(Reader& reader, bool moves) {
    const i64 element = moves ? reader.within(1, 16) : reader.within(0, i64(Element::float64));
    const bool pairs = reader.flag(), transposed = reader.flag();
    std::vector<i64> in_shape = reader.shape(), out_shape = in_shape;
    std::string value = reader.value();
    HostMap::Ranges inside;
    for (const i64 length : in_shape) inside.emplace_back(0, length);
    AxisTables tables;
    for (i64 left = reader.within(0, i64(in_shape.size())); left > 0; --left) {
        AxisRequest made = read_table(reader, i64(in_shape.size()), transposed);
        AxisTable& table = made.table;
        out_shape[made.axis] = table.out_size;
        inside[made.axis] = {0, table.out_size};
        if (!value.empty()) {
            inside[made.axis] = {table.inside_begin, table.inside_end};
            table = slice(table, table.inside_begin, table.inside_end, 0, table.in_size);
        }
        tables.emplace_back(made.axis, std::make_shared<const AxisTable>(std::move(table)));
    }
    reader.finish();
    check_bytes(in_shape, out_shape);
    if (pairs) in_shape.push_back(2);
    SharedProgram program;
    if (moves)
        program = std::make_shared<const MoveProgram>(std::move(in_shape), tables, element);
    else
        program = std::make_shared<const AverageProgram>(std::move(in_shape), tables, Element(element));
    return std::make_unique<const HostMap>(std::move(program), std::move(out_shape), std::move(inside),
                                           std::move(value));
}

std::unique_ptr<const HostMap> read_constant(Reader& reader) {
    const i64 in_bytes = reader.within(0, INT64_MAX);
    std::vector<i64> out_shape = reader.shape();
    std::string value = reader.value();
    reader.finish();
    return std::make_unique<const HostMap>(in_bytes, std::move(out_shape), std::move(value));
}

std::unique_ptr<const HostMap> read_rearranged(Reader& reader, bool to_space) {
    i64 lengths[4];
    for (i64& length : lengths) length = reader.within(0, INT64_MAX);
    const i64 blocksize = reader.within(1, INT32_MAX);
    const bool crd = reader.flag();
    const i64 unit = reader.within(1, 16);
    reader.finish();
    return std::make_unique<const HostMap>(
        RearrangeShape{lengths[0], lengths[1], lengths[2], lengths[3], blocksize, crd}, to_space, unit);
}

}  // namespace

std::unique_ptr<const HostMap> map_from_words(const i64* words, i64 count) {
    Reader reader(words, count);
    if (reader.word() != host_words_version) throw std::invalid_argument("words of another version");
    const MapKind kind = MapKind(reader.within(0, i64(MapKind::space_to_depth)));
    switch (kind) {
        case MapKind::average:
        case MapKind::move:
            return read_resampled(reader, kind == MapKind::move);
        case MapKind::constant:
            return read_constant(reader);
        default:
            return read_rearranged(reader, kind == MapKind::depth_to_space);
    }
}

}  // namespace halfpixel

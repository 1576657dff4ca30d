#include "axis_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace halfpixel {
namespace {

// A coordinate split exactly: whole + remainder / divisor with 0 <= remainder < divisor.
template <class Integer>
struct Position {
    Integer whole;
    Integer remainder;
};

Position<i128> split(i128 numerator, i128 divisor) {
    i128 whole, remainder;
    constexpr i128 narrow = i128(1) << 62;
    if (numerator < narrow && numerator > -narrow && divisor < narrow) {  // 128-bit division is ten times slower
        whole = i64(numerator) / i64(divisor);
        remainder = i64(numerator) % i64(divisor);
    } else {
        whole = numerator / divisor;
        remainder = numerator % divisor;
    }
    return remainder < 0 ? Position<i128>{whole - 1, remainder + divisor} : Position<i128>{whole, remainder};
}

Position<i128> position(const Line& line, i64 i) { return split(line.step * i + line.start, line.divisor); }

// The positions of output `begin` and of those behind it, one after the other, without a division for each.
template <class Integer>
class Positions {
  public:
    Positions(const Line& line, i64 begin)
        : divisor_(Integer(line.divisor)),
          step_(narrowed(split(line.step, line.divisor))),
          at_(narrowed(position(line, begin))) {}

    const Position<Integer>& operator*() const { return at_; }
    void operator++() {
        at_.whole += step_.whole;
        at_.remainder += step_.remainder;
        if (at_.remainder < divisor_) return;
        at_.remainder -= divisor_;
        ++at_.whole;
    }

  private:
    static Position<Integer> narrowed(const Position<i128>& p) { return {Integer(p.whole), Integer(p.remainder)}; }

    Integer divisor_;
    Position<Integer> step_, at_;
};

i64 clamp_index(i128 index, i64 size) { return index < 0 ? 0 : index >= size ? size - 1 : i64(index); }

bool is_inside(const Line& line, i64 i, i64 in_size) {
    const Position<i128> p = position(line, i);
    return p.whole >= 0 && (p.whole < in_size - 1 || (p.whole == in_size - 1 && p.remainder == 0));
}

bool steps_over_inputs(const Line& line) { return (line.step < 0 ? -line.step : line.step) > line.divisor; }

AxisTable empty_table(i64 in_size, i64 out_size, bool shrinking) {
    AxisTable table;
    table.in_size = in_size;
    table.out_size = out_size;
    table.shrinking = shrinking;
    table.first.resize(out_size);
    table.count.resize(out_size);
    table.offset.resize(out_size);
    return table;
}

// Coordinates are linear in the output index, so the outputs inside the input form one range.
void set_inside(AxisTable& table, const Line& line, bool extrapolate) {
    table.inside_begin = 0;
    table.inside_end = table.out_size;
    if (!extrapolate) return;
    while (table.inside_begin < table.inside_end && !is_inside(line, table.inside_begin, table.in_size))
        ++table.inside_begin;
    while (table.inside_end > table.inside_begin && !is_inside(line, table.inside_end - 1, table.in_size))
        --table.inside_end;
}

void set_summary(AxisTable& table) {
    i64 most = 0;
    bool identity = table.in_size == table.out_size;
    for (i64 i = 0; i < table.out_size; ++i) {
        const i64 n = table.count[i];
        most = std::max(most, n);
        identity = identity && n == 1 && table.first[i] == i && table.weights[table.offset[i]] == 1.0;
    }
    table.max_taps = table.whole_taps = most;
    table.has_gaps = std::ranges::count(table.weights, 0.0) > 0;
    table.rounded.assign(table.weights.begin(), table.weights.end());
    table.identity = identity;
}

i128 rounded(const Position<i128>& p, i128 divisor, Rounding rounding) {
    switch (rounding) {
        case Rounding::floor:
            return p.whole;
        case Rounding::ceil:
            return p.whole + (p.remainder > 0);
        case Rounding::half_down:
            return p.whole + (p.remainder > divisor - p.remainder);
        case Rounding::half_up:
            return p.whole + (p.remainder >= divisor - p.remainder);
    }
    return p.whole;
}

// A filter that reaches more taps than this is summed tap by tap only inside the input.
constexpr double most_taps_outside = double(1 << 20);

// A distance x >= 0 from a sample, in units of the filter, with its distances from 1 and 2 kept exact: a weight that is
// small because x is near a zero of the filter must not be the difference of rounded numbers.
struct Distance {
    double x;          // x
    double one_minus;  // 1 - x
    double two_minus;  // 2 - x
};

double linear_weight(const Distance& d) { return d.one_minus > 0.0 ? d.one_minus : 0.0; }

// Keys' cubic by its zeros, with u = 1 - x: u (u (1 + 2x) - a x^2) up to 1, a (x - 1)(2 - x)^2 up to 2. For a <= 0 no
// difference of nearly equal numbers is left.
double cubic_weight(const Distance& d, double a) {
    const double u = d.one_minus;
    if (u >= 0.0) return u * (u * (1.0 + 2.0 * d.x) - a * d.x * d.x);
    if (d.two_minus > 0.0) return a * -u * (d.two_minus * d.two_minus);
    return 0.0;
}

// The integral of the filter from u >= 0 to its end; the whole filter has 1.
double tail_mass(Filter filter, double a, double u) {
    if (filter == Filter::linear) return u < 1.0 ? (1.0 - u) * (1.0 - u) / 2.0 : 0.0;
    const auto outer = [a](double t) { return a * t * (t * (t * (t / 4.0 - 5.0 / 3.0) + 4.0) - 4.0); };
    const auto inner = [a](double t) { return t * (t * t * ((a + 2.0) * t / 4.0 - (a + 3.0) / 3.0) + 1.0); };
    if (u >= 2.0) return 0.0;
    if (u >= 1.0) return outer(2.0) - outer(u);
    return 0.5 - inner(u);
}

double mass_beyond(Filter filter, double a, double u) {
    return u >= 0.0 ? tail_mass(filter, a, u) : 1.0 - tail_mass(filter, a, -u);
}

// Weights of one output before the border rule: taps begin, begin + 1, ... of an endless input.
template <class Integer>
struct Support {
    Integer begin = 0;
    std::vector<double> weights;
};

struct Reach {
    bool widened;   // by antialias
    double scale;   // of a widened filter, else 1
    double radius;  // of the filter, in its units
    i64 taps;       // of a widened filter before and behind the sample at or before a coordinate

    explicit Reach(const FilterRule& rule) {
        widened = rule.antialias && rule.scale.numerator < rule.scale.denominator;
        scale = widened ? double(rule.scale.numerator) / double(rule.scale.denominator) : 1.0;
        radius = rule.filter == Filter::linear ? 1 : 2;
        taps = is_far() ? 0 : i64(std::ceil(radius / scale)) + 1;
    }
    bool is_far() const { return widened && radius / scale > most_taps_outside; }
};

// Whether all that a WeightBuilder computes exactly fits into 64 bits, as it does for all but extreme scales and rois.
bool fits_64_bits(const Line& line, i64 out_size, const FilterRule& rule, const Reach& reach) {
    constexpr i128 most = i128(1) << 60;
    const i128 step = line.step < 0 ? -line.step : line.step, start = line.start < 0 ? -line.start : line.start;
    if (step >= most || start >= most || step * out_size + start >= most || line.divisor >= most) return false;
    if (!reach.widened) return true;
    const auto [numerator, denominator] = rule.scale;
    const i128 farthest = (reach.taps + 1) * line.divisor;
    return denominator < most && farthest < most && farthest * numerator < most && line.divisor * denominator < most;
}

template <class Integer>
class WeightBuilder {
  public:
    WeightBuilder(const Line& line, const FilterRule& rule, i64 in_size)
        : divisor_(Integer(line.divisor)), rule_(rule), reach_(rule), in_size_(in_size) {}

    // The first tap of an output and how many there are before the border rule.
    std::pair<Integer, i64> extent(const Position<Integer>& p) const {
        if (reach_.is_far()) return {-1, in_size_ + 2};
        if (reach_.widened) return {p.whole - reach_.taps, 2 * reach_.taps + 1};
        if (p.remainder == 0) return {p.whole, 1};
        if (rule_.filter == Filter::linear) return {p.whole, 2};
        return {p.whole - 1, 4};
    }

    // Of an output, as far as many of them are not too many to be reserved.
    i64 most_taps() const {
        if (reach_.widened) return reach_.is_far() ? 0 : 2 * reach_.taps + 1;
        return rule_.filter == Filter::linear ? 2 : 4;
    }

    void build(const Position<Integer>& p, Support<Integer>& support) const {
        if (!reach_.widened)
            build_plain(p, support);
        else if (reach_.is_far())
            build_far(p, support);
        else
            build_widened(p, support);
    }

  private:
    void build_plain(const Position<Integer>& p, Support<Integer>& support) const {
        if (p.remainder == 0) {  // on a sample both filters are exactly 1 there and 0 elsewhere
            support.begin = p.whole;
            support.weights.assign(1, 1.0);
            return;
        }
        const double d = double(divisor_);
        const double f = double(p.remainder) / d, g = double(divisor_ - p.remainder) / d;
        if (rule_.filter == Filter::linear) {
            support.begin = p.whole;
            support.weights.assign({g, f});
        } else {
            support.begin = p.whole - 1;
            const double a = rule_.cubic_a;
            const Distance from_left{f, g, 1.0 + g}, from_right{g, f, 1.0 + f};
            const Distance beyond_left{1.0 + f, -f, g}, beyond_right{1.0 + g, -g, f};
            support.weights.assign({cubic_weight(beyond_left, a), cubic_weight(from_left, a),
                                    cubic_weight(from_right, a), cubic_weight(beyond_right, a)});
        }
    }

    void build_widened(const Position<Integer>& p, Support<Integer>& support) const {
        const i64 reach = reach_.taps;
        support.begin = p.whole - reach;
        support.weights.resize(std::size_t(2 * reach + 1));
        double sum = 0.0;
        for (i64 k = -reach; k <= reach; ++k) {
            const double w = weight_at(p, k);
            support.weights[std::size_t(k + reach)] = w;
            sum += w;
        }
        for (double& w : support.weights) w /= sum;
    }

    // The taps inside one by one; those before and behind them as one tap each. With a million taps in a filter unit
    // their sum is the filter's integral, to more digits than a weight has.
    void build_far(const Position<Integer>& p, Support<Integer>& support) const {
        const double x = double(p.whole) + double(p.remainder) / double(divisor_);
        const Filter filter = rule_.filter;
        const double a = rule_.cubic_a, scale = reach_.scale;
        support.begin = -1;
        support.weights.assign(1, mass_beyond(filter, a, (x + 0.5) * scale) / scale);
        for (i64 i = 0; i < in_size_; ++i) {
            const double u = std::fabs(double(i) - x) * scale;
            const Distance d{u, 1.0 - u, 2.0 - u};
            support.weights.push_back(filter == Filter::linear ? linear_weight(d) : cubic_weight(d, a));
        }
        support.weights.push_back(mass_beyond(filter, a, (double(in_size_) - 0.5 - x) * scale) / scale);
        double sum = 0.0;
        for (const double w : support.weights) sum += w;
        for (double& w : support.weights) w /= sum;
    }

    // Of tap whole + k, whose distance is |k - remainder / divisor| * scale.
    double weight_at(const Position<Integer>& p, i64 k) const {
        Integer offset = Integer(k) * divisor_ - p.remainder;
        if (offset < 0) offset = -offset;
        if constexpr (sizeof(Integer) == 8) {
            return weight_of(offset * i64(rule_.scale.numerator), divisor_ * i64(rule_.scale.denominator));
        } else {
            i128 over, under;
            if (!__builtin_mul_overflow(offset, rule_.scale.numerator, &over) &&
                !__builtin_mul_overflow(divisor_, rule_.scale.denominator, &under) && under <= i128(1) << 125)
                return weight_of(over, under);
            const double x = double(offset) / double(divisor_) * reach_.scale;
            const Distance d{x, 1.0 - x, 2.0 - x};
            return rule_.filter == Filter::linear ? linear_weight(d) : cubic_weight(d, rule_.cubic_a);
        }
    }

    // At the distance over / under, whose differences from 1 and 2 are fractions as exact.
    double weight_of(Integer over, Integer under) const {
        if (rule_.filter == Filter::linear) return over < under ? double(under - over) / double(under) : 0.0;
        if (over / 2 >= under) return 0.0;
        const double d = double(under);
        return cubic_weight({double(over) / d, double(under - over) / d, double(2 * under - over) / d}, rule_.cubic_a);
    }

    Integer divisor_;
    const FilterRule& rule_;
    Reach reach_;
    i64 in_size_;
};

void push_single(AxisTable& table, i64 i, i64 index) {
    table.first[i] = index;
    table.count[i] = 1;
    table.offset[i] = i64(table.weights.size());
    table.weights.push_back(1.0);
}

void push_trimmed(AxisTable& table, i64 i, i64 first, const std::vector<double>& w) {
    std::size_t begin = 0, end = w.size();
    while (begin < end && w[begin] == 0.0) ++begin;
    while (end > begin && w[end - 1] == 0.0) --end;
    table.first[i] = first + i64(begin);
    table.count[i] = i64(end - begin);
    table.offset[i] = i64(table.weights.size());
    table.weights.insert(table.weights.end(), w.begin() + begin, w.begin() + end);
}

// The border rule: taps outside take the edge sample (their weight is folded into the edge tap), or count for nothing.
template <class Integer>
void push_bordered(AxisTable& table, i64 i, const Support<Integer>& support, bool exclude_outside,
                   std::vector<double>& folded) {
    const i64 n = table.in_size;
    const Integer begin = support.begin, end = begin + Integer(support.weights.size());
    if (begin >= 0 && end <= n) return push_trimmed(table, i, i64(begin), support.weights);
    if (end <= 0) return push_single(table, i, 0);
    if (begin >= n) return push_single(table, i, n - 1);
    const i64 lo = std::max<i64>(0, i64(begin)), hi = i64(std::min<Integer>(n, end));
    folded.assign(hi - lo, 0.0);
    double sum = 0.0;
    bool any_inside = false;
    for (std::size_t t = 0; t < support.weights.size(); ++t) {
        const Integer index = begin + Integer(t);
        const double w = support.weights[t];
        if (exclude_outside && (index < 0 || index >= n)) continue;
        folded[clamp_index(index, n) - lo] += w;
        sum += w;
        any_inside |= w != 0.0;
    }
    if (!any_inside || (exclude_outside && sum == 0.0)) return push_single(table, i, begin < 0 ? 0 : n - 1);
    if (exclude_outside)
        for (double& w : folded) w /= sum;
    push_trimmed(table, i, lo, folded);
    if (table.count[i] == 0) push_single(table, i, begin < 0 ? 0 : n - 1);
    if (table.count[i] == 1 && !exclude_outside) table.weights[table.offset[i]] = 1.0;  // all taps met in one sample
}

// Output i takes the same weights as an earlier one, `shift` inputs further on.
void push_again(AxisTable& table, i64 i, i64 earlier, i64 shift) {
    const std::size_t count = std::size_t(table.count[earlier]), end = table.weights.size();
    table.first[i] = table.first[earlier] + shift;
    table.count[i] = table.count[earlier];
    table.offset[i] = i64(end);
    table.weights.resize(end + count);
    std::copy_n(table.weights.begin() + table.offset[earlier], count, table.weights.begin() + i64(end));
}

// After how many outputs the remainders of an axis come again, each `inputs` further on.
struct Period {
    i64 outputs;
    i64 inputs;
};

Period period_of(const Line& line) {
    const i64 divisor = i64(line.divisor);
    const i64 outputs = divisor / std::gcd(i64(split(line.step, line.divisor).remainder), divisor);
    return {outputs, i64(line.step * outputs / line.divisor)};
}

template <class Integer>
void fill(AxisTable& table, const Line& line, const FilterRule& rule) {
    const WeightBuilder<Integer> builder(line, rule, table.in_size);
    const Period period = sizeof(Integer) == 8 ? period_of(line) : Period{table.out_size, 0};
    Positions<Integer> positions(line, table.inside_begin);
    Support<Integer> support;
    std::vector<double> folded;
    const auto is_inside = [&](Integer begin, Integer taps) { return begin >= 0 && begin + taps <= table.in_size; };
    table.weights.reserve(std::size_t((table.inside_end - table.inside_begin) * builder.most_taps()));
    for (i64 i = table.inside_begin; i < table.inside_end; ++i, ++positions) {
        const i64 earlier = i - period.outputs;
        const auto [begin, taps] = builder.extent(*positions);
        if (earlier >= table.inside_begin && is_inside(begin, taps) && is_inside(begin - period.inputs, taps)) {
            push_again(table, i, earlier, period.inputs);
            continue;
        }
        builder.build(*positions, support);
        push_bordered(table, i, support, rule.exclude_outside, folded);
    }
}

}  // namespace

AxisTable nearest_table(i64 in_size, i64 out_size, const Line& line, Rounding rounding, bool extrapolate) {
    AxisTable table = empty_table(in_size, out_size, steps_over_inputs(line));
    set_inside(table, line, extrapolate);
    table.weights.reserve(out_size);
    Positions<i128> positions(line, table.inside_begin);
    for (i64 i = table.inside_begin; i < table.inside_end; ++i, ++positions)
        push_single(table, i, clamp_index(rounded(*positions, line.divisor, rounding), in_size));
    set_summary(table);
    return table;
}

AxisTable filter_table(i64 in_size, i64 out_size, const Line& line, const FilterRule& rule, bool extrapolate) {
    AxisTable table = empty_table(in_size, out_size, steps_over_inputs(line));
    set_inside(table, line, extrapolate);
    if (fits_64_bits(line, out_size, rule, Reach(rule)))
        fill<i64>(table, line, rule);
    else
        fill<i128>(table, line, rule);
    set_summary(table);
    return table;
}

AxisTable taps_table(i64 in_size, i64 out_size, std::span<const i64> first, std::span<const i64> count,
                     std::span<const double> weights) {
    if (i64(first.size()) != out_size || i64(count.size()) != out_size)
        throw std::invalid_argument("one first input and one count for each output");
    AxisTable table = empty_table(in_size, out_size, in_size > out_size);
    table.inside_end = out_size;
    i64 total = 0;
    const i64 available = i64(weights.size());
    for (i64 i = 0; i < out_size; ++i) {
        if (first[i] < 0 || first[i] > in_size || count[i] < 0 || count[i] > in_size - first[i])
            throw std::invalid_argument("a tap lies outside the input");
        if (count[i] > available - total) throw std::invalid_argument("fewer weights than taps");
        table.offset[i] = total;
        total += count[i];
    }
    if (total != available) throw std::invalid_argument("more weights than taps");
    if (!std::all_of(weights.begin(), weights.end(), [](double w) { return std::isfinite(w); }))
        throw std::invalid_argument("a weight is not finite");
    table.first.assign(first.begin(), first.end());
    table.count.assign(count.begin(), count.end());
    table.weights.assign(weights.begin(), weights.end());
    set_summary(table);
    return table;
}

int fraction_bits(const AxisTable& table, int most) {
    int bits = 0;
    for (const double weight : table.weights)
        while (bits <= most && std::ldexp(weight, bits) != std::nearbyint(std::ldexp(weight, bits))) ++bits;
    return bits;
}

double largest_gain(const AxisTable& table) {
    double gain = 1.0;
    for (i64 o = 0; o < table.out_size; ++o) {
        double sum = 0.0;
        for (i64 t = 0; t < table.count[o]; ++t) sum += std::fabs(table.weights[table.offset[o] + t]);
        gain = std::max(gain, sum);
    }
    return gain;
}

AxisTable transpose(const AxisTable& table) {
    AxisTable result = empty_table(table.out_size, table.in_size, !table.shrinking);
    result.inside_end = table.in_size;
    std::vector<i64> last(table.in_size, -1);
    std::vector<i64>& first = result.first;
    first.assign(table.in_size, std::numeric_limits<i64>::max());
    for (i64 o = 0; o < table.out_size; ++o)
        for (i64 t = 0; t < table.count[o]; ++t) {
            if (table.weights[table.offset[o] + t] == 0.0) continue;
            const i64 i = table.first[o] + t;
            first[i] = std::min(first[i], o);
            last[i] = std::max(last[i], o);
        }
    i64 total = 0;
    for (i64 i = 0; i < table.in_size; ++i) {
        if (last[i] < 0) first[i] = 0;
        result.count[i] = last[i] < 0 ? 0 : last[i] - first[i] + 1;
        result.offset[i] = total;
        total += result.count[i];
    }
    result.weights.assign(total, 0.0);
    for (i64 o = 0; o < table.out_size; ++o)
        for (i64 t = 0; t < table.count[o]; ++t) {
            const double w = table.weights[table.offset[o] + t];
            if (w == 0.0) continue;
            const i64 i = table.first[o] + t;
            result.weights[result.offset[i] + o - first[i]] += w;
        }
    set_summary(result);
    return result;
}

AxisTable slice(const AxisTable& table, i64 out_begin, i64 out_end, i64 in_begin, i64 in_end) {
    if (out_begin < 0 || out_end < out_begin || out_end > table.out_size || in_begin < 0 || in_end < in_begin ||
        in_end > table.in_size)
        throw std::out_of_range("window outside the axis");
    AxisTable result = empty_table(in_end - in_begin, out_end - out_begin, table.shrinking);
    result.inside_begin = std::clamp(table.inside_begin, out_begin, out_end) - out_begin;
    result.inside_end = std::clamp(table.inside_end, out_begin, out_end) - out_begin;
    for (i64 o = out_begin; o < out_end; ++o) {
        const i64 n = table.count[o];
        if (n && (table.first[o] < in_begin || table.first[o] + n > in_end))
            throw std::out_of_range("a tap lies outside the input window");
        result.first[o - out_begin] = n ? table.first[o] - in_begin : 0;
        result.count[o - out_begin] = n;
        result.offset[o - out_begin] = i64(result.weights.size());
        const double* w = table.weights.data() + table.offset[o];
        result.weights.insert(result.weights.end(), w, w + n);
    }
    set_summary(result);
    result.whole_taps = table.whole_taps;
    return result;
}

std::pair<i64, i64> source_range(const AxisTable& table, i64 out_begin, i64 out_end) {
    i64 lo = std::numeric_limits<i64>::max(), hi = 0;
    for (i64 o = out_begin; o < out_end; ++o) {
        if (table.count[o] == 0) continue;
        lo = std::min(lo, table.first[o]);
        hi = std::max(hi, table.first[o] + table.count[o]);
    }
    return hi == 0 ? std::pair<i64, i64>{0, 0} : std::pair<i64, i64>{lo, hi};
}

}  // namespace halfpixel

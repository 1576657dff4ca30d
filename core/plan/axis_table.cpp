#include "axis_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace halfpixel {
namespace {

// A coordinate split exactly: whole + remainder / divisor with 0 <= remainder < divisor.
struct Position {
    i128 whole;
    i128 remainder;
};

Position position(const Line& line, i64 i) {
    const i128 numerator = line.step * i + line.start;
    constexpr i128 narrow = i128(1) << 62;
    if (numerator < narrow && numerator > -narrow && line.divisor < narrow) {  // 128-bit division is ten times slower
        const i64 n = i64(numerator), d = i64(line.divisor);
        i64 whole = n / d;
        i64 remainder = n % d;
        if (remainder < 0) {
            remainder += d;
            --whole;
        }
        return {whole, remainder};
    }
    i128 whole = numerator / line.divisor;
    i128 remainder = numerator % line.divisor;
    if (remainder < 0) {
        remainder += line.divisor;
        --whole;
    }
    return {whole, remainder};
}

i64 clamp_index(i128 index, i64 size) { return index < 0 ? 0 : index >= size ? size - 1 : i64(index); }

bool is_inside(const Line& line, i64 i, i64 in_size) {
    const Position p = position(line, i);
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
    table.max_taps = 0;
    table.has_gaps = false;
    table.identity = table.in_size == table.out_size;
    for (i64 i = 0; i < table.out_size; ++i) {
        const i64 n = table.count[i];
        const double* w = table.weights.data() + table.offset[i];
        table.max_taps = std::max(table.max_taps, n);
        for (i64 t = 0; t < n; ++t) table.has_gaps |= w[t] == 0.0;
        table.identity &= n == 1 && table.first[i] == i && w[0] == 1.0;
    }
    table.whole_taps = table.max_taps;
}

i128 rounded(const Position& p, i128 divisor, Rounding rounding) {
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
struct Support {
    i128 begin = 0;
    std::vector<double> weights;
};

class WeightBuilder {
  public:
    WeightBuilder(const Line& line, const FilterRule& rule, i64 in_size) : line_(line), rule_(rule), in_size_(in_size) {
        widened_ = rule.antialias && rule.scale.numerator < rule.scale.denominator;
        scale_ = widened_ ? double(rule.scale.numerator) / double(rule.scale.denominator) : 1.0;
        radius_ = rule.filter == Filter::linear ? 1 : 2;
    }

    void build(const Position& p, Support& support) const {
        if (!widened_)
            build_plain(p, support);
        else if (radius_ / scale_ > most_taps_outside)
            build_far(p, support);
        else
            build_widened(p, support);
    }

  private:
    void build_plain(const Position& p, Support& support) const {
        support.weights.clear();
        if (p.remainder == 0) {  // on a sample both filters are exactly 1 there and 0 elsewhere
            support.begin = p.whole;
            support.weights.push_back(1.0);
            return;
        }
        const double d = double(line_.divisor);
        const double f = double(p.remainder) / d, g = double(line_.divisor - p.remainder) / d;
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

    void build_widened(const Position& p, Support& support) const {
        support.weights.clear();
        const i64 reach = i64(std::ceil(radius_ / scale_)) + 1;
        double sum = 0.0;
        support.begin = p.whole - reach;
        for (i64 k = -reach; k <= reach; ++k) {
            const Distance d = distance(p, k);
            const double w = rule_.filter == Filter::linear ? linear_weight(d) : cubic_weight(d, rule_.cubic_a);
            support.weights.push_back(w);
            sum += w;
        }
        for (double& w : support.weights) w /= sum;
    }

    // The taps inside one by one; those before and behind them as one tap each. With a million taps in a filter unit
    // their sum is the filter's integral, to more digits than a weight has.
    void build_far(const Position& p, Support& support) const {
        const double x = double(p.whole) + double(p.remainder) / double(line_.divisor);
        const Filter filter = rule_.filter;
        const double a = rule_.cubic_a;
        support.begin = -1;
        support.weights.assign(1, mass_beyond(filter, a, (x + 0.5) * scale_) / scale_);
        for (i64 i = 0; i < in_size_; ++i) {
            const double u = std::fabs(double(i) - x) * scale_;
            const Distance d{u, 1.0 - u, 2.0 - u};
            support.weights.push_back(filter == Filter::linear ? linear_weight(d) : cubic_weight(d, a));
        }
        support.weights.push_back(mass_beyond(filter, a, (double(in_size_) - 0.5 - x) * scale_) / scale_);
        double sum = 0.0;
        for (const double w : support.weights) sum += w;
        for (double& w : support.weights) w /= sum;
    }

    // Of tap whole + k: |k - remainder / divisor| * scale, as a fraction whose differences from 1 and 2 are exact.
    Distance distance(const Position& p, i64 k) const {
        i128 offset = i128(k) * line_.divisor - p.remainder;
        if (offset < 0) offset = -offset;
        i128 over, under;
        if (__builtin_mul_overflow(offset, rule_.scale.numerator, &over) ||
            __builtin_mul_overflow(line_.divisor, rule_.scale.denominator, &under) || under > i128(1) << 125) {
            const double x = double(offset) / double(line_.divisor) * scale_;
            return {x, 1.0 - x, 2.0 - x};
        }
        constexpr i128 narrow = i128(1) << 61;
        if (over < narrow && under < narrow) return quotients(i64(over), i64(under));  // converts ten times faster
        return quotients(over, under);
    }

    template <class Integer>
    static Distance quotients(Integer over, Integer under) {
        const double d = double(under);
        return {double(over) / d, double(under - over) / d, double(2 * under - over) / d};
    }

    const Line& line_;
    const FilterRule& rule_;
    i64 in_size_;
    bool widened_;
    double scale_;
    int radius_;
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
void push_bordered(AxisTable& table, i64 i, const Support& support, bool exclude_outside, std::vector<double>& folded) {
    const i64 n = table.in_size;
    const i128 begin = support.begin, end = begin + i128(support.weights.size());
    if (begin >= 0 && end <= n) return push_trimmed(table, i, i64(begin), support.weights);
    if (end <= 0) return push_single(table, i, 0);
    if (begin >= n) return push_single(table, i, n - 1);
    const i64 lo = std::max<i64>(0, i64(begin)), hi = i64(std::min<i128>(n, end));
    folded.assign(hi - lo, 0.0);
    double sum = 0.0;
    bool any_inside = false;
    for (std::size_t t = 0; t < support.weights.size(); ++t) {
        const i128 index = begin + i128(t);
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

}  // namespace

AxisTable nearest_table(i64 in_size, i64 out_size, const Line& line, Rounding rounding, bool extrapolate) {
    AxisTable table = empty_table(in_size, out_size, steps_over_inputs(line));
    set_inside(table, line, extrapolate);
    table.weights.reserve(out_size);
    for (i64 i = table.inside_begin; i < table.inside_end; ++i)
        push_single(table, i, clamp_index(rounded(position(line, i), line.divisor, rounding), in_size));
    set_summary(table);
    return table;
}

AxisTable filter_table(i64 in_size, i64 out_size, const Line& line, const FilterRule& rule, bool extrapolate) {
    AxisTable table = empty_table(in_size, out_size, steps_over_inputs(line));
    set_inside(table, line, extrapolate);
    const WeightBuilder builder(line, rule, in_size);
    Support support;
    std::vector<double> folded;
    for (i64 i = table.inside_begin; i < table.inside_end; ++i) {
        builder.build(position(line, i), support);
        push_bordered(table, i, support, rule.exclude_outside, folded);
    }
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

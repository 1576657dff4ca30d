"use strict";
// One axis of a Resize in the browser: its output length, the line of its coordinates, taps and weights of a sample.
// Coordinates are exact (BigInt); weights are doubles, by the same operations in the same order as in the C++ core.
const halfpixel = (() => {
  const MOST_TAPS = 4096;

  const abs = (a) => (a < 0n ? -a : a);
  const gcd = (a, b) => { a = abs(a); b = abs(b); while (b) [a, b] = [b, a % b]; return a; };
  const floorDiv = (a, b) => (a % b !== 0n && (a < 0n) !== (b < 0n) ? a / b - 1n : a / b);
  const reduced = (num, den) => {
    if (den < 0n) [num, den] = [-num, -den];
    const common = gcd(num, den) || 1n;
    return [num / common, den / common];
  };
  const times = ([a, b], [c, d]) => reduced(a * c, b * d);

  // A double as the exact fraction that it is.
  function ratioOf(value) {
    let den = 1n;
    while (!Number.isInteger(value)) { value *= 2; den *= 2n; }
    return reduced(BigInt(value), den);
  }

  // A quotient of two integers of any size as the nearest double, or nearly.
  function quotient(num, den) {
    const bits = Math.max(abs(num).toString(2).length, den.toString(2).length) - 1000;
    if (bits > 0) { num >>= BigInt(bits); den >>= BigInt(bits); }
    return den ? Number(num) / Number(den) : (num < 0n ? -Infinity : Infinity);
  }

  const RULES = {
    half_pixel: (n, out, a, b) => [2n * b, b - a, 2n * a],
    half_pixel_symmetric: (n, out, a, b) => [2n * b, (n - 1n) * a + (1n - out) * b, 2n * a],
    pytorch_half_pixel: (n, out, a, b) => (out === 1n ? [0n, 0n, 1n] : [2n * b, b - a, 2n * a]),
    align_corners: (n, out, a, b) => (n * a - b <= 0n ? [0n, 0n, 1n] : [(n - 1n) * b, 0n, n * a - b]),
    asymmetric: (n, out, a, b) => [b, 0n, a],
    tf_half_pixel_for_nn: (n, out, a, b) => [2n * b, b, 2n * a],
    tf_crop_and_resize: (n, out, a, b, [start, end, den]) => (out === 1n
      ? [0n, (start + end) * (n - 1n), 2n * den]
      : [(end - start) * (n - 1n), start * (n - 1n) * (out - 1n), den * (out - 1n)]),
  };

  // in_size, scale [num, den], roi [start, end, den] -> the length that each rule gives.
  function lengths(inSize, scale, roi) {
    const num = BigInt(inSize) * (roi[1] - roi[0]) * scale[0];
    const den = roi[2] * scale[1];
    const single = Math.fround(Math.fround(inSize) * (Number(scale[0]) / Number(scale[1])));
    return {
      floor: Number(floorDiv(num, den)),
      round: Number(floorDiv(2n * num + den, 2n * den)),
      ceil: Number(-floorDiv(-num, den)),
      float32_floor: Math.floor(single),
    };
  }

  // settings: Resize's attributes by their names, and length_rule.
  // request: {in_size, scale} or {in_size, size} or {in_size, size, ratio: [num, den]}; roi: [start, end].
  function axis(settings, request) {
    const n = request.in_size;
    const crops = settings.coordinate_transformation_mode === "tf_crop_and_resize";
    const [start, end] = (crops && request.roi ? request.roi : [0, 1]).map(ratioOf);
    const den = start[1] > end[1] ? start[1] : end[1];
    const roi = [start[0] * (den / start[1]), end[0] * (den / end[1]), den];
    let scale, byRule = null, product = null, outSize = request.size;
    if (request.ratio) {
      scale = request.ratio.map(BigInt);
    } else if (request.scale !== null && request.scale !== undefined) {
      scale = ratioOf(Math.fround(request.scale));
      byRule = lengths(n, scale, roi);
      product = reduced(BigInt(n) * (roi[1] - roi[0]) * scale[0], roi[2] * scale[1]);
      outSize = byRule[settings.length_rule];
    } else {
      scale = reduced(BigInt(outSize), BigInt(n));
    }
    const whole = roi[0] === 0n && roi[1] === roi[2];
    const copied = whole && scale[0] === scale[1] && n === outSize;
    let line = [0n, 0n, 1n];
    if (copied) line = [1n, 0n, 1n];
    else if (outSize > 0) line = RULES[settings.coordinate_transformation_mode](BigInt(n), BigInt(outSize), ...scale, roi);
    const common = gcd(gcd(line[0], line[1]), line[2]);
    line = line.map((term) => term / common);
    return { settings, in_size: n, out_size: outSize, scale, roi: [start, end], byRule, product, copied, line, crops };
  }

  const coordinate = (ax, i) => reduced(ax.line[0] * BigInt(i) + ax.line[1], ax.line[2]);

  const linearWeight = (d) => (d.one > 0 ? d.one : 0);
  function cubicWeight(d, a) {
    if (d.one >= 0) return d.one * (d.one * (1 + 2 * d.x) - a * d.x * d.x);
    return d.two > 0 ? a * -d.one * (d.two * d.two) : 0;
  }

  // Taps of an endless input: {begin, weights}; before the border rule.
  function plain(settings, whole, rest, den) {
    if (rest === 0n) return { begin: whole, weights: [1] };
    const d = Number(den), f = Number(rest) / d, g = Number(den - rest) / d;
    if (settings.mode === "linear") return { begin: whole, weights: [g, f] };
    const a = Math.fround(settings.cubic_coeff_a);
    return {
      begin: whole - 1n,
      weights: [
        cubicWeight({ x: 1 + f, one: -f, two: g }, a), cubicWeight({ x: f, one: g, two: 1 + g }, a),
        cubicWeight({ x: g, one: f, two: 1 + f }, a), cubicWeight({ x: 1 + g, one: -g, two: f }, a),
      ],
    };
  }
  function widened(settings, whole, rest, den, scale, radius) {
    const reach = Math.ceil(radius / (Number(scale[0]) / Number(scale[1]))) + 1;
    const under = den * scale[1], a = Math.fround(settings.cubic_coeff_a), weights = [];
    const d = Number(under);
    let sum = 0;
    for (let k = -reach; k <= reach; k++) {
      const over = abs(BigInt(k) * den - rest) * scale[0];
      const at = { x: Number(over) / d, one: Number(under - over) / d, two: Number(2n * under - over) / d };
      const w = settings.mode === "linear" ? linearWeight(at) : cubicWeight(at, a);
      weights.push(w);
      sum += w;
    }
    return { begin: whole - BigInt(reach), weights: weights.map((w) => w / sum) };
  }

  const ROUNDINGS = {
    floor: (whole) => whole,
    ceil: (whole, rest) => whole + (rest > 0n ? 1n : 0n),
    round_prefer_floor: (whole, rest, den) => whole + (2n * rest > den ? 1n : 0n),
    round_prefer_ceil: (whole, rest, den) => whole + (2n * rest >= den ? 1n : 0n),
  };

  // How far a filter reaches to each side, in input samples, as a fraction; and how much antialias widens it.
  function filterOf(ax) {
    const { mode, antialias } = ax.settings;
    const shrinks = ax.scale[0] < ax.scale[1];
    const widening = antialias && shrinks && mode !== "nearest" ? [ax.scale[1], ax.scale[0]] : [1n, 1n];
    return { widening, reach: times([{ nearest: 0n, linear: 1n, cubic: 2n }[mode], 1n], widening) };
  }

  // The border rule: trimmed {first, weights} of the taps that count.
  function bordered(begin, weights, n, excludes) {
    const end = begin + BigInt(weights.length), last = BigInt(n);
    const single = (index) => ({ first: index, weights: [1] });
    const trimmed = (first, w) => {
      let from = 0, to = w.length;
      while (from < to && w[from] === 0) from++;
      while (to > from && w[to - 1] === 0) to--;
      return { first: first + from, weights: w.slice(from, to) };
    };
    if (begin >= 0n && end <= last) return trimmed(Number(begin), weights);
    if (end <= 0n) return single(0);
    if (begin >= last) return single(n - 1);
    const lo = Number(begin > 0n ? begin : 0n), hi = Number(end < last ? end : last);
    const edge = begin < 0n ? 0 : n - 1;
    let folded = new Array(hi - lo).fill(0), sum = 0, any = false;
    weights.forEach((w, t) => {
      const index = Number(begin) + t;
      if (excludes && (index < 0 || index >= n)) return;
      folded[Math.min(Math.max(index, 0), n - 1) - lo] += w;
      sum += w;
      any = any || w !== 0;
    });
    if (!any || (excludes && sum === 0)) return single(edge);
    if (excludes) folded = folded.map((w) => w / sum);
    const result = trimmed(lo, folded);
    if (result.weights.length === 0) return single(edge);
    if (result.weights.length === 1 && !excludes) result.weights = [1];
    return result;
  }

  function sample(ax, i) {
    const x = coordinate(ax, i), [num, den] = x, n = ax.in_size;
    const whole = floorDiv(num, den), rest = num - whole * den;
    const found = {
      index: i, x, value: quotient(num, den), whole: Number(whole), tie: 2n * rest === den, on: rest === 0n,
      extrapolated: false, rounding: null, taps: [], first: 0, weights: [], ...filterOf(ax),
    };
    if (ax.crops && (num < 0n || num > BigInt(n - 1) * den)) return { ...found, extrapolated: true };
    if (ax.copied) return { ...found, taps: [tap(i, 0, 1, i)], first: i, weights: [1] };
    const { mode, exclude_outside: excludes } = ax.settings;
    if (mode === "nearest") {
      const byScale = ax.scale[0] >= ax.scale[1] ? "floor" : "ceil";
      const rule = ax.settings.nearest_mode === "by_scale" ? byScale : ax.settings.nearest_mode;
      const chosen = Number(ROUNDINGS[rule](whole, rest, den));
      const clamped = Math.min(Math.max(chosen, 0), n - 1);
      const taps = [tap(chosen, chosen - found.value, 1, clamped)];
      return { ...found, rounding: { rule, chosen }, taps, first: clamped, weights: [1] };
    }
    if (quotient(...found.reach) > MOST_TAPS) return { ...found, taps: null };
    const wide = found.widening[0] !== found.widening[1];
    const radius = mode === "linear" ? 1 : 2;
    const { begin, weights } = wide
      ? widened(ax.settings, whole, rest, den, ax.scale, radius) : plain(ax.settings, whole, rest, den);
    const taps = [];
    weights.forEach((w, t) => {
      if (w === 0) return;
      const index = Number(begin) + t, clamped = Math.min(Math.max(index, 0), n - 1);
      taps.push(tap(index, quotient(BigInt(index) * den - num, den), w, excludes && clamped !== index ? null : clamped));
    });
    return { ...found, taps, ...bordered(begin, weights, n, excludes) };
  }

  const tap = (index, distance, weight, counts_for) => ({ index, distance, weight, counts_for });

  // The filter's height at a distance from x, in input samples; sum 1 over the taps of a sample.
  function filterAt(ax, found, distance) {
    const t = Math.abs(distance) / quotient(...found.widening), d = { x: t, one: 1 - t, two: 2 - t };
    const a = Math.fround(ax.settings.cubic_coeff_a);
    return ax.settings.mode === "linear" ? linearWeight(d) : cubicWeight(d, a);
  }

  return { axis, coordinate, sample, filterAt, quotient, ratioOf, reduced, times };
})();

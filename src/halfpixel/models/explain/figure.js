// The drawing of a sample: filter and weights, input samples, output samples where they lie.
const figure = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const { numberText } = words;
  const NARROWEST_BOX = 12; // pixels between two outputs below which they are dots

  function drawn(parent, name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) {
      made.setAttribute(key, typeof value === "number" ? String(Math.round(value * 100) / 100) : value);
    }
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  }

  const SHAPE = { bars: 150, cells: 34, gap: 46, outs: 34, top: 18 };
  function windowOf(ax, found, count) {
    const low = found.taps && found.taps.length ? Math.min(found.taps[0].index, found.whole) : found.whole;
    const high = found.taps && found.taps.length ? Math.max(found.taps[found.taps.length - 1].index, found.whole + 1) : found.whole;
    let left = Math.round((low + high) / 2 - (count - 1) / 2);
    const margin = 1 + Math.max(0, -low, high - ax.in_size + 1);
    if (ax.in_size + 2 * margin <= count) return Math.round((ax.in_size - count) / 2);
    left = Math.max(left, Math.min(-margin, left + count));
    return Math.min(Math.max(left, -margin), ax.in_size + margin - count);
  }
  function countFor(width, inSize, ...samples) {
    const most = Math.max(7, Math.min(25, Math.floor(width / 34)));
    const taps = samples.flatMap((found) => (found && found.taps ? found.taps : [])).map((tap) => tap.index);
    const low = Math.min(...taps), high = Math.max(...taps), wanted = taps.length ? high - low + 5 : 0;
    const all = inSize + 2 + 2 * (taps.length ? Math.max(0, -low, high - inSize + 1) : 0);
    return Math.min(Math.max(wanted, Math.min(12, most)), Math.max(most, 15), Math.max(all, 5));
  }
  function draw(svg, ax, found, left, count, width) {
    svg.replaceChildren();
    const { bars, cells, gap, outs, top } = SHAPE, height = top + bars + 8 + cells + gap + outs + 22;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const cell = width / count, at = (x) => (x - left + 0.5) * cell, rowY = top + bars + 8;
    const visible = (x, half = 0.5) => x + half > left - 0.5 && x - half < left + count - 0.5;
    const peak = peaks(ax, found), unit = bars / (peak.high - peak.low), zero = top + peak.high * unit;
    drawn(svg, "line", { class: "base", x1: 0, x2: width, y1: zero, y2: zero });
    for (let j = left; j < left + count; j++) {
      const inside = j >= 0 && j < ax.in_size, tapped = (found.taps || []).find((tap) => tap.index === j);
      if (!inside && !tapped) continue;
      const box = { x: at(j) - cell / 2 + 1, y: rowY, width: cell - 2, height: cells, rx: 3 };
      drawn(svg, "rect", { class: inside ? `cell${j % 2 ? " odd" : ""}` : "cell outside", ...box });
      const counts = inside && j >= found.first && j < found.first + found.weights.length ? Math.abs(found.weights[j - found.first]) : 0;
      if (counts) drawn(svg, "rect", { class: "weight", ...box, opacity: Math.min(0.75, 0.12 + counts * 0.6) });
      drawn(svg, "circle", { class: "centre source", cx: at(j), cy: rowY + cells - 5, r: 2.2 });
      if (cell >= 24 || j % Math.ceil(26 / cell) === 0) drawn(svg, "text", { class: "figure-text", x: at(j), y: rowY + 20 }, j);
    }
    drawFilter(svg, ax, found, { at, zero, unit, left, count, cell, rowY });
    drawOutputs(svg, ax, found, { at, visible, cell, width, rowY, outY: rowY + cells + gap });
    const xx = at(found.value), lineTop = found.extrapolated ? rowY : zero;
    if (visible(found.value)) {
      drawn(svg, "line", { class: "from", x1: xx, x2: xx, y1: lineTop, y2: rowY + cells + gap });
      const mark = `x = ${numberText(found.x)}`, half = mark.length * 4;
      drawn(svg, "text", { class: "figure-text on", x: xx + 2 * half + 8 < width ? Math.max(xx + half + 8, half) : Math.min(xx - half - 8, width - half), y: rowY + cells + 17 }, mark);
    }
  }
  function peaks(ax, found) {
    const weights = (found.taps || []).map((tap) => tap.weight);
    let high = Math.max(0.3, ...weights), low = Math.min(0, ...weights);
    const size = heightOf(ax, found);
    if (size) { high = Math.max(high, size); if (ax.settings.mode === "cubic") low = Math.min(low, -0.15 * size); }
    return { high: high * 1.12, low: low * 1.3 - 0.02 * high };
  }
  // The weight of a tap under the middle of the filter; 0 where there is no filter.
  function heightOf(ax, found) {
    if (found.rounding || found.extrapolated || ax.copied || !found.taps || !found.taps.length) return 0;
    const tap = found.taps.reduce((best, one) => (Math.abs(one.weight) > Math.abs(best.weight) ? one : best));
    const read = halfpixel.filterAt(ax, found, tap.distance);
    return read ? tap.weight / read : 0;
  }
  function drawFilter(svg, ax, found, { at, zero, unit, left, count, cell, rowY }) {
    const size = heightOf(ax, found), reach = halfpixel.quotient(...found.reach);
    if (size && reach < 200) {
      const points = [];
      for (let step = -96; step <= 96; step++) {
        const distance = step / 96 * reach;
        points.push(`${(at(found.value + distance)).toFixed(2)},${(zero - size * halfpixel.filterAt(ax, found, distance) * unit).toFixed(2)}`);
      }
      drawn(svg, "polyline", { class: "curve", points: points.join(" ") });
    }
    for (const tap of found.taps || []) {
      if (tap.index < left || tap.index >= left + count) continue;
      const outside = tap.counts_for !== tap.index ? " outside" : "", y = zero - tap.weight * unit;
      drawn(svg, "line", { class: `stem${outside}`, x1: at(tap.index), x2: at(tap.index), y1: zero, y2: y });
      drawn(svg, "circle", { class: "tip", cx: at(tap.index), cy: y, r: 4 });
      if (cell >= 40) drawn(svg, "text", { class: "figure-text soft", x: at(tap.index), y: tap.weight < 0 ? y + 16 : y - 8 }, String(Number(tap.weight.toPrecision(3))));
      if (outside && tap.counts_for !== null) {
        const from = at(tap.index), to = at(tap.counts_for), y0 = rowY + SHAPE.cells + 2;
        drawn(svg, "path", { class: "goes", d: `M ${from} ${y0} Q ${(from + to) / 2} ${y0 + 16} ${to} ${y0}` });
      }
    }
  }
  function drawOutputs(svg, ax, found, { at, visible, cell, width, rowY, outY }) {
    const step = halfpixel.quotient(ax.line[0], ax.line[2]), half = Math.abs(step) / 2;
    const place = (i) => halfpixel.quotient(ax.line[0] * BigInt(i) + ax.line[1], ax.line[2]);
    const wide = Math.abs(step) * cell;
    const [from, to] = shownOutputs(ax, found.index, width / cell / Math.max(Math.abs(step), 0.001));
    const stride = Math.max(1, Math.floor(4 / Math.max(wide, 0.01)));
    const every = wide >= 24 ? 1 : Math.ceil(30 / Math.max(wide, 0.05) / stride) * stride;
    for (let i = from - from % stride; i < to; i += stride) {
      const x = place(i);
      if (!visible(x, half)) continue;
      if (i === found.index) continue;
      const labelled = i % every === 0 && (wide >= 24 || Math.abs(at(x) - at(found.value)) > 26);
      output(svg, at(x), outY, wide, i, "", labelled);
      if (wide >= NARROWEST_BOX) drawn(svg, "line", { class: "place", x1: at(x), x2: at(x), y1: rowY + SHAPE.cells + 2, y2: outY });
    }
    if (visible(found.value, half)) output(svg, at(found.value), outY, wide, found.index, " chosen", true);
    drawn(svg, "text", { class: "figure-text start soft", x: 4, y: 13 }, "weights");
    drawn(svg, "text", { class: "figure-text start soft", x: 4, y: outY + SHAPE.outs + 16 }, width < 420 ? "output samples" : "output samples, each where it lies in the input above");
  }
  const shownOutputs = (ax, index, around) => [Math.max(0, Math.floor(index - around - 2)), Math.min(ax.out_size, Math.ceil(index + around + 3))];
  function output(svg, x, y, wide, i, chosen, labelled) {
    if (wide >= NARROWEST_BOX) drawn(svg, "rect", { class: `out${chosen}`, x: x - wide / 2 + 1, y, width: wide - 2, height: SHAPE.outs, rx: 3 });
    drawn(svg, "circle", { class: `centre${chosen}`, cx: x, cy: y + SHAPE.outs - 6, r: chosen ? 4.5 : 2.2 });
    if (labelled) drawn(svg, "text", { class: `figure-text${chosen ? " on" : ""}`, x, y: y + 19 }, i);
  }

  return { windowOf, countFor, draw };
})();

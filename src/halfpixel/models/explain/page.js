// The page: what is asked, the two panels, and how one moves over output samples.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const WORDS = ["mode", "coordinate_transformation_mode", "nearest_mode", "length_rule"];
  const NUMBERS = ["in_size", "scale", "size", "start", "end"];
  const copy = (value) => JSON.parse(JSON.stringify(value));
  const { numberText, decimalText, bothTexts, exactText, short, weightText, signed } = words;
  let state = copy(data.state);
  let held = null; // the window of the drawing that stays while the pointer is inside

  // ---- elements
  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }
  // ---- what is asked
  const request = (number = state.axis) => state.axes[number];
  const asked = (one) => ({
    in_size: one.in_size,
    scale: one.by === "scale" ? one.scale : null,
    size: one.by === "scale" ? null : one.size,
    ratio: one.by === "ratio" ? one.ratio : null,
    roi: [one.start, one.end],
  });
  const here = (number = state.axis) => halfpixel.axis(state.settings, asked(request(number)));
  const chosenConvention = () => data.conventions.find((one) => one.name === state.convention);
  function conventionSettings(convention) {
    const mode = state.settings.mode;
    if (convention.changes) {
      return convention.modes.includes(mode) ? { ...state.settings, ...convention.changes } : null;
    }
    return convention.settings[mode] || null;
  }
  const indexOf = (one, length) => Math.min(Math.max(one.index, 0), Math.max(length - 1, 0));

  // ---- words
  const value = (one) => (typeof one === "boolean" ? Number(one) : one);
  function effective(settings) {
    const names = ["coordinate_transformation_mode"];
    if (settings.mode === "nearest") names.push("nearest_mode");
    else names.push(...(settings.mode === "cubic" ? ["cubic_coeff_a"] : []), "antialias", "exclude_outside");
    return request().by === "scale" ? [...names, "length_rule"] : names;
  }
  // Text that may be broken behind "_" and "=" if it is long.
  const breakable = (text) => (text.length < 30 ? [text] : text.split(/(?<=[_=])/).flatMap((part, at) => (at ? [element("wbr"), part] : [part])));
  // The attributes that have an effect; those that differ from the request's are marked.
  function attributes(settings) {
    const own = effective(state.settings);
    const parts = ["mode", ...effective(settings)].map((name) => {
      const text = `${name}=${value(settings[name])}`;
      const same = settings[name] === state.settings[name] && (name === "mode" || own.includes(name));
      return same ? element("span", {}, ...breakable(text)) : element("strong", {}, ...breakable(text));
    });
    return parts.flatMap((part, at) => (at ? [", ", part] : [part]));
  }
  function formulaWords(ax) {
    const mode = ax.settings.coordinate_transformation_mode;
    if (ax.copied) return "i, copied";
    if (ax.out_size === 1 && data.one_sample[mode]) return data.one_sample[mode];
    const short = BigInt(ax.in_size) * ax.scale[0] <= ax.scale[1];
    return mode === "align_corners" && short ? data.short_length : data.formulas[mode];
  }
  function formulaText(ax, found) {
    const words = formulaWords(ax);
    if (words.startsWith("0, ") || ax.copied) return `x = ${words}` + (ax.copied ? `\n  = ${found.index}` : "");
    const numbers = { i: [BigInt(found.index), 1n], in: [BigInt(ax.in_size), 1n], out: [BigInt(ax.out_size), 1n],
      scale: ax.scale, start: ax.roi[0], end: ax.roi[1] };
    const put = words.replace(/[a-z]+/g, (name) => {
      const text = numberText(numbers[name]);
      return text.includes("/") || text.startsWith("-") ? `(${text})` : text;
    });
    return `x = ${words}\n  = ${put}\n  = ${bothTexts(found.x)}`;
  }
  function verdict(ax, found) {
    if (found.extrapolated) {
      return `x lies outside [0, ${ax.in_size - 1}]: the result is extrapolation_value = ${state.settings.extrapolation_value}.`;
    }
    if (ax.copied) return "Scale 1, equal lengths: the axis is copied.";
    if (found.rounding) return nearestText(found);
    if (found.taps === null) return "The filter reaches too many samples to list.";
    const wide = found.widening[0] !== found.widening[1] ? `, ${numberText(found.widening)} times as wide (antialias)` : "";
    const a = ax.settings.mode === "cubic" ? ` with a = ${ax.settings.cubic_coeff_a}` : "";
    const words = `${ax.settings.mode}${a}${wide}: reaches ${numberText(found.reach)} to each side of x.`;
    const outside = found.taps.filter((tap) => tap.counts_for !== tap.index);
    if (!outside.length) return words;
    if (outside.every((tap) => tap.counts_for !== null)) return `${words} Taps outside count for the edge sample.`;
    return outside.length === found.taps.length
      ? `${words} No tap is inside: the edge sample counts alone.`
      : `${words} Taps outside are left out, the rest is divided by its sum.`;
  }
  function nearestText(found) {
    const { rule, chosen } = found.rounding, below = found.whole, above = found.on ? below : below + 1;
    const rest = found.x[0] - BigInt(below) * found.x[1];
    const place = found.on ? `x is sample ${below} exactly.`
      : found.tie ? `A tie: x is half-way between samples ${below} and ${above}.`
        : `x is ${numberText([rest, found.x[1]])} from sample ${below}, ${numberText([found.x[1] - rest, found.x[1]])} from ${above}.`;
    const end = chosen === found.first ? "." : `, which is outside: clamped to ${found.first}.`;
    return `${place} ${rule} takes sample ${chosen}${end}`;
  }
  function fate(tap, found) {
    if (tap.counts_for === null) return "outside: left out";
    return tap.counts_for === tap.index ? "" : `outside: counts for ${tap.counts_for}`;
  }

  // ---- the table of taps
  function tapsTable(found) {
    if (!found.taps || !found.taps.length) return [];
    const rows = [];
    const shown = found.taps.length > 24 ? [...found.taps.slice(0, 12), null, ...found.taps.slice(-12)] : found.taps;
    const bordered = found.taps.some((tap) => tap.counts_for !== tap.index);
    for (const tap of shown) {
      if (!tap) { rows.push(element("tr", {}, element("td", { colspan: 4 }, `... ${found.taps.length - 24} more`))); continue; }
      const cells = [["number", tap.index], ["number", signed(tap.distance)], ["number", weightText(tap.weight)]];
      const row = element("tr", {}, ...cells.map(([kind, text]) => element("td", { class: kind }, String(text))));
      if (bordered) row.append(element("td", { class: "goes" }, fate(tap, found)));
      rows.push(row);
    }
    const titles = ["sample", "distance", "weight", ...(bordered ? ["at the border"] : [])];
    const head = element("tr", {}, ...titles.map((title, at) => element("th", at < 3 ? { scope: "col", class: "number" } : { scope: "col" }, title)));
    const table = element("table", {}, element("caption", {}, "Taps: input samples under the filter"), element("thead", {}, head), element("tbody", {}, ...rows));
    if (!bordered) return [table];
    const parts = found.weights.map((w, t) => `${found.first + t}: ${short(w)}`);
    const some = parts.length > 12 ? [...parts.slice(0, 6), "...", ...parts.slice(-6)] : parts;
    return [table, element("p", { class: "mono" }, `So: ${some.join(", ")}`)];
  }

  // ---- the panels
  const seen = { left: 0, count: 12, width: 520 };
  function render() {
    const ax = here(), one = request();
    one.index = indexOf(one, ax.out_size);
    const found = ax.out_size > 0 && ax.in_size > 0 ? halfpixel.sample(ax, one.index) : null;
    const settings = conventionSettings(chosenConvention());
    const other = settings && halfpixel.axis(settings, asked({ ...one, by: one.by === "ratio" && settings.keep_aspect_ratio_policy === "stretch" ? "size" : one.by, size: one.by === "ratio" && settings.keep_aspect_ratio_policy === "stretch" ? one.given_size : one.size }));
    const same = other && one.index < other.out_size ? halfpixel.sample(other, one.index) : null;
    renderControls(ax);
    const box = by("figure").getBoundingClientRect();
    seen.width = Math.max(260, Math.round(box.width) || 520);
    if (found) {
      const keep = held && found.value > held.left - 0.5 && found.value < held.left + held.count - 0.5;
      seen.count = keep ? held.count : figure.countFor(seen.width, ax.in_size, found, same);
      seen.left = keep ? held.left : figure.windowOf(ax, found, seen.count);
    }
    panel(by("here"), ax, found, state.settings, "");
    panel(by("beside"), other, same, settings, settings ? `${besideText(ax, other, found, same)}${note()}` : `It has no mode ${state.settings.mode} of this kind.`);
    renderLength(ax, one);
    renderTogether();
  }
  function panel(place, ax, found, settings, extra) {
    place.querySelector(".attributes").replaceChildren(...(settings ? attributes(settings) : []));
    const svg = place.querySelector("svg");
    if (found) figure.draw(svg, ax, found, seen.left, seen.count, seen.width); else svg.replaceChildren();
    svg.style.display = found ? "" : "none";
    place.querySelector(".formula").textContent = found ? formulaText(ax, found) : "no such output sample";
    place.querySelector(".verdict").textContent = [found ? verdict(ax, found) : "", extra].filter(Boolean).join(" ");
    place.querySelector(".taps").replaceChildren(...(found ? tapsTable(found) : []));
  }
  const note = () => (chosenConvention().note ? ` Not in the numbers: ${chosenConvention().note}.` : "");
  function besideText(ax, other, found, same) {
    const length = other.out_size === ax.out_size ? "" : `Its output has ${other.out_size} samples, not ${ax.out_size}. `;
    if (!found || !same) return length;
    if (!same.taps || !found.taps) return length;
    const weight = (one, j) => one.weights[j - one.first] || 0;
    const low = Math.min(found.first, same.first), high = Math.max(found.first + found.weights.length, same.first + same.weights.length);
    let most = 0;
    for (let j = low; j < high; j++) most = Math.max(most, Math.abs(weight(found, j) - weight(same, j)));
    if (found.extrapolated !== same.extrapolated) most = 1;
    return `${length}${most === 0 ? "The same weights." : `Weights differ by up to ${short(most)}.`}`;
  }
  function renderLength(ax, one) {
    const rules = by("rules"), scale = numberText(ax.scale);
    rules.replaceChildren();
    if (!ax.byRule) {
      by("length").textContent = one.by === "ratio" ? `${ax.out_size}, ${ax.in_size} times the common scale ${scale}, halves rounded up`
        : `${ax.out_size}, the size that is given; scale ${ax.out_size} / ${ax.in_size} = ${scale}`;
      return;
    }
    const rule = ax.settings.length_rule, kept = halfpixel.ratioOf(Number(one.scale));
    const exact = kept[0] === ax.scale[0] && kept[1] === ax.scale[1] ? `scale ${scale}` : `scale ${one.scale} is ${exactText(ax.scale)} in float32`;
    const cut = ax.crops ? ` * (${numberText(ax.roi[1])} - ${numberText(ax.roi[0])})` : "";
    const asked = `${rule}(${ax.in_size}${rule === "float32_floor" ? "" : cut} * ${scale}) = ${ax.out_size}`;
    by("length").textContent = `${asked}\n${exact}\nexact product ${decimalText(ax.product)}`;
    const who = { floor: "the standard", float32_floor: "the product in float32: onnxruntime, OpenVINO", round: "halves up: OpenCV, scikit-image", ceil: "" };
    const rows = Object.entries(ax.byRule).map(([name, length]) => element("tr", name === rule ? { class: "chosen-rule" } : {},
      element("th", { scope: "row" }, name), element("td", { class: "number" }, String(length)), element("td", { class: "goes" }, who[name])));
    rules.append(element("table", {}, element("caption", {}, "The length by every rule"), element("tbody", {}, ...rows)));
  }
  function renderTogether() {
    const all = state.axes.map((one, number) => ({ one, ax: here(number) }));
    const usable = all.every(({ ax }) => ax.out_size > 0 && ax.in_size > 0);
    by("together").hidden = state.axes.length < 2 || !usable;
    if (by("together").hidden) return;
    const found = all.map(({ one, ax }) => halfpixel.sample(ax, indexOf(one, ax.out_size)));
    const at = [...data.at];
    state.axes.forEach((one, number) => { at[one.axis] = found[number].index; });
    const grid = by("grid");
    grid.replaceChildren();
    if (found.some((one) => one.extrapolated)) {
      by("sum").textContent = `Y[${at.join(", ")}] = extrapolation_value`;
      return;
    }
    by("sum").textContent = `Y[${at.join(", ")}] = the sum of weight * X over ${found.map((one) => one.weights.length || "?").join(" * ")} input samples`;
    const [rows, columns] = found.slice(-2), most = 12;
    if (!rows.weights.length || rows.weights.length > most || columns.weights.length > most || found.length > 2 && found.slice(0, -2).some((one) => one.weights.length !== 1)) return;
    const names = state.axes.slice(-2).map((one) => `axis ${one.axis}`);
    const head = element("tr", {}, element("th", { scope: "col" }, `${names[0]} \\ ${names[1]}`), ...columns.weights.map((_, t) => element("th", { scope: "col" }, String(columns.first + t))));
    const body = rows.weights.map((v, s) => element("tr", {}, element("th", { scope: "row" }, String(rows.first + s)),
      ...columns.weights.map((w) => element("td", { style: `background: color-mix(in srgb, var(--accent) ${Math.round(Math.min(1, Math.abs(v * w)) * 70)}%, transparent)` }, short(v * w)))));
    grid.append(element("table", { class: "grid-table" }, element("caption", {}, "Weights of input samples"), element("thead", {}, head), element("tbody", {}, ...body)));
  }

  // ---- the controls
  const CONTROLS = [...WORDS, "cubic_coeff_a", "antialias", "exclude_outside", "by", ...NUMBERS];
  function put(id, value) {
    const control = by(id);
    if (control.type === "checkbox") control.checked = value;
    else if (document.activeElement !== control || control.value === "" || control.tagName === "SELECT") control.value = value;
  }
  function renderControls(ax) {
    const { settings } = state, one = request(), crops = settings.coordinate_transformation_mode === "tf_crop_and_resize";
    for (const name of [...WORDS, "cubic_coeff_a", "antialias", "exclude_outside"]) put(name, settings[name]);
    put("by", one.by);
    put("in_size", one.in_size);
    put("scale", one.by === "scale" ? one.scale : Number(halfpixel.quotient(...ax.scale).toPrecision(9)));
    put("size", ax.out_size);
    put("start", one.start);
    put("end", one.end);
    by("scale").disabled = one.by !== "scale";
    by("size").disabled = one.by !== "size";
    by("length_rule").disabled = one.by !== "scale";
    by("nearest_mode").disabled = settings.mode !== "nearest";
    by("cubic_coeff_a").disabled = settings.mode !== "cubic";
    by("antialias").disabled = by("exclude_outside").disabled = settings.mode === "nearest";
    by("start-label").hidden = by("end-label").hidden = !crops;
    by("by").querySelector("[value=ratio]").hidden = one.by !== "ratio";
    const last = Math.max(ax.out_size - 1, 0), text = ax.out_size ? `output sample ${one.index} of ${ax.out_size}` : "no output sample";
    by("index").max = last;
    by("index").value = one.index;
    by("index").setAttribute("aria-valuetext", text);
    by("previous").disabled = one.index <= 0;
    by("next").disabled = one.index >= last;
    by("which").textContent = ax.out_size ? `${one.index} of ${ax.out_size}` : "none";
    const values = { "aria-valuemax": last, "aria-valuenow": one.index, "aria-valuetext": text };
    for (const [name, value] of Object.entries(values)) by("figure").setAttribute(name, value);
    for (const [number, label] of [...by("axes").querySelectorAll("label span")].entries()) {
      label.textContent = `${state.axes[number].axis}: ${state.axes[number].in_size} \u2192 ${here(number).out_size}`;
    }
  }
  function changed(id) {
    const control = by(id), one = request();
    const number = control.type === "number" ? Number(control.value) : null;
    if (number !== null && (control.value === "" || !control.checkValidity() || (id === "scale" && !(Math.fround(number) > 0 && Math.fround(number) < Infinity)))) {
      by("wrong").textContent = `${control.parentNode.firstChild.textContent.trim()}: ${control.validationMessage || "a number above 0, please"}`;
      return;
    }
    const before = copy(state);
    if (id === "by") {
      const ax = here();
      if (control.value === "scale") one.scale = Math.fround(halfpixel.quotient(...ax.scale));
      one.size = ax.out_size;
      one.by = control.value;
    } else if (NUMBERS.includes(id)) {
      if (one.by === "ratio") { one.size = here().out_size; one.by = "size"; }
      one[id] = number;
    } else {
      state.settings[id] = control.type === "checkbox" ? control.checked : number ?? control.value;
    }
    const length = here().out_size;
    if (length > 1000000 || length < 0) {
      state = before;
      by("wrong").textContent = `An output of ${length} samples is not shown here: 0 to 1000000, please.`;
      return;
    }
    by("wrong").textContent = "";
    held = null;
    render();
  }
  for (const id of CONTROLS) by(id).addEventListener(by(id).type === "number" ? "input" : "change", () => changed(id));
  for (const id of ["cubic_coeff_a", ...NUMBERS]) by(id).addEventListener("blur", render);
  by("reset").addEventListener("click", () => {
    const { convention } = state;
    state = { ...copy(data.state), convention };
    by("wrong").textContent = "";
    setup();
  });
  by("convention").addEventListener("change", () => { state.convention = by("convention").value; render(); });

  // ---- moving
  function moveTo(index, keep = null) {
    const one = request(), length = here().out_size;
    if (!length) return;
    one.index = Math.min(Math.max(index, 0), length - 1);
    held = keep;
    render();
  }
  const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
  by("figure").addEventListener("keydown", (event) => {
    const one = request();
    const target = { Home: 0, End: here().out_size - 1 }[event.key] ?? (event.key in STEPS ? one.index + STEPS[event.key] : null);
    if (target === null || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    moveTo(target);
  });
  function pointed(event) {
    const box = by("figure").getBoundingClientRect(), ax = here();
    if (ax.line[0] === 0n || !ax.out_size) return;
    const x = (event.clientX - box.left) / box.width * seen.count + seen.left - 0.5;
    const step = halfpixel.quotient(ax.line[0], ax.line[2]), start = halfpixel.quotient(ax.line[1], ax.line[2]);
    moveTo(Math.round((x - start) / step), { left: seen.left, count: seen.count });
  }
  by("figure").addEventListener("pointermove", pointed);
  by("figure").addEventListener("pointerdown", pointed);
  by("figure").addEventListener("pointerleave", () => { held = null; });
  by("index").addEventListener("input", () => moveTo(Number(by("index").value)));
  by("previous").addEventListener("click", () => moveTo(request().index - 1));
  by("next").addEventListener("click", () => moveTo(request().index + 1));
  addEventListener("resize", () => { held = null; render(); });

  // ---- the first view
  function setup() {
    const axes = by("axes");
    for (const label of axes.querySelectorAll("label")) label.remove();
    state.axes.forEach((one, number) => {
      const radio = element("input", { type: "radio", name: "axis", value: number, id: `axis-${number}` });
      radio.checked = number === state.axis;
      radio.addEventListener("change", () => { state.axis = number; held = null; render(); });
      axes.append(element("label", {}, radio, element("span")));
    });
    held = null;
    render();
  }
  for (const one of data.conventions) by("convention").append(element("option", { value: one.name }, one.title));
  by("convention").value = state.convention;
  setup();
})();

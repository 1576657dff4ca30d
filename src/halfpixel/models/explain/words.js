// Exact numbers as text, as in exact_text.py: [numerator, denominator] of BigInt.
const words = (() => {
  const SMALL = 4096n;
  function numberText([num, den]) {
    const decimal = decimalText([num, den]);
    return decimal.endsWith("...") && den <= SMALL ? `${num}/${den}` : decimal;
  }
  function decimalText([num, den]) {
    let rest = den, places = 0;
    for (const prime of [2n, 5n]) {
      let count = 0;
      while (rest % prime === 0n) { rest /= prime; count++; }
      places = Math.max(places, count);
    }
    if (rest === 1n && places <= 12) {
      const digits = (num < 0n ? -num : num) * 10n ** BigInt(places) / den;
      const text = digits.toString().padStart(places + 1, "0");
      if (text.length <= 13) {
        const cut = text.length - places;
        return (num < 0n ? "-" : "") + text.slice(0, cut) + (places ? "." + text.slice(cut) : "");
      }
    }
    return halfpixel.quotient(num, den).toPrecision(9) + "...";
  }
  function bothTexts([num, den]) {
    const decimal = decimalText([num, den]);
    return den === 1n || den > SMALL ? decimal : `${num}/${den} = ${decimal}`;
  }
  // Every decimal of a fraction whose denominator is a power of two.
  function exactText([num, den]) {
    const places = den.toString(2).length - 1;
    if (den !== 1n << BigInt(places) || places > 60) return bothTexts([num, den]);
    const digits = (num < 0n ? -num : num) * 5n ** BigInt(places);
    const text = digits.toString().padStart(places + 1, "0"), cut = text.length - places;
    return (num < 0n ? "-" : "") + text.slice(0, cut) + (places ? "." + text.slice(cut) : "");
  }
  const short = (value) => String(Number(value.toPrecision(6)));
  const weightText = (value) => String(Number(value.toPrecision(9)));
  function signed(value) {
    const text = String(Number(Math.abs(value).toFixed(4)));
    return value < 0 ? `-${text}` : value > 0 ? `+${text}` : "0";
  }

  return { numberText, decimalText, bothTexts, exactText, short, weightText, signed };
})();

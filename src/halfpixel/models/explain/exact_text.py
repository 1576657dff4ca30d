"""Exact numbers as text that a person can read."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

_LONGEST = 12
"""Digits of a decimal that is shown whole."""

_SMALL = 4096
"""Denominators up to this are read as fractions."""

_SIGNIFICANT = 9
_EXACT_DIGITS = 60


def number_text(value: Fraction) -> str:
    """A number short and true: "2", "2.25", "1/3", else nine digits and three dots.

    Example:
        >>> number_text(Fraction(9, 4)), number_text(Fraction(1, 3))
        ('2.25', '1/3')
    """
    whole = decimal_text(value)
    if not whole.endswith("..."):
        return whole
    return fraction_text(value) if value.denominator <= _SMALL else whole


def decimal_text(value: Fraction) -> str:
    """A number in decimals: all of them if they end within twelve digits, else nine digits and three dots."""
    exact = _ending_decimal(value)
    if exact is not None and len(exact.as_tuple().digits) <= _LONGEST and abs(exact.adjusted()) <= _LONGEST:
        return f"{exact.normalize():f}"
    return f"{Context(prec=_SIGNIFICANT).divide(Decimal(value.numerator), Decimal(value.denominator))}..."


def fraction_text(value: Fraction) -> str:
    """ "9/4"; "2" for a whole number."""
    return str(value)


def both_texts(value: Fraction) -> str:
    """A number as a fraction and in decimals: "9/4 = 2.25", "2", "1/3 = 0.333333333...".

    A fraction with a denominator beyond four digits says nothing to a person and is left out.
    """
    if value.denominator == 1 or value.denominator > _SMALL:
        return decimal_text(value)
    return f"{fraction_text(value)} = {decimal_text(value)}"


def exact_text(value: Fraction) -> str:
    """A number with every decimal that it has, as "0.699999988079071044921875"; else as a fraction."""
    exact = _ending_decimal(value)
    if exact is None or len(exact.as_tuple().digits) > _EXACT_DIGITS or abs(exact.adjusted()) > _EXACT_DIGITS:
        power = value.denominator.bit_length() - 1
        if power and value.denominator == 1 << power:
            return f"{value.numerator} / 2^{power}"
        return fraction_text(value)
    return f"{exact.normalize():f}"


def fraction_of(weight: float) -> Fraction | None:
    """The fraction with a denominator up to 4096 of which a weight is the nearest double; None where there is none."""
    found = Fraction(weight).limit_denominator(_SMALL)
    return found if found.numerator / found.denominator == weight else None


def _ending_decimal(value: Fraction) -> Decimal | None:
    """The number in decimals if they end, within 400 digits."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or places > 400 or value.numerator.bit_length() > 1300:
        return None
    return Decimal(value.numerator * 10**places // value.denominator).scaleb(-places, Context(prec=900))

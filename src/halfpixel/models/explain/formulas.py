"""The formula of each coordinate_transformation_mode, as words and with the numbers of an axis put in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from halfpixel.models.explain.exact_text import number_text

FORMULAS: Mapping[str, str] = {
    "half_pixel": "(i + 1/2) / scale - 1/2",
    "half_pixel_symmetric": "in/2 * (1 - out / (in * scale)) + (i + 1/2) / scale - 1/2",
    "pytorch_half_pixel": "(i + 1/2) / scale - 1/2",
    "align_corners": "i * (in - 1) / (in * scale - 1)",
    "asymmetric": "i / scale",
    "tf_half_pixel_for_nn": "(i + 1/2) / scale",
    "tf_crop_and_resize": "(start * (out - 1 - i) + end * i) * (in - 1) / (out - 1)",
}
"""coordinate_transformation_mode -> input coordinate x of output sample i. Source: ONNX Resize."""

ONE_SAMPLE: Mapping[str, str] = {
    "pytorch_half_pixel": "0, as there is one output sample",
    "tf_crop_and_resize": "(start + end) / 2 * (in - 1)",
}
"""What takes the formula's place where the output has one sample."""

SHORT_LENGTH = "0, as in * scale is not above 1"
"""What takes the place of align_corners' formula there."""


def formula(mode: str, in_size: int, out_size: int, scale: Fraction) -> str:
    """The formula that an axis takes: the mode's own, or its exception for one output sample.

    Args:
        mode: a key of FORMULAS.
        in_size, out_size: lengths of the axis.
        scale: out / in as coordinates use it.
    """
    if out_size == 1 and mode in ONE_SAMPLE:
        return ONE_SAMPLE[mode]
    if mode == "align_corners" and in_size * scale <= 1:
        return SHORT_LENGTH
    return FORMULAS[mode]


def with_numbers(words: str, numbers: Mapping[str, Fraction]) -> str:
    """Put numbers in the place of a formula's names; words that are none stay.

    Example:
        >>> with_numbers("(i + 1/2) / scale - 1/2", {"i": Fraction(5), "scale": Fraction(3, 10)})
        '(5 + 1/2) / 0.3 - 1/2'
    """
    if words.startswith("0, "):
        return words

    def put(match: re.Match[str]) -> str:
        value = numbers.get(match[0])
        return match[0] if value is None else _operand(value)

    return re.sub(r"[a-z]+", put, words)


def _operand(value: Fraction) -> str:
    text = number_text(value)
    return f"({text})" if "/" in text or value < 0 else text

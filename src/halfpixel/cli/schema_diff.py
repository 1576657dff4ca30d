"""What changed from one since-version of an operator to another, and whether it breaks a model."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from halfpixel.spec.operators import OPERATORS


@dataclass(frozen=True, slots=True)
class TextDiff:
    """Two texts by lines.

    Attributes:
        similarity: 2 * equal lines / all lines of both, from 0 to 1.
        lines: a unified diff; empty if the texts are equal.
    """

    similarity: float
    added: int
    removed: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SchemaDiff:
    """The difference of two schemas.

    Attributes:
        breaking: what can make a model of the old version invalid or change its result; empty if nothing can.
        changes: (part, what changed) for every difference but texts.
        types: (input or output, types added, types removed).
        text: of the operator's description.
        descriptions: of inputs, outputs and attributes that both versions have and whose description changed.
    """

    operator: str
    domain: str
    old: int
    new: int
    breaking: tuple[str, ...]
    changes: tuple[tuple[str, str], ...]
    types: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
    text: TextDiff
    descriptions: tuple[tuple[str, TextDiff], ...]

    @property
    def is_different(self) -> bool:
        """Whether anything at all differs."""
        return bool(self.changes or self.types or self.text.lines or self.descriptions)

    def as_data(self) -> dict[str, Any]:
        """As plain data, for --json."""
        data = asdict(self)
        data["is_breaking"] = bool(self.breaking)
        data["changes"] = [{"part": part, "change": change} for part, change in self.changes]
        data["types"] = [{"part": part, "added": added, "removed": gone} for part, added, gone in self.types]
        data["descriptions"] = [{"part": part, **asdict(diff)} for part, diff in self.descriptions]
        return data


def compare(old: Any, new: Any) -> SchemaDiff:
    """Compare two schemas (onnx.defs.OpSchema) of one operator."""
    found = _Findings()
    _compare_attributes(old, new, found)
    _compare_places("input", old.inputs, new.inputs, found)
    _compare_places("output", old.outputs, new.outputs, found)
    _compare_values(old, new, found)
    if new.deprecated and not old.deprecated:
        found.add("operator", "deprecated", breaking=True)
    labels = (f"{old.name} v{old.since_version}", f"{new.name} v{new.since_version}")
    return SchemaDiff(
        new.name,
        new.domain or "ai.onnx",
        old.since_version,
        new.since_version,
        tuple(found.breaking),
        tuple(found.changes),
        tuple(found.types),
        compare_texts(old.doc or "", new.doc or "", *labels),
        tuple(_descriptions(old, new)),
    )


def compare_texts(old: str, new: str, old_label: str, new_label: str) -> TextDiff:
    """Compare two texts line by line, without blanks at the ends of lines."""
    before, after = ([line.rstrip() for line in text.splitlines()] for text in (old, new))
    similarity = difflib.SequenceMatcher(None, before, after).ratio()
    lines = tuple(difflib.unified_diff(before, after, old_label, new_label, lineterm=""))
    added = sum(line.startswith("+") for line in lines[2:])
    removed = sum(line.startswith("-") for line in lines[2:])
    return TextDiff(similarity, added, removed, lines)


class _Findings:
    """Differences as they are found."""

    def __init__(self) -> None:
        self.breaking: list[str] = []
        self.changes: list[tuple[str, str]] = []
        self.types: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []

    def add(self, part: str, change: str, breaking: bool = False) -> None:
        self.changes.append((part, change))
        if breaking:
            self.breaking.append(f"{part}: {change}")


def _compare_attributes(old: Any, new: Any, found: _Findings) -> None:
    for name in sorted(set(old.attributes) | set(new.attributes)):
        before, after = old.attributes.get(name), new.attributes.get(name)
        part = f"attribute {name}"
        if after is None:
            found.add(part, "removed", breaking=True)
        elif before is None:
            found.add(part, f"added ({attribute_summary(after)})", breaking=after.required)
        elif attribute_summary(before) != attribute_summary(after):
            looser = before.required and not after.required and before.type == after.type
            change = f"{attribute_summary(before)} became {attribute_summary(after)}"
            found.add(part, change, breaking=not looser)


def attribute_summary(attribute: Any) -> str:
    """Type, and default or "required": "FLOAT, default -0.75"."""
    words = str(attribute.type).rpartition(".")[2]
    if attribute.required:
        return f"{words}, required"
    default = default_value(attribute)
    return words if default is None else f"{words}, default {default!r}"


def default_value(attribute: Any) -> Any:
    """The default as a Python value; None if there is none."""
    if not attribute.default_value.type:
        return None
    from onnx.helper import get_attribute_value

    value = get_attribute_value(attribute.default_value)
    if isinstance(value, float):
        # The nearest float64 of a float32 such as 0.1 has many digits; its shortest text has not.
        return float(f"{value:.7g}")
    return value.decode() if isinstance(value, bytes) else value


def _compare_places(kind: str, old: Sequence[Any], new: Sequence[Any], found: _Findings) -> None:
    """Compare inputs or outputs: a model names them by position, so a position that gets another meaning breaks it."""
    places = {parameter.name: place for place, parameter in enumerate(new)}
    for place, before in enumerate(old):
        part = f"{kind} {before.name}"
        if before.name not in places:
            found.add(part, "removed", breaking=True)
            continue
        after = new[places[before.name]]
        if places[before.name] != place:
            found.add(part, f"moved from position {place} to {places[before.name]}", breaking=True)
        if before.option != after.option:
            tighter = kind == "input" and _option(after) == "required"
            found.add(part, f"{_option(before)} became {_option(after)}", breaking=tighter)
        _compare_types(part, before, after, found)
    known = {parameter.name for parameter in old}
    for after in new:
        if after.name not in known:
            required = kind == "input" and _option(after) == "required"
            found.add(f"{kind} {after.name}", f"added ({_option(after)})", breaking=required)


def _option(parameter: Any) -> str:
    return {"Single": "required", "Optional": "optional", "Variadic": "variadic"}[
        str(parameter.option).rpartition(".")[2]
    ]


def _compare_types(part: str, before: Any, after: Any, found: _Findings) -> None:
    added = tuple(sorted(after.types - before.types))
    removed = tuple(sorted(before.types - after.types))
    if added or removed:
        found.types.append((part, added, removed))
    if removed:
        found.breaking.append(f"{part}: types removed")


def _compare_values(old: Any, new: Any, found: _Findings) -> None:
    """Values of string attributes, which onnx has in words only; for halfpixel's own operators they are a table."""
    before = OPERATORS.get((old.name, old.since_version))
    after = OPERATORS.get((new.name, new.since_version))
    if before is None or after is None or new.domain != "":
        return
    for name in sorted(set(before.attributes) & set(after.attributes)):
        gone = [value for value in before.attributes[name].values if value not in after.attributes[name].values]
        come = [value for value in after.attributes[name].values if value not in before.attributes[name].values]
        if come:
            found.add(f"attribute {name}", f"value {', '.join(come)} added")
        if gone:
            found.add(f"attribute {name}", f"value {', '.join(gone)} removed", breaking=True)


def _descriptions(old: Any, new: Any) -> list[tuple[str, TextDiff]]:
    pairs = [(f"attribute {name}", old.attributes[name], new.attributes.get(name)) for name in sorted(old.attributes)]
    for kind, before, after in (("input", old.inputs, new.inputs), ("output", old.outputs, new.outputs)):
        by_name = {parameter.name: parameter for parameter in after}
        pairs += [(f"{kind} {parameter.name}", parameter, by_name.get(parameter.name)) for parameter in before]
    diffs = []
    for part, one, other in pairs:
        if other is not None:
            diff = compare_texts(
                one.description, other.description, f"{part} v{old.since_version}", f"v{new.since_version}"
            )
            if diff.lines:
                diffs.append((part, diff))
    return diffs

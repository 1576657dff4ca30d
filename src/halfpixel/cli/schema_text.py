"""Operator schemas and their differences as Markdown and as plain data."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from halfpixel.cli.schema_diff import SchemaDiff, TextDiff, attribute_summary, default_value
from halfpixel.cli.schema_examples import WorkedExample


def as_markdown(schema: Any) -> str:
    """The operator's page: domain, version, text, inputs, outputs, attributes, types."""
    parts = [
        f"# {schema.name}",
        f"- **Domain**: `{schema.domain or 'ai.onnx'}`\n- **Since version**: {schema.since_version}",
    ]
    if schema.deprecated:
        parts.append(f"**Deprecated** since version {schema.since_version}.")
    parts.append((schema.doc or "").strip())
    parts += _section("Attributes", [_attribute(one) for _, one in sorted(schema.attributes.items())])
    parts += _section("Inputs", [_parameter(one) for one in schema.inputs])
    parts += _section("Outputs", [_parameter(one) for one in schema.outputs])
    parts += _section("Type constraints", [_constraint(one) for one in schema.type_constraints])
    return "\n\n".join(part for part in parts if part)


def _section(title: str, items: Sequence[str]) -> list[str]:
    return [f"## {title}", "\n".join(items)] if items else []


def _item(head: str, text: str) -> str:
    """A list item; a text of several lines stays inside it."""
    return f"- {head}: " + textwrap.indent(text.strip(), "  ").lstrip()


def _attribute(attribute: Any) -> str:
    return _item(f"**{attribute.name}** ({attribute_summary(attribute)})", attribute.description)


def _parameter(parameter: Any) -> str:
    option = str(parameter.option).rpartition(".")[2]
    note = "" if option == "Single" else f", {option.lower()}"
    return _item(f"**{parameter.name}** (*{parameter.type_str}*{note})", parameter.description)


def _constraint(constraint: Any) -> str:
    types = ", ".join(sorted(constraint.allowed_type_strs))
    return _item(f"**{constraint.type_param_str}**", f"{constraint.description} Allowed types: {types}.")


def examples_as_markdown(worked: Sequence[WorkedExample]) -> str:
    """Each example's node and attributes, then its inputs and its output."""
    parts = ["## Examples"]
    for example in worked:
        parts.append(f"**{example.name}**")
        parts.append(f"```text\n{example.node_text()}\n```")
        parts.append(f"```text\n{example.values_text()}\n```")
    return "\n\n".join(parts)


def diff_as_markdown(diff: SchemaDiff) -> str:
    """Whether it breaks, what changed, which types, and the texts as diffs."""
    lines = [
        f"**SchemaDiff**: `{diff.operator}` (domain `'{diff.domain}'`)",
        "",
        f"* old version: {diff.old}",
        f"* new version: {diff.new}",
        f"* breaking: {'yes' if diff.breaking else 'no'}",
    ]
    lines += [f"  * {reason}" for reason in diff.breaking]
    parts = ["\n".join(lines)]
    parts += _titled("Changes", [f"* {part}: {change}" for part, change in diff.changes])
    parts += _titled("Types", [f"* {part}: {_types(added, removed)}" for part, added, removed in diff.types])
    if diff.text.lines:
        parts += ["**Documentation:**", _text_diff(diff.text)]
    for part, text in diff.descriptions:
        parts += [f"**Description of {part}:**", _text_diff(text)]
    if not diff.is_different:
        parts.append("Nothing differs.")
    return "\n\n".join(parts)


def _titled(title: str, items: Sequence[str]) -> list[str]:
    return [f"**{title}:**", "\n".join(items)] if items else []


def _types(added: Sequence[str], removed: Sequence[str]) -> str:
    words = [f"{word} {', '.join(types)}" for word, types in (("added", added), ("removed", removed)) if types]
    return "; ".join(words)


def _text_diff(diff: TextDiff) -> str:
    head = f"* line similarity: {diff.similarity:.2f} (+{diff.added}/-{diff.removed} lines)"
    fence = "````" if any("```" in line for line in diff.lines) else "```"
    return "\n".join([head, "", f"{fence}diff", *diff.lines, fence])


def as_data(
    schema: Any, versions: Sequence[int], before: SchemaDiff | None, worked: Sequence[WorkedExample]
) -> dict[str, Any]:
    """All that as_markdown shows, as plain data."""
    return {
        "operator": schema.name,
        "domain": schema.domain or "ai.onnx",
        "since_version": schema.since_version,
        "versions": list(versions),
        "deprecated": schema.deprecated,
        "text": (schema.doc or "").strip(),
        "attributes": [
            {
                "name": name,
                "type": str(attribute.type).rpartition(".")[2],
                "required": attribute.required,
                "default": default_value(attribute),
                "description": attribute.description.strip(),
            }
            for name, attribute in sorted(schema.attributes.items())
        ],
        "inputs": [_parameter_data(parameter) for parameter in schema.inputs],
        "outputs": [_parameter_data(parameter) for parameter in schema.outputs],
        "type_constraints": [
            {
                "name": constraint.type_param_str,
                "description": constraint.description,
                "types": sorted(constraint.allowed_type_strs),
            }
            for constraint in schema.type_constraints
        ],
        "differences_with_previous": None if before is None else before.as_data(),
        "examples": [example.as_data() for example in worked],
    }


def _parameter_data(parameter: Any) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "type": parameter.type_str,
        "option": str(parameter.option).rpartition(".")[2].lower(),
        "description": parameter.description.strip(),
    }

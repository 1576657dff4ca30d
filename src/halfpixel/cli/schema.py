"""`halfpixel schema`."""

from __future__ import annotations

from typing import Annotated

import typer

from halfpixel.cli.errors import FINDINGS
from halfpixel.cli.output import print_json, print_markdown
from halfpixel.cli.schema_diff import SchemaDiff, compare
from halfpixel.cli.schema_examples import worked_examples
from halfpixel.cli.schema_source import find_schema, previous_version, versions_of
from halfpixel.cli.schema_text import as_data, as_markdown, diff_as_markdown, examples_as_markdown


def schema(
    operator: Annotated[str, typer.Argument(metavar="OP", show_default=False, help="An operator, such as Resize.")],
    version: Annotated[
        int | None, typer.Argument(metavar="[VERSION]", show_default=False, help="An opset. Default: the newest.")
    ] = None,
    diff: Annotated[
        tuple[int, int] | None,
        typer.Option(
            metavar="A B", show_default=False, help="What changed from opset A to B. Exit code 1 if it breaks models."
        ),
    ] = None,
    examples: Annotated[bool, typer.Option("--examples", help="Add worked examples, computed by halfpixel.")] = False,
    domain: Annotated[str, typer.Option(show_default=False, help="Default: ai.onnx.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Show an operator's text, attributes and types, and what changed between its versions."""
    domain = "" if domain == "ai.onnx" else domain
    if diff is not None:
        changes = compare(find_schema(operator, diff[0], domain), find_schema(operator, diff[1], domain))
        _print_diff(changes, json)
        raise typer.Exit(FINDINGS if changes.breaking else 0)
    shown = find_schema(operator, version, domain)
    worked = worked_examples(operator, shown.since_version) if examples else []
    before = previous_version(operator, shown.since_version, domain)
    changes_before = None if before is None else compare(find_schema(operator, before, domain), shown)
    versions = versions_of(operator, domain)
    if json:
        print_json(as_data(shown, versions, changes_before, worked))
        return
    parts = [as_markdown(shown)]
    if worked:
        parts.append(examples_as_markdown(worked))
    if changes_before is not None:
        parts.append(f"## Differences with the previous version ({before})\n\n{diff_as_markdown(changes_before)}")
    parts.append(f"## Versions\n\n{', '.join(str(one) for one in versions)}")
    print_markdown("\n\n".join(parts))


def _print_diff(changes: SchemaDiff, json: bool) -> None:
    if json:
        print_json(changes.as_data())
    else:
        print_markdown(diff_as_markdown(changes))

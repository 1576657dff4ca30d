"""Operator schemas, from the onnx package."""

from __future__ import annotations

import difflib
from typing import Any

from halfpixel._errors import MissingExtraError, SpecError


def _onnx_defs() -> Any:
    try:
        import onnx.defs
    except ImportError as error:
        raise MissingExtraError(
            "HP900",
            "operator texts come from a package that is not installed",
            given="no module onnx",
            allowed="an environment with the extra 'onnx'",
            do="pip install halfpixel[onnx]",
        ) from error
    return onnx.defs


def versions_of(operator: str, domain: str) -> list[int]:
    """The since-versions of an operator, ascending.

    Raises:
        SpecError: HP100, there is no such operator.
    """
    history = [schema for schema in _onnx_defs().get_all_schemas_with_history() if schema.domain == domain]
    versions = sorted(schema.since_version for schema in history if schema.name == operator)
    if versions:
        return versions
    names = sorted({schema.name for schema in history})
    by_lower = {name.lower(): name for name in names}
    near = difflib.get_close_matches(operator.lower(), by_lower, 3, 0.6)
    raise SpecError(
        "HP100",
        f"there is no operator {operator!r}" + (f" in the domain {domain!r}" if domain else ""),
        given=operator,
        allowed=f"one of the {len(names)} operators that onnx knows there",
        do=f"did you mean {' or '.join(by_lower[name] for name in near)}?" if near else "check the name and --domain",
    )


def find_schema(operator: str, opset: int | None, domain: str) -> Any:
    """The schema that an opset uses (onnx.defs.OpSchema); None is the newest.

    Raises:
        SpecError: HP100 no such operator, HP102 the opset does not have it.
    """
    versions = versions_of(operator, domain)
    defs = _onnx_defs()
    newest = max(schema.since_version for schema in defs.get_all_schemas_with_history() if schema.domain == domain)
    newest = max(newest, defs.onnx_opset_version() if domain == "" else 0)
    wanted = newest if opset is None else opset
    if not versions[0] <= wanted <= newest:
        raise SpecError(
            "HP102",
            f"there is no {operator} in opset {wanted}",
            given=f"opset {wanted}",
            allowed=f"{versions[0]} to {newest}",
            do=f"take one of its versions: {', '.join(str(version) for version in versions)}",
        )
    since = max(version for version in versions if version <= wanted)
    return defs.get_schema(operator, since, domain)


def previous_version(operator: str, since_version: int, domain: str) -> int | None:
    """The since-version before one; None for the first."""
    return max((version for version in versions_of(operator, domain) if version < since_version), default=None)

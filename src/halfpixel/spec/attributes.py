"""Check attribute values against what a version has: words, flags, numbers, and what another version brought.

The default value passes for an attribute that the version lacks, because it asks for nothing.
"""

from __future__ import annotations

from math import isinf, isnan, nan

from halfpixel._errors import SpecError
from halfpixel.spec.arguments import is_scalar_number, real, show
from halfpixel.spec.operators import OPERATORS, Operator


def choice(entry: Operator, name: str, value: object, strict: bool = True) -> str:
    """Return the value of a string attribute after checking that the version has it.

    The default value passes for an attribute that the version lacks, because it asks for nothing. With strict false
    a value that another version of the operator has passes too.

    Raises:
        SpecError: HP112 no version knows the value, HP113 another version has it.
    """
    attribute = entry.attributes.get(name)
    if attribute is not None and type(value) is str and value in attribute.values:
        return value
    known = {
        other: operator_.attributes[name].values
        for (op_type, other), operator_ in OPERATORS.items()
        if op_type == entry.op_type and name in operator_.attributes
    }
    text = str(value) if isinstance(value, str) else None
    owners = [other for other, values in known.items() if text in values]
    if text is None or not owners:
        raise SpecError(
            "HP112",
            f"{show(value)} is not a value of {name!r}",
            given=f"{name}={show(value)}",
            allowed=", ".join(attribute.values if attribute is not None else known[max(known)]),
            do="pass one of these words, spelled exactly so",
        )
    default = entry.attributes[name].default if attribute is not None else _default(entry.op_type, name)
    if entry.version in owners or not strict or (attribute is None and text == default):
        return text
    raise of_another_version(entry, name, text, owners, attribute.values if attribute is not None else ())


def flag(entry: Operator, name: str, value: object, strict: bool = True) -> bool:
    """Return an INT attribute that is 0 or 1 as a bool.

    Raises:
        SpecError: HP115 another value, HP113 set in a version that lacks the attribute.
    """
    if value is not True and value is not False:
        value = _bool_of(name, value)
    if value and name not in entry.attributes:
        require_attribute(entry, name, value, strict)
    return value


def attribute_number(name: str, value: object, finite: bool) -> float:
    """Return a FLOAT attribute.

    Raises:
        SpecError: HP114 no number, NaN, or infinite where finite is asked for.
    """
    try:
        number = real(name, value)
    except SpecError:
        number = nan
    if isnan(number) or (finite and isinf(number)):
        raise SpecError(
            "HP114",
            f"{name!r} is not a {'finite ' if finite else ''}number",
            given=f"{name}={show(value)}",
            allowed="a finite number" if finite else "a number; infinity is one, NaN is not",
            do=f"pass {name!r} as a number",
        )
    return number


def require_attribute(entry: Operator, name: str, value: object, strict: bool) -> None:
    """Raise HP113 if the version lacks an attribute or input that the caller has set, unless strict is false."""
    if not strict or name in entry.attributes or any(given.name == name for given in entry.inputs):
        return
    owners = [
        version
        for (op_type, version), other in OPERATORS.items()
        if op_type == entry.op_type and (name in other.attributes or any(i.name == name for i in other.inputs))
    ]
    raise of_another_version(entry, name, value, owners, ())


def of_another_version(
    entry: Operator, name: str, value: object, owners: list[int], values: tuple[str, ...]
) -> SpecError:
    """Return HP113: a later (or only an earlier) version has what the caller asked for."""
    later = [version for version in owners if version > entry.version]
    if later:
        origin, use = f"came with {entry.op_type}-{later[0]}", later[0]
    else:
        origin, use = "belongs to " + " and ".join(f"{entry.op_type}-{version}" for version in owners), owners[-1]
    what = f"{name}={show(value)}" if values else f"{name!r}"
    return SpecError(
        "HP113",
        f"{entry.label} has no {what}: it {origin}",
        given=f"{name}={show(value)}, version={entry.version}",
        allowed=f"{name} from {', '.join(values)}" if values else f"no {name!r} in {entry.label}",
        do=f"use version={use}, or leave {name!r} as it is by default",
    )


def _default(op_type: str, name: str) -> object:
    entries = (operator_ for (other, _), operator_ in OPERATORS.items() if other == op_type)
    return next(entry.attributes[name].default for entry in entries if name in entry.attributes)


def _bool_of(name: str, value: object) -> bool:
    """Return a flag that is not a plain bool: 0, 1, or a boolean scalar of NumPy."""
    is_numpy_bool = getattr(getattr(value, "dtype", None), "kind", "") == "b" and getattr(value, "ndim", 1) == 0
    if is_numpy_bool or (is_scalar_number(value) and value in (0, 1)):
        return bool(value)
    raise SpecError(
        "HP115",
        f"{name!r} is a flag",
        given=f"{name}={show(value)}",
        allowed="True or False, 1 or 0",
        do=f"pass {name}=True or {name}=False",
    )

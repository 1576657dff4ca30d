"""Rules about attributes that have no effect, belong elsewhere, or differ from one library to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from halfpixel._errors import SpecError
from halfpixel.models.check.finding import Trap
from halfpixel.models.check.subject import Subject, Surroundings
from halfpixel.models.check.words import listing, number
from halfpixel.models.reports import ERROR, NOTE, WARNING
from halfpixel.spec.attributes import choice
from halfpixel.spec.operators import OPERATORS, Attribute

_TORCH_A, _PILLOW_A = -0.75, -0.5


def antialias_of_nearest(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM005: nearest has no filter that antialias could widen."""
    if subject.mode == "nearest" and subject.facts.get("antialias"):
        yield Trap(
            "antialias has no effect in nearest; onnxruntime and onnx.reference refuse the node",
            given='antialias=1, mode="nearest"',
            allowed="antialias with linear or cubic",
            do="remove antialias, or take linear or cubic",
        )


def policy_with_scales(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM006: a keep_aspect_ratio_policy is for sizes alone."""
    policy = subject.site.attributes.get("keep_aspect_ratio_policy", "stretch")
    if policy != "stretch" and subject.facts.get("by") == "scales":
        yield Trap(
            "keep_aspect_ratio_policy has no effect beside scales; onnxruntime and shape inference refuse the node",
            given=f'keep_aspect_ratio_policy="{policy}", scales',
            allowed="a policy beside sizes",
            do="remove the policy, or give sizes",
        )


def roi_without_crop(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM007: a roi counts in tf_crop_and_resize only."""
    site = subject.site
    if site.op_type != "Resize" or subject.coordinates == "tf_crop_and_resize" or not site.given("roi"):
        return
    values = site.constant("roi")
    half = 0 if values is None else values.size // 2
    whole = values is not None and values.ravel().tolist() == [0] * half + [1] * half
    yield Trap(
        f"roi has no effect in {subject.coordinates}",
        given=f"roi {'computed at run time' if values is None else listing(values.ravel().tolist())}",
        allowed="a roi with tf_crop_and_resize",
        do="leave roi out"
        + ("" if whole else '; if a crop was meant, take coordinate_transformation_mode="tf_crop_and_resize"'),
        severity=NOTE if whole else WARNING,
    )


def nothing_to_exclude(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM008: exclude_outside changes nothing in nearest, nor in linear without antialias."""
    plain = subject.mode == "linear" and not subject.facts.get("antialias")
    if subject.facts.get("exclude_outside") and (subject.mode == "nearest" or plain):
        yield Trap(
            f"exclude_outside has no effect in {subject.mode}{' without antialias' if plain else ''}; "
            "onnxruntime refuses the node",
            given=f'exclude_outside=1, mode="{subject.mode}"',
            allowed="exclude_outside with cubic, or with antialias",
            do="remove exclude_outside",
        )


def attribute_of_another_mode(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM009: a coefficient without cubic, a rounding without nearest, a fill value without a crop."""
    if subject.site.op_type != "Resize":
        return
    given = subject.site.attributes
    if subject.mode != "cubic" and given.get("cubic_coeff_a", _TORCH_A) != _TORCH_A:
        yield _idle("cubic_coeff_a", number(given["cubic_coeff_a"]), 'mode="cubic"', subject)
    if subject.mode != "nearest" and "nearest_mode" in given and not _as_torch_writes(given):
        yield _idle("nearest_mode", given["nearest_mode"], 'mode="nearest"', subject)
    if subject.coordinates != "tf_crop_and_resize" and given.get("extrapolation_value", 0) != 0:
        needed = 'coordinate_transformation_mode="tf_crop_and_resize"'
        yield _idle("extrapolation_value", number(given["extrapolation_value"]), needed, subject)


def _as_torch_writes(given: dict[str, Any]) -> bool:
    """PyTorch's exporters write nearest_mode "floor" and the cubic coefficient into every Resize, whatever its mode."""
    return bool(given["nearest_mode"] == "floor" and "cubic_coeff_a" in given)


def _idle(name: str, value: str, needed: str, subject: Subject) -> Trap:
    return Trap(
        f"{name} has no effect in {subject.mode} with {subject.coordinates}",
        given=f"{name}={value}",
        allowed=f"{name} with {needed}",
        do=f"remove {name}, or set {needed} if that was meant",
    )


def attribute_of_another_version(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM010: an attribute, or a value of one, that the opset of the model does not have."""
    site, operator = subject.site, subject.site.operator
    for name, value in site.attributes.items():
        attribute = operator.attributes.get(name)
        owners = _owners(site.op_type, name)
        if attribute is None and owners:
            yield Trap(
                f"{operator.label} has no {name}: " + _origin(site.op_type, site.version, list(owners)),
                given=f"{name}={value}, opset {site.opset}",
                allowed=", ".join(operator.attributes) or "no attribute",
                do=_raise_opset(site.version, list(owners), name),
                severity=ERROR,
            )
        elif attribute is not None and attribute.values and value not in attribute.values:
            try:
                choice(operator, name, value)
            except SpecError as error:
                if error.code == "HP113":
                    later = [version for version, one in owners.items() if value in one.values]
                    yield Trap(
                        error.sentence, error.given, error.allowed, _raise_opset(site.version, later, name), WARNING
                    )


def _owners(op_type: str, name: str) -> dict[int, Attribute]:
    """The versions of an operator that have an attribute."""
    return {
        version: operator.attributes[name]
        for (other, version), operator in OPERATORS.items()
        if other == op_type and name in operator.attributes
    }


def _origin(op_type: str, version: int, owners: list[int]) -> str:
    later = [owner for owner in owners if owner > version]
    if later:
        return f"it came with {op_type}-{later[0]}"
    return "it belongs to " + " and ".join(f"{op_type}-{owner}" for owner in owners)


def _raise_opset(version: int, owners: list[int], name: str) -> str:
    later = [owner for owner in owners if owner > version]
    if later:
        return (
            f"raise the model's opset to {later[0]} (halfpixel upgrade MODEL OUT --opset {later[0]}), or remove {name}"
        )
    return f"remove {name}"


def cubic_coefficient(subject: Subject, around: Surroundings) -> Iterator[Trap]:
    """HPM011: -0.75 is what PyTorch and OpenCV take, -0.5 what TensorFlow, JAX, Pillow and every antialias take."""
    if subject.mode != "cubic":
        return
    a, excluded = float(subject.facts["cubic_coeff_a"]), bool(subject.facts["exclude_outside"])
    antialias = bool(subject.facts["antialias"])
    given = f"cubic_coeff_a={number(a)}, antialias={int(antialias)}, exclude_outside={int(excluded)}"
    reason, wanted, severity = _mismatch(a, excluded, antialias, subject, around)
    if reason:
        yield Trap(
            reason,
            given,
            "-0.75 with exclude_outside 0 (PyTorch, OpenCV); -0.5 with exclude_outside 1 (TensorFlow, JAX, Pillow, "
            "and PyTorch with antialias)",
            f"set cubic_coeff_a={number(wanted)} and exclude_outside={int(wanted == _PILLOW_A)}, "
            "if the model was trained with such a library",
            severity,
        )


def _mismatch(
    a: float, excluded: bool, antialias: bool, subject: Subject, around: Surroundings
) -> tuple[str, float, str]:
    """(what is wrong, the coefficient to take, severity); the first of them is empty where nothing is."""
    if antialias:
        reason = "cubic with antialias takes -0.5 in every library, the node has " + number(a)
        return (reason, _PILLOW_A, WARNING) if a != _PILLOW_A else ("", a, NOTE)
    most, _ = around.coefficients.most_common(1)[0]
    if a != most:
        return f"another cubic of this model has the coefficient {number(most)}, this one {number(a)}", most, WARNING
    if around.producer == "pytorch" and a != _TORCH_A:
        return f"the model comes from PyTorch, whose cubic has -0.75, not {number(a)}", _TORCH_A, WARNING
    if around.producer == "tensorflow" and a != _PILLOW_A and subject.coordinates == "half_pixel":
        return f"the model comes from TensorFlow, whose cubic has -0.5, not {number(a)}", _PILLOW_A, WARNING
    if (a, excluded) not in ((_TORCH_A, False), (_PILLOW_A, True)):
        wanted = _PILLOW_A if a == _PILLOW_A else _TORCH_A
        return "no library has this pair of cubic_coeff_a and exclude_outside", wanted, NOTE
    return "", a, NOTE

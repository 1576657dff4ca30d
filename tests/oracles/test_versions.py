"""The oracle's tables of versions: what onnx.defs lists, and what each version refuses."""

from typing import Any

import numpy as np
import pytest
from onnx import defs

from .lengths import RefusedError
from .nodes import ATTRIBUTES, VERSIONS, element_types, run_node


@pytest.mark.parametrize(("op_type", "version"), list(ATTRIBUTES))
def test_tables_agree_with_the_registered_operators(op_type: str, version: int) -> None:
    """Attributes and element types of each version are those that onnx.defs lists."""
    schema = defs.get_schema(op_type, version)
    assert schema.since_version == version
    assert set(ATTRIBUTES[op_type, version]) == set(schema.attributes)
    names = {"float": "float32", "double": "float64"}
    listed = {name.removeprefix("tensor(").removesuffix(")") for name in schema.type_constraints[0].allowed_type_strs}
    assert element_types(op_type, version) == {names.get(name, name) for name in listed}


def test_every_version_is_in_the_tables() -> None:
    """The since-versions of onnx.defs."""
    for op_type, versions in VERSIONS.items():
        schemas = [schema for schema in defs.get_all_schemas_with_history() if schema.name == op_type]
        assert sorted(schema.since_version for schema in schemas if not schema.domain) == list(versions)


@pytest.mark.parametrize(
    ("op_type", "opset", "attributes", "element"),
    [
        ("Resize", 9, {}, "float32"),
        ("Resize", 10, {"mode": "cubic"}, "float32"),
        ("Resize", 13, {"antialias": 1}, "float32"),
        ("Resize", 18, {"coordinate_transformation_mode": "half_pixel_symmetric"}, "float32"),
        ("Resize", 18, {"coordinate_transformation_mode": "tf_half_pixel_for_nn"}, "float32"),
        ("Resize", 11, {}, "bfloat16"),
        ("Resize", 19, {"mode": "linear"}, "string"),
        ("Upsample", 9, {"mode": "bilinear"}, "float32"),
        ("Upsample", 1, {"height_scale": 2.0, "width_scale": 2.0}, "uint8"),
        ("Upsample", 1, {"height_scale": 2.0}, "float32"),
        ("Upsample", 7, {}, "float32"),
        ("Upsample", 7, {"scales": [1.0, 1.0, 1.0, 0.5]}, "float32"),
        ("DepthToSpace", 10, {"blocksize": 1, "mode": "DCR"}, "float32"),
        ("DepthToSpace", 11, {"mode": "DCR"}, "float32"),
        ("SpaceToDepth", 13, {"blocksize": 1, "mode": "DCR"}, "float32"),
        ("SpaceToDepth", 28, {"blocksize": 1, "mode": "XYZ"}, "float32"),
        ("Pad", 19, {}, "float32"),
    ],
)
def test_refused_by_the_version(op_type: str, opset: int, attributes: dict[str, Any], element: str) -> None:
    """What came later, what went, and what the version needs."""
    x = np.ones((1, 1, 2, 2), np.float32).astype(object if element == "string" else element)
    scales = np.full(4, 2, np.float32)
    others = [None, scales] if opset > 10 else [scales]
    with pytest.raises(RefusedError):
        run_node(op_type, [x, *others], attributes, opset=opset)

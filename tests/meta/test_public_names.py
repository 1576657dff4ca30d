"""The names that `import halfpixel` gives: these and no others."""

import types

import halfpixel

PUBLIC = {
    "Box",
    "ElementTypeError",
    "HalfpixelError",
    "MediaError",
    "MissingExtraError",
    "ModelError",
    "ResourceError",
    "SpecError",
    "build_info",
    "crop_and_resize",
    "crop_and_resize_grad",
    "crop_grad",
    "depth_to_space",
    "letterbox",
    "output_sizes",
    "plan_resize",
    "resize",
    "resize_grad",
    "run_node",
    "space_to_depth",
    "upsample",
    "upsample_grad",
}


def test_all_lists_the_public_names() -> None:
    assert set(halfpixel.__all__) == PUBLIC


def test_no_other_public_name_can_be_seen() -> None:
    seen = {name for name, value in vars(halfpixel).items() if not isinstance(value, types.ModuleType)}
    assert {name for name in seen if not name.startswith("_")} == PUBLIC


def test_every_public_name_says_what_it_is() -> None:
    undocumented = [name for name in PUBLIC if not (getattr(halfpixel, name).__doc__ or "").strip()]
    assert undocumented == []

"""Boxes, and the plan as data and text."""

import json

import numpy as np
import pytest

import halfpixel as hp
from halfpixel._errors import SpecError
from halfpixel.plan.describe import SampleAxis, describe, sample, text
from halfpixel.plan.window import box_of, lengths, show, used_box, within

CUBIC = hp.plan_resize((1, 4), "float32", scales=[1, 2], mode="cubic", cubic_coeff_a=-0.5)


def test_box_of_spells_slices_out() -> None:
    assert box_of((slice(None), slice(2, None), slice(None, 3, 1)), (4, 5, 6), "box") == (
        slice(0, 4),
        slice(2, 5),
        slice(0, 3),
    )
    assert box_of([slice(np.int64(1), np.int64(1))], (4,), "box") == (slice(1, 1),)
    assert box_of((), (), "box") == ()


@pytest.mark.parametrize(
    "box",
    [
        (slice(0, 4),),
        (slice(0, 4),) * 3,
        (slice(0, 4), slice(0, 6)),
        (slice(0, 4), slice(-1, 2)),
        (slice(0, 4), slice(3, 2)),
        (slice(0, 4), slice(0, 4, 2)),
        (slice(0, 4), slice(0, 2.0)),
        (slice(0, 4), 3),
        (slice(0, 4), None),
        slice(0, 4),
        None,
        "ab",
    ],
)
def test_other_boxes_are_refused(box: object) -> None:
    with pytest.raises(SpecError) as caught:
        box_of(box, (4, 5), "box")
    assert caught.value.code == "HP169"
    assert caught.value.sentence == "box is not a box in an array of shape (4, 5)"
    assert caught.value.given == f"box={box!r}"
    assert caught.value.allowed == "2 slices of step 1 with 0 <= begin <= end <= length"


def test_boxes_of_slabs() -> None:
    at, box = (slice(2, 8), slice(1, 9)), (slice(3, 4), slice(0, 20))
    used = used_box(CUBIC._forward.tables, at, box)  # axis 1 is resampled, axis 0 is copied
    assert used == (slice(3, 4), slice(1, 9))
    assert within(used, at) == (slice(1, 2), slice(0, 8))
    assert lengths(used) == (1, 8)
    assert show(used) == "[3:4, 1:9]"


def test_sample_tells_positions_taps_and_weights() -> None:
    # Sample 2 lies at 2.5 / 2 - 0.5 = 0.75. Keys with a = -1/2 at distances 1.75, 0.75, 0.25, 1.25; the tap at -1 is
    # the edge sample, so that -3/128 + 29/128 weigh sample 0.
    (entry,) = sample(CUBIC, (0, 2))
    assert entry == SampleAxis(1, 2, 0.75, 0, (26 / 128, 111 / 128, -9 / 128))


@pytest.mark.parametrize("index", [(0,), (0, 8), (0, -1), (1, 0)])
def test_sample_refuses_what_is_no_output(index: tuple[int, ...]) -> None:
    with pytest.raises(SpecError) as caught:
        sample(CUBIC, index)
    assert caught.value.code == "HP173"
    assert caught.value.sentence == f"there is no output sample at {index}"
    assert caught.value.allowed == "2 indices within shape (1, 8), counted from the front"


def test_describe_is_plain_data() -> None:
    data = describe(CUBIC)
    assert json.loads(json.dumps(data)) == data
    assert data == {
        "op_type": "Resize",
        "version": 19,
        "element_type": "float32",
        "input_shape": [1, 4],
        "output_shape": [1, 8],
        "mode": "cubic",
        "antialias": False,
        "exclude_outside": False,
        "axes": [
            {"axis": 1, "in_size": 4, "out_size": 8, "scale": 2.0, "step": 0.5, "start": -0.25, "max_taps": 4},
        ],
    }


def test_text_is_a_few_lines() -> None:
    assert text(CUBIC).splitlines() == [
        "Resize-19 cubic, float32: (1, 4) -> (1, 8)",
        "  axis 1: 4 -> 8, x = 0.5 * i - 0.25, up to 4 taps",
    ]
    nearest = hp.plan_resize((2,), "string", sizes=[6], coordinate_transformation_mode="asymmetric")
    assert text(nearest).splitlines()[1] == "  axis 0: 2 -> 6, x = 0.333333 * i + 0, up to 1 tap"
    empty = hp.plan_resize((2,), "string", sizes=[0])
    assert text(empty).splitlines()[1] == "  axis 0: 2 -> 0, x = 0 * i + 0, up to 0 taps"

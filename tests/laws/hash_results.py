"""Print a hash of the results of many requests: one line for each element type and request.

Run as `python -m tests.laws.hash_results THREADS` under some HALFPIXEL_ISA; two machines, instruction sets or thread
counts agree when they print the same lines. The first line says which instruction set ran.
"""

import hashlib
import sys
from typing import Any

import numpy as np

import halfpixel as hp

from .requests import COMPLEX, NUMBERS, REALS, random_array

REQUESTS: list[tuple[tuple[int, ...], dict[str, Any]]] = [
    ((3, 67, 131), {"scales": [1, 2, 2], "mode": mode}) for mode in ("nearest", "linear", "cubic")
]
REQUESTS += [((67, 131, 3), {**request, "sizes": [101, 200, 3]}) for _, request in REQUESTS]
for request in REQUESTS[3:]:
    request[1].pop("scales")
REQUESTS += [
    ((2, 3, 120, 131), {"sizes": [2, 3, 31, 37], "mode": "linear", "antialias": True}),
    ((120, 131, 4), {"sizes": [31, 37, 4], "mode": "cubic", "antialias": True, "exclude_outside": True}),
    ((120, 131, 3), {"sizes": [31, 37, 3], "mode": "linear"}),
    ((9, 33, 35), {"sizes": [17, 20, 50], "mode": "cubic", "coordinate_transformation_mode": "align_corners"}),
    ((9, 33, 35), {"sizes": [4, 70, 11], "mode": "linear", "coordinate_transformation_mode": "asymmetric"}),
    (
        (65, 66),
        {
            "sizes": [80, 50],
            "mode": "linear",
            "coordinate_transformation_mode": "tf_crop_and_resize",
            "roi": [-0.1, 0.2, 1.1, 0.9],
            "extrapolation_value": 3.0,
        },
    ),
    ((5, 40, 3, 7), {"scales": [2.3, 0.6, 1.7, 1.3], "mode": "linear"}),
    ((70000,), {"scales": [0.37], "mode": "cubic", "antialias": True}),
]


def digest(array: Any) -> str:
    """The first 16 digits of the hash of an array's bytes."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def lines(threads: int) -> list[str]:
    """A line for each element type and request: the result, and where there is one the gradient."""
    result = []
    for dtype in NUMBERS:
        for number, (shape, keywords) in enumerate(REQUESTS):
            plan = hp.plan_resize(shape, dtype, **keywords)
            hashes = [digest(plan(random_array(shape, dtype, number), threads=threads))]
            if dtype in (*REALS, *COMPLEX):
                hashes.append(digest(plan.grad(random_array(plan.output_shape, dtype, number), threads=threads)))
            result.append(f"{dtype.name} {number} {' '.join(hashes)}")
        x = random_array((2, 36, 30, 42), dtype)
        for mode in ("DCR", "CRD"):
            for function in (hp.depth_to_space, hp.space_to_depth):
                y = [digest(function(x, b, mode=mode, threads=threads)) for b in (2, 3)]
                result.append(f"{dtype.name} {function.__name__} {mode} {' '.join(y)}")
    return result


if __name__ == "__main__":
    print(hp.build_info()["isa"])
    print("\n".join(lines(int(sys.argv[1]))))

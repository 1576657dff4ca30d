"""The plan: what a request does to arrays of one shape and element type, computed once and run many times."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast

import numpy as np

from halfpixel._errors import ElementTypeError, SpecError
from halfpixel.plan.arrays import Export, import_array
from halfpixel.plan.axis_table import AxisTable
from halfpixel.plan.cache import Cache
from halfpixel.plan.direct import DirectCall, direct_call
from halfpixel.plan.elements import Array, check_strings, converted, dtype_of, element_of
from halfpixel.plan.memory import guarded
from halfpixel.plan.resampling import Resampling, apply
from halfpixel.plan.tables import Tables, kept_table_of, table_bytes, tables_of, transposed
from halfpixel.plan.threads import instruction_set
from halfpixel.plan.window import Box, box_of, check_covers, lengths, show, source_box, used_box, windowed, within
from halfpixel.spec.axes import ResizeSpec
from halfpixel.spec.element_types import ELEMENT_TYPES, check_element_type

_PLANS: Cache[Plan] = Cache()
_MOST_WINDOWS = 256


def plan_from_spec(spec: ResizeSpec, dtype: object) -> Plan:
    """Return the plan of a spec for an element type; the same plan for the same request while it is in the cache.

    Args:
        spec: from spec.resize.resize_spec or upsample_spec.
        dtype: NumPy dtype, or a name such as "float32", "bfloat16" or "string".

    Raises:
        ElementTypeError: HP201, HP202, HP220, HP221 the type is not allowed here.
        SpecError: HP171 strings would need an extrapolation value; HP168.
        ResourceError: HP301, HP302 the tables do not fit into memory.
    """
    numpy_dtype = dtype_of(dtype)
    key = _key(spec, numpy_dtype)
    return _PLANS.get(key) or _PLANS.put(key, Plan(spec, numpy_dtype))


class Plan:
    """A Resize or Upsample of one shape and element type. Immutable, picklable, safe to use from many threads.

    Examples:
        >>> plan = halfpixel.plan_resize((1, 3, 32, 32), "float32", scales=[1, 1, 2, 2], mode="linear")
        >>> plan.output_shape
        (1, 3, 64, 64)
        >>> y = plan(x)
        >>> dx = plan.grad(dy)
        >>> plan.source((slice(0, 1), slice(0, 3), slice(0, 32), slice(0, 64)))
        (slice(0, 1, None), slice(0, 3, None), slice(0, 17, None), slice(0, 32, None))

    Attributes:
        spec: the request, with exact numbers.
        dtype: of x and y.
        element_type: its ONNX name.
        in_shape, output_shape: of x and y.
        nbytes: memory that the tables hold.
        direct: the short way of a call, for plan and ops; None where there is none.
    """

    __slots__ = ("_forward", "_lazy", "direct", "dtype", "nbytes", "spec")

    spec: ResizeSpec
    dtype: np.dtype[Any]
    nbytes: int
    direct: DirectCall | None
    _forward: Resampling
    _lazy: dict[object, Any]

    def __init__(self, spec: ResizeSpec, dtype: np.dtype[Any]) -> None:
        element = element_of(dtype)
        check_element_type(spec.op_type, spec.version, element, spec.mode)
        instruction_set()
        with guarded("the plan"):
            tables = tables_of(spec, kept_table_of)
            fill = _fill_value(spec, element, tables)
            forward = Resampling(spec.in_shape, spec.out_shape, tables, element, spec.mode == "nearest", fill)
            direct = direct_call(forward, dtype)
        put = object.__setattr__  # a plan has none of its own
        put(self, "spec", spec)
        put(self, "dtype", dtype)
        put(self, "nbytes", table_bytes(tables))
        put(self, "_forward", forward)
        put(self, "direct", direct)
        put(self, "_lazy", {})

    @property
    def element_type(self) -> str:
        return self._forward.element

    @property
    def in_shape(self) -> tuple[int, ...]:
        return self.spec.in_shape

    @property
    def output_shape(self) -> tuple[int, ...]:
        return self.spec.out_shape

    def __call__(self, x: Any, out: Any = None, threads: int | None = None) -> Any:
        """Return the result for x, as the kind of array that x is.

        Args:
            x: array of in_shape and of the plan's element type; any strides, any byte order.
            out: written and returned instead of a new array; output_shape and the dtype of x, apart from x in memory.
            threads: at most so many; 1 starts none; None is HALFPIXEL_THREADS, else the cores of the affinity mask.

        Raises:
            SpecError: HP160 shape, HP161 element type, HP162-165 out, HP166-167 threads.
            ElementTypeError: HP220-224 what x is.
            ResourceError: HP301, HP302.
        """
        if self.direct is not None:
            y = self.direct(x, out, threads)
            if y is not None:
                return y
        array, export = import_array(x)
        return self.run_imported(array, export, out, threads)

    def run_imported(self, x: Array, export: Export, out: object, threads: object) -> Any:
        """Call the plan with what import_array returned."""
        if self.direct is not None and out is None:
            y = self.direct(x, None, threads)
            if y is not None:
                return export(y)
        self._check(x, self.in_shape, "x")
        return apply(self._forward, x, export, out, threads)

    def grad(self, dy: Any, out: Any = None, threads: int | None = None) -> Any:
        """Return the gradient for x from the gradient for y: the exact transpose of the forward map.

        dx[j] = sum over i of weight(i, j) * dy[i]; samples that were extrapolated give nothing.

        Args:
            dy: array of output_shape and of the plan's element type, which must be floating point or complex.
            out, threads: as in a call; out has in_shape.

        Raises:
            ElementTypeError: HP225 an integer, bool or string plan; HP220-223 what dy is.
            SpecError: HP160-167.
            ResourceError: HP301, HP302.
        """
        backward, direct = self._lazy.get("backward") or self._backward()
        if direct is not None:
            dx = direct(dy, out, threads)
            if dx is not None:
                return dx
        array, export = import_array(dy, "dy")
        self._check(array, self.output_shape, "dy")
        return apply(backward, array, export, out, threads)

    @property
    def axes(self) -> Mapping[int, AxisTable]:
        """The table of every resampled axis by its number, ascending; empty where the output is."""
        axes = self._lazy.get("axes")
        if axes is None:
            tables = self._forward.tables
            made = {axis.axis: AxisTable(axis, tables[axis.axis]) for axis in self.spec.axes if axis.axis in tables}
            axes = self._lazy["axes"] = MappingProxyType(made)
        return cast("Mapping[int, AxisTable]", axes)

    def affine(self) -> tuple[tuple[float, float], ...]:
        """Return (scale, translation) of every axis: input coordinate = scale * output index + translation.

        Unit: samples, 0 is the centre of the first one. (1.0, 0.0) for a copied axis. Border rules and the filter's
        width are not part of it.

        Example:
            >>> halfpixel.plan_resize((1, 4), "float32", scales=[1, 2]).affine()
            ((1.0, 0.0), (0.5, -0.25))
        """
        lines = {axis.axis: axis.line for axis in self.spec.axes}
        return tuple(
            (lines[axis].step / lines[axis].divisor, lines[axis].start / lines[axis].divisor)
            if axis in lines
            else (1.0, 0.0)
            for axis in range(len(self.in_shape))
        )

    def source(self, box: Sequence[slice]) -> Box:
        """Return the smallest input box that holds every sample which an output box needs.

        Args:
            box: one slice an axis of the output, step 1.

        Raises:
            SpecError: HP169.
        """
        return source_box(self._forward.tables, box_of(box, self.output_shape, "box"))

    def run(
        self, slab: Any, *, at: Sequence[slice], box: Sequence[slice], out: Any = None, threads: int | None = None
    ) -> Any:
        """Return one box of the output from a slab of the input: the same bits as in the whole result.

        Args:
            slab: the input samples of the box ``at``.
            at: an input box that contains source(box).
            box: the output box wanted.
            out, threads: as in a call; out has the shape of the box.

        Raises:
            SpecError: HP160-167, HP169 no box, HP170 the slab lacks samples.
            ElementTypeError, ResourceError: as in a call.

        Example:
            >>> box = (slice(0, 1), slice(0, 3), slice(16, 32), slice(0, 64))
            >>> at = plan.source(box)
            >>> tile = plan.run(x[at], at=at, box=box)
        """
        input_box, output_box = box_of(at, self.in_shape, "at"), box_of(box, self.output_shape, "box")
        check_covers(input_box, source_box(self._forward.tables, output_box))
        array, export = import_array(slab, "slab")
        self._check(array, lengths(input_box), "slab")
        used = used_box(self._forward.tables, input_box, output_box)
        return apply(self._window(used, output_box), array[within(used, input_box)], export, out, threads)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a plan is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a plan is immutable: cannot delete {name!r}")

    def __reduce__(self) -> tuple[Callable[..., Plan], tuple[ResizeSpec, object]]:
        return plan_from_spec, (self.spec, self.dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        spec = self.spec
        return (
            f"<Plan {spec.op_type}-{spec.version} {spec.mode} {self.element_type} "
            f"{self.in_shape} -> {self.output_shape}>"
        )

    def _key(self) -> tuple[object, ...]:
        return _key(self.spec, self.dtype)

    def _check(self, x: Array, shape: tuple[int, ...], name: str) -> None:
        element = element_of(x.dtype)
        if element != self.element_type:
            raise SpecError(
                "HP161",
                f"the plan was made for another element type than {name} has",
                given=f"{name} of {element}",
                allowed=self.element_type,
                do=f"make a plan for {element}, or convert {name}",
            )
        if x.shape != shape:
            raise SpecError(
                "HP160",
                f"{name} has another shape than the plan was made for",
                given=f"{name} of shape {x.shape}",
                allowed=f"shape {shape}",
                do="make a plan for this shape",
            )
        check_strings(x)

    def _backward(self) -> tuple[Resampling, DirectCall | None]:
        """The transposed map and its short way, made at the first use."""
        if ELEMENT_TYPES[self.element_type].kind not in ("float", "complex"):
            raise ElementTypeError(
                "HP225",
                f"a map of {self.element_type} has no gradient",
                given=f"element type {self.element_type}",
                allowed="float16, bfloat16, float32, float64, complex64, complex128",
                do="convert to a floating-point type",
            )
        with guarded("the gradient's tables"):
            tables = transposed(self._forward.tables)
            backward = Resampling(self.output_shape, self.in_shape, tables, self.element_type, False, None)
            pair = backward, direct_call(backward, self.dtype)
        self._lazy["backward"] = pair
        return pair

    def _window(self, at: Box, box: Box) -> Resampling:
        """The map between two boxes. The first few hundred are kept: tiles come again with the next volume."""
        key = show(at) + show(box)
        window = self._lazy.get(key)
        if window is None:
            forward = self._forward
            with guarded("the tables of a box"):
                tables = windowed(forward.tables, at, box)
                window = Resampling(lengths(at), lengths(box), tables, self.element_type, forward.moves, forward.fill)
            if len(self._lazy) < _MOST_WINDOWS:
                self._lazy[key] = window
        return cast("Resampling", window)


def _fill_value(spec: ResizeSpec, element: str, tables: Tables) -> Array | None:
    """The extrapolation value as one element, None where no output sample needs it.

    Raises:
        SpecError: HP171 a string would need it.
    """
    if 0 in spec.out_shape or not [axis for axis in spec.axes if axis.extrapolate]:
        return None
    if all(table.inside == (0, table.out_size) for table in tables.values()):
        return None
    if element == "string":
        raise SpecError(
            "HP171",
            "a string cannot be extrapolated: roi reaches outside X",
            given="strings, coordinate_transformation_mode='tf_crop_and_resize' with output samples outside X",
            allowed="a roi whose samples all lie in X",
            do="keep roi within 0 and 1",
        )
    return converted(spec.extrapolation_value, element)


def _key(spec: ResizeSpec, dtype: np.dtype[Any]) -> tuple[object, ...]:
    """What makes two plans the same; 0.0 == -0.0, but they are two fill values."""
    return spec, dtype, math.copysign(1.0, spec.extrapolation_value)

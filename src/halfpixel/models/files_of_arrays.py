"""Arrays of .npy, .npz and picture files as a model's inputs; outputs as an .npz file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel._errors import ModelError
from halfpixel.media.arrays import write_npz
from halfpixel.media.atomic import replacing
from halfpixel.media.picture import Picture, expand_palette
from halfpixel.media.read import read_media
from halfpixel.models.running import described, element_type_name, shape_words, wrong_inputs
from halfpixel.models.shapes import known_length

if TYPE_CHECKING:
    import onnx


def read_inputs(files: Sequence[tuple[str, Path]], declared: Mapping[str, onnx.ValueInfoProto]) -> dict[str, Any]:
    """Read a model's inputs from files.

    Args:
        files: (name, path) pairs. The name "" stands for the model's only input, or with an .npz file of several arrays
            for all the names in it.
        declared: the model's inputs by name.
    Raises:
        ModelError: HP404 a name that the model does not have, HP418 a file that does not become this input.
        MediaError: HP500 to HP504, a file that cannot be read.
    """
    inputs: dict[str, Any] = {}
    for name, path in files:
        media = read_media(path)
        if isinstance(media, Mapping):
            arrays = {name: only(media, path)} if name or len(media) == 1 else dict(media)
            inputs |= {one or _only_name(declared): array for one, array in arrays.items()}
            continue
        target = name or _only_name(declared)
        if target not in declared:
            raise wrong_inputs(f"an input named {target!r}", described(declared))
        if len(media) != 1:
            raise _unfit(path, f"{len(media)} pictures", "one picture")
        inputs[target] = as_input(media[0], declared[target], path)
    return inputs


def only(arrays: Mapping[str, Any], path: Path) -> Any:
    """The one array of a file."""
    if len(arrays) != 1:
        raise _unfit(path, f"arrays {', '.join(arrays)}", "a file of one array, or no name before it")
    return next(iter(arrays.values()))


def as_input(picture: Picture, info: onnx.ValueInfoProto, path: Path) -> Any:
    """Return a picture as the array that an input declares.

    (height, width), (channels, height, width) or (height, width, channels), with or without a batch of one in front:
    what the declared lengths fit, channels first if both do. Unsigned integers keep the samples of the file,
    floating-point inputs get them divided by the highest (255 or 65535).

    Raises:
        ModelError: HP418, the picture has other channels, or the input is made of something else.
    """
    samples = expand_palette(picture).samples
    channels_first = np.moveaxis(samples, 2, 0)
    forms = [channels_first, channels_first[None], samples, samples[None]]
    forms += [samples[:, :, 0]] if samples.shape[2] == 1 else []
    tensor = info.type.tensor_type
    for form in forms:
        if tensor.HasField("shape") and _fits(form.shape, list(tensor.shape.dim)):
            return _of_type(form, element_type_name(info), path)
    raise _unfit(path, picture.description, f"the input {info.name} of shape {shape_words(info)}")


def _fits(shape: tuple[int, ...], declared: list[Any]) -> bool:
    """Whether every declared length is that of the shape; an open one may be anything."""
    if len(shape) != len(declared):
        return False
    return all(known_length(axis) in (None, length) for axis, length in zip(declared, shape, strict=True))


def _of_type(samples: Any, element_type: str | None, path: Path) -> Any:
    if element_type == samples.dtype.name:
        return np.ascontiguousarray(samples)
    if element_type in ("float16", "float32", "float64") and samples.dtype.kind == "u":
        return (samples / np.float64(np.iinfo(samples.dtype).max)).astype(element_type)
    raise _unfit(path, f"samples of {samples.dtype.name}", f"an input of {samples.dtype.name} or of floating point")


def _only_name(declared: Mapping[str, onnx.ValueInfoProto]) -> str:
    if len(declared) != 1:
        raise wrong_inputs("a file without the name of an input", described(declared))
    return next(iter(declared))


def write_outputs(outputs: Mapping[str, Any], path: Path) -> None:
    """Write outputs into an .npz file, each under its name; those of a sequence as NAME.0, NAME.1, ...

    Strings are written as text of NumPy's own kind, bfloat16 as two bytes an element.

    Raises:
        MediaError: HP507, the file cannot be written.
    """
    arrays: dict[str, Any] = {}
    for name, value in outputs.items():
        parts = {f"{name}.{i}": one for i, one in enumerate(value)} if isinstance(value, list) else {name: value}
        for label, part in parts.items():
            array = np.asarray(part)
            arrays[label] = array.astype(np.str_) if array.dtype.kind == "O" else array
    with replacing(path) as stream:
        write_npz(stream, arrays)


def _unfit(path: Path, given: str, allowed: str) -> ModelError:
    return ModelError(
        "HP418",
        "a file does not become an input of the model",
        given=f"{path}: {given}",
        allowed=allowed,
        do="make the array with NumPy and save it as .npy",
    )

"""What is refused, with which words, and that nothing is written then."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from PIL import Image

from halfpixel import HalfpixelError, MediaError, MissingExtraError, ResourceError
from halfpixel.media import ResizeRequest, read_media, resize_file
from halfpixel.media.atomic import replacing
from halfpixel.media.extra import require


def picture(path: Path, shape: tuple[int, ...] = (4, 4), dtype: str = "uint8", **options: Any) -> Path:
    Image.fromarray(np.full(shape, 9, dtype)).save(path, **options)
    return path


def refused(source: Path, target: Path, **request: Any) -> MediaError:
    """The error of a resize that must leave no file behind."""
    before = sorted(target.parent.iterdir())
    with pytest.raises(MediaError) as caught:
        resize_file(source, target, ResizeRequest(**(request or {"scale": (1.0, 1.0)})))
    assert sorted(target.parent.iterdir()) == before
    return caught.value


def test_missing_file(tmp_path: Path) -> None:
    error = refused(tmp_path / "no.png", tmp_path / "out.png")
    assert str(error) == (
        "[HP500] the file cannot be opened\n"
        f"  given:   {tmp_path / 'no.png'}: No such file or directory\n"
        "  allowed: a file that exists and may be read\n"
        "  do:      check the path and the permissions"
    )


def test_folder_as_file(tmp_path: Path) -> None:
    assert refused(tmp_path, tmp_path / "out.png").code == "HP500"


@pytest.mark.parametrize("content", [b"", b"GIF89a123456789", b"text"])
def test_unknown_content(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "in.png").write_bytes(content)
    error = refused(tmp_path / "in.png", tmp_path / "out.png")
    assert error.code == "HP501"
    assert error.allowed == "PNG, JPEG, WebP, TIFF, NPY, NPZ"


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "tif", "npy", "npz"])
@pytest.mark.parametrize("part", [0.3, 0.7, 0.95])
def test_half_a_file(tmp_path: Path, suffix: str, part: float) -> None:
    whole = tmp_path / f"whole.{suffix}"
    noise = np.random.default_rng(0).integers(0, 256, (40, 40, 3)).astype(np.uint8)
    if suffix == "npy":
        np.save(whole, noise)
    elif suffix == "npz":
        np.savez(whole, noise)
    else:
        Image.fromarray(noise).save(whole)
    content = whole.read_bytes()
    (tmp_path / f"in.{suffix}").write_bytes(content[: int(len(content) * part)])
    assert refused(tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}").code == "HP502"


def test_half_a_png_of_16_bits(tmp_path: Path) -> None:
    from halfpixel.media import EncodeOptions, Picture, write_media

    noise = np.random.default_rng(0).integers(0, 65536, (40, 40, 3)).astype(np.uint16)
    write_media((Picture(noise, "rgb"),), tmp_path / "whole.png", EncodeOptions())
    content = (tmp_path / "whole.png").read_bytes()
    (tmp_path / "in.png").write_bytes(content[: len(content) // 2])
    assert refused(tmp_path / "in.png", tmp_path / "out.png").code == "HP502"


def test_pickles_are_not_read(tmp_path: Path) -> None:
    np.save(tmp_path / "in.npy", np.array([{}], object), allow_pickle=True)
    error = refused(tmp_path / "in.npy", tmp_path / "out.npy")
    assert error.code == "HP502"
    assert "allow_pickle" in error.given


def test_animations(tmp_path: Path) -> None:
    frames = [Image.fromarray(np.full((4, 4, 3), value, np.uint8)) for value in (0, 90, 200)]
    for suffix in ("png", "webp"):
        frames[0].save(tmp_path / f"in.{suffix}", save_all=True, append_images=frames[1:])
        error = refused(tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}")
        assert error.code == "HP503"
        assert "3 frames" in error.given


@pytest.mark.parametrize(
    ("options", "given"),
    [
        ({"photometric": "cielab", "dtype": "uint8", "shape": (2, 2, 3)}, "CIELAB with 3 colour channels"),
        ({"photometric": "rgb", "dtype": "uint8", "shape": (2, 2, 5)}, "2 extra channels"),
        ({"photometric": "minisblack", "dtype": "uint8", "shape": (2, 2, 2), "extrasamples": ["unspecified"]}, "UNSP"),
    ],
)
def test_kinds_of_tiff_that_are_not_handled(tmp_path: Path, options: dict[str, Any], given: str) -> None:
    samples = np.zeros(options.pop("shape"), options.pop("dtype"))
    tifffile.imwrite(tmp_path / "in.tif", samples, planarconfig="contig", **options)
    error = refused(tmp_path / "in.tif", tmp_path / "out.tif")
    assert error.code == "HP503"
    assert given in error.given


def test_12_bits(tmp_path: Path) -> None:
    tifffile.imwrite(tmp_path / "in.tif", np.zeros((2, 2), np.uint16), photometric="minisblack", bitspersample=12)
    error = refused(tmp_path / "in.tif", tmp_path / "out.tif")
    assert (error.code, "12 bits a sample" in error.given) == ("HP503", True)


def test_a_size_that_only_the_header_claims(tmp_path: Path) -> None:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 60000, 50000, 8, 2, 0, 0, 0))
    (tmp_path / "in.png").write_bytes(b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0" * 99)))
    error = refused(tmp_path / "in.png", tmp_path / "out.png")
    assert error.code == "HP504"
    assert error.given == f"{tmp_path / 'in.png'}, 3000000000 pixels (the first 60000x50000)"
    assert error.do == "if the file is to be trusted: --max-pixels 3000000000"


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "tif"])
def test_limit_of_pixels(tmp_path: Path, suffix: str) -> None:
    source = picture(tmp_path / f"in.{suffix}")
    read_media(source, max_pixels=16)
    with pytest.raises(MediaError, match="HP504"):
        read_media(source, max_pixels=15)


def test_limit_of_pixels_counts_all_pages(tmp_path: Path) -> None:
    tifffile.imwrite(tmp_path / "in.tif", np.zeros((3, 4, 4), np.uint8), photometric="minisblack")
    with pytest.raises(MediaError, match=r"48 pixels on 3 pages"):
        read_media(tmp_path / "in.tif", max_pixels=47)


def test_a_large_picture_is_read_without_pillows_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 4)
    source = tmp_path / "in.png"
    picture(source, (8, 8))
    (read,) = read_media(source)
    assert read.size == (8, 8)


def test_unknown_suffix_of_the_output(tmp_path: Path) -> None:
    error = refused(picture(tmp_path / "in.png"), tmp_path / "out.gif")
    assert error.code == "HP505"
    assert error.allowed == ".png, .jpg, .jpeg, .webp, .tif, .tiff, .npy, .npz"


def test_what_a_format_cannot_hold(tmp_path: Path) -> None:
    rgba = picture(tmp_path / "rgba.png", (4, 4, 4))
    assert refused(rgba, tmp_path / "out.jpg").sentence == "JPEG holds no transparency"
    deep = picture(tmp_path / "deep.png", dtype="uint16")
    error = refused(deep, tmp_path / "out.webp")
    assert error.sentence == "WebP does not hold these samples"
    assert error.given == f"{tmp_path / 'out.webp'}, 4x4 grey, uint16"
    assert error.do == "write to .png or .tif"
    tifffile.imwrite(tmp_path / "float.tif", np.zeros((4, 4), np.float32), photometric="minisblack")
    assert refused(tmp_path / "float.tif", tmp_path / "out.png").do == "write to .tif"
    Image.frombytes("CMYK", (2, 2), bytes(16)).save(tmp_path / "cmyk.jpg")
    assert refused(tmp_path / "cmyk.jpg", tmp_path / "out.png").sentence == "PNG holds no CMYK"
    tifffile.imwrite(tmp_path / "pages.tif", np.zeros((2, 4, 4), np.uint8), photometric="minisblack")
    assert refused(tmp_path / "pages.tif", tmp_path / "out.png").sentence == "PNG holds one picture"
    assert refused(tmp_path / "pages.tif", tmp_path / "out.npy").sentence == "NPY holds one array"
    np.savez(tmp_path / "two.npz", a=np.zeros((2, 2)), b=np.zeros((2, 2)))
    assert refused(tmp_path / "two.npz", tmp_path / "out.npy").given == f"{tmp_path / 'out.npy'}, 2 arrays"
    error = refused(tmp_path / "two.npz", tmp_path / "out.png")
    assert error.sentence == "PNG holds pictures, not arrays"


def test_a_palette_entry_that_is_transparent_counts(tmp_path: Path) -> None:
    paletted = Image.fromarray(np.array([[0, 1]], np.uint8)).convert("P")
    paletted.save(tmp_path / "in.png", transparency=1)
    assert refused(tmp_path / "in.png", tmp_path / "out.jpg").sentence == "JPEG holds no transparency"


def test_sides_that_a_format_cannot_have(tmp_path: Path) -> None:
    source = picture(tmp_path / "in.png", (1, 4))
    error = refused(source, tmp_path / "out.webp", size=(16384, 1))
    assert (error.code, error.allowed) == ("HP506", "sides up to 16383")
    assert refused(source, tmp_path / "out.jpg", size=(65536, 1)).allowed == "sides up to 65535"


def test_a_result_without_pixels(tmp_path: Path) -> None:
    # 1 pixel high, 0.25 of it: half up of 0.25 is 0.
    error = refused(picture(tmp_path / "in.png", (1, 4)), tmp_path / "out.png", fit=(1, 1))
    assert error.code == "HP508"
    assert error.given == f"{tmp_path / 'out.png'}, 1x0"


def test_axes_of_a_picture(tmp_path: Path) -> None:
    source = picture(tmp_path / "in.png", (4, 4, 3))
    error = refused(source, tmp_path / "out.png", scales=(2.0,), axes=(2,))
    assert (error.code, error.given) == ("HP509", "axes=(2,)")
    assert refused(source, tmp_path / "out.png", scale=(2.0, 2.0), axes=(0,)).code == "HP509"


def test_axes_of_an_array(tmp_path: Path) -> None:
    np.save(tmp_path / "in.npy", np.zeros(5))
    error = refused(tmp_path / "in.npy", tmp_path / "out.npy", size=(2, 2))
    assert error.given == "axes=(0,), an array of rank 1"


def test_light_of_other_samples(tmp_path: Path) -> None:
    tifffile.imwrite(tmp_path / "in.tif", np.zeros((4, 4), np.float32), photometric="minisblack")
    error = refused(tmp_path / "in.tif", tmp_path / "out.tif", size=(2, 2), linear_light=True)
    assert (error.code, error.given) == ("HP509", "4x4 grey, float32")


def test_output_that_cannot_be_written(tmp_path: Path) -> None:
    source = picture(tmp_path / "in.png")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(MediaError, match="HP507") as caught:
        resize_file(source, tmp_path / "file" / "out.png", ResizeRequest(scale=(1.0, 1.0)))
    assert caught.value.given.startswith(f"{tmp_path / 'file' / 'out.png'}: ")
    (tmp_path / "out.png").mkdir()
    assert refused(source, tmp_path / "out.png").code == "HP507"


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "out.bin"
    path.write_bytes(b"old")

    def write() -> None:
        with replacing(path) as stream:
            stream.write(b"new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.bin"]


def test_a_write_replaces_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "new" / "out.bin"
    with replacing(path) as stream:
        stream.write(b"new")
        stream.flush()
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert os.listdir(path.parent) == ["out.bin"]
    umask = os.umask(0)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask


def test_a_long_name_has_room_for_the_file_beside(tmp_path: Path) -> None:
    path = tmp_path / ("\N{GREEK SMALL LETTER OMEGA}" * 120 + ".png")
    picture(tmp_path / "in.png")
    resize_file(tmp_path / "in.png", path, ResizeRequest(scale=(1.0, 1.0)))
    assert path.exists()


def test_missing_package_says_what_to_install() -> None:
    with pytest.raises(MissingExtraError) as caught:
        require("no_such_package.part")
    assert caught.value.given == "no module no_such_package"
    assert caught.value.do == "pip install halfpixel[cli]"


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "tif", "npy", "npz"])
def test_damaged_bytes_give_a_picture_or_an_error_of_ours(tmp_path: Path, suffix: str) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (9, 11, 3)).astype(np.uint8)
    whole = tmp_path / f"whole.{suffix}"
    if suffix in ("npy", "npz"):
        (np.save if suffix == "npy" else np.savez)(whole, noise)
    else:
        Image.fromarray(noise).save(whole)
    content = whole.read_bytes()
    random = np.random.default_rng(1)
    codes = set()
    for _ in range(60):
        damaged = bytearray(content)
        for place in random.integers(0, min(len(content), 300), 3):
            damaged[place] = random.integers(256)
        (tmp_path / f"in.{suffix}").write_bytes(damaged)
        try:
            read_media(tmp_path / f"in.{suffix}", max_pixels=2**20)
        except HalfpixelError as error:
            codes.add(error.code)
    assert "HP502" in codes


def test_memory_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise MemoryError

    source = picture(tmp_path / "in.png")
    for step in ("halfpixel.media.files.resize_media", "halfpixel.media.read._decode"):
        with monkeypatch.context() as patched:
            patched.setattr(step, refuse)
            with pytest.raises(ResourceError, match="HP302"):
                resize_file(source, tmp_path / "out.png", ResizeRequest(scale=(1.0, 1.0)))
    assert os.listdir(tmp_path) == ["in.png"]

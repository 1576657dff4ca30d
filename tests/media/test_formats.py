"""What each file format brings in and takes out: samples, alpha, palette, orientation, profile."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
import pytest
import tifffile
from PIL import Image

from halfpixel.media import EncodeOptions, Picture, ResizeRequest, read_media, resize_file, write_media
from halfpixel.media.picture import expand_palette

PROFILE = b"a colour profile, carried along unread" * 9
AS_IT_IS = ResizeRequest(scale=(1.0, 1.0))
HALF_NEAREST = ResizeRequest(scale=(0.5, 1.0), attributes={"mode": "nearest"})


def read(path: Path) -> Picture:
    pictures = read_media(path)
    assert isinstance(pictures, tuple)
    (picture,) = pictures
    return picture


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(header: tuple[int, ...], rows: bytes, *others: bytes) -> bytes:
    """A PNG file: header is (width, height, bits, colour type, interlace), rows are unfiltered lines with their 0."""
    width, height, bits, kind, interlace = header
    start = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, interlace))
    data = chunk(b"IDAT", zlib.compress(rows))
    return b"\x89PNG\r\n\x1a\n" + start + b"".join(others) + data + chunk(b"IEND", b"")


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "tif"])
@pytest.mark.parametrize("channels", [1, 3])
def test_profile_is_kept(tmp_path: Path, suffix: str, channels: int) -> None:
    source = tmp_path / f"in.{suffix}"
    shape = (4, 4) if channels == 1 else (4, 4, 3)
    Image.fromarray(np.full(shape, 90, np.uint8)).save(source, icc_profile=PROFILE)
    resize_file(source, tmp_path / f"out.{suffix}", ResizeRequest(size=(2, 2)))
    with Image.open(tmp_path / f"out.{suffix}") as image:
        assert image.size == (2, 2)
        assert image.info["icc_profile"] == PROFILE


def test_profile_is_kept_in_16_bits(tmp_path: Path) -> None:
    content = imagecodecs.png_encode(np.full((2, 4, 3), 40000, np.uint16))
    profile = chunk(b"iCCP", b"name\0\0" + zlib.compress(PROFILE))
    (tmp_path / "in.png").write_bytes(content[:33] + profile + content[33:])
    resize_file(tmp_path / "in.png", tmp_path / "out.png", ResizeRequest(size=(2, 1)))
    with Image.open(tmp_path / "out.png") as image:
        assert image.info["icc_profile"] == PROFILE
    out = imagecodecs.png_decode((tmp_path / "out.png").read_bytes())
    assert out.dtype == np.uint16
    assert out.tolist() == [[[40000] * 3] * 2]


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_png_of_16_bits(tmp_path: Path, channels: int) -> None:
    samples = np.zeros((1, 2, channels), np.uint16)
    samples[0, 1] = 65535
    samples[..., channels - 1] = [[65535, 65535]] if channels in (2, 4) else [[0, 65535]]
    (tmp_path / "in.png").write_bytes(imagecodecs.png_encode(samples))
    resize_file(tmp_path / "in.png", tmp_path / "out.png", ResizeRequest(size=(1, 1)))
    out = imagecodecs.png_decode((tmp_path / "out.png").read_bytes())
    assert out.dtype == np.uint16
    colours = [32768] * (channels - (channels in (2, 4)))
    assert out.ravel().tolist() == colours + ([65535] if channels in (2, 4) else [])


def test_linear_light_of_16_bits(tmp_path: Path) -> None:
    (tmp_path / "in.png").write_bytes(imagecodecs.png_encode(np.array([[0, 65535]], np.uint16)))
    resize_file(tmp_path / "in.png", tmp_path / "out.png", ResizeRequest(size=(1, 1), linear_light=True))
    # 0.735356983 * 65535
    assert imagecodecs.png_decode((tmp_path / "out.png").read_bytes()).tolist() == [[48192]]


@pytest.mark.parametrize(
    ("bits", "row", "expected"), [(1, 0b01100000, [0, 255, 255, 0]), (2, 0b00011011, [0, 85, 170, 255])]
)
def test_png_of_few_bits(tmp_path: Path, bits: int, row: int, expected: list[int]) -> None:
    (tmp_path / "in.png").write_bytes(png((4, 1, bits, 0, 0), bytes([0, row])))
    picture = read(tmp_path / "in.png")
    assert picture.colour == "grey"
    assert picture.samples.ravel().tolist() == expected


def test_interlaced_png_of_16_bits(tmp_path: Path) -> None:
    # Adam7 of 2 x 2: pixel (0, 0), then (0, 1), then row 1.
    rows = b"\0" + struct.pack(">H", 1) + b"\0" + struct.pack(">H", 2) + b"\0" + struct.pack(">HH", 3, 60000)
    (tmp_path / "in.png").write_bytes(png((2, 2, 16, 0, 1), rows))
    assert read(tmp_path / "in.png").samples[:, :, 0].tolist() == [[1, 2], [3, 60000]]


@pytest.mark.parametrize("bits", [8, 16])
def test_transparent_colour_of_png(tmp_path: Path, bits: int) -> None:
    largest = 2**bits - 1
    letter = "B" if bits == 8 else "H"
    rows = b"\0" + struct.pack(f">2{letter}", 7, 9)
    (tmp_path / "in.png").write_bytes(png((2, 1, bits, 0, 0), rows, chunk(b"tRNS", struct.pack(">H", 9))))
    picture = read(tmp_path / "in.png")
    assert picture.alpha == "straight"
    assert picture.samples.tolist() == [[[7, largest], [9, 0]]]


def palette_png(path: Path) -> Path:
    """Two columns: index 1, red at alpha 255, and index 0, green, transparent."""
    colours = chunk(b"PLTE", bytes([0, 255, 0, 255, 0, 0]))
    path.write_bytes(png((2, 1, 8, 3, 0), bytes([0, 1, 0]), colours, chunk(b"tRNS", bytes([0]))))
    return path


def test_palette_with_transparency_is_averaged_as_colours(tmp_path: Path) -> None:
    source = palette_png(tmp_path / "in.png")
    resize_file(source, tmp_path / "out.png", ResizeRequest(size=(1, 1)))
    with Image.open(tmp_path / "out.png") as image:
        assert image.mode == "RGBA"
        assert np.array(image).tolist() == [[[255, 0, 0, 128]]]


@pytest.mark.parametrize("suffix", ["png", "tif"])
def test_nearest_keeps_the_palette(tmp_path: Path, suffix: str) -> None:
    picture = Image.fromarray(np.array([[0, 0, 2, 2]], np.uint8)).convert("P")
    picture.putpalette([10, 20, 30, 1, 1, 1, 40, 50, 60])
    picture.save(tmp_path / f"in.{suffix}")
    resize_file(tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}", HALF_NEAREST)
    with Image.open(tmp_path / f"out.{suffix}") as image:
        assert image.mode == "P"
        assert np.array(image).tolist() == [[0, 2]]
        assert np.array(image.convert("RGB")).tolist() == [[[10, 20, 30], [40, 50, 60]]]


def test_nearest_keeps_the_transparency_of_a_palette(tmp_path: Path) -> None:
    nearest = ResizeRequest(scale=(1.0, 1.0), attributes={"mode": "nearest"})
    resize_file(palette_png(tmp_path / "in.png"), tmp_path / "out.png", nearest)
    with Image.open(tmp_path / "out.png") as image:
        assert np.array(image.convert("RGBA")).tolist() == [[[255, 0, 0, 255], [0, 255, 0, 0]]]


@pytest.mark.parametrize("suffix", ["tif", "webp"])
def test_a_palette_is_expanded_where_the_format_has_none(tmp_path: Path, suffix: str) -> None:
    # A TIFF has palettes, but none with transparency.
    source = palette_png(tmp_path / "in.png")
    nearest = ResizeRequest(scale=(1.0, 1.0), attributes={"mode": "nearest"})
    resize_file(source, tmp_path / f"out.{suffix}", nearest, EncodeOptions(lossless=True))
    assert read(tmp_path / f"out.{suffix}").samples.tolist() == [[[255, 0, 0, 255], [0, 255, 0, 0]]]


def test_transparency_of_several_palette_entries(tmp_path: Path) -> None:
    colours = chunk(b"PLTE", bytes([1, 2, 3, 4, 5, 6, 7, 8, 9]))
    content = png((4, 1, 8, 3, 0), bytes([0, 0, 1, 2, 200]), colours, chunk(b"tRNS", bytes([10, 20])))
    (tmp_path / "in.png").write_bytes(content)
    picture = read(tmp_path / "in.png")
    assert picture.palette is not None
    assert picture.palette.tolist() == [[1, 2, 3, 10], [4, 5, 6, 20], [7, 8, 9, 255]]
    # An index past the palette is opaque black.
    assert expand_palette(picture).samples[0].tolist() == [[1, 2, 3, 10], [4, 5, 6, 20], [7, 8, 9, 255], [0, 0, 0, 255]]


ORIENTED = {
    1: [[1, 2, 3], [4, 5, 6]],
    2: [[3, 2, 1], [6, 5, 4]],
    3: [[6, 5, 4], [3, 2, 1]],
    4: [[4, 5, 6], [1, 2, 3]],
    5: [[1, 4], [2, 5], [3, 6]],
    6: [[4, 1], [5, 2], [6, 3]],
    7: [[6, 3], [5, 2], [4, 1]],
    8: [[3, 6], [2, 5], [1, 4]],
    9: [[1, 2, 3], [4, 5, 6]],
}


@pytest.mark.parametrize("orientation", ORIENTED)
@pytest.mark.parametrize("suffix", ["png", "tif", "webp"])
def test_orientation(tmp_path: Path, orientation: int, suffix: str) -> None:
    stored = np.array([[1, 2, 3], [4, 5, 6]], np.uint8) * 20
    path = tmp_path / f"in.{suffix}"
    if suffix == "tif":
        tags = [(274, "H", 1, orientation, True)]
        tifffile.imwrite(path, stored, photometric="minisblack", extratags=tags)
    else:
        exif = Image.Exif()
        exif[274] = orientation
        Image.fromarray(stored).save(path, exif=exif, **({"lossless": True} if suffix == "webp" else {}))
    assert (read(path).samples[:, :, 0] // 20).tolist() == ORIENTED[orientation]


def test_orientation_of_jpeg_is_applied_and_gone(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[274] = 6
    Image.fromarray(np.array([[250] * 16] * 8 + [[5] * 16] * 8, np.uint8)).save(tmp_path / "in.jpg", exif=exif)
    resize_file(tmp_path / "in.jpg", tmp_path / "out.jpg", AS_IT_IS)
    with Image.open(tmp_path / "out.jpg") as image:
        assert image.getexif().get(274) is None
        values = np.array(image)
    assert values[:, 0].max() < 20
    assert values[:, -1].min() > 230


def test_orientation_of_png_of_16_bits(tmp_path: Path) -> None:
    content = imagecodecs.png_encode(np.array([[1, 2, 3], [4, 5, 6]], np.uint16))
    exif = chunk(b"eXIf", b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0")
    (tmp_path / "in.png").write_bytes(content[:33] + exif + content[33:])
    assert read(tmp_path / "in.png").samples[:, :, 0].tolist() == ORIENTED[6]


def test_cmyk_jpeg_stays_cmyk(tmp_path: Path) -> None:
    stored = np.full((8, 8, 4), (200, 100, 50, 10), np.uint8)
    Image.frombytes("CMYK", (8, 8), stored.tobytes()).save(tmp_path / "in.jpg", quality=100)
    resize_file(tmp_path / "in.jpg", tmp_path / "out.jpg", ResizeRequest(size=(4, 4)), EncodeOptions(quality=100))
    with Image.open(tmp_path / "out.jpg") as image:
        assert image.mode == "CMYK"
        difference = np.abs(np.array(image).astype(int) - (200, 100, 50, 10))
    assert difference.max() <= 2


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int16", "float32", "float64"])
@pytest.mark.parametrize("channels", [1, 3])
def test_tiff_element_types(tmp_path: Path, dtype: str, channels: int) -> None:
    samples = np.zeros((1, 2, channels), dtype)
    samples[0, 1] = 100
    tifffile.imwrite(tmp_path / "in.tif", samples, photometric="rgb" if channels == 3 else "minisblack")
    resize_file(tmp_path / "in.tif", tmp_path / "out.tif", ResizeRequest(size=(1, 1)))
    out = tifffile.imread(tmp_path / "out.tif")
    assert out.dtype == dtype
    assert out.ravel().tolist() == [50] * channels


def test_tiff_with_planes_white_as_zero_and_bits(tmp_path: Path) -> None:
    planes = np.array([[[1, 2]], [[3, 4]], [[5, 6]]], np.uint8)
    tifffile.imwrite(tmp_path / "planes.tif", planes, photometric="rgb", planarconfig="separate")
    assert read(tmp_path / "planes.tif").samples.tolist() == [[[1, 3, 5], [2, 4, 6]]]
    tifffile.imwrite(tmp_path / "white.tif", np.array([[0, 255, 55]], np.uint8), photometric="miniswhite")
    assert read(tmp_path / "white.tif").samples.ravel().tolist() == [255, 0, 200]
    Image.fromarray(np.array([[True, False]])).save(tmp_path / "bits.tif")
    assert read(tmp_path / "bits.tif").samples.ravel().tolist() == [255, 0]


def test_tiff_alpha_of_both_kinds(tmp_path: Path) -> None:
    straight = np.array([[[200, 0, 0, 255], [0, 200, 0, 0]]], np.uint8)
    tifffile.imwrite(tmp_path / "s.tif", straight, photometric="rgb", extrasamples=["unassalpha"])
    resize_file(tmp_path / "s.tif", tmp_path / "s_out.tif", ResizeRequest(size=(1, 1)))
    with tifffile.TiffFile(tmp_path / "s_out.tif") as file:
        assert file.pages[0].extrasamples[0].name == "UNASSALPHA"
        assert file.asarray().tolist() == [[[200, 0, 0, 128]]]
    # Stored multiplied by alpha: averaged as it is, divided again only for a format that stores straight alpha.
    multiplied = np.array([[[200, 0, 0, 255], [0, 0, 0, 1]]], np.uint8)
    tifffile.imwrite(tmp_path / "a.tif", multiplied, photometric="rgb", extrasamples=["assocalpha"])
    resize_file(tmp_path / "a.tif", tmp_path / "a_out.tif", ResizeRequest(size=(1, 1)))
    with tifffile.TiffFile(tmp_path / "a_out.tif") as file:
        assert file.pages[0].extrasamples[0].name == "ASSOCALPHA"
        assert file.asarray().tolist() == [[[100, 0, 0, 128]]]
    resize_file(tmp_path / "a.tif", tmp_path / "a_out.png", ResizeRequest(size=(1, 1)))
    with Image.open(tmp_path / "a_out.png") as image:
        assert np.array(image).tolist() == [[[199, 0, 0, 128]]]  # 100 * 255 / 128 = 199.2


def test_linear_light_of_associated_alpha_stays_associated(tmp_path: Path) -> None:
    # Straight: light 0 at alpha 255, light 1 at alpha 85; 137 at alpha 170 as in test_values; 137 * 170 / 255 = 91.3.
    multiplied = np.array([[[0, 0, 0, 255], [85, 85, 85, 85]]], np.uint8)
    tifffile.imwrite(tmp_path / "in.tif", multiplied, photometric="rgb", extrasamples=["assocalpha"])
    resize_file(tmp_path / "in.tif", tmp_path / "out.tif", ResizeRequest(size=(1, 1), linear_light=True))
    assert tifffile.imread(tmp_path / "out.tif").tolist() == [[[91, 91, 91, 170]]]


@pytest.mark.parametrize("compression", ["lzw", "jpeg", "zlib"])
def test_compressed_tiff(tmp_path: Path, compression: str) -> None:
    picture = np.full((16, 16, 3), 120, np.uint8)
    tifffile.imwrite(tmp_path / "in.tif", picture, photometric="rgb", compression=compression)
    assert read(tmp_path / "in.tif").samples.tolist() == picture.tolist()


def test_every_page_of_a_tiff(tmp_path: Path) -> None:
    with tifffile.TiffWriter(tmp_path / "in.tif") as file:
        file.write(np.full((2, 4), 7, np.uint8), photometric="minisblack")
        file.write(np.full((6, 2, 3), 9, np.uint16), photometric="rgb")
    done = resize_file(tmp_path / "in.tif", tmp_path / "out.tif", ResizeRequest(scale=(0.5, 0.5)))
    assert done.before == ((4, 2), (2, 6))
    assert done.after == ((2, 1), (1, 3))
    with tifffile.TiffFile(tmp_path / "out.tif") as file:
        pages = [page.asarray() for page in file.pages]
    assert [page.shape for page in pages] == [(1, 2), (3, 1, 3)]
    assert pages[0].tolist() == [[7, 7]]
    assert pages[1].dtype == np.uint16


def test_webp_lossless_keeps_what_alpha_hides(tmp_path: Path) -> None:
    samples = np.array([[[1, 2, 3, 0], [4, 5, 6, 255]]], np.uint8)
    Image.fromarray(samples).save(tmp_path / "in.png")
    nearest = ResizeRequest(scale=(1.0, 1.0), attributes={"mode": "nearest"})
    resize_file(tmp_path / "in.png", tmp_path / "out.webp", nearest, EncodeOptions(lossless=True))
    with Image.open(tmp_path / "out.webp") as image:
        assert np.array(image).tolist() == samples.tolist()


def test_grey_becomes_rgb_in_webp(tmp_path: Path) -> None:
    Image.fromarray(np.array([[60, 200]], np.uint8)).save(tmp_path / "in.png")
    resize_file(tmp_path / "in.png", tmp_path / "out.webp", AS_IT_IS, EncodeOptions(lossless=True))
    with Image.open(tmp_path / "out.webp") as image:
        assert np.array(image).tolist() == [[[60] * 3, [200] * 3]]
    Image.fromarray(np.array([[[60, 90], [200, 255]]], np.uint8)).save(tmp_path / "in.png")
    resize_file(tmp_path / "in.png", tmp_path / "out.webp", AS_IT_IS, EncodeOptions(lossless=True))
    with Image.open(tmp_path / "out.webp") as image:
        assert np.array(image).tolist() == [[[60, 60, 60, 90], [200, 200, 200, 255]]]


def test_quality_is_passed_on(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (64, 64, 3)).astype(np.uint8)
    Image.fromarray(noise).save(tmp_path / "in.png")
    sizes: dict[str, list[int]] = {}
    for suffix in ("jpg", "webp"):
        for quality in (20, 95):
            resize_file(tmp_path / "in.png", tmp_path / f"o.{suffix}", AS_IT_IS, EncodeOptions(quality=quality))
            sizes.setdefault(suffix, []).append((tmp_path / f"o.{suffix}").stat().st_size)
    assert all(low < high for low, high in sizes.values())


def test_content_decides_not_the_name(tmp_path: Path) -> None:
    Image.fromarray(np.array([[5]], np.uint8)).save(tmp_path / "wrong.jpg", format="PNG")
    assert read(tmp_path / "wrong.jpg").samples.tolist() == [[[5]]]


def arrays_of(path: Path) -> dict[str, Any]:
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def test_arrays(tmp_path: Path) -> None:
    x = np.arange(2 * 3 * 2 * 4, dtype=np.float32).reshape(2, 3, 2, 4)
    np.save(tmp_path / "in.npy", x)
    done = resize_file(tmp_path / "in.npy", tmp_path / "out.npy", ResizeRequest(size=(2, 1)))
    assert done.after == ((2, 3, 1, 2),)
    # The mean of both rows, then weights 5/8 and 3/8 of pairs and their neighbours as the antialias filter has them.
    assert np.load(tmp_path / "out.npy")[0, 0].tolist() == [[2.625, 4.375]]
    request = ResizeRequest(scales=(2.0,), axes=(0,), attributes={"mode": "nearest"})
    resize_file(tmp_path / "in.npy", tmp_path / "twice.npy", request)
    assert np.load(tmp_path / "twice.npy").tolist() == x[[0, 0, 1, 1]].tolist()
    request = ResizeRequest(scale=(2.0, 1.0), axes=(-3, -4), attributes={"mode": "nearest"})
    resize_file(tmp_path / "in.npy", tmp_path / "twice.npy", request)
    assert np.load(tmp_path / "twice.npy").tolist() == x[[0, 0, 1, 1]].tolist()


def test_named_arrays_keep_their_names_and_types(tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", numbers=np.zeros((2, 2), np.int64), words=np.array([["a", "b"], ["c", "d"]]))
    nearest = ResizeRequest(size=(1, 1), attributes={"mode": "nearest"})
    resize_file(tmp_path / "in.npz", tmp_path / "out.npz", nearest)
    out = arrays_of(tmp_path / "out.npz")
    assert list(out) == ["numbers", "words"]
    assert out["numbers"].dtype == np.int64
    assert out["words"].tolist() == [["a"]]


def test_pictures_become_arrays(tmp_path: Path) -> None:
    Image.fromarray(np.array([[1, 2]], np.uint8)).save(tmp_path / "grey.png")
    resize_file(tmp_path / "grey.png", tmp_path / "grey.npy", AS_IT_IS)
    assert np.load(tmp_path / "grey.npy").tolist() == [[1, 2]]
    Image.fromarray(np.array([[[1, 2, 3]]], np.uint8)).save(tmp_path / "rgb.png")
    resize_file(tmp_path / "rgb.png", tmp_path / "rgb.npz", AS_IT_IS)
    assert arrays_of(tmp_path / "rgb.npz")["arr_0"].tolist() == [[[1, 2, 3]]]


def test_write_and_read_are_each_others_inverse(tmp_path: Path) -> None:
    samples = np.random.default_rng(2).integers(0, 65536, (5, 7, 4)).astype(np.uint16)
    picture = Picture(samples, "rgb", "straight", None, PROFILE)
    for suffix in ("png", "tif"):
        write_media((picture,), tmp_path / f"p.{suffix}", EncodeOptions())
        back = read(tmp_path / f"p.{suffix}")
        assert np.array_equal(back.samples, samples)
        assert (back.colour, back.alpha, back.icc_profile) == ("rgb", "straight", PROFILE)

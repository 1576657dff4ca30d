"""Make the pictures of the README and of the documentation: `python docs/images/make.py`."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
from PIL import Image, ImageDraw, ImageFont

from halfpixel.media import Picture, ResizeRequest, resize_picture
from halfpixel.media.samples import photograph, zone_plate
from halfpixel.models.compare import compare
from halfpixel.models.explain import explain

HERE = Path(__file__).parent
MODES = ("nearest", "linear", "cubic")
GAP = 14
LABEL = 30
PAPER, INK, SOFT = (255, 255, 255), (29, 28, 26), (102, 99, 92)


def grid(picture: Picture, size: tuple[int, int], zoom: int) -> Image.Image:
    """The three modes side by side, a row without antialias and a row with, each named."""
    width, height = size[0] * zoom, size[1] * zoom
    sheet = Image.new("RGB", (3 * (width + GAP) + GAP, 2 * (height + LABEL + GAP) + GAP), PAPER)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(15)
    for row, antialias in enumerate((False, True)):
        for column, mode in enumerate(MODES):
            left, top = GAP + column * (width + GAP), GAP + row * (height + LABEL + GAP)
            sheet.paste(enlarged(picture, size, zoom, mode, antialias), (left, top))
            draw.text((left, top + height + 6), mode, INK, font)
            label = "antialias=1" if antialias else "antialias=0"
            draw.text((left + width, top + height + 6), label, SOFT, font, anchor="ra")
    return sheet


def enlarged(picture: Picture, size: tuple[int, int], zoom: int, mode: str, antialias: bool) -> Image.Image:
    """One of them, its pixels repeated so that they can be seen."""
    request = ResizeRequest(size=size, attributes={"mode": mode, "antialias": antialias})
    samples = resize_picture(picture, request).samples
    repeated = samples.repeat(zoom, 0).repeat(zoom, 1)
    return Image.fromarray(np.squeeze(repeated)).convert("RGB")


def explanation() -> None:
    """The drawing of an explanation, and its page as Chromium shows it."""
    found = explain(x_shape=(5, 7), scales=(2, 2), mode="cubic", at=(0, 7), beside=["tensorflow"])
    (HERE / "explain.svg").write_text(found.svg())
    screenshot(found.html(), "explain_page.png", "1180,1130")


def comparison() -> None:
    """The page of a comparison of a model that shrinks the cat, as Chromium shows it."""
    samples = photograph().samples[40:168, 100:228].astype(np.float32) / 255
    x = np.ascontiguousarray(samples.transpose(2, 0, 1)[np.newaxis])
    model = onnx.parser.parse_model(
        """<ir_version: 8, opset_import: ["": 19]>
        main (float[1,3,H,W] X) => (float[1,3,P,Q] small, float[1,3,R,S] picked, float[1,3,T,U] spread)
        <float[4] half = {1, 1, 0.375, 0.375}, float[4] sixth = {1, 1, 0.6, 0.6}> {
          [shrink] small = Resize <mode = "linear", antialias = 1> (X, , half)
          [pick] picked = Resize <coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"> (X, , sixth)
          [spread] spread = Resize <mode = "linear", coordinate_transformation_mode = "align_corners"> (X, , sixth)
        }"""
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        onnx.save(model, path)
        found = compare(path, ["onnxruntime", "openvino"], inputs={"X": x})
    found = replace(found, path=Path("model.onnx"), arguments=(*found.arguments, "--input=X=x.npy"))
    screenshot(found.html(), "compare_page.png", "1180,1180")


def screenshot(html: str, name: str, size: str) -> None:
    """A page as Chromium shows it, in few colours."""
    with tempfile.TemporaryDirectory() as folder:
        page, shot = Path(folder) / "page.html", HERE / name
        page.write_text(html)
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={size}"]
        subprocess.run(["chromium", *options, f"--screenshot={shot}", page.as_uri()], check=True, capture_output=True)
    with Image.open(shot) as image:
        image.convert("P", palette=Image.Palette.ADAPTIVE, colors=128).save(shot, optimize=True)


def main() -> None:
    """Write the pictures beside this file."""
    grid(zone_plate(640), (240, 240), 1).convert("L").save(HERE / "zone_plate.png", optimize=True)
    grid(photograph(), (127, 84), 2).save(HERE / "photograph.png", optimize=True)
    explanation()
    comparison()


if __name__ == "__main__":
    main()

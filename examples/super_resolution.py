"""Fit a small super-resolution net in plain NumPy, and draw how its loss falls.

The net doubles the size of a grey picture: three by three convolution, rectifier, convolution to four channels, and
DepthToSpace, which lays the four out as two by two pixels; a linear Resize beside it carries the picture, so that the
net only has to learn what linear enlargement misses. Its pictures are discs and stripes made at random.

Run with: python examples/super_resolution.py [loss.svg] [net.onnx]
The second file, the trained net as an ONNX model, needs the package onnx.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

import halfpixel as hp
from halfpixel.layers import DepthToSpace, Resize, Sequential

SIZE = 32
BATCH = 8
STEPS = 300
EVERY = 10
CHANNELS = 16
LEARNING_RATE = 0.004


class Convolution:
    """A convolution of three by three with zeros around the picture: X [N, C, H, W] -> Y [N, out, H, W]."""

    def __init__(self, weight: np.ndarray) -> None:
        self.weight = weight
        self.bias = np.zeros(len(weight), np.float32)

    def forward(self, X: np.ndarray) -> np.ndarray:
        self.windows = windows(X)
        return np.einsum("nchwij,ocij->nohw", self.windows, self.weight, optimize=True) + self.bias[:, None, None]

    def backward(self, dY: np.ndarray) -> np.ndarray:
        self.weight_slope = np.einsum("nohw,nchwij->ocij", dY, self.windows, optimize=True)
        self.bias_slope = dY.sum(axis=(0, 2, 3))
        return np.einsum("nohwij,ocij->nchw", windows(dY), self.weight[:, :, ::-1, ::-1], optimize=True)


class Rectifier:
    """max(X, 0)."""

    def forward(self, X: np.ndarray) -> np.ndarray:
        self.positive = X > 0
        return X * self.positive

    def backward(self, dY: np.ndarray) -> np.ndarray:
        return dY * self.positive


class Net:
    """Y = DepthToSpace(convolutions(X)) + linear enlargement of X. The last convolution begins as zero."""

    def __init__(self, random: np.random.Generator) -> None:
        first = random.standard_normal((CHANNELS, 1, 3, 3)).astype(np.float32) / 3
        last = np.zeros((4, CHANNELS, 3, 3), np.float32)
        self.convolutions = (Convolution(first), Convolution(last))
        self.detail = Sequential(self.convolutions[0], Rectifier(), self.convolutions[1], DepthToSpace(2))
        self.skip = Sequential((Resize(mode="linear"), {"scales": [1, 1, 2, 2]}))

    def forward(self, X: np.ndarray) -> np.ndarray:
        return self.detail.forward(X) + self.skip.forward(X)

    def backward(self, dY: np.ndarray) -> np.ndarray:
        return self.detail.backward(dY) + self.skip.backward(dY)

    def parameters(self) -> list[np.ndarray]:
        return [values for layer in self.convolutions for values in (layer.weight, layer.bias)]

    def slopes(self) -> list[np.ndarray]:
        return [values for layer in self.convolutions for values in (layer.weight_slope, layer.bias_slope)]


class Adam:
    """Kingma and Ba's method: a step along the mean slope, over the root of the mean square slope."""

    def __init__(self, parameters: list[np.ndarray]) -> None:
        self.parameters = parameters
        self.means = [np.zeros_like(values) for values in parameters]
        self.squares = [np.zeros_like(values) for values in parameters]
        self.steps = 0

    def step(self, slopes: list[np.ndarray]) -> None:
        self.steps += 1
        for values, slope, mean, square in zip(self.parameters, slopes, self.means, self.squares, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.01 * (slope**2 - square)
            unbiased = mean / (1 - 0.9**self.steps), square / (1 - 0.99**self.steps)
            values -= LEARNING_RATE * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)


def windows(X: np.ndarray) -> np.ndarray:
    """Every pixel's three by three neighbours, zeros beyond the picture: [N, C, H, W] -> [N, C, H, W, 3, 3]."""
    padded = np.pad(X, ((0, 0), (0, 0), (1, 1), (1, 1)))
    return np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))


def pictures(random: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Small pictures and the large ones that they come from: a disc on stripes, each of random place and grey."""
    rows, columns = np.mgrid[:SIZE, :SIZE]
    large = np.empty((count, 1, SIZE, SIZE), np.float32)
    for picture in large:
        angle, width, shift = random.random(3) * (2 * np.pi, 6, 10)
        stripes = np.sin((rows * np.cos(angle) + columns * np.sin(angle) + shift) / (width + 3) * np.pi) > 0
        middle, radius = random.random(2) * SIZE, 4 + random.random() * 8
        disc = np.hypot(rows - middle[0], columns - middle[1]) < radius
        greys = random.random(3)
        picture[0] = np.where(disc, greys[0], np.where(stripes, greys[1], greys[2]))
    small = hp.resize(large, scales=[1, 1, 0.5, 0.5], mode="linear", antialias=True)
    return small, large


def loss(Y: np.ndarray, large: np.ndarray) -> float:
    """The mean squared error."""
    return float(np.mean((Y - large) ** 2))


def train(net: Net, random: np.random.Generator, steps: int, other: tuple[np.ndarray, np.ndarray]) -> list[float]:
    """Take steps, each on new pictures; return the loss on the other pictures before the first and every tenth step."""
    adam = Adam(net.parameters())
    losses = [loss(net.forward(other[0]), other[1])]
    for step in range(1, steps + 1):
        small, large = pictures(random, BATCH)
        error = net.forward(small) - large
        net.backward(2 * error / error.size)
        adam.step(net.slopes())
        if step % EVERY == 0:
            losses.append(loss(net.forward(other[0]), other[1]))
    return losses


def plot(losses: list[float]) -> str:
    """The losses as a picture in SVG; the dashed line is where the net begins, linear enlargement."""
    top = 1.1 * max(losses)
    heights = [340 - 300 * value / top for value in losses]
    step = 560 / (len(losses) - 1)
    points = " ".join(f"{60 + place * step:.1f},{height:.1f}" for place, height in enumerate(heights))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400" font-family="sans-serif" font-size="13">
<rect width="640" height="400" fill="white"/>
<path d="M60 40V340H620" fill="none" stroke="black"/>
<text x="60" y="25">mean squared error on pictures that the net does not learn from</text>
<text x="52" y="345" text-anchor="end">0</text><text x="52" y="45" text-anchor="end">{top:.4f}</text>
<text x="60" y="360">0</text><text x="620" y="360" text-anchor="end">step {(len(losses) - 1) * EVERY}</text>
<path d="M60 {heights[0]:.1f}H620" stroke="#a50f15" stroke-dasharray="6 4"/>
<text x="620" y="{heights[0] - 6:.1f}" text-anchor="end" fill="#a50f15">linear enlargement: {losses[0]:.4f}</text>
<polyline points="{points}" fill="none" stroke="#08519c" stroke-width="2"/>
<text x="620" y="{heights[-1] + 20:.1f}" text-anchor="end" fill="#08519c">net: {losses[-1]:.4f}</text>
</svg>
"""


def to_onnx(net: Net) -> Any:
    """The net as an ONNX model: X [N, 1, H, W] -> Y [N, 1, 2 H, 2 W]."""
    from onnx import TensorProto, helper, numpy_helper

    first, last = net.convolutions
    enlarge = net.skip.layers[0]
    nodes = [
        helper.make_node("Conv", ["X", "w1", "b1"], ["a"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Conv", ["b", "w2", "b2"], ["c"], pads=[1, 1, 1, 1]),
        net.detail.layers[3].to_onnx_node(["c"], "detail"),
        enlarge.to_onnx_node(["X", "", "scales"], "linear"),
        helper.make_node("Add", ["detail", "linear"], ["Y"]),
    ]
    constants = {"w1": first.weight, "b1": first.bias, "w2": last.weight, "b2": last.bias}
    constants["scales"] = np.array([1, 1, 2, 2], np.float32)
    graph = helper.make_graph(
        nodes,
        "super_resolution",
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, ("N", 1, "H", "W"))],
        [helper.make_tensor_value_info("Y", TensorProto.FLOAT, ("N", 1, "2H", "2W"))],
        [numpy_helper.from_array(values, name) for name, values in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)


def main() -> None:
    random = np.random.default_rng(0)
    other = pictures(random, 32)
    net = Net(random)
    losses = train(net, random, STEPS, other)
    print(f"mean squared error on {len(other[0])} other pictures: linear {losses[0]:.5f}, net {losses[-1]:.5f}")
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "super_resolution.svg")
    target.write_text(plot(losses), encoding="ascii")
    print(f"the loss of {STEPS} steps is drawn in {target}")
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_bytes(to_onnx(net).SerializeToString())


if __name__ == "__main__":
    main()

"""Learn a small picture by its enlargement: gradient descent through a Resize layer.

The target is a wave of 32 by 32 samples. We look for the 8 by 8 picture whose cubic enlargement comes closest to it, by
following the derivative that ``backward`` hands back. Run with: python examples/trainable_layer.py
"""

import numpy as np

from halfpixel.layers import Resize

STEPS = 100
LEARNING_RATE = 0.05


def wave(size: int) -> np.ndarray:
    """One period of a cosine in both directions, sampled at pixel centres."""
    centres = (np.arange(size) + 0.5) / size
    return np.cos(2 * np.pi * (centres[:, None] + centres)).astype(np.float32)


def main() -> None:
    target = wave(32)
    small = np.zeros((8, 8), np.float32)
    enlarge = Resize(mode="cubic", lda_coeff=LEARNING_RATE)
    for step in range(STEPS + 1):
        error = enlarge.forward(small, scales=[4, 4]) - target
        if step % 20 == 0:
            print(f"step {step:3d}: mean squared error {np.mean(error**2):.6f}")
        # The loss is half the sum of squares, so that its derivative by the output is the error itself.
        small -= enlarge.backward(error)
    difference = np.abs(small - wave(8)).max()
    print(f"the picture found differs by at most {difference:.3f} from the wave sampled at 8 by 8")


if __name__ == "__main__":
    main()

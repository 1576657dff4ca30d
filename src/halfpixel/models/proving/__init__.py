"""Prove that a rewritten model keeps its numbers: run the nodes before and after on the same inputs and compare.

Every rewritten place is run on its own, with random and with extreme values, on our evaluator and, where it runs both
sides, on onnxruntime; then the whole model.
"""

from halfpixel.models.proving.fragments import Fragment, fragment_of
from halfpixel.models.proving.proof import Outcome, Proof, prove_fragment, prove_model

__all__ = ["Fragment", "Outcome", "Proof", "fragment_of", "prove_fragment", "prove_model"]

"""Which library has which mode, rank, element type and coordinates: asked of each by running it in a process.

``python -m halfpixel.peers.capabilities docs`` asks every installed library every question and writes what came of it
as docs/capabilities.json and, for people, docs/capabilities.md. Importing this loads none of the libraries.
"""

from __future__ import annotations

from halfpixel.peers.capabilities.asking import answers_of, installed
from halfpixel.peers.capabilities.page import page_of
from halfpixel.peers.capabilities.questions import GROUPS, QUESTIONS, Question

__all__ = ["GROUPS", "QUESTIONS", "Question", "answers_of", "installed", "page_of"]

"""Findings in the forms that other tools read: SARIF 2.1.0 and JUnit XML."""

from __future__ import annotations

from halfpixel.models.reports.finding import ERROR, NOTE, WARNING, Finding, Rule
from halfpixel.models.reports.junit import junit
from halfpixel.models.reports.sarif import sarif

__all__ = ["ERROR", "NOTE", "WARNING", "Finding", "Rule", "junit", "sarif"]

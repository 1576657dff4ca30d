"""Sphinx configuration. The table of error codes is written from the registry each time the documentation is built."""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from halfpixel._errors import ERROR_CODES  # noqa: E402  the sources of this checkout, whatever is installed

project = "halfpixel"
release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
copyright = "the halfpixel contributors"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]  # links to files of the repository outside docs/
exclude_patterns = ["_generated"]
html_theme = "alabaster"
html_theme_options = {"description": "the size-changing operators of ONNX", "page_width": "1100px"}
html_show_copyright = False
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
napoleon_google_docstring = True
napoleon_numpy_docstring = False


def write_error_table() -> None:
    rows = [f"| `{code}` | {meaning} |" for code, meaning in sorted(ERROR_CODES.items())]
    table = Path(__file__).parent / "_generated" / "error_codes.md"
    table.parent.mkdir(exist_ok=True)
    table.write_text("\n".join(["| code | the mistake |", "|---|---|", *rows, ""]))


write_error_table()

"""Contract types that import-linter lacks: an allow-list of packages, and two that know of the compiled module.

The import graph knows Python sources only. An import of halfpixel._core appears in it as one of the package halfpixel.
"""

import ast
import re
import sys
from pathlib import Path

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
from importlinter.contracts.layers import LayersContract

PACKAGES = Path(__file__).resolve().parents[2] / "src"


class ThirdPartyContract(Contract):
    """The modules of some rooms import, from outside halfpixel, the standard library and a list of packages only.

    A room is a package with all below it; "halfpixel" alone means the top module, since everything lies below it.
    The forbidden contract of import-linter needs a list of what is forbidden, which would never be complete.
    """

    type_name = "third_party"

    rooms = fields.ListField(subfield=fields.StringField())
    allowed = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        permitted = {*self.allowed, "halfpixel"}  # type: ignore[misc]
        wrong = []
        for module in sorted(name for name in graph.modules if _in_rooms(name, self.rooms)):  # type: ignore[arg-type]
            for imported in sorted(graph.find_modules_directly_imported_by(module)):
                top = imported.partition(".")[0]
                if top not in permitted and top not in sys.stdlib_module_names:
                    wrong.append((module, imported))
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check: ContractCheck) -> None:
        _render(check)


class RoomsContract(LayersContract):
    """Layers, in which an import of the compiled module is not one of the package that holds it."""

    type_name = "rooms"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        for importer in graph.find_modules_that_directly_import("halfpixel"):
            lines = graph.get_import_details(importer=importer, imported="halfpixel")
            if all(re.search(r"halfpixel\._core\b|import _core\b", line["line_contents"]) for line in lines):
                graph.remove_import(importer=importer, imported="halfpixel")
        return super().check(graph, verbose)


class CoreImportersContract(Contract):
    """Only some rooms import the compiled module halfpixel._core, by their import statements."""

    type_name = "core_importers"

    allowed = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        wrong = []
        for module in sorted(name for name in graph.modules if _in_rooms(name, ["halfpixel.*"])):
            source = _source_of(module)
            if not _in_rooms(module, self.allowed) and imports_core(source.read_text(), module):  # type: ignore[arg-type]
                wrong.append((module, "halfpixel._core"))
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check: ContractCheck) -> None:
        _render(check)


def imports_core(source: str, module: str) -> bool:
    """Whether this source text of a module has a statement that imports halfpixel._core or a name in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and any(_is_core(alias.name) for alias in node.names):
            return True
        if isinstance(node, ast.ImportFrom):
            origin = _origin(node, module)
            if _is_core(origin) or (origin == "halfpixel" and any(alias.name == "_core" for alias in node.names)):
                return True
    return False


def _origin(node: ast.ImportFrom, module: str) -> str:
    if not node.level:
        return node.module or ""
    package = module if _source_of(module).name == "__init__.py" else module.rpartition(".")[0]
    for _ in range(node.level - 1):
        package = package.rpartition(".")[0]
    return f"{package}.{node.module}" if node.module else package


def _is_core(name: str) -> bool:
    return name == "halfpixel._core" or name.startswith("halfpixel._core.")


def _in_rooms(module: str, rooms: list[str]) -> bool:
    """Whether a module lies in one of the rooms; "halfpixel" means itself, "halfpixel.*" all of it."""
    for room in rooms:
        if module == room or (room == "halfpixel.*" and (module + ".").startswith("halfpixel.")):
            return True
        if room != "halfpixel" and module.startswith(room + "."):
            return True
    return False


def _source_of(module: str) -> Path:
    base = PACKAGES / module.replace(".", "/")
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def _render(check: ContractCheck) -> None:
    wrong: list[tuple[str, str]] = check.metadata["wrong"]
    for importer, imported in wrong:
        output.print_error(f"{importer} may not import {imported}")


__all__ = ["CoreImportersContract", "RoomsContract", "ThirdPartyContract", "imports_core"]

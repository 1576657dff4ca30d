"""What a tool says about one place of a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ERROR, WARNING, NOTE = "error", "warning", "note"
"""How severe: SARIF's words."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What is looked for.

    Attributes:
        id: short and lasting, such as "HPM001".
        name: in words.
        help: address of its page; "" for none.
        level: ERROR, WARNING or NOTE.
    """

    id: str
    name: str
    help: str = ""
    level: str = WARNING


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule, one node.

    Attributes:
        rule: what it breaks.
        message: a sentence, or several lines.
        place: the node with the scopes around it, such as ("function pkg::up", "resize_3").
        level: ERROR, WARNING or NOTE; "" takes the rule's.
        properties: plain data that goes along.
    """

    rule: Rule
    message: str
    place: tuple[str, ...] = ()
    level: str = ""
    properties: Mapping[str, Any] = field(default_factory=dict)

    @property
    def severity(self) -> str:
        """Its own level, else the rule's."""
        return self.level or self.rule.level

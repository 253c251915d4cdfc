"""The rules: one module per family, one function per rule."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module

from hatch_skills.core.rules.registry import Case, Flaw, Rule, registered, rule

__all__ = ["Case", "Flaw", "Rule", "registered", "rule", "rules"]


def __dir__() -> list[str]:
    return list(__all__)


@lru_cache(maxsize=1)
def rules() -> Mapping[str, Rule]:
    """All rules by id, sorted; imports every family."""
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return dict(sorted(registered().items()))

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


_FOR_ARCHIVES = "packaging"


@lru_cache(maxsize=2)
def rules(*, archives: bool = True) -> Mapping[str, Rule]:
    """All rules by id, sorted; without those about archives if nobody needs them, which saves their imports."""
    for module in pkgutil.iter_modules(__path__):
        if archives or module.name != _FOR_ARCHIVES:
            import_module(f"{__name__}.{module.name}")
    known = dict(sorted(registered().items()))
    return known if archives else {rule: item for rule, item in known.items() if item.family != _FOR_ARCHIVES}

"""Hatchling's entry point; importing it loads hatchling and the standard library, nothing else."""

from __future__ import annotations

from typing import Any

from hatchling.plugin import hookimpl

__all__ = ["hatch_register_build_hook"]


def __dir__() -> list[str]:
    return list(__all__)


@hookimpl
def hatch_register_build_hook() -> type[Any]:
    """Give Hatch the build hook called ``skills``."""
    from hatch_skills.build_hook import SkillsBuildHook

    return SkillsBuildHook

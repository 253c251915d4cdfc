"""Hatch's custom hook for this project: the very hook that it ships, taken from the tree."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from hatch_skills.build_hook import SkillsBuildHook

__all__ = ["SkillsBuildHook", "get_build_hook"]


def get_build_hook() -> type[SkillsBuildHook]:
    """What Hatch asks of a custom hook."""
    return SkillsBuildHook

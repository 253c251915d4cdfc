"""The YAML between the fences, parsed once for all readers and rules that look at the same text."""

from __future__ import annotations

from hatch_skills.core.skill import Skill
from hatch_skills.core.yaml_text import Yaml, read_yaml

__all__ = ["yaml_between"]


def __dir__() -> list[str]:
    return list(__all__)


def yaml_between(skill: Skill, begin: int, end: int) -> Yaml:
    """The YAML of ``skill.text.universal[begin:end]``.

    Where a runtime cuts at the fences that the specification means, that is the YAML the skill already keeps; with
    other line ends its values are the same, while its offsets are those of the file.
    """
    text = skill.text.universal
    front_matter = skill.front_matter
    if begin == 3 and front_matter.closing_line == text.count("\n", begin, end) + 2 and front_matter.span[0] == 3:
        return front_matter.yaml
    return read_yaml(text[begin:end])

"""The agent loop of OpenVoiceOS, `ovos-agentic-loop`: regular expressions instead of YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence

from hatch_skills.core.findings import Severity
from hatch_skills.core.runtimes.distribution import SKILL_GROUP, Distribution, Found
from hatch_skills.core.runtimes.profile import Field, Profile, Reading, accepted, refused
from hatch_skills.core.skill import Skill

__all__ = ["PROFILE", "catalogue", "locate", "read", "tool_name"]

_OPENING = re.compile(r"---\s*\n")
_CLOSING = re.compile(r"\n---\s*\n")
_PAIR = re.compile(r"(\w[\w-]*):\s*(.+)")
_NO_SLUG = re.compile(r"[^a-z0-9]+")
_EXITS = ("SystemExit", "KeyboardInterrupt", "GeneratorExit")

_ARGUMENTS = {
    "description": "Arguments for invoking a SKILL.md-backed tool.\n\n"
    "The I/O contract is intentionally natural-language — the ``task`` is a\n"
    "free-text instruction that the sub-LLM (guided by the SKILL.md body) will\nfulfil.",
    "properties": {
        "task": {"description": "What you want the skill to do.", "title": "Task", "type": "string"},
        "context": {
            "anyOf": [{"type": "string"}, {"type": "null"}],
            "default": None,
            "description": "Additional context or constraints for the skill.",
            "title": "Context",
        },
    },
    "required": ["task"],
    "title": "SkillCallArgs",
    "type": "object",
}
_RESULT = {
    "description": "Output returned by a SKILL.md-backed tool invocation.",
    "properties": {
        "result": {"description": "The skill's natural-language response.", "title": "Result", "type": "string"},
        "skill_used": {
            "description": "Name of the skill that produced the result.",
            "title": "Skill Used",
            "type": "string",
        },
    },
    "required": ["result", "skill_used"],
    "title": "SkillCallOutput",
    "type": "object",
}
"""The schemas that pydantic makes of the tool's arguments and result, as the model sees them."""


def __dir__() -> list[str]:
    return list(__all__)


def read(skill: Skill) -> Reading:
    """Read a skill as `_parse_skill_md` does. Source: ovos-agentic-loop 0.1.0, skills/loader.py.

    Its pattern takes time that grows with the square of the blank lines; here the same match is found in one pass.
    """
    if skill.found != "file":
        return refused("skipped", "there is no file that can be opened")
    if skill.text.undecodable is not None:
        return refused("crash", "UnicodeDecodeError: the file is not UTF-8", fatal=True)
    text = skill.text.universal
    span = _front_matter(text)
    if span is None:
        return refused("skipped", "there is no front matter between `---` lines that both end with a line break")
    begin, end, body = span
    values: dict[str, str] = {}
    for line in text[begin:end].splitlines():
        pair = _PAIR.match(line.strip())
        if pair:
            values[pair[1]] = pair[2]
    name, description = values.pop("name", ""), values.pop("description", "")
    if not name or not description:
        missing = [key for key, value in (("name", name), ("description", description)) if not value]
        return refused("skipped", f"no line gives a value for {' and '.join(f'`{key}`' for key in missing)}")
    return accepted(name, description, text[body:].strip(), values)


def _front_matter(text: str) -> tuple[int, int, int] | None:
    """Where the front matter begins and ends, and where the body begins."""
    opening = _OPENING.match(text)
    if opening is None:
        return None
    begin = opening.end()
    closing = _CLOSING.search(text, begin)
    if closing is not None:
        return begin, closing.start(), closing.end()
    # The blanks after the opening fence may give back their last line break to a fence that follows at once.
    earlier = text.rfind("\n", 0, begin - 1)
    closing = _CLOSING.match(text, begin - 1) if earlier >= 0 else None
    return None if closing is None else (earlier + 1, closing.start(), closing.end())


def tool_name(name: str) -> str:
    """The name of the tool that a skill becomes; may be empty, and several names may give one tool.

    Source: ovos-agentic-loop 0.1.0, skills/toolbox.py, `_slugify`.
    """
    return _NO_SLUG.sub("_", name.lower()).strip("_")


def locate(
    distributions: Sequence[Distribution],
    *,
    read: Callable[[str], Skill | None] | None = None,  # noqa: ARG001
) -> tuple[Found, ...]:
    """The files that `SkillMDLoader.discover_paths` lists, equal paths once. Source: ovos-agentic-loop 0.1.0.

    Args:
        distributions: in the order of the search path.
        read: not asked; every file that is found is taken.

    Entry points come first, then the rows of every RECORD. An entry point that ends the interpreter when it is loaded
    leaves nothing, and a malformed ``entry_points.txt`` hides the entry points of all distributions.
    """
    if any(point.type in _EXITS for found in distributions for point in found.entry_points):
        return ()
    hits: dict[str, Found] = {}
    for hit in (*_entry_points(distributions), *_records(distributions)):
        hits.setdefault(hit.path, hit)
    return tuple(hits.values())


def _entry_points(distributions: Sequence[Distribution]) -> Iterator[Found]:
    if any(problem.startswith("entry_points.txt") for found in distributions for problem in found.problems):
        return
    seen: set[str] = set()
    for found in distributions:
        project = re.sub(r"[-_.]+", "-", found.name).lower()
        if project in seen:  # importlib.metadata looks at the first distribution of a name only
            continue
        seen.add(project)
        for point in found.entry_points:
            if point.group == SKILL_GROUP and point.path is not None and (point.type == "str" or not point.certain):
                real = point.real or point.path
                yield Found(point.path, "entry-point", found.name, found.version, point.name, real)


def _records(distributions: Sequence[Distribution]) -> Iterator[Found]:
    for found in distributions:
        for row, real in found.record or ():
            if real is not None and row.rpartition("/")[2] == "SKILL.md":
                yield Found(real, "record", found.name, found.version, real=real)


def catalogue(pairs: Sequence[tuple[Skill, Reading]]) -> str:
    """The list of tools in the ReAct prompt, once the toolbox has been refreshed; the last skill of a tool name wins.

    Source: ovos-agentic-loop 0.1.0, react.py; ovos-plugin-manager 2.12.5a1, templates/agent_tools.py.
    """
    tools: dict[str, dict[str, object]] = {}
    for _, reading in pairs:
        tool = tool_name(reading.name or "")
        tools[tool] = {
            "name": tool,
            "description": reading.description,
            "argument_schema": _ARGUMENTS,
            "output_schema": _RESULT,
        }
    return json.dumps(list(tools.values()), indent=2)


PROFILE = Profile(
    id="ovos",
    title="OVOS",
    looked_at="ovos-agentic-loop 0.1.0 with ovos-plugin-manager 2.12.5a1; the loader of 0.2.5a1 is the same",
    source="ovos-agentic-loop 0.1.0, skills/loader.py, _parse_skill_md",
    searches=f"entry points of {SKILL_GROUP}, every SKILL.md in the RECORD of any distribution, paths that are given",
    duplicates="the last skill of a tool name wins without a word",
    read=read,
    fields={
        "name": Field(source="ovos-agentic-loop 0.1.0, skills/loader.py, _parse_skill_md"),
        "description": Field(source="ovos-agentic-loop 0.1.0, skills/loader.py, _parse_skill_md"),
    },
    locate=locate,
    catalogue=catalogue,
    tool_name=tool_name,
    severities={"SK303": Severity.ERROR},  # the body is the whole prompt
)

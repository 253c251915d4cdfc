"""The agent framework `loomflow`, which reads front matter with a small YAML subset of its own."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from hatch_skills.core.findings import Severity
from hatch_skills.core.runtimes.loomflow_yaml import SubsetError, read_loomflow_yaml
from hatch_skills.core.runtimes.profile import Field, Profile, Reading, accepted, refused
from hatch_skills.core.skill import Skill

__all__ = ["PROFILE", "catalogue", "modes", "read"]

_SKILL = "loomflow 0.20.0, skills/skill.py"
_OPENING = re.compile(r"---\s*\n")
_CLOSING = re.compile(r"\n---\s*(?:\n|\Z)")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_TOOL = re.compile(r"[a-z0-9_-]+\Z")
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_RESERVED = ("anthropic", "claude")
_NAME_LIMIT = 64
_DESCRIPTION_LIMIT = 1024
_COMPATIBILITY_LIMIT = 500

_INTRODUCTION = (
    "## Available skills\n\n"
    "Each is a packaged playbook for a specific task. Call `load_skill(name)` to read the full instructions for any of "
    "these when the user's request matches its description; otherwise just answer normally.\n\n"
)
"""What stands above the list in the system prompt, word for word. Source: loomflow 0.20.0, skills/registry.py."""


def __dir__() -> list[str]:
    return list(__all__)


class _SkillError(Exception):
    """What `loomflow` reports as its own SkillError."""


def read(skill: Skill) -> Reading:
    """Read a skill as `Skill(directory)` does. Source: loomflow 0.20.0, skills/skill.py."""
    if skill.file_name != "SKILL.md" or skill.found == "missing":
        return refused("rejected", "there is no SKILL.md")
    if skill.found != "file":
        error = "IsADirectoryError" if skill.found == "directory" else "OSError"
        return refused("crash", f"{error}: SKILL.md cannot be opened")
    if skill.text.undecodable is not None:
        return refused("crash", "UnicodeDecodeError: the file is not UTF-8")
    text = skill.text.universal
    span = _front_matter(text)
    if span is None:
        return refused("rejected", "there is no front matter between `---` lines")
    begin, end, body = span
    try:
        values = read_loomflow_yaml(text[begin:end])
        name, description, fields = _kept(values)
    except (SubsetError, _SkillError) as error:
        return refused("rejected", str(error))
    except (RecursionError, ValueError) as error:
        return refused("crash", f"{type(error).__name__}: {error}".rstrip(": "))
    directory = _directory(skill)
    warning = "" if name == directory else f"`name` is {name!r} in the directory {directory!r}"
    return accepted(name, description, text[body:].strip(), fields, warning=warning)


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


def _directory(skill: Skill) -> str:
    """The name of the directory after its links, not the file's, are resolved."""
    if not skill.linked:
        return skill.real_directory or skill.directory
    if skill.source is not None:
        return os.path.basename(os.path.realpath(skill.source.parent))
    return skill.directory


def _kept(values: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """Name, description and all else that a skill keeps, in the order in which `loomflow` judges them."""
    name, description = _name(values.get("name")), _description(values.get("description"))
    kept = {
        "compatibility": _text(values, "compatibility", _COMPATIBILITY_LIMIT),
        "allowed-tools": _allowed(values.get("allowed-tools", values.get("allowed_tools"))),
        "requires": _required(values.get("requires"), name),
        "metadata": _metadata(values.get("metadata")),
        "tools": _tools(values.get("tools")),
        "license": _text(values, "license"),
    }
    return name, description, {key: value for key, value in kept.items() if value}


def _name(name: Any) -> str:
    if not isinstance(name, str) or not name:
        raise _SkillError("`name` is missing or not text")
    if len(name) > _NAME_LIMIT:
        raise _SkillError(f"`name` has {len(name):,} characters of at most {_NAME_LIMIT}")
    if not _NAME.match(name):
        raise _SkillError("`name` is not made of a-z, 0-9 and single hyphens between them")
    for word in _RESERVED:
        if word in name:
            raise _SkillError(f"`name` contains the reserved word {word!r}")
    return name


def _description(description: Any) -> str:
    if not isinstance(description, str) or not description.strip():
        raise _SkillError("`description` is missing or not text")
    if len(description) > _DESCRIPTION_LIMIT:
        raise _SkillError(f"`description` has {len(description):,} characters of at most {_DESCRIPTION_LIMIT:,}")
    tag = _TAG.search(description)
    if tag:
        raise _SkillError(f"`description` holds {tag[0][:40]!r}, which is shaped like a tag")
    return description.strip()


def _text(values: Mapping[str, Any], key: str, limit: int | None = None) -> str | None:
    value = values.get(key)
    if value is not None and not isinstance(value, str):
        raise _SkillError(f"`{key}` is not text")
    if value is not None and limit is not None and len(value) > limit:
        raise _SkillError(f"`{key}` has {len(value):,} characters of at most {limit}")
    return value


def _allowed(value: Any) -> list[str] | None:
    words = value.split() if isinstance(value, str) else value
    if words is not None and not _is_words(words):
        raise _SkillError("`allowed-tools` is neither text nor a list of text")
    return words or None


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _required(value: Any, name: str) -> list[str]:
    names = value or []
    if not _is_words(names):
        raise _SkillError("`requires` is not a list of names")
    if name in names:
        raise _SkillError("`requires` lists the skill itself")
    return list(dict.fromkeys(filter(None, names)))


def _metadata(value: Any) -> dict[str, Any]:
    if value and not isinstance(value, dict):
        raise _SkillError("`metadata` is not a mapping")
    return value or {}


def _tools(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _SkillError("`tools` is not a mapping")
    return {name: _tool(name, tool) for name, tool in value.items()}


def _tool(name: str, tool: Any) -> dict[str, Any]:
    if not _TOOL.match(name):
        raise _SkillError(f"the tool {name!r} is not named with a-z, 0-9, `-` and `_`")
    if not isinstance(tool, dict):
        raise _SkillError(f"the tool {name!r} is not a mapping")
    script, arguments = tool.get("script"), tool.get("args") or {}
    if not isinstance(script, str) or not script:
        raise _SkillError(f"the tool {name!r} has no `script`")
    if not isinstance(arguments, dict):
        raise _SkillError(f"`args` of the tool {name!r} is not a mapping")
    for argument, type_ in arguments.items():
        if not isinstance(type_, (str, dict)):
            raise _SkillError(f"the argument {argument!r} of the tool {name!r} is neither text nor a mapping")
    typed = {key: {"type": type_} if isinstance(type_, str) else type_ for key, type_ in arguments.items()}
    return {"description": str(tool.get("description", "")), "script": script, "args": typed}


def modes(skill: Skill, reading: Reading) -> tuple[str, ...]:
    """The ways in which a skill brings tools: ``tools.py``, ``scripts/`` and ``tools:``, as far as it uses them.

    A ``scripts/`` folder means nothing by itself; ``tools.py`` is imported when the skill is loaded.
    """
    found = (
        ("tools.py", _has_module(skill)),
        ("scripts/", any(path.startswith("scripts/") for path in skill.members)),
        ("tools:", bool(reading.fields.get("tools"))),
    )
    return tuple(mode for mode, used in found if used)


def _has_module(skill: Skill) -> bool:
    return any(path == "tools.py" or path.startswith("tools.py/") for path in skill.members)


def catalogue(pairs: Sequence[tuple[Skill, Reading]]) -> str:
    """The part of the system prompt that lists the skills, sorted by name; the last skill of a name wins.

    Source: loomflow 0.20.0, skills/registry.py, `catalog_section`, and skills/skill.py, `to_catalog_line`.
    """
    lines: dict[str, str] = {}
    for skill, reading in pairs:
        name = reading.name or ""
        count = len(reading.fields.get("tools", ())) + _has_module(skill)
        lines[name] = f"  - {name}{f' [+{count} tools]' if count else ''}: {reading.description}"
    listed = "\n".join(line for _, line in sorted(lines.items()))
    return f"{_INTRODUCTION}{listed}\n" if lines else ""


PROFILE = Profile(
    id="loomflow",
    title="Loomflow",
    looked_at="loomflow 0.20.0",
    source=f"{_SKILL}, _parse_skill",
    searches="directories that are given, at any depth; one file that is refused stops the whole source",
    duplicates="the last skill of a name wins without a word",
    read=read,
    fields={
        "name": Field(
            limit=_NAME_LIMIT,
            pattern=re.compile(rf"(?!.*(?:{'|'.join(_RESERVED)})){_NAME.pattern}"),
            pattern_says="a-z, 0-9 and single hyphens between them, without `anthropic` and `claude`",
            source=f"{_SKILL}, _parse_skill",
        ),
        "description": Field(
            limit=_DESCRIPTION_LIMIT,
            pattern=re.compile(rf"(?!.*?{_TAG.pattern})", re.DOTALL),
            pattern_says="text without anything shaped like a tag",
            source=f"{_SKILL}, _parse_skill",
        ),
        "license": Field(source=f"{_SKILL}, _optional_str"),
        "compatibility": Field(limit=_COMPATIBILITY_LIMIT, source=f"{_SKILL}, _parse_skill"),
        "allowed-tools": Field(source=f"{_SKILL}, _parse_skill"),
        "metadata": Field(source=f"{_SKILL}, _parse_skill"),
        "requires": Field(source=f"{_SKILL}, _parse_skill"),
        "tools": Field(source=f"{_SKILL}, _parse_tool_manifest"),
    },
    catalogue=catalogue,
    severities={"SK206": Severity.ERROR, "SK214": Severity.ERROR},
)

"""The Agent Skills specification and its reference validator `skills-ref`."""

from __future__ import annotations

import html
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hatch_skills.core.findings import Severity
from hatch_skills.core.runtimes.profile import Field, Profile, Reading, refused
from hatch_skills.core.runtimes.shared_yaml import yaml_between
from hatch_skills.core.runtimes.strict_yaml import Refused, Untyped, read_strict_yaml
from hatch_skills.core.skill import Skill

__all__ = ["PROFILE", "catalogue", "read"]

_PARSER = "skills-ref 0.1.1, parser.py"
_VALIDATOR = "skills-ref 0.1.1, validator.py"
_NAME_LIMIT = 64
_DESCRIPTION_LIMIT = 1024
_COMPATIBILITY_LIMIT = 500
_KEYS = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
_LETTER = r"[^\W_A-ZÀ-ÖØ-ÞΑ-ΩЀ-Я]"
_NAME = re.compile(rf"{_LETTER}+(?:-{_LETTER}+)*\Z")
"""The form of a name; the reader also refuses capitals of further scripts."""
_SLOW_KEYS = 800
"""Keys for which strictyaml 1.7.3 needs a second; its time grows with the square of their number."""


def __dir__() -> list[str]:
    return list(__all__)


def read(skill: Skill) -> Reading:
    """Read a skill as `validate` judges it and `read_properties` holds it. Source: skills-ref 0.1.1."""
    if skill.found == "missing" or skill.file_name not in ("SKILL.md", "skill.md"):
        return refused("rejected", "there is no SKILL.md")
    if skill.found != "file":
        error = "IsADirectoryError" if skill.found == "directory" else "OSError"
        return refused("crash", f"{error}: SKILL.md cannot be opened")
    if skill.text.undecodable is not None:
        return refused("crash", "UnicodeDecodeError: the file is not UTF-8")
    text = skill.text.universal
    if not text.startswith("---"):
        return refused("rejected", "the file does not begin with `---`")
    end = text.find("---", 3)
    if end < 0:
        return refused("rejected", "the front matter is not closed")
    try:
        shared = yaml_between(skill, 3, end - 1) if text[end - 1] == "\n" and end > 4 else None
        values = read_strict_yaml(text[3:end], shared)
    except Refused as error:
        return refused(error.outcome, error.detail)
    if not isinstance(values, dict):
        return refused("rejected", "the front matter is not a mapping")
    problems = "; ".join(_problems(values, skill.directory))
    if problems:
        return refused("rejected", problems)
    name, description = values["name"].strip(), values["description"].strip()
    return Reading("ok", name, description, text[end + 3 :].strip(), _fields(values), _slow(values))


def _problems(values: Mapping[str, Any], directory: str) -> Iterator[str]:
    unknown = sorted(values.keys() - _KEYS)
    if unknown:
        yield f"not among the six fields: {', '.join(unknown[:9])}" + (" and more" if unknown[9:] else "")
    yield from _name_problems(values, directory)
    description = values.get("description")
    if not isinstance(description, str) or not description.strip():
        yield "`description` is missing" if description is None else "`description` is empty or not text"
    elif len(description) > _DESCRIPTION_LIMIT:
        yield f"`description` has {len(description):,} characters of at most {_DESCRIPTION_LIMIT:,}"
    compatibility = values.get("compatibility", "")
    if not isinstance(compatibility, str):
        yield "`compatibility` is not text"
    elif len(compatibility) > _COMPATIBILITY_LIMIT:
        yield f"`compatibility` has {len(compatibility):,} characters of at most {_COMPATIBILITY_LIMIT}"


def _name_problems(values: Mapping[str, Any], directory: str) -> Iterator[str]:
    written = values.get("name")
    if not isinstance(written, str) or not written.strip():
        yield "`name` is missing" if written is None else "`name` is empty or not text"
        return
    name = unicodedata.normalize("NFKC", written.strip())
    if len(name) > _NAME_LIMIT:
        yield f"`name` has {len(name):,} characters of at most {_NAME_LIMIT}"
    if name != name.lower():
        yield "`name` is not lower case"
    if name.startswith("-") or name.endswith("-"):
        yield "`name` has a hyphen at an end"
    if "--" in name:
        yield "`name` has two hyphens in a row"
    if not name.replace("-", "0").isalnum():
        yield "`name` has other characters than letters, digits and hyphens"
    if name != unicodedata.normalize("NFKC", directory):
        yield f"`name` is {name[:80]!r} in the directory {directory!r}"


def _fields(values: Mapping[str, Any]) -> dict[str, Any]:
    fields = {key: value for key, value in values.items() if key not in ("name", "description")}
    metadata = fields.get("metadata")
    if isinstance(metadata, dict):
        fields["metadata"] = {key: str(value) for key, value in metadata.items()}
    return {key: str(value) if isinstance(value, Untyped) else value for key, value in fields.items()}


def _slow(values: Mapping[str, Any]) -> str:
    count = len(values) + sum(len(value) for value in values.values() if isinstance(value, dict))
    if count <= _SLOW_KEYS:
        return ""
    return f"strictyaml needs {(count / _SLOW_KEYS) ** 2:,.0f} s or more for {count:,} keys"


def catalogue(pairs: Sequence[tuple[Skill, Reading]]) -> str:
    """The block that `to_prompt` renders: one entry for each skill, in the order given.

    Source: skills-ref 0.1.1, prompt.py.
    """
    lines = ["<available_skills>"]
    for skill, reading in pairs:
        parts = {
            "name": html.escape(reading.name or ""),
            "description": html.escape(reading.description or ""),
            "location": _location(skill),
        }
        lines.append("<skill>")
        for tag, text in parts.items():
            lines += [f"<{tag}>", text, f"</{tag}>"]
        lines.append("</skill>")
    return "\n".join([*lines, "</available_skills>"])


def _location(skill: Skill) -> str:
    """The file below its resolved directory; as shown where it is in no file system."""
    path = skill.source or Path(skill.path)
    directory = os.path.realpath(path.parent)
    return str(Path(directory, path.name)) if skill.archive == "" and os.path.isdir(directory) else skill.path


PROFILE = Profile(
    id="agent-skills",
    title="Agent Skills",
    looked_at="specification of 2026-08-09, skills-ref 0.1.1",
    source="Agent Skills specification; skills-ref 0.1.1, validator.py",
    searches="one directory that is given; the client guide recommends .agents/skills/*/SKILL.md of project and home",
    duplicates="not looked at; the client guide lets a project skill win over a user skill and wants a report",
    read=read,
    fields={
        "name": Field(
            limit=_NAME_LIMIT,
            pattern=_NAME,
            pattern_says="lower-case letters, digits and single hyphens between them",
            equals_directory=True,
            source=f"{_VALIDATOR}, _validate_name",
        ),
        "description": Field(limit=_DESCRIPTION_LIMIT, source=f"{_VALIDATOR}, _validate_description"),
        "compatibility": Field(limit=_COMPATIBILITY_LIMIT, source=f"{_VALIDATOR}, _validate_compatibility"),
        "license": Field(source=f"{_PARSER}, read_properties"),
        "metadata": Field(source=f"{_PARSER}, parse_frontmatter"),
        "allowed-tools": Field(source=f"{_PARSER}, read_properties"),
    },
    known_keys=_KEYS,
    catalogue=catalogue,
    severities={"SK402": Severity.WARNING},  # what only the reference validator refuses is no loss
    excludes=frozenset({"os-protocol"}),
)

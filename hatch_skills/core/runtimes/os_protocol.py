"""The front matter of OS Protocol, judged by its published JSON Schema; no program ever read it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hatch_skills.core.runtimes.profile import Field, Profile, Reading, refused
from hatch_skills.core.runtimes.shared_yaml import yaml_between
from hatch_skills.core.skill import Skill
from hatch_skills.core.yaml_text import Node, Yaml, read_yaml

__all__ = ["DOMAINS", "PROFILE", "catalogue", "read", "tools"]

_SCHEMA = "skill.md.json version 1, published with @osprotocol/schema 0.1"
DOMAINS = ("system", "context", "actions", "checks", "skills", "workflows", "runs")
"""The values of `protocol.domain`. Source: skill.md.json version 1."""

_KEYS = frozenset({"name", "description", "protocol", "extends"})
_OPENING = re.compile(r"---[ \t]*\r?\n")
_CLOSING = re.compile(r"^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE)


def __dir__() -> list[str]:
    return list(__all__)


def read(skill: Skill) -> Reading:
    """Judge a skill by the schema.

    How the front matter is cut and typed is not specified: it is cut between ``---`` lines, which may end with blanks,
    and loaded with PyYAML; what cannot be loaded is refused. Source: skill.md.json version 1.
    """
    if skill.file_name != "SKILL.md" or skill.found == "missing":
        return refused("rejected", "there is no SKILL.md")
    if skill.found != "file":
        return refused("rejected", "SKILL.md is a directory or cannot be opened")
    if skill.text.undecodable is not None:
        return refused("rejected", "the file is not UTF-8")
    text = skill.text.content
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return refused("rejected", "there is no front matter between `---` lines")
    try:
        values = _yaml(skill, opening.end(), closing.start()).load()
    except RecursionError:
        return refused("rejected", "the front matter is nested too deeply")
    except Exception as error:
        problem = getattr(error, "problem", None) or str(error) or type(error).__name__
        return refused("rejected", f"the front matter is no YAML that can be loaded: {problem}")
    problems = "; ".join(_problems(values))
    if problems:
        return refused("rejected", problems)
    fields = {key: values[key] for key in ("protocol", "extends") if key in values}
    return Reading("ok", values["name"], values["description"], text[closing.end() :], fields)


def _yaml(skill: Skill, begin: int, end: int) -> Yaml:
    """The YAML between the fences; shared with other readers where its last line end makes no difference."""
    text = skill.text.content
    if begin == 4 and end > begin and "\r" not in text[:end]:
        shared = yaml_between(skill, 3, end - 1)
        if shared.plain or (shared.root is not None and not _ends_in_block(shared.root)):
            return shared
    return read_yaml(text[begin:end])


def _ends_in_block(node: Node) -> bool:
    while node.items or node.pairs:
        node = node.items[-1] if node.items else node.pairs[-1][1]
    return node.style in ("|", ">")


def _problems(values: Any) -> Iterator[str]:
    if not isinstance(values, dict):
        yield "the front matter is not a mapping"
        return
    for key in ("name", "description"):
        if key not in values:
            yield f"`{key}` is missing"
        elif not isinstance(values[key], str):
            yield f"`{key}` is not text"
    if "extends" in values and not isinstance(values["extends"], str):
        yield "`extends` is not text"
    if "protocol" not in values:
        yield "`protocol` is missing"
    else:
        yield from _protocol_problems(values["protocol"])
    yield from _unknown(values, _KEYS, "")


def _protocol_problems(protocol: Any) -> Iterator[str]:
    if not isinstance(protocol, dict):
        yield "`protocol` is not a mapping with `domain` and `api`"
        return
    domain = protocol.get("domain")
    if "domain" not in protocol:
        yield "`protocol.domain` is missing"
    elif not isinstance(domain, str) or domain not in DOMAINS:
        yield f"`protocol.domain` is none of {', '.join(DOMAINS)}"
    if "api" not in protocol:
        yield "`protocol.api` is missing"
    elif not isinstance(protocol["api"], str):
        yield "`protocol.api` is not text"
    yield from _unknown(protocol, frozenset({"domain", "api"}), " below `protocol`")


def _unknown(values: Mapping[Any, Any], known: frozenset[str], where: str) -> Iterator[str]:
    unknown = sorted(str(key)[:80] for key in values if key not in known)
    if unknown:
        yield f"not in the schema{where}: {', '.join(unknown[:9])}" + (" and more" if unknown[9:] else "")


def tools(skill: Skill) -> tuple[str, ...]:
    """The names of what lies in the ``tools/`` folder of a skill, without suffixes, sorted.

    Source: the types published with @osprotocol/schema 0.1, a loaded skill.
    """
    inside = (path.split("/")[1] for path in skill.members if path.startswith("tools/"))
    return tuple(sorted({name.partition(".")[0] for name in inside if not name.startswith(".")}))


def catalogue(pairs: Sequence[tuple[Skill, Reading]]) -> str:
    """The registry entries of the skills as JSON, none of them loaded yet; there is no prompt.

    Source: the types published with @osprotocol/schema 0.1, a registry entry.
    """
    return json.dumps([_entry(skill, reading) for skill, reading in pairs], indent=2, ensure_ascii=False)


def _entry(skill: Skill, reading: Reading) -> Mapping[str, Any]:
    protocol = reading.fields.get("protocol", {})
    return {
        "name": reading.name,
        "domain": protocol.get("domain"),
        "api": protocol.get("api"),
        "path": skill.path,
        "loaded": False,
    }


PROFILE = Profile(
    id="os-protocol",
    title="OS Protocol",
    looked_at=f"JSON Schema {_SCHEMA}",
    source=_SCHEMA,
    searches="nothing; no loader was ever published",
    duplicates="not specified",
    read=read,
    fields={
        "name": Field(source=_SCHEMA),
        "description": Field(source=_SCHEMA),
        "protocol": Field(pattern_says="a mapping of exactly `domain` and `api`", source=_SCHEMA),
        "extends": Field(source=_SCHEMA),
    },
    known_keys=_KEYS,
    catalogue=catalogue,
    excludes=frozenset({"agent-skills"}),
)

"""The `read_skill` tool of `mm`, known from its documentation only: two flat keys, and no input that is an error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from hatch_skills.core.runtimes.profile import Field, Profile, Reading, accepted, refused
from hatch_skills.core.runtimes.shared_yaml import yaml_between
from hatch_skills.core.skill import Skill
from hatch_skills.core.yaml_text import Yaml, read_yaml

__all__ = ["PROFILE", "catalogue", "read"]

_DOCUMENTED = "documentation of mm, the read_skill tool"


def __dir__() -> list[str]:
    return list(__all__)


def read(skill: Skill) -> Reading:
    """Read a skill by line, as the documentation describes it; marked where a YAML reader would hold something else.

    Front matter needs a first line and a later line that are exactly ``---``. Source: documentation of mm.
    """
    if skill.found != "file" or not (skill.file_name == "SKILL.md" or _is_flat(skill)):
        return refused("skipped", "there is no file called SKILL.md")
    default = PurePosixPath(skill.path).stem if _is_flat(skill) else skill.directory
    front_matter, body = _cut(skill.text.content)
    name, description = _by_line(front_matter)
    name = name or default
    open_questions = []
    if skill.text.undecodable is not None:
        open_questions.append("the file is not UTF-8")
    if skill.linked:
        open_questions.append("the file or its directory is a link")
    if front_matter:
        open_questions += _differences(_yaml(skill, front_matter), default, name, description)
    warning = f"open: {'; '.join(open_questions)}" if open_questions else ""
    return accepted(name, description, body, warning=warning)


def _is_flat(skill: Skill) -> bool:
    return skill.file_name.endswith(".md") and skill.file_name.lower() != "skill.md"


def _cut(text: str) -> tuple[str, str]:
    """The text between the fences, each line after a line end, and the body."""
    if not text.startswith(("---\n", "---\r\n")):
        return "", text
    begin = text.index("\n")
    at = begin
    while at >= 0:
        end = text.find("\n", at + 1)
        line = text[at + 1 : end] if end >= 0 else text[at + 1 :]
        if line in ("---", "---\r"):
            body = text[end + 1 :] if end >= 0 else ""
            return text[begin:at].replace("\r\n", "\n").removesuffix("\r"), body
        at = end
    return "", text


def _yaml(skill: Skill, front_matter: str) -> Yaml:
    end = 3 + len(front_matter)
    same = skill.text.universal[3:end] == front_matter
    return yaml_between(skill, 3, end) if same else read_yaml(front_matter)


def _by_line(front_matter: str) -> tuple[str, str]:
    """The last value of each key, wherever its line stands; an empty name does not count."""
    name = description = ""
    for line in front_matter.split("\n"):
        key, colon, value = line.partition(":")
        key = key.strip()
        if colon and key == "name":
            name = value.strip() or name
        elif colon and key == "description":
            description = value.strip()
    return name, description


def _differences(front_matter: Yaml, default: str, name: str, description: str) -> list[str]:
    """What a YAML reader would hold instead; an error or anything but a mapping leaves it with the defaults."""
    try:
        values = front_matter.load()
    except Exception:
        values = None
    if not isinstance(values, dict):
        values = {}
    wanted = {
        "name": (values.get("name") or default, name),
        "description": ("" if values.get("description") is None else values["description"], description),
    }
    return [f"a YAML reader holds another `{key}`" for key, (value, held) in wanted.items() if not _is(value, held)]


def _is(value: object, held: str) -> bool:
    """The value as text is `held`; seen without writing out more than that, as aliases can stand for millions."""
    budget = len(held) + 2
    waiting: list[Iterator[object]] = [iter((value,))]
    while waiting:
        item = next(waiting[-1], waiting)
        if item is waiting:
            waiting.pop()
            continue
        budget -= 1
        if budget < 0:
            return False
        if isinstance(item, dict):
            waiting.append(iter(item.values()))
        elif isinstance(item, (list, tuple, set)):
            waiting.append(iter(item))
    try:
        return str(value) == held
    except (RecursionError, ValueError):
        return False


def catalogue(pairs: Sequence[tuple[Skill, Reading]]) -> str:
    """The lines in the description of the tool, sorted by name; a flat file wins over a directory of its name.

    Source: documentation of mm.
    """
    flat = {skill.path.removesuffix(".md") for skill, _ in pairs if _is_flat(skill)}
    shown = [reading for skill, reading in pairs if skill.root not in flat]
    shown.sort(key=lambda reading: reading.name or "")
    return "\n".join(f"  {each.name} — {each.description}" if each.description else f"  {each.name}" for each in shown)


PROFILE = Profile(
    id="read-skill",
    title="read_skill",
    looked_at="documentation of mm only; no public code is known",
    source=_DOCUMENTED,
    searches="one directory, `skills` by default: <name>.md and <name>/SKILL.md",
    duplicates="a flat file wins over a directory of its name; two files with one `name` are not documented",
    read=read,
    fields={"name": Field(source=_DOCUMENTED), "description": Field(source=_DOCUMENTED)},
    catalogue=catalogue,
)

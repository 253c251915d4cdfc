"""The installer `library-skills`, which finds skills bundled with libraries and reads them with PyYAML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath, PurePosixPath

from hatch_skills.core.runtimes.distribution import Distribution, Found
from hatch_skills.core.runtimes.profile import Field, Profile, Reading, refused
from hatch_skills.core.runtimes.shared_yaml import yaml_between
from hatch_skills.core.skill import Skill

__all__ = ["PROFILE", "locate", "read"]

_SCANNER = "library-skills 0.0.19, scanner.py"
_DESCRIPTION_LIMIT = 1024
_NAME = re.compile(r"(?!.*--)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?\Z")


def __dir__() -> list[str]:
    return list(__all__)


def read(skill: Skill) -> Reading:
    """Read a skill as `_load_skill` does. Source: library-skills 0.0.19, scanner.py."""
    if skill.file_name != "SKILL.md" or skill.found == "directory":
        return refused("skipped", "no file called SKILL.md is recorded")
    return _load(skill)


def _load(skill: Skill) -> Reading:
    if skill.found != "file":
        return refused("rejected", "the file is not there or cannot be opened")
    if skill.text.undecodable is not None:
        return refused("rejected", "the file is not UTF-8")
    text = skill.text.universal
    if not text.startswith("---"):
        return refused("rejected", "the file does not begin with `---`")
    end = text.find("\n---", 3)
    if end < 0:
        return refused("rejected", "the front matter is not closed")
    try:
        values = yaml_between(skill, 3, end).load()
    except Exception as error:
        return _refused(error)
    values = {} if values is None else values
    if not isinstance(values, dict):
        return refused("rejected", "the front matter is not a mapping")
    name, description = _text(values.get("name")), _text(values.get("description"))
    problem = _problem(name, description, skill.real_directory or skill.directory)
    return refused("rejected", problem) if problem else Reading("ok", name, description)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _refused(error: Exception) -> Reading:
    """PyYAML's own errors cost this skill; any other exception ends the scan of the environment."""
    import yaml

    if isinstance(error, yaml.YAMLError):
        problem = getattr(error, "problem", None) or str(error)
        return refused("rejected", f"the front matter is no YAML that can be loaded: {problem}")
    return refused("crash", f"{type(error).__name__}: {error}" if str(error) else type(error).__name__, fatal=True)


def _problem(name: str, description: str, directory: str) -> str:
    if not name:
        return "`name` is missing or not text"
    if not _NAME.match(name):
        return "`name` is not made of a-z, 0-9 and single hyphens between them, at most 64"
    if name != directory:
        return f"`name` is {name!r} in the directory {directory!r}"
    if not description:
        return "`description` is missing or not text"
    if len(description) > _DESCRIPTION_LIMIT:
        return f"`description` has {len(description):,} characters of at most {_DESCRIPTION_LIMIT:,}"
    return ""


def locate(
    distributions: Sequence[Distribution], *, read: Callable[[str], Skill | None] | None = None
) -> tuple[Found, ...]:
    """The files that `scan_python_distributions` looks at, in its order. Source: library-skills 0.0.19, scanner.py.

    Args:
        distributions: those of ``*.dist-info`` count, sorted by name within each directory.
        read: gives a skill to see whether it is valid; only a distribution without a valid skill in its RECORD is
            searched in the source root of an editable install.

    A directory is taken once, by the first distribution that names it. Metadata that are not UTF-8 end the scan.
    """
    if any(_ends_scan(found) for found in distributions):
        return ()
    seen: set[str] = set()
    hits: list[Found] = []
    for found in _sorted(distributions):
        recorded = list(_once(_records(found), "record", found, seen))
        hits += recorded
        if not any(read is None or _valid(read(hit.path)) for hit in recorded):
            hits += _once(found.editable_skills if found.editable else (), "direct-url", found, seen)
    return tuple(hits)


def _ends_scan(found: Distribution) -> bool:
    return not found.legacy and any(
        "UnicodeDecodeError" in problem and not problem.startswith("entry_points.txt") for problem in found.problems
    )


def _sorted(distributions: Sequence[Distribution]) -> list[Distribution]:
    named = [found for found in distributions if found.name and not found.legacy]
    places = list(dict.fromkeys(PurePath(found.metadata).parent for found in named))
    return sorted(named, key=lambda found: (places.index(PurePath(found.metadata).parent), PurePath(found.metadata)))


def _records(found: Distribution) -> Iterator[str]:
    for row, real in found.record or ():
        parts = PurePosixPath(row).parts
        if real is not None and parts[-1:] == ("SKILL.md",):
            places = [at for at, part in enumerate(parts) if part == ".agents"]
            if any(parts[at + 1 : at + 2] == ("skills",) and len(parts) > at + 3 for at in places):
                yield real


def _once(paths: Iterable[str], via: str, found: Distribution, seen: set[str]) -> Iterator[Found]:
    for path in paths:
        directory = str(PurePath(path).parent)
        if directory not in seen:
            seen.add(directory)
            yield Found(path, via, found.name, found.version, real=path)


def _valid(skill: Skill | None) -> bool:
    return skill is not None and _load(skill).accepted


PROFILE = Profile(
    id="library-skills",
    title="library-skills",
    looked_at="library-skills 0.0.19 with PyYAML 6.0",
    source=f"{_SCANNER}, _load_skill",
    searches="rows of RECORD shaped .agents/skills/<name>/SKILL.md, and the source root of editable installs",
    duplicates="two skills of one name are listed, and neither is installed",
    read=read,
    fields={
        "name": Field(
            limit=64,
            pattern=_NAME,
            pattern_says="a-z, 0-9 and single hyphens between them",
            equals_directory=True,
            source=f"{_SCANNER}, _validate_skill_metadata",
        ),
        "description": Field(limit=_DESCRIPTION_LIMIT, source=f"{_SCANNER}, _validate_skill_metadata"),
    },
    locate=locate,
    locates_only=".agents/skills/<name>/SKILL.md",
)

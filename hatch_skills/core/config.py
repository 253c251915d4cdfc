"""One validated configuration for all faces: the table `[tool.hatch-skills]`."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hatch_skills.core.findings import Misuse
from hatch_skills.core.runtimes import DEFAULT, profile, runtime_ids
from hatch_skills.core.runtimes.distribution import SKILL_GROUP
from hatch_skills.core.text import Text

__all__ = ["Config", "Selection", "load_config", "option_names", "read_toml", "select_runtimes", "suggestion"]

_TABLE = "tool.hatch-skills"
_RULE = re.compile(r"SK\d{0,3}\Z")


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Selection:
    """The runtimes to be satisfied; ``explicit`` is true if somebody named them."""

    runtimes: tuple[str, ...] = DEFAULT
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class Config:
    """The options of `[tool.hatch-skills]`.

    ``ignore`` maps a rule id or prefix, optionally followed by ``:`` and a path pattern, to a reason. ``skills`` are
    globs that replace the search for project skills. ``map`` is true where root ``skills/`` belongs into the only
    package, an import package to put it into, or false. ``editable`` is ``warn`` or ``error``. ``groups`` maps an
    entry-point group to what it is given: ``file`` or ``directory``. ``catalogue_budget`` are the characters that
    names and descriptions may need together.
    """

    selection: Selection = field(default_factory=Selection)
    ignore: Mapping[str, str] = field(default_factory=dict)
    skills: tuple[str, ...] | None = None
    map: bool | str = True
    editable: str = "warn"
    allow_empty: bool = False
    catalogue_budget: int = 8000
    groups: Mapping[str, str] = field(default_factory=lambda: {SKILL_GROUP: "file"})
    path: str = ""


def suggestion(word: str, known: tuple[str, ...]) -> str:
    """`` (did you mean …?)`` or the list of what is known."""
    import difflib

    near = difflib.get_close_matches(word, known, n=1)
    return f"did you mean `{near[0]}`?" if near else f"known: {', '.join(known)}"


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file; an empty table where there is no file.

    Raises:
        Misuse: the file cannot be read, or is no TOML.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise Misuse(f"{path}: {error.strerror}") from error
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    text = Text(data)
    if text.undecodable is not None:
        wrong = text.undecodable
        raise Misuse(f"{path}:{wrong.line}:{wrong.column}: not TOML: byte 0x{wrong.byte:02x} is no UTF-8")
    try:
        loaded: dict[str, Any] = tomllib.loads(text.content)
    except (ValueError, RecursionError) as error:  # a ValueError is also what a number of 5,000 digits raises
        raise Misuse(f"{path}: not TOML: {error}") from error
    return loaded


def load_config(root: Path) -> Config:
    """The configuration of the project at `root`; defaults where `pyproject.toml` or the table is missing.

    Raises:
        Misuse: every unknown key and every wrong type, each with its TOML path.
    """
    document = read_toml(root / "pyproject.toml")
    tool = document.get("tool", {})
    if not isinstance(tool, dict):
        raise Misuse(f"{root / 'pyproject.toml'}: tool: a table is needed, not {_kind(tool)}")
    return parse_config(tool.get("hatch-skills", {}), str(root / "pyproject.toml"))


def parse_config(table: object, path: str) -> Config:
    """Validate one `[tool.hatch-skills]` table; see `load_config`."""
    if not isinstance(table, dict):
        raise Misuse(f"{path}: {_TABLE}: a table is needed, not {_kind(table)}")
    problems: list[str] = []
    values: dict[str, Any] = {"path": path}
    for key, value in table.items():
        parser = _OPTIONS.get(key)
        if parser is None:
            problems.append(f"{_TABLE}.{key}: unknown key; {suggestion(str(key), tuple(sorted(_OPTIONS)))}")
            continue
        try:
            values.update(parser(value))
        except Misuse as misuse:
            problems += [f"{_TABLE}.{key}{problem}" for problem in misuse.problems]
    if problems:
        raise Misuse(*(f"{path}: {problem}" for problem in problems))
    return Config(**values)


def select_runtimes(ids: tuple[str, ...], prefix: str = "--runtime: ") -> Selection:
    """The selection of runtimes that somebody named.

    Raises:
        Misuse: an unknown runtime, or two that exclude each other.
    """
    known = runtime_ids()
    problems = [f"{prefix}unknown runtime {name!r}; {suggestion(name, known)}" for name in ids if name not in known]
    chosen = tuple(dict.fromkeys(name for name in ids if name in known))
    for name in chosen:
        rivals = sorted(set(chosen) & profile(name).excludes)
        if rivals and name < rivals[0]:
            problems.append(
                f"{prefix}{name} and {', '.join(rivals)} exclude each other: no file satisfies both, as one refuses "
                "the keys that the other requires; select one of them, or keep a separate skill for each"
            )
    if problems:
        raise Misuse(*problems)
    return Selection(chosen, explicit=True)


def _kind(value: object) -> str:
    names = {bool: "a boolean", str: "text", int: "a number", float: "a number", list: "an array", dict: "a table"}
    return names.get(type(value), f"a {type(value).__name__}")


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise Misuse(f": an array of text is needed, not {_kind(value)}")
    wrong = [
        f"[{index}]: text is needed, not {_kind(item)}" for index, item in enumerate(value) if not isinstance(item, str)
    ]
    if wrong:
        raise Misuse(*wrong)
    return tuple(value)


def _runtimes(value: object) -> dict[str, Any]:
    ids = _texts(value)
    if not ids:
        raise Misuse(": at least one runtime is needed; leave the key out for the default")
    return {"selection": select_runtimes(ids, ": ")}


def _ignore(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Misuse(f': a table of rule = "reason" is needed, not {_kind(value)}')
    problems = []
    for key, reason in value.items():
        if not _RULE.match(key.partition(":")[0]):
            problems.append(f".{key}: a rule id such as SK304, or the beginning of one, is needed")
        if not isinstance(reason, str):
            problems.append(f".{key}: the reason is text, not {_kind(reason)}")
        elif not reason.strip():
            problems.append(f".{key}: the reason is empty; say why the rule does not count here")
    if problems:
        raise Misuse(*problems)
    return {"ignore": dict(value)}


def _skills(value: object) -> dict[str, Any]:
    globs = _texts(value)
    wrong = [
        f"[{index}]: {glob!r} leaves the project"
        for index, glob in enumerate(globs)
        if glob.startswith("/") or ".." in glob.split("/")
    ]
    if wrong:
        raise Misuse(*wrong)
    return {"skills": globs}


def _map(value: object) -> dict[str, Any]:
    if not isinstance(value, (bool, str)):
        raise Misuse(f": true, false or the name of a package is needed, not {_kind(value)}")
    if isinstance(value, str) and not all(part.isidentifier() for part in value.split(".")):
        raise Misuse(f": {value!r} is no name of an import package")
    return {"map": value}


def _editable(value: object) -> dict[str, Any]:
    if value not in ("warn", "error"):
        raise Misuse(f': "warn" or "error" is needed, not {value!r}')
    return {"editable": value}


def _allow_empty(value: object) -> dict[str, Any]:
    if not isinstance(value, bool):
        raise Misuse(f": true or false is needed, not {_kind(value)}")
    return {"allow_empty": value}


def _catalogue_budget(value: object) -> dict[str, Any]:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise Misuse(f": a number of characters is needed, not {value!r}")
    return {"catalogue_budget": value}


def _groups(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Misuse(f': a table of group = "file" or "directory" is needed, not {_kind(value)}')
    wrong = [
        f'.{group}: "file" (a path for each skill), "directory" (one of all skills) or false is needed, not {kind!r}'
        for group, kind in value.items()
        if kind not in ("file", "directory") and kind is not False
    ]
    if wrong:
        raise Misuse(*wrong)
    merged = {SKILL_GROUP: "file", **value}
    return {"groups": {group: kind for group, kind in merged.items() if kind}}


_OPTIONS = {
    "allow-empty": _allow_empty,
    "catalogue-budget": _catalogue_budget,
    "editable": _editable,
    "groups": _groups,
    "ignore": _ignore,
    "map": _map,
    "runtimes": _runtimes,
    "skills": _skills,
}


def option_names() -> tuple[str, ...]:
    """The keys of `[tool.hatch-skills]`."""
    return tuple(_OPTIONS)

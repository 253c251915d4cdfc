"""Installed distributions of an environment, asked for in its own interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hatch_skills.core import probe
from hatch_skills.core.findings import Misuse
from hatch_skills.core.runtimes.distribution import SKILL_GROUP, Distribution, EntryPoint

__all__ = ["Environment", "ask_environment", "find_interpreter"]

SECONDS = 300


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Environment:
    """What an interpreter answered: its paths and distributions, and what real runtimes said there.

    ``asked`` maps a runtime to its own list of skills (``name``, ``description``, ``path``); a runtime that cannot be
    imported there is not in it.
    """

    executable: str
    prefix: str
    paths: tuple[str, ...]
    distributions: tuple[Distribution, ...]
    asked: Mapping[str, Sequence[Mapping[str, str]]] = field(default_factory=dict)


def find_interpreter(place: Path) -> Path:
    """The interpreter at `place`, which is one itself or an environment.

    Raises:
        Misuse: there is none.
    """
    candidates = [place] if place.is_file() else [place / "bin" / "python", place / "Scripts" / "python.exe"]
    for candidate in candidates:
        if candidate.is_file():
            return Path(os.path.abspath(candidate))
    raise Misuse(f"--python {place}: no interpreter and no virtual environment is there")


def ask_environment(
    python: Path | None = None, paths: Sequence[str] = (), *, load: bool = True, ask: bool = False
) -> Environment:
    """Run the probe in an interpreter.

    Args:
        python: the interpreter, by default this one.
        paths: directories to search instead of ``sys.path``; they also come first in it.
        load: load the entry points of the skill group, which runs code of the distributions.
        ask: also ask `ovos-agentic-loop` and `library-skills` where they can be imported.

    Raises:
        Misuse: the interpreter does not run, or takes more than five minutes.
    """
    executable = str(python or sys.executable)
    request = json.dumps({"paths": list(paths), "load": load, "ask": ask})
    try:
        ran = subprocess.run(
            [executable, "-I", str(Path(probe.__file__)), request],
            capture_output=True,
            cwd=os.path.abspath(os.sep),
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Misuse(f"{executable}: {error}") from error
    try:
        answer = json.loads(ran.stdout)
    except ValueError:
        last = ran.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no answer"]
        raise Misuse(f"{executable}: the environment cannot be searched: {last[0]}") from None
    return Environment(
        answer["executable"],
        answer["prefix"],
        tuple(answer["paths"]),
        tuple(_distribution(found) for found in answer["distributions"]),
        answer.get("asked", {}),
    )


def _distribution(answer: Mapping[str, Any]) -> Distribution:
    record = answer["record"]
    return Distribution(
        name=answer["name"],
        version=answer["version"],
        metadata=answer["metadata"],
        record=None if record is None else tuple((row, real) for row, real in record),
        entry_points=tuple(
            EntryPoint(
                SKILL_GROUP,
                point["name"],
                point["value"],
                point["path"],
                point.get("real"),
                point["problem"],
                point["type"],
                point["certain"],
            )
            for point in answer["entry_points"]
        ),
        editable=answer["editable"],
        editable_skills=tuple(answer["editable_skills"]),
        legacy=answer["legacy"],
        problems=tuple(answer["problems"]),
    )

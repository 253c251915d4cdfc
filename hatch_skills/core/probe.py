"""Ask one interpreter which skills its environment holds; runs there, alone, on the standard library only.

Run as ``python -I probe.py REQUEST`` with a JSON object: ``paths`` to be searched instead of ``sys.path`` (they are
also put in front of it), ``load`` to load entry points, ``ask`` to ask the real runtimes too. Answers with one JSON
object.
"""

import csv
import io
import json
import os
import signal
import sys
from importlib import metadata
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

GROUP = "opm.agents.skill_md"
SECONDS = 20


def main() -> None:
    request = json.loads(sys.argv[1])
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what loaded modules print is no answer
    paths = request.get("paths") or []
    sys.path[:0] = [path for path in paths if path not in sys.path]
    search = paths or sys.path
    answer: dict[str, Any] = {
        "executable": sys.executable,
        "prefix": sys.prefix,
        "paths": search,
        "distributions": [describe(found, request.get("load", True)) for found in metadata.distributions(path=search)],
    }
    if request.get("ask"):
        answer["asked"] = ask(paths)
    out.write(json.dumps(answer))
    out.close()


def describe(found: metadata.Distribution, load: bool) -> "dict[str, Any]":
    where = str(getattr(found, "_path", ""))
    problems = []
    try:
        name, version = found.metadata["Name"] or "", found.version or ""
    except Exception as error:
        name, version = os.path.basename(where).partition("-")[0], ""
        problems.append(f"METADATA cannot be read: {error!r}")
    described: dict[str, Any] = {
        "name": name,
        "version": version,
        "metadata": where,
        "legacy": not where.endswith(".dist-info"),
        "record": None,
        "entry_points": [],
        "editable": None,
        "editable_skills": [],
        "problems": problems,
    }
    try:
        described["record"] = record(found)
    except Exception as error:
        problems.append(f"RECORD cannot be read: {error!r}")
    try:
        points = [point for point in found.entry_points if point.group == GROUP]
    except Exception as error:
        points = []
        problems.append(f"entry_points.txt cannot be read: {error!r}")
    described["entry_points"] = [loaded(point) if load else unloaded(point) for point in points]
    try:
        described["editable"] = editable(found.read_text("direct_url.json"))
    except Exception as error:
        problems.append(f"direct_url.json cannot be read: {error!r}")
    if described["editable"]:
        described["editable_skills"] = beneath(described["editable"])
    return described


def record(found: metadata.Distribution) -> "list[list[str | None]] | None":
    text = found.read_text("RECORD")
    if text is None:
        files = [str(file) for file in found.files or ()]
        if not files:
            return None
    else:
        if "skill.md" not in text.lower():
            return []
        files = [row[0] for row in csv.reader(io.StringIO(text)) if row]
    rows: list[list[str | None]] = []
    for file in files:
        if file.rpartition("/")[2].lower() == "skill.md":
            real = os.path.realpath(str(found.locate_file(file)))
            rows.append([file, real if os.path.isfile(real) else None])
    return rows


def unloaded(point: metadata.EntryPoint) -> "dict[str, Any]":
    return {"name": point.name, "value": point.value, "path": None, "certain": False, "problem": "", "type": ""}


def loaded(point: metadata.EntryPoint) -> "dict[str, Any]":
    described = unloaded(point)
    described["certain"] = True
    timed = hasattr(signal, "SIGALRM")
    try:
        if timed:
            signal.signal(signal.SIGALRM, late)
            signal.alarm(SECONDS)
        value = point.load()
        described["type"] = type(value).__name__
        if not isinstance(value, str):
            described["problem"] = f"{point.value} is a {type(value).__name__}, and only text is taken"
        elif not os.path.isfile(value):
            described["problem"] = f"{point.value} names {value!r}, which is no file"
        else:
            described["path"], described["real"] = value, os.path.realpath(value)
    except BaseException as error:
        described["problem"] = f"{point.value} cannot be loaded: {type(error).__name__}: {error}"
        if not isinstance(error, Exception):
            described["type"] = type(error).__name__
    finally:
        if timed:
            signal.alarm(0)
    return described


def late(*_: object) -> None:
    raise TimeoutError(f"loading took more than {SECONDS} s")


def editable(text: "str | None") -> "str | None":
    if not text:
        return None
    data = json.loads(text)
    parts = urlsplit(data.get("url", ""))
    if not data.get("dir_info", {}).get("editable") or parts.scheme != "file":
        return None
    return os.path.realpath(url2pathname(unquote(parts.path) if os.name != "nt" else parts.path))


def beneath(root: str) -> "list[str]":
    found = []
    inside = os.path.realpath(sys.prefix) + os.sep
    for here, directories, _ in os.walk(root):
        directories.sort()
        if os.path.basename(here) == "skills" and os.path.basename(os.path.dirname(here)) == ".agents":
            for name in directories:
                path = os.path.realpath(os.path.join(here, name, "SKILL.md"))
                if os.path.isfile(path) and path.startswith(root + os.sep) and not path.startswith(inside):
                    found.append(path)
    return sorted(found)


def ask(paths: "list[str]") -> "dict[str, Any]":
    """What the real runtimes say, where they can be imported."""
    answers: dict[str, Any] = {}
    try:
        from ovos_agentic_loop.skills.loader import SkillMDLoader  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        pass
    else:
        entries = SkillMDLoader().load()
        answers["ovos"] = [{"name": e.name, "description": e.description, "path": e.path} for e in entries]
    try:
        from library_skills.scanner import scan_python_distributions  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        pass
    else:
        from pathlib import Path

        answers["library-skills"] = [
            {"name": skill.name, "description": skill.description, "path": str(skill.skill_dir / "SKILL.md")}
            for path in paths or [path for path in sys.path if path.endswith("-packages")]
            for skill in scan_python_distributions(Path(path)).skills
        ]
    return answers


if __name__ == "__main__":
    main()

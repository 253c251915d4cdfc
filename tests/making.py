"""Projects, wheels and environments made for tests: real files, real builds, real installs."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
import sys
import sysconfig
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DESCRIPTION = "Reads tide tables. Use when somebody asks for high water."
SCRIPTS = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
BODY = "\n# Tide tables\n\nOpen the table.\n"
HOOK = "[tool.hatch.build.hooks.skills]\n"
SKILL = "src/demo/.agents/skills/tide-tables/SKILL.md"


def skill_text(name: str = "tide-tables", description: str = DESCRIPTION, extra: str = "", body: str = BODY) -> str:
    """The text of a SKILL.md."""
    return f"---\nname: {name}\ndescription: {description}\n{extra}---\n{body}"


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below `root`; a path that ends in ``!`` is executable."""
    for path, content in files.items():
        file = root / path.rstrip("!")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        file.chmod(0o755 if path.endswith("!") else 0o644)
    return root


def pyproject(
    tail: str = HOOK,
    *,
    requires: Sequence[str] = ("hatchling", "hatch-skills"),
    backend: str = "hatchling.build",
    name: str = "demo",
    project: str = "",
) -> str:
    """The text of a pyproject.toml."""
    return (
        f"[build-system]\nrequires = {json.dumps(list(requires))}\nbuild-backend = {json.dumps(backend)}\n\n"
        f'[project]\nname = "{name}"\nversion = "1.0"\nrequires-python = ">=3.10"\n{project}\n{tail}'
    )


def demo(root: Path, files: Mapping[str, str | bytes] | None = None, **options: Any) -> Path:
    """A project called demo with one skill, its hook on; `files` are added or replaced."""
    base: dict[str, str | bytes] = {
        "pyproject.toml": pyproject(**options),
        "src/demo/__init__.py": "",
        SKILL: skill_text(body="\nRun [the script](scripts/run.py), see [the guide](references/guide.md).\n"),
        "src/demo/.agents/skills/tide-tables/scripts/run.py!": "#!/usr/bin/env python3\nprint('high')\n",
        "src/demo/.agents/skills/tide-tables/references/guide.md": "# Guide\n",
    }
    return write(root, {**base, **(files or {})})


def run(
    *command: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command and return its status and its output, errors included."""
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, "PATH": SCRIPTS, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def build(root: Path, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """``python -m build`` with the backends of this environment: sdist, then the wheel from it."""
    return run(sys.executable, "-m", "build", "--no-isolation", *arguments, cwd=root, env=env)


def built(root: Path, *arguments: str) -> Path:
    """The wheel of a build that has to end well."""
    done = build(root, *arguments)
    assert done.returncode == 0, done.stdout
    (wheel,) = (root / "dist").glob("*.whl")
    return wheel


def archives(root: Path) -> list[str]:
    """The names of what lies in ``dist/``."""
    return sorted(path.name for path in (root / "dist").glob("*"))


def names(wheel: Path) -> list[str]:
    """The members of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return sorted(archive.namelist())


def read(wheel: Path, member: str) -> str:
    """The text of one member of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(member).decode()


def pack(directory: Path, wheel: Path) -> Path:
    """Zip a directory as a wheel, with a RECORD unless it has one."""
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    info = next(
        (path.parent for path in files if path.parent.name.endswith(".dist-info")), directory / "demo-1.0.dist-info"
    )
    rows = []
    with zipfile.ZipFile(wheel, "w") as archive:
        for file in files:
            data, name = file.read_bytes(), file.relative_to(directory).as_posix()
            member = zipfile.ZipInfo(name)
            member.external_attr = (0o100000 | (file.stat().st_mode & 0o777)) << 16
            archive.writestr(member, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.append(f"{name},sha256={digest},{len(data)}")
        twice = directory.parent / "twice.txt"
        for name in twice.read_text(encoding="utf-8").split() if twice.exists() else ():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                archive.writestr(name, "again")
        if not (info / "RECORD").exists():
            record = f"{info.relative_to(directory).as_posix()}/RECORD"
            archive.writestr(record, "\n".join([*rows, f"{record},,"]) + "\n")
    return wheel


class Environment:
    """A fresh virtual environment that sees the real runtimes of the environment that the tests run in."""

    def __init__(self, place: Path) -> None:
        done = run(sys.executable, "-m", "venv", "--without-pip", place)
        assert done.returncode == 0, done.stdout
        self.place = place
        self.python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        (self.site,) = {path for path in place.rglob("site-packages") if path.is_dir() and not path.is_symlink()}
        line = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
        (self.site / "oracles.pth").write_text(line, encoding="utf-8")

    def install(self, *words: str | Path) -> None:
        """``pip install`` without dependencies and without isolation."""
        base = (sys.executable, "-m", "pip", "--python", self.python, "install", "--quiet", "--no-deps")
        done = run(*base, "--no-build-isolation", *words, env={"PIP_DISABLE_PIP_VERSION_CHECK": "1"})
        assert done.returncode == 0, done.stdout

    def uv_install(self, *words: str) -> None:
        """``uv pip install`` without dependencies and without isolation."""
        base = (sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", self.python, "--no-deps")
        done = run(*base, "--no-build-isolation", *words)
        assert done.returncode == 0, done.stdout

    def ask(self, code: str, python: Path | None = None) -> Any:
        """Run code in the environment, away from every project, and return the JSON that it prints last."""
        done = run(python or self.python, "-c", code, cwd=self.place)
        assert done.returncode == 0, done.stdout
        return json.loads(done.stdout.splitlines()[-1])

    def ovos(self, python: Path | None = None) -> list[list[str]]:
        """Name, description and path of what the real OVOS loader loads; not what the test environment brings."""
        own = (sysconfig.get_path("purelib"), str(ROOT))
        return [row for row in self.ask(_OVOS, python) if not row[2].startswith(own)]

    def library_skills(self) -> list[list[str]]:
        """Name, description and path of what the real library-skills finds in this environment."""
        found: list[list[str]] = self.ask(_LIBRARY_SKILLS.format(site=str(self.site)))
        return found


_OVOS = """
import json
from ovos_agentic_loop.skills.loader import SkillMDLoader
print(json.dumps([[e.name, e.description, e.path] for e in SkillMDLoader().load()]))
"""

_LIBRARY_SKILLS = """
import json
from pathlib import Path
from library_skills.scanner import scan_python_distributions
found = scan_python_distributions(Path({site!r})).skills
print(json.dumps([[s.name, s.description, str(s.skill_dir / "SKILL.md")] for s in found]))
"""

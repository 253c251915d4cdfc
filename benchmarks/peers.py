"""The peers, each installed from the index into an environment of its own, and how each is run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["OURS", "Peer", "install_peers", "install_searchers"]

OURS = "hatch-skills"


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool: its name, the command line for a directory of skills, and the largest input that it gets."""

    name: str
    words: Callable[[Path], list[str]]
    most: int = 20_000
    env: Mapping[str, str] = field(default_factory=dict)


_LOOP = (
    "import sys, pathlib\n"
    "from {module} import validate\n"
    "for skill in sorted(pathlib.Path(sys.argv[1]).iterdir()):\n"
    "    validate({argument})\n"
)
_FRAME = (
    "import sys, pathlib\n"
    "from hatch_skills.core.check import check\n"
    "from hatch_skills.core.config import Selection\n"
    "from hatch_skills.core.tree import skills_below\n"
    "check(skills_below(pathlib.Path(sys.argv[1])), selection=Selection(('agent-skills',), explicit=True))\n"
)


def install_peers(place: Path) -> list[Peer]:
    """Install what is not there yet, and give every peer with its command line; ours comes first."""
    runtimes = ["--runtime", "agent-skills", "--runtime", "library-skills", "--runtime", "ovos"]
    ours = [sys.executable, "-m", "hatch_skills", "check"]
    peers = [
        Peer(OURS, lambda inputs: [*ours, str(inputs), *runtimes]),
        Peer("hatch-skills, agent-skills only", lambda inputs: [sys.executable, "-c", _FRAME, str(inputs)]),
        Peer("bare interpreter", lambda _: [sys.executable, "-c", "pass"]),
    ]
    found = {name: _environment(place / name, name) for name in _COMMANDS}
    for name, (command, most) in _COMMANDS.items():
        home = found[name]
        if home is not None:
            peers.append(Peer(name, _bound(command, home), most))
    return peers


def install_searchers(place: Path) -> list[Peer]:
    """What searches an environment: ours, the loader of OVOS, the scan of library-skills; each gets a directory."""
    ours = [sys.executable, "-m", "hatch_skills", "installed", "--path"]
    peers = [Peer(OURS, lambda site: [*ours, str(site)])]
    for name, code in _SEARCHES.items():
        home = _environment(place / name, name)
        if home is not None:
            peers.append(Peer(name, _bound(_python(code), home)))
    return peers


def _python(code: str) -> Callable[[Path, Path], list[str]]:
    return lambda home, site: [str(home / "python"), "-c", code, str(site)]


_SEARCHES = {
    "ovos-agentic-loop": (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from ovos_agentic_loop.skills.loader import SkillMDLoader\n"
        "SkillMDLoader().load()\n"
    ),
    "library-skills": (
        "import sys, pathlib\n"
        "from library_skills.scanner import scan_python_distributions\n"
        "scan_python_distributions(pathlib.Path(sys.argv[1]))\n"
    ),
}


def _bound(command: Callable[[Path, Path], list[str]], home: Path) -> Callable[[Path], list[str]]:
    return lambda inputs: command(home, inputs)


def _environment(place: Path, name: str) -> Path | None:
    """The scripts directory of an environment with one distribution; None where it cannot be installed."""
    scripts = place / ("Scripts" if sys.platform == "win32" else "bin")
    if not (place / "done").exists():
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        words = [str(scripts / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", name]
        if subprocess.run(words, check=False, stderr=subprocess.DEVNULL).returncode:
            print(f"{name} cannot be installed here", file=sys.stderr)  # noqa: T201
            return None
        (place / "done").touch()
    return scripts


def _agnix(home: Path, inputs: Path) -> list[str]:
    return [str(home / "agnix"), str(inputs)]


def _skills_ref(home: Path, inputs: Path) -> list[str]:
    return [str(home / "python"), "-c", _LOOP.format(module="skills_ref", argument="skill"), str(inputs)]


def _skills_ref_rs(home: Path, inputs: Path) -> list[str]:
    return [str(home / "python"), "-c", _LOOP.format(module="skills_ref_rs", argument="str(skill)"), str(inputs)]


def _claude_skill_lint(home: Path, inputs: Path) -> list[str]:
    return [str(home / "skill-lint"), "--dir", str(inputs)]


def _frontmatter_guard(home: Path, inputs: Path) -> list[str]:
    return [str(home / "frontmatter-guard"), "check", str(inputs)]


_COMMANDS: dict[str, tuple[Callable[[Path, Path], list[str]], int]] = {
    "agnix": (_agnix, 20_000),
    "skills-ref": (_skills_ref, 1_000),
    "skills-ref-rs": (_skills_ref_rs, 20_000),
    "claude-skill-lint": (_claude_skill_lint, 20_000),
    "frontmatter-guard": (_frontmatter_guard, 20_000),
}

"""Two tables of `docs/` whose cells are real builds and real installs: build backends, and front ends of the hook."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hatch_skills.core.config import Selection, load_config
from hatch_skills.core.project import load_project
from hatch_skills.core.proof import BuildFailed, prove
from tests.making import DESCRIPTION, HOOK, Environment, build, pyproject, run, skill_text, write

RUNTIMES = ("ovos", "library-skills")
FIND = '\n[tool.setuptools.packages.find]\nwhere = ["src"]\n'
BACKENDS: Mapping[str, tuple[str, str, str]] = {
    "hatchling with the hook": ("hatchling", "hatchling.build", HOOK),
    "hatchling": ("hatchling", "hatchling.build", ""),
    "setuptools": ("setuptools", "setuptools.build_meta", FIND),
    "setuptools with package data": (
        "setuptools",
        "setuptools.build_meta",
        FIND + '\n[tool.setuptools.package-data]\ndemo = [".agents/**/*", "skills/**/*"]\n',
    ),
    "uv_build": ("uv_build", "uv_build", ""),
    "pdm-backend": ("pdm-backend", "pdm.backend", '\n[tool.pdm.build]\npackage-dir = "src"\n'),
    "poetry-core": (
        "poetry-core",
        "poetry.core.masonry.api",
        '\n[tool.poetry]\npackages = [{ include = "demo", from = "src" }]\n',
    ),
    "flit_core": ("flit_core", "flit_core.buildapi", ""),
}
LAYOUTS = (".agents/skills", "skills", "link to root skills", "ignored by git")


@dataclass(frozen=True)
class Cell:
    """What became of the skill: who finds it after a real install, by the real runtimes and by ours."""

    real: str
    ours: str


def project(root: Path, layout: str, backend: str) -> Path:
    """A project of one backend with one skill in one layout, in a git repository."""
    requires, build_backend, tail = BACKENDS[backend]
    names = [requires, "hatch-skills"] if tail == HOOK else [requires]
    where = {
        ".agents/skills": "src/demo/.agents/skills",
        "ignored by git": "src/demo/.agents/skills",
        "skills": "src/demo/skills",
    }
    place = where.get(layout, "skills")
    write(
        root,
        {
            "pyproject.toml": pyproject(tail, requires=names, backend=build_backend, project='description = "demo"\n'),
            "README.md": "# demo\n",
            "src/demo/__init__.py": '"""Demo."""\n',
            f"{place}/tide-tables/SKILL.md": skill_text(),
            **({".gitignore": ".agents/\n"} if layout == "ignored by git" else {}),
        },
    )
    if layout == "link to root skills":
        (root / "src/demo/.agents").mkdir()
        (root / "src/demo/.agents/skills").symlink_to("../../../skills")
    identity = ("-c", "user.name=tests", "-c", "user.email=tests@example.org")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "first")):
        assert run("git", *identity, *words, cwd=root).returncode == 0
    return root


def found_by(environment: Environment) -> str:
    """Who finds the skill once and reads it as written, by asking the real runtimes."""
    wanted = ["tide-tables", DESCRIPTION]
    answers = {"ovos": environment.ovos(), "library-skills": environment.library_skills()}
    return _shown([name for name in RUNTIMES if [row[:2] for row in answers[name]] == [wanted]])


def _shown(names: list[str]) -> str:
    return "both" if len(names) == 2 else names[0] if names else "nobody"


def backend_cell(place: Path, backend: str, layout: str) -> Cell:
    """Build, install and ask; then let the proof say the same without an install."""
    root = project(place / "project", layout, backend)
    copy = Path(shutil.copytree(root, place / "copy", symlinks=True))
    if build(copy).returncode == 0:
        (wheel,) = (copy / "dist").glob("*.whl")
        environment = Environment(place / "environment")
        environment.install(wheel)
        real = found_by(environment)
    else:
        real = "build fails"
    selection = Selection(("agent-skills", *sorted(RUNTIMES)), explicit=True)
    scratch = place / "scratch"
    scratch.mkdir()
    found = load_project(root, load_config(root))
    try:
        proof = prove(found, selection, scratch)
    except BuildFailed:
        return Cell(real, "build fails")
    hits = [name for name in RUNTIMES if len({hit.path for hit in proof.found[name]}) == 1]
    return Cell(real, _shown(hits))


def _build(root: Path) -> str:
    return str(next(iter((root / "dist").glob("*.whl")))) if build(root).returncode == 0 else ""


def _hatch(root: Path) -> str:
    done = run(sys.executable, "-m", "hatchling", "build", cwd=root)
    return str(next(iter((root / "dist").glob("*.whl")))) if done.returncode == 0 else ""


def _uv(root: Path) -> str:
    done = run(sys.executable, "-m", "uv", "build", "--no-build-isolation", "--python", sys.executable, cwd=root)
    return str(next(iter((root / "dist").glob("*.whl")))) if done.returncode == 0 else ""


FRONT_ENDS: Mapping[str, Callable[[Environment, Path], None]] = {
    "build": lambda environment, root: environment.install(_build(root)),
    "hatchling build": lambda environment, root: environment.install(_hatch(root)),
    "uv build": lambda environment, root: environment.install(_uv(root)),
    "pip install": lambda environment, root: environment.install(root),
    "uv pip install": lambda environment, root: environment.uv_install(str(root)),
    "pip install -e": lambda environment, root: environment.install("--editable", root),
    "uv pip install -e": lambda environment, root: environment.uv_install("--editable", str(root)),
}
HOOK_LAYOUTS = (".agents/skills", "skills", "root skills", "ignored by git")


def front_end_cell(place: Path, front_end: str, layout: str) -> str:
    """Who finds the skill of a project with the hook, after this way into an environment."""
    root = project(place / "project", layout, "hatchling with the hook")
    environment = Environment(place / "environment")
    FRONT_ENDS[front_end](environment, root)
    return found_by(environment)


def backend_page(cells: Mapping[tuple[str, str], str]) -> str:
    """The page about build backends."""
    text = (
        "# Which build backend keeps a skill\n\n"
        "Who finds the skill of a small project `demo` (`src/demo/`, default settings unless said) after "
        "`python -m build` and `pip install`: OVOS and library-skills (`both`), one of them, or `nobody`. Each cell is "
        "a real build and a real install, and `hatch-skills prove` gives the same verdict without an install.\n\n"
        "`python -m tests.writing --tables` makes this page.\n\n"
    )
    return text + _table("backend", list(BACKENDS), LAYOUTS, cells)


def front_end_page(cells: Mapping[tuple[str, str], str]) -> str:
    """The page about front ends."""
    text = (
        "# The build hook under every front end\n\n"
        "Who finds the skill of a project with the hook after each way into an environment: OVOS and library-skills "
        "(`both`), one of them, or `nobody`. Each cell is a real install, answered by the real runtimes.\n\n"
        "`python -m tests.writing --tables` makes this page.\n\n"
    )
    notes = (
        "\n- `skills`: library-skills looks for `.agents/skills/` only; the hook says so (SK508).\n"
        "- `root skills`, editable: a link `.agents/skills -> ../skills` in the repository lets library-skills see "
        "them; the hook says so (SK524).\n"
    )
    return text + _table("front end", list(FRONT_ENDS), HOOK_LAYOUTS, cells) + notes


def _table(head: str, rows: list[str], columns: tuple[str, ...], cells: Mapping[tuple[str, str], str]) -> str:
    lines = [f"| {head} | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    lines += [f"| {row} | {' | '.join(cells[row, column] for column in columns)} |" for row in rows]
    return "\n".join(lines) + "\n"


def read_cells(page: str, columns: tuple[str, ...]) -> dict[tuple[str, str], str]:
    """The cells of a page that was written."""
    cells = {}
    for line in page.splitlines():
        parts = [part.strip() for part in line.strip("|").split("|")]
        if line.startswith("| ") and len(parts) == len(columns) + 1 and parts[1] != columns[0]:
            cells.update({(parts[0], column): part for column, part in zip(columns, parts[1:], strict=True)})
    return cells

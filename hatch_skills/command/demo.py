"""`hatch-skills demo`: the main job for a newcomer, step by step, with the real runtimes' own answers."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import click

from hatch_skills.core.environment import Environment, ask_environment, find_interpreter
from hatch_skills.core.findings import Misuse
from hatch_skills.core.origin import own_source, template_directory
from hatch_skills.core.runtimes import profile
from hatch_skills.core.shipment import locate_all

__all__ = ["command"]

_NAME = "tide-tables"
_RUNTIMES = ("ovos", "library-skills")
_PACKAGES = ("ovos-agentic-loop", "library-skills")


def __dir__() -> list[str]:
    return list(__all__)


@click.command("demo")
@click.argument("directory", required=False, type=click.Path(path_type=Path))
@click.option("--offline", is_flag=True, help="Use what is installed here only; the real runtimes are not asked.")
def command(directory: Path | None, offline: bool) -> None:
    """Scaffold a skill package, build it, install it, and show who finds its skill.

    Everything happens in DIRECTORY, which is kept, or in a temporary directory, which is removed.
    """
    with ExitStack() as stack:
        if directory is None:
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hatch-skills-demo-")))
        elif directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
            raise Misuse(f"{directory}: it is there already and not empty; name another directory")
        directory.mkdir(parents=True, exist_ok=True)
        Demo(directory.resolve(), offline).run()


@dataclass
class Demo:
    """The steps, and what they leave for one another."""

    place: Path
    offline: bool
    number: int = 0
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))

    def run(self) -> None:
        """Run every step; the first that fails ends the demonstration with its output and exit status 1."""
        package = self.place / _NAME
        self._prepare()
        copier = ["copier", "copy", "--quiet", "--defaults", "--data", f"skill_name={_NAME}"]
        self._step(
            "Scaffold a skill package from the template",
            [*copier, str(template_directory()), str(package)],
            module=True,
        )
        self._say(*sorted(str(path.relative_to(self.place)) for path in package.rglob("*.md")))
        build = ["build", str(package)] + (["--no-isolation"] if self.offline else [])
        self._step("Build sdist and wheel; the hook checks, registers and proves the skill", build, module=True)
        self._say(*sorted(path.name for path in (package / "dist").iterdir()))
        (wheel,) = (package / "dist").glob("*.whl")
        python = self._install(wheel)
        found = self._compare(python)
        self._test(package, python)
        click.secho(f"\n{_NAME} is found after a real install by {found}.", bold=True)

    def _prepare(self) -> None:
        """Let isolated builds find this very hatch-skills, which no index may have yet."""
        source = own_source()
        if source is None:
            return
        wheels = source.parent
        if source.is_dir():
            wheels = self.place / "wheelhouse"
            pip = ["pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(wheels)]
            pip += ["--no-build-isolation"] if self.offline else []
            self._step(
                "Build hatch-skills itself, as this installation came from a directory",
                [*pip, str(source)],
                module=True,
            )
        link = wheels.resolve().as_uri()
        self.environment["PIP_FIND_LINKS"] = " ".join(filter(None, [self.environment.get("PIP_FIND_LINKS"), link]))
        self.environment["UV_FIND_LINKS"] = ",".join(filter(None, [self.environment.get("UV_FIND_LINKS"), link]))

    def _install(self, wheel: Path) -> Path:
        place = self.place / "environment"
        self._step("Make a fresh environment", ["venv", str(place)], module=True)
        python = find_interpreter(place)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if self.offline:
            self._step("Install the wheel there", [*pip, "--no-index", "--no-deps", str(wheel)])
        else:
            self._step(
                "Install the wheel there, beside the real runtimes",
                [*pip, str(wheel), *_PACKAGES, "hatch-skills[pytest]"],
            )
        return python

    def _compare(self, python: Path) -> str:
        self._title("Ask who finds the skill")
        began = time.monotonic()
        answer = ask_environment(python, ask=not self.offline)
        ours = locate_all(answer.distributions, [profile(runtime) for runtime in _RUNTIMES])
        happy = []
        for runtime in _RUNTIMES:
            theirs = self._theirs(answer, runtime)
            mine = {os.path.realpath(hit.path) for hit in ours[runtime]}
            via = ", ".join(sorted({hit.via for hit in ours[runtime] if _NAME in hit.path}))
            title = profile(runtime).title
            if theirs is None:
                self._say(f"{title}: not asked (--offline); hatch-skills finds it by {via}")
            else:
                same = {os.path.realpath(skill["path"]) for skill in theirs} == mine
                mine_there = [skill for skill in theirs if skill["name"] == _NAME]
                others = f", and {len(theirs) - len(mine_there)} skills of other packages" if len(theirs) > 1 else ""
                verdict = "the same" if same else "otherwise"
                self._say(f"{title} itself finds {_NAME}{others}; hatch-skills says {verdict} (by {via})")
                for skill in mine_there:
                    self._say(f"  it reads: {skill['description']}")
                if not same:
                    raise SystemExit(1)
            if any(_NAME in path for path in mine):
                happy.append(title)
        if len(happy) < len(_RUNTIMES):
            self._fail("a runtime does not find the skill")
        self._done(began)
        return " and ".join(happy)

    def _theirs(self, answer: Environment, runtime: str) -> Sequence[Mapping[str, str]] | None:
        if self.offline:
            return None
        if runtime not in answer.asked:
            self._fail(f"{runtime} cannot be imported in the fresh environment")
        return answer.asked[runtime]

    def _test(self, package: Path, python: Path) -> None:
        interpreter = sys.executable if self.offline else str(python)
        self._step(
            "Run the package's own tests; each SKILL.md is a test item",
            [interpreter, "-m", "pytest", "--color=no", "-q", "-p", "no:cacheprovider", "-rA"],
            cwd=package,
            show=lambda line: line.startswith(("PASSED", "FAILED", "ERROR")) or " passed" in line or " failed" in line,
        )

    def _step(
        self, title: str, words: list[str], *, module: bool = False, cwd: Path | None = None, show: object = None
    ) -> None:
        """Run one command: its line, its time, and its output if it fails."""
        self._title(title)
        shown = words if module else ["python", *words[1:]] if words[0].endswith(("python", "python.exe")) else words
        prefix = "python -m " if module else ""
        line = shlex.join(shown).replace(str(self.place) + os.sep, "").replace(str(self.place), ".")
        click.secho(f"   $ {prefix}{line}", dim=True)
        began = time.monotonic()
        ran = subprocess.run(
            [sys.executable, "-m", *words] if module else words,
            cwd=cwd or self.place,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if callable(show):
            self._say(*(line for line in ran.stdout.splitlines() if show(line)))
        if ran.returncode:
            self._say(*ran.stdout.splitlines())
            self._fail(f"the command ended with status {ran.returncode}")
        self._done(began)

    def _title(self, title: str) -> None:
        self.number += 1
        click.secho(f"\n{self.number}. {title}", bold=True)

    def _say(self, *lines: str) -> None:
        for line in lines:
            click.echo(f"   {line}")

    def _done(self, began: float) -> None:
        click.secho(f"   done in {time.monotonic() - began:.1f} s", fg="green")

    def _fail(self, why: str) -> None:
        click.secho(f"   failed: {why}", fg="red")
        raise SystemExit(1)

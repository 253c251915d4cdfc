"""The fast suite on every supported interpreter of the machine, and on the oldest supported dependencies."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.making import ROOT, run

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytestmark = pytest.mark.slow
SUPPORTED = ("3.10", "3.11", "3.12", "3.13", "3.14")


def interpreters() -> dict[str, str]:
    """Version to path of every supported interpreter: on PATH, or kept by pyenv; not the one that runs the tests."""
    found: dict[str, str] = {}
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in SUPPORTED:
        candidates = [str(path / "bin" / "python") for path in sorted(kept.glob(f"{version}.*"))]
        on_path = shutil.which(f"python{version}")
        for candidate in (*candidates, *((on_path,) if on_path else ())):
            done = run(candidate, "-c", "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])")
            if done.returncode == 0 and done.stdout.strip() == version:
                found[version] = candidate
                break
    found.pop("{}.{}".format(*sys.version_info), None)
    return found


FOUND = interpreters()


def floors() -> list[str]:
    """``name==version`` for the lower bound of every dependency that a user's project meets."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["pytest"], *extras["template"], "hatchling>=1.27.0"]
    pins = []
    for requirement in wanted:
        name, floor = re.match(r"([\w-]+)>=([\d.]+)", requirement).groups()  # type: ignore[union-attr]
        if name != "tomli":
            pins.append(f"{name}=={floor}")
    return pins


def fast_suite(python: str, place: Path, *requirements: str) -> str:
    """Make an environment, install the project with `requirements`, and run the fast suite there; its last line."""
    assert run(python, "-m", "venv", place).returncode == 0
    mine = place / "bin" / "python"
    pip = (mine, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    wanted = (
        f"{ROOT}[demo]",
        "hypothesis",
        "jsonschema",
        "editables",
        "pytest-xdist",
        "ruff",
        "sarif-pydantic",
        "setuptools>=77",
        *requirements,
    )
    done = run(*pip, *wanted)
    assert done.returncode == 0, done.stdout
    suite = (
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow and not oracle",
        "--override-ini",
        "addopts=-p no:skills",
    )
    done = run(mine, *suite, "-W", "ignore::DeprecationWarning", cwd=ROOT, env={"PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 0, done.stdout
    last = done.stdout.strip().splitlines()[-1]
    assert re.search(r"\d+ passed", last), last
    return last


@pytest.mark.parametrize("version", SUPPORTED)
def test_fast_suite_passes_on(version: str, tmp_path: Path) -> None:
    """Every interpreter of the machine passes the fast suite with the newest dependencies."""
    if version == "{}.{}".format(*sys.version_info):
        pytest.skip("this is the interpreter that runs the whole suite")
    if version not in FOUND:
        pytest.skip(f"Python {version} is not on this machine")
    print(version, fast_suite(FOUND[version], tmp_path / "environment"))  # noqa: T201 - shown with -rA


def test_fast_suite_passes_on_the_oldest_dependencies(tmp_path: Path) -> None:
    """The lower bounds of `pyproject.toml` are true: the fast suite passes on exactly those versions."""
    oldest = FOUND.get("3.10", sys.executable)
    print(fast_suite(oldest, tmp_path / "environment", *floors()))  # noqa: T201

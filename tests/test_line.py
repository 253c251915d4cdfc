"""The whole line: from `copier copy` of a tagged clone to a skill that the real loaders find after install."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.making import ROOT, Environment, names, read, run

pytestmark = pytest.mark.slow
IDENTITY = ("-c", "user.name=tests", "-c", "user.email=tests@example.org")
BASE = {"click", "hatch-skills", "markdown-it-py", "mdurl", "pyyaml", "tomli"}
HATCHLING = {"hatchling", "packaging", "pathspec", "pluggy", "tomli", "tomlkit", "trove-classifiers"}


@pytest.fixture(scope="module")
def wheelhouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a wheel of this checkout."""
    place = tmp_path_factory.mktemp("wheelhouse")
    done = run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", place, ROOT)
    assert done.returncode == 0, done.stdout
    return place


@pytest.fixture(scope="module")
def links(wheelhouse: Path) -> Mapping[str, str]:
    """What lets an isolated build find this checkout, beside what the machine sets."""
    before = os.environ.get("PIP_FIND_LINKS", "")
    return {"PIP_FIND_LINKS": f"{before} {wheelhouse.as_uri()}".strip(), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory, links: Mapping[str, str]) -> Path:
    """A package made by copier's own command from a tagged repository, built in isolation."""
    place = tmp_path_factory.mktemp("line")
    template = place / "template-repository"
    template.mkdir()
    shutil.copy(ROOT / "copier.yml", template)
    shutil.copytree(ROOT / "template", template / "template")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "first"), ("tag", "v1.0.0")):
        assert run("git", *IDENTITY, *words, cwd=template).returncode == 0
    copy = ("copy", "--defaults", "--quiet", "--data", "skill_name=tide-tables", template, place / "tide-tables")
    done = run(sys.executable, "-m", "copier", *copy)
    assert done.returncode == 0, done.stdout
    done = run(sys.executable, "-m", "build", cwd=place / "tide-tables", env=links)
    assert done.returncode == 0, done.stdout
    return place / "tide-tables"


def written(package: Path) -> list[str]:
    """Name and description as they stand in the source of the scaffolded package."""
    (file,) = package.rglob("SKILL.md")
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.partition(": ")[2] for line in lines[1:3]]


def test_scaffolded_package_is_found_by_the_real_loaders(package: Path, tmp_path: Path) -> None:
    """Installed from the wheel, OVOS and library-skills hold each skill once with the very texts of the source."""
    environment = Environment(tmp_path / "environment")
    (wheel,) = (package / "dist").glob("*.whl")
    environment.install(wheel)
    assert [row[:2] for row in environment.ovos()] == [written(package)]
    assert [row[:2] for row in environment.library_skills()] == [written(package)]


def test_scaffolded_package_is_found_when_editable(package: Path, tmp_path: Path) -> None:
    """So it is after ``pip install -e``, live from the source, and through a link to the environment."""
    environment = Environment(tmp_path / "environment")
    environment.install("--editable", package)
    assert [row[:2] for row in environment.ovos()] == [written(package)]
    assert [row[:2] for row in environment.library_skills()] == [written(package)]
    (tmp_path / "link").symlink_to(environment.place)
    (found,) = environment.ovos(tmp_path / "link" / "bin" / "python")
    assert Path(found[2]).is_relative_to(package)


def test_scaffolded_package_passes_its_own_tests(package: Path) -> None:
    """Plain pytest in the package is green, with its skill among the items."""
    done = run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", cwd=package)
    assert done.returncode == 0, done.stdout
    assert "SKILL.md ....." in done.stdout


def test_isolated_build_gains_the_base_dependencies_only(links: Mapping[str, str]) -> None:
    """What ``requires = ["hatchling", "hatch-skills"]`` installs is hatchling's own needs and our base dependencies."""
    words = ("install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-", "hatchling", "hatch-skills")
    done = run(sys.executable, "-m", "pip", *words, env={**links, "PIP_NO_WARN": "1"})
    assert done.returncode == 0, done.stdout
    report = json.loads(done.stdout[done.stdout.index("{") :])
    installed = {item["metadata"]["name"].lower() for item in report["install"]}
    assert installed <= BASE | HATCHLING
    assert {"click", "markdown-it-py", "mdurl", "pyyaml"} <= installed


def test_own_wheel_holds_its_skill_and_the_template(wheelhouse: Path) -> None:
    """Our own skill is in the wheel through our own hook, the template's under another name, and nothing stray."""
    (wheel,) = wheelhouse.glob("*.whl")
    members = names(wheel)
    assert "hatch_skills/_template/copier.yml" in members
    assert any(name.endswith("/SKILL.md.jinja") for name in members)
    own = "hatch_skills/.agents/skills/hatch-skills/"
    assert [name for name in members if name.endswith("/SKILL.md")] == [f"{own}SKILL.md"]
    assert f"{own}references/portable.md" in members
    tops = {name.partition("/")[0] for name in members}
    assert tops == {"_skill_md_hatch_skills.py", "hatch_skills", "pytest_skills", "hatch_skills-0.1.0.dist-info"}
    points = read(wheel, "hatch_skills-0.1.0.dist-info/entry_points.txt")
    assert "[hatch]\nskills = hatch_skills.hooks" in points
    assert "[pytest11]\nskills = pytest_skills.plugin" in points
    assert "hatch-skills = _skill_md_hatch_skills:SKILL_MD_hatch_skills" in points


def test_own_skill_passes_our_own_plugin() -> None:
    """The skill that we ship is collected and proven by the plugin that we ship."""
    words = ("-o", "addopts=", "--skills", "always", "-p", "no:cacheprovider", "hatch_skills")
    done = run(sys.executable, "-m", "pytest", *words, cwd=ROOT)
    assert done.returncode == 0, done.stdout
    assert "7 passed" in done.stdout

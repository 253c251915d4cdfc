"""The template from the installed package: `new` and `add`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.making import SKILL, demo, pyproject, run, skill_text, write


def hatch_skills(*words: str | Path, cwd: Path) -> tuple[int, str]:
    """Run `python -m hatch_skills`; exit status and output."""
    done = run(sys.executable, "-m", "hatch_skills", *words, cwd=cwd)
    return done.returncode, done.stdout


def test_new_makes_a_clean_package(tmp_path: Path) -> None:
    """A package named after its directory, whose skill passes every rule; whether it can be updated is said."""
    status, output = hatch_skills("new", "tide-tables", "--defaults", cwd=tmp_path)
    assert status == 0, output
    assert "tide-tables: a package with the skill tide-tables." in output
    assert "copier update" in output
    status, output = hatch_skills("check", "--strict", cwd=tmp_path / "tide-tables")
    assert (status, output) == (0, "1 skill, 0 errors\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("new", "Tide_Tables", "--defaults"), "write tide-tables: "),
        (("new", ".", "--defaults"), "it is there already and not empty"),
        (("new", "tides", "--data", "skill_description"), "KEY=VALUE is needed"),
        (("new", "tides", "--defaults", "--data", "skill_description=Reads: tides"), "no `: ` and no `:` at its end"),
    ],
)
def test_new_refuses_with_a_way_out(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    """A refused answer says what is accepted, and nothing is written."""
    write(tmp_path, {"here.txt": ""})
    status, output = hatch_skills(*words, cwd=tmp_path)
    assert status == 2
    assert says in output
    assert "Traceback" not in output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here.txt"]


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({}, "src/demo/.agents/skills"),
        ({SKILL: None, "src/demo/skills/high-water/SKILL.md": skill_text("high-water")}, "src/demo/skills"),
        ({SKILL: None, "skills/high-water/SKILL.md": skill_text("high-water")}, "skills"),
        ({SKILL: None}, "src/demo/.agents/skills"),
    ],
)
def test_add_follows_the_layout(tmp_path: Path, files: dict[str, str | None], place: str) -> None:
    """The new skill lies beside the others, or where its layout wants it, with a test, and is clean."""
    root = demo(tmp_path, {path: text for path, text in files.items() if text is not None})
    for path in (path for path, text in files.items() if text is None):
        (root / path).unlink()
    status, output = hatch_skills("add", "low-water", "--description", "Reads low water.", cwd=root)
    assert status == 0, output
    text = (root / place / "low-water" / "SKILL.md").read_text(encoding="utf-8")
    assert text.startswith("---\nname: low-water\ndescription: Reads low water.\n")
    assert (root / "tests" / "test_low_water.py").is_file()
    assert (root / place / "low-water" / "scripts" / "to_markdown.py").stat().st_mode & 0o111
    status, output = hatch_skills("check", place + "/low-water", "--strict", cwd=root)
    assert status == 0, output
    status, output = hatch_skills("add", "low-water", cwd=root)
    assert status == 2
    assert "it is there already" in output


def test_add_asks_for_the_place_it_cannot_tell(tmp_path: Path) -> None:
    """Without a skill and with several packages, `add` says what to configure."""
    files = {"pyproject.toml": pyproject(name="third"), "src/a/__init__.py": "", "src/b/__init__.py": ""}
    status, output = hatch_skills("add", "low-water", cwd=write(tmp_path, files))
    assert status == 2
    assert "tool.hatch-skills.map" in output

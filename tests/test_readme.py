"""The README is true: its tables come from the code, its outputs from real runs, its commands work."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from hatch_skills.command import command
from hatch_skills.core.config import Config, option_names
from hatch_skills.core.runtimes import profiles
from tests.making import ROOT, SKILL, build, demo, run, skill_text

README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(marker: str) -> str:
    """The content of the fenced block right after a comment line."""
    found = re.search(rf"<!-- {re.escape(marker)} -->\n```\w*\n(.*?)```", README, re.DOTALL)
    assert found, marker
    return found[1]


def table(marker: str) -> list[list[str]]:
    """The rows of the table right after a comment line, without its head; escaped bars are bars."""
    found = re.search(rf"<!-- table: {marker} -->\n\|.*\n\|[-| ]+\n((?:\|.*\n)*)", README)
    assert found, marker
    rows = re.findall(r"^\|(.*)\|$", found[1], re.MULTILINE)
    return [[cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", row)] for row in rows]


def test_table_of_runtimes() -> None:
    """Each runtime stands in the table with what was looked at and whether it searches installed packages."""
    wanted = [
        [f"`{profile.id}`", profile.title, profile.looked_at, "yes" if profile.locate else "no"]
        for profile in profiles()
    ]
    assert table("runtimes") == wanted


def test_table_of_options() -> None:
    """Each option of the configuration stands in the table."""
    assert [row[0].strip("`") for row in table("options")] == list(option_names())
    assert Config().map is True
    assert Config().editable == "warn"


def test_table_of_commands() -> None:
    """Each subcommand stands in the table, and nothing else does."""
    named = [word for row in table("commands") for word in re.findall(r"`hatch-skills (\w+)", row[0])]
    assert sorted(named) == sorted(command.list_commands(None))  # type: ignore[arg-type]


def test_output_of_a_failing_build(tmp_path: Path) -> None:
    """What the first screen shows is what a build prints."""
    done = build(demo(tmp_path, {SKILL: skill_text(description=">-\n  Reads tide tables.\n  Use when asked.")}))
    assert done.returncode != 0
    assert block("output: folded") in done.stdout


def test_output_of_the_plugin(tmp_path: Path) -> None:
    """What the plugin shows for setuptools without package data."""
    ini = '\n[tool.pytest.ini_options]\nskills = "auto"\nrequired_plugins = ["hatch-skills"]\n'
    find = '\n[tool.setuptools.packages.find]\nwhere = ["src"]\n'
    root = demo(tmp_path, tail=find + ini, requires=["setuptools"], backend="setuptools.build_meta")
    done = run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", cwd=root)
    assert done.returncode == 1
    assert block("output: setuptools") in done.stdout


@pytest.mark.parametrize("marker", ["main-job", "tests"])
def test_commands_are_one_line(marker: str) -> None:
    """Each of the two commands is one line that starts from nothing."""
    (line,) = block(marker).splitlines()
    assert line.startswith("python3 -m venv .venv && .venv/bin/python -m pip install -q ")

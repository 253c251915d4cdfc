"""Golden folders: one for each rule, exact to the column, complete both ways."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hatch_skills.core.archive import open_archive
from hatch_skills.core.check import check
from hatch_skills.core.config import Config, Selection
from hatch_skills.core.project import load_project
from hatch_skills.core.report import three_lines
from hatch_skills.core.rules import rules
from hatch_skills.core.shipment import ship
from hatch_skills.core.tree import skills_below
from tests.making import pack, write

CASES = Path(__file__).parent / "cases"
SELECTION = Selection(explicit=True)


def described_files(root: Path, files: dict[str, str | dict[str, str | int]]) -> Path:
    """What a checkout cannot hold everywhere: links, large files, names that differ by case."""
    for path, content in files.items():
        if isinstance(content, str):
            write(root, {path: content})
        elif "zeros" in content:
            write(root, {path: b"\0" * int(content["zeros"])})
        else:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).symlink_to(str(content["link"]))
    return root


@contextmanager
def inside(directory: Path) -> Iterator[None]:
    """Work in a directory if there is one, so that places in its pyproject.toml are relative."""
    before = Path.cwd()
    os.chdir(directory if directory.is_dir() else before)
    try:
        yield
    finally:
        os.chdir(before)


def judged(case: Path, kind: str, scratch: Path) -> str:
    """The findings of one side of a case, as text."""
    described = case / f"{kind}.json"
    side = case / kind
    if described.exists():
        side = described_files(scratch / kind, json.loads(described.read_text(encoding="utf-8")))
    if (side / "wheel").is_dir():
        archive = open_archive(pack(side / "wheel", scratch / f"{kind}.whl"), "demo.whl")
        tree, registered = side / "tree", side / "registered.json"
        shipment = ship(
            archive,
            selection=SELECTION,
            expected=load_project(tree, Config()).skills if tree.is_dir() else (),
            registered=json.loads(registered.read_text(encoding="utf-8")) if registered.exists() else {},
            pyproject=Path("pyproject.toml"),
        )
        with inside(tree):
            report = check((), selection=SELECTION, shipments=(shipment,))
    else:
        report = check(skills_below(side), selection=SELECTION)
    return "".join(f"{three_lines(finding)}\n" for finding in report.findings)


@pytest.mark.parametrize("rule", sorted(rule for rule, known in rules().items() if known.scope != "face"))
def test_rule_finds_what_is_bad(rule: str, tmp_path: Path) -> None:
    """The bad side of a rule's case gives exactly the expected lines, and the rule is among them."""
    found = judged(CASES / rule, "bad", tmp_path)
    assert found == (CASES / rule / "expected.txt").read_text(encoding="utf-8")
    assert f"[{rule}]" in found


@pytest.mark.parametrize("rule", sorted(rule for rule, known in rules().items() if known.scope != "face"))
def test_rule_leaves_alone_what_is_good(rule: str, tmp_path: Path) -> None:
    """The good side of a rule's case gives no finding of that rule, and no error of any."""
    found = judged(CASES / rule, "good", tmp_path)
    assert f"[{rule}]" not in found
    assert ": error[" not in found


def test_every_case_has_a_rule() -> None:
    """No folder is left over from a rule that is gone."""
    assert {path.name for path in CASES.iterdir()} == {rule for rule, known in rules().items() if known.scope != "face"}


def test_every_rule_explains_itself() -> None:
    """Each rule has a text for users, a cure and a source, and a name of lower-case words."""
    for rule in rules().values():
        assert rule.text
        assert rule.hint
        assert rule.source
        assert rule.name == rule.name.lower()
        assert " " not in rule.name

"""The generated pages are those that the code gives."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import tables
from tests.making import ROOT
from tests.writing import pages

FULL = bool(os.environ.get("HATCH_SKILLS_FULL"))


def chosen(rows: list[str], columns: tuple[str, ...]) -> list[tuple[str, str]]:
    """A dozen cells that touch every row and every column; all of them where HATCH_SKILLS_FULL is set."""
    every = [(row, column) for row in rows for column in columns]
    if FULL:
        return every
    diagonal = [(row, columns[number % len(columns)]) for number, row in enumerate(rows)]
    return list(dict.fromkeys([*diagonal, *((rows[0], column) for column in columns)]))


def test_generated_pages_are_true() -> None:
    """Each rule has its page, and each bound its row; `python -m tests.writing` makes them anew."""
    docs = ROOT / "docs"
    written = {
        path.relative_to(docs).as_posix(): path.read_text(encoding="utf-8")
        for path in (*(docs / "rules").glob("*.md"), docs / "limits.md")
    }
    assert written == pages()


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize(("backend", "layout"), chosen(list(tables.BACKENDS), tables.LAYOUTS))
def test_table_of_backends(backend: str, layout: str, tmp_path: Path) -> None:
    """What a real install shows stands in the table, and the proof gives the same verdict."""
    page = (ROOT / "docs" / "backends.md").read_text(encoding="utf-8")
    cell = tables.backend_cell(tmp_path, backend, layout)
    assert cell.ours == cell.real
    assert tables.read_cells(page, tables.LAYOUTS)[backend, layout] == cell.real


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize(("front_end", "layout"), chosen(list(tables.FRONT_ENDS), tables.HOOK_LAYOUTS))
def test_table_of_front_ends(front_end: str, layout: str, tmp_path: Path) -> None:
    """Each front end brings the hook's skill to where the table says."""
    page = (ROOT / "docs" / "front-ends.md").read_text(encoding="utf-8")
    found = tables.front_end_cell(tmp_path, front_end, layout)
    assert tables.read_cells(page, tables.HOOK_LAYOUTS)[front_end, layout] == found

"""The generated pages are those that the code gives."""

from __future__ import annotations

from tests.making import ROOT
from tests.writing import pages


def test_pages_of_rules_are_true() -> None:
    """Each rule has its page; `python -m tests.writing` makes them anew."""
    written = {
        path.relative_to(ROOT / "docs").as_posix(): path.read_text(encoding="utf-8")
        for path in (ROOT / "docs" / "rules").glob("*.md")
    }
    assert written == pages()

"""Write the generated pages of `docs/`: ``python -m tests.writing``; a test keeps them true."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from hatch_skills.core.explanation import index_page, page
from hatch_skills.core.rules import rules
from tests.making import ROOT


def pages() -> dict[str, str]:
    """Path below `docs/` to the text of each generated page."""
    known = rules()
    return {
        "rules/README.md": index_page(known.values()),
        **{f"rules/{rule.id}.md": page(rule) for rule in known.values()},
    }


def write_tables() -> None:
    """Build, install and ask for every cell of both tables; takes some minutes."""
    from tests import tables

    backends, front_ends = {}, {}
    for backend in tables.BACKENDS:
        for layout in tables.LAYOUTS:
            with tempfile.TemporaryDirectory() as place:
                backends[backend, layout] = tables.backend_cell(Path(place), backend, layout).real
    for front_end in tables.FRONT_ENDS:
        for layout in tables.HOOK_LAYOUTS:
            with tempfile.TemporaryDirectory() as place:
                front_ends[front_end, layout] = tables.front_end_cell(Path(place), front_end, layout)
    for name, text in (
        ("backends.md", tables.backend_page(backends)),
        ("front-ends.md", tables.front_end_page(front_ends)),
    ):
        (ROOT / "docs" / name).write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Write every page, and remove those of rules that are gone."""
    docs = ROOT / "docs"
    if "--tables" in sys.argv[1:]:
        write_tables()
    made = pages()
    for path in (docs / "rules").glob("*.md"):
        if path.relative_to(docs).as_posix() not in made:
            path.unlink()
    for name, text in made.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

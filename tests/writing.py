"""Write the generated pages of `docs/`: ``python -m tests.writing``; a test keeps them true."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from hatch_skills.core.explanation import index_page, page
from hatch_skills.core.rules import rules
from tests.limits import limits_page
from tests.making import ROOT, run


def pages() -> dict[str, str]:
    """Path below `docs/` to the text of each generated page."""
    known = rules()
    return {
        "limits.md": limits_page(),
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


WHEELS = (
    "asyncer",
    "browser-use",
    "edgartools",
    "fastapi",
    "google-adk",
    "marimo",
    "mlflow",
    "modal",
    "pydantic-ai-slim",
    "pydantic-settings-aws",
    "shiny",
    "sqlmodel",
    "starlette-admin",
    "streamlit",
    "trulens-core",
    "typer",
)


def write_wheels() -> None:
    """Download the newest wheels of packages that ship skills, check each, and write the page."""
    from hatch_skills.core.archive import open_archive
    from hatch_skills.core.check import check
    from hatch_skills.core.config import Selection
    from hatch_skills.core.findings import Severity
    from hatch_skills.core.shipment import ship

    selection = Selection(("agent-skills", "library-skills"))
    lines = [
        "# Wheels of popular packages",
        "",
        "What `hatch-skills check WHEEL` says for the default runtimes (`python -m tests.writing --wheels`).",
        "",
        "| wheel | skills | errors | warnings |",
        "|---|---:|---|---|",
    ]
    with tempfile.TemporaryDirectory() as place:
        words = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", place, *WHEELS)
        assert run(*words).returncode == 0
        for wheel in sorted(Path(place).glob("*.whl")):
            archive = open_archive(wheel, wheel.name)
            skills = archive.skills()
            report = check(skills, selection=selection, shipments=[ship(archive, selection=selection)])
            cells = [
                ", ".join(f"{rule} {name} × {count}" for (rule, name), count in sorted(counted.items())) or "–"
                for severity in (Severity.ERROR, Severity.WARNING)
                for counted in [Counter((f.rule, f.name) for f in report.findings if f.severity is severity)]
            ]
            lines.append(f"| {'-'.join(wheel.name.split('-')[:2])} | {len(skills)} | {cells[0]} | {cells[1]} |")
    (ROOT / "docs" / "popular-wheels.md").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def main() -> None:
    """Write every page, and remove those of rules that are gone."""
    docs = ROOT / "docs"
    if "--tables" in sys.argv[1:]:
        write_tables()
    if "--wheels" in sys.argv[1:]:
        write_wheels()
    made = pages()
    for path in (docs / "rules").glob("*.md"):
        if path.relative_to(docs).as_posix() not in made:
            path.unlink()
    for name, text in made.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

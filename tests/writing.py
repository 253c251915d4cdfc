"""Write the generated pages of `docs/`: ``python -m tests.writing``; a test keeps them true."""

from __future__ import annotations

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


def main() -> None:
    """Write every page, and remove those of rules that are gone."""
    docs = ROOT / "docs"
    made = pages()
    for path in (docs / "rules").glob("*.md"):
        if path.relative_to(docs).as_posix() not in made:
            path.unlink()
    for name, text in made.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

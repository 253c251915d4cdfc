"""What users read about a rule: at the prompt and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hatch_skills.core.rules import Rule

__all__ = ["FAMILIES", "explained", "index_page", "page"]

FAMILIES: Mapping[str, str] = {
    "SK1": "File and front matter",
    "SK2": "Fields",
    "SK3": "Body, links, files and scripts",
    "SK4": "Reading: what was written against what a runtime holds",
    "SK5": "Packaging and discovery",
    "SK6": "Security",
    "SK7": "All skills together",
}
"""The families of rules by the beginning of their ids."""


def __dir__() -> list[str]:
    return list(__all__)


def explained(rule: Rule) -> str:
    """A rule as text for a terminal."""
    head = f"{rule.id} {rule.name} ({rule.severity.word})"
    return f"{head}\n\n{rule.text}\n\nfix: {rule.hint}\nsee: {rule.source}"


def page(rule: Rule) -> str:
    """A rule as a Markdown page."""
    title, _, rest = rule.text.partition("\n")
    return (
        f"# {rule.id} {rule.name}\n\n"
        f"**{title}**\n\n"
        f"Severity: {rule.severity.word}, unless a selected runtime weighs it otherwise.\n"
        f"{rest.rstrip()}\n\n"
        f"**Way out.** {rule.hint}\n\n"
        f"**Source.** {rule.source}\n\n"
        f'Where it does not count: `ignore = {{ {rule.id} = "the reason" }}` in `[tool.hatch-skills]`.\n'
    )


def index_page(known: Iterable[Rule]) -> str:
    """The Markdown page that lists every rule by family."""
    lines = ["# Rules", "", "`hatch-skills explain ID` prints any of these pages."]
    family = ""
    for rule in known:
        if rule.id[:3] != family:
            family = rule.id[:3]
            lines += [
                "",
                f"## {family}: {FAMILIES[family]}",
                "",
                "| id | name | severity | what is wrong |",
                "|---|---|---|---|",
            ]
        title = rule.text.partition("\n")[0].replace("|", "\\|")
        lines.append(f"| [{rule.id}]({rule.id}.md) | {rule.name} | {rule.severity.word} | {title} |")
    return "\n".join(lines) + "\n"

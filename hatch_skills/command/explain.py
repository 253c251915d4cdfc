"""`hatch-skills explain`: what a rule is about, why it matters, and the way out."""

from __future__ import annotations

import click

from hatch_skills.core.config import suggestion
from hatch_skills.core.explanation import explained
from hatch_skills.core.findings import Misuse
from hatch_skills.core.rules import rules

__all__ = ["command"]


def __dir__() -> list[str]:
    return list(__all__)


@click.command("explain")
@click.argument("rule")
def command(rule: str) -> None:
    """Explain RULE: an id such as SK401, a name such as value-lost, or the beginning of ids."""
    known = rules()
    wanted = rule.upper()
    chosen = [item for item in known.values() if item.id.startswith(wanted) or item.name == rule.lower()]
    if not chosen:
        words = (*known, *(item.name for item in known.values()))
        raise Misuse(
            f"there is no rule {rule!r}; {suggestion(rule, words) if len(rule) > 2 else 'see hatch-skills rules'}"
        )
    click.echo("\n\n".join(explained(item) for item in chosen))

"""What each runtime holds of a skill, laid out for people: one row for each, differences marked."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

from hatch_skills.core.check import Checked
from hatch_skills.core.runtimes.profile import Reading

__all__ = ["rows", "tabulated"]

_NAME, _OUTCOME = 16, 10


def __dir__() -> list[str]:
    return list(__all__)


def rows(checked: Checked, width: int, paint: Callable[[str, str], str]) -> Iterator[str]:
    """The lines for one skill.

    Args:
        checked: the skill with its readings.
        width: columns of the terminal; longer text is wrapped.
        paint: gives a text a role: ``path``, ``ok``, ``warned``, ``refused``, ``differs`` or ``quiet``.
    """
    skill = checked.skill
    yield paint(f"{skill.archive}: {skill.path}" if skill.archive else skill.path, "path")
    name, description = skill.written("name"), skill.written("description")
    yield from _row("written", "", [_text("name", name), _text("description", description)], width, paint)
    for runtime, reading in sorted(checked.readings.items()):
        role = "refused" if not reading.accepted else "warned" if reading.outcome == "warned" else "ok"
        via = () if checked.found is None else checked.found.get(runtime, ())
        found = [] if checked.found is None or runtime not in checked.found else [_found(via)]
        lines = [*_held(reading, name, description, paint), *found]
        outcome = paint(f"{reading.outcome:<{_OUTCOME}}", role)
        yield from _row(runtime, outcome, lines, width, paint)


def _found(via: tuple[str, ...]) -> str:
    return f"found by {', '.join(via)}" if via else "not found there"


def _held(
    reading: Reading, name: str | None, description: str | None, paint: Callable[[str, str], str]
) -> Iterator[str]:
    if not reading.accepted:
        yield reading.detail
        return
    same = True
    for field, held, written in (("name", reading.name, name), ("description", reading.description, description)):
        if held != written and not (written is not None and held == written.strip()):
            same = False
            yield paint("≠", "differs") + " " + _text(field, held)
    if same:
        yield paint("as written", "quiet")
    if reading.detail:
        yield reading.detail


def _text(field: str, value: str | None) -> str:
    return f"{field}: {'—' if value is None else repr(value)[1:-1]}"


def _row(title: str, outcome: str, lines: list[str], width: int, paint: Callable[[str, str], str]) -> Iterator[str]:
    margin = " " * (2 + _NAME + _OUTCOME)
    first = (
        f"  {paint(f'{title:<{_NAME}}', 'quiet') if not outcome else f'{title:<{_NAME}}'}{outcome or ' ' * _OUTCOME}"
    )
    for line in lines or [""]:
        for piece in textwrap.wrap(line, max(30, width - len(margin))) or [""]:
            yield (first + piece).rstrip()
            first = margin


def tabulated(table: Sequence[tuple[str, ...]], width: int) -> Iterator[str]:
    """A table as aligned text; the last column is wrapped."""
    spans = [max(len(row[column]) for row in table) for column in range(len(table[0]) - 1)]
    margin = sum(spans) + 2 * len(spans)
    for row in table:
        head = "".join(f"{cell:<{span}}  " for cell, span in zip(row, spans, strict=False))
        for piece in textwrap.wrap(row[-1], max(30, width - margin)) or [""]:
            yield (head + piece).rstrip()
            head = " " * margin

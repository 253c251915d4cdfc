"""SK4: what was written against what a runtime holds."""

from __future__ import annotations

from collections.abc import Iterator

from hatch_skills.core.findings import Location, Severity
from hatch_skills.core.front_matter import Entry
from hatch_skills.core.rules.registry import Case, Flaw, rule
from hatch_skills.core.runtimes.profile import Profile

__all__: list[str] = []


def __dir__() -> list[str]:
    return list(__all__)


_ONE_LINE = "Write the value on one line, without quotes."


def _shown(value: str) -> str:
    return repr(value if len(value) <= 60 else value[:57] + "…")


def _compared(case: Case) -> Iterator[tuple[Profile, str, str, str, Entry | None]]:
    """Profile, field, what was written and what is held, for each accepted reading that differs."""
    for profile in case.profiles:
        reading = case.readings[profile.id]
        if not reading.accepted:
            continue
        for field, held in (("name", reading.name), ("description", reading.description)):
            written = case.skill.written(field)
            if written is not None and held is not None and held != written and held != written.strip():
                yield profile, field, written, held, case.skill.front_matter.entry(field)


def _decorated(written: str, held: str, entry: Entry | None, raw: str) -> bool:
    """Nothing of the value is lost: quotes, a comment or a mark stand around it."""
    if held in (raw, raw.strip()):
        return bool(entry and entry.value.style in ('"', "'"))
    return len(held) > len(written) and written.strip() in held


@rule(
    "SK401",
    "value-lost",
    Severity.ERROR,
    hint=_ONE_LINE,
    source="the reader of the runtime",
)
def value_lost(case: Case) -> Iterator[Flaw]:
    """A runtime takes the skill and holds another name or description than was written.

    Line readers take the mark of a block (`>`, `|-`) for the whole value, or the first of several lines, or the value
    of a nested key called `name`; the reference validator cuts values at `---`. A model then sees `>` instead of the
    description. A changed name is always an error; of a description only what loses or replaces it.
    """
    for profile, field, written, held, entry in _compared(case):
        raw = _raw(case, entry)
        if field != "name" and _decorated(written, held, entry, raw):
            continue
        where, why, hint = _cause(case, field, written, held, entry)
        yield Flaw(
            where,
            f"{profile.title} reads `{field}` as {_shown(held)}{why}",
            hint,
            runtimes=(profile.id,),
            source=profile.source,
        )


def _raw(case: Case, entry: Entry | None) -> str:
    if entry is None:
        return ""
    base = case.skill.front_matter.span[0]
    return case.skill.text.content[entry.value_at : base + entry.value.end]


def _cause(case: Case, field: str, written: str, held: str, entry: Entry | None) -> tuple[Location, str, str]:
    """Where it happens, why, and the way out."""
    skill = case.skill
    front_matter = skill.front_matter
    for other in front_matter.entries:
        for key, value in other.value.pairs:
            if key.text == field and value.kind == "scalar" and (value.text.strip() == held or held in value.text):
                return (
                    skill.at(front_matter.span[0] + key.start),
                    f": the key below `{other.key}` replaces it",
                    f"Rename the nested `{field}`.",
                )
    if entry is None:
        return skill.spot(1, 1), "", _ONE_LINE
    where = skill.at(entry.value_at)
    if entry.value.style in ("|", ">"):
        return where, "", _ONE_LINE
    if "---" in written and written.strip().startswith(held):
        return where, ", cut at `---`", "Write the value without three hyphens in a row."
    if "\n" in _raw(case, entry).strip():
        return where, ", the first line only", _ONE_LINE
    if entry.value.style:
        return where, ", with its quotes", "Write the value without quotes."
    return where, "", "Write the value as one plain line, without quotes and comments."


@rule(
    "SK402",
    "not-taken",
    Severity.ERROR,
    hint="Write the file so that every selected runtime takes it, or leave the runtime out.",
    source="the reader of the runtime",
)
def not_taken(case: Case) -> Iterator[Flaw]:
    """A runtime does not take the skill: it skips it without a word, refuses it, or ends in an exception.

    This is said where no other rule has named the cause.
    """
    for profile in case.profiles:
        reading = case.readings[profile.id]
        if reading.accepted:
            continue
        did = {
            "skipped": "skips the skill without a word",
            "rejected": "refuses the skill",
            "crash": "ends in an exception",
        }[reading.outcome]
        fatal = ", and no other skill of the environment is loaded" if reading.fatal else ""
        yield Flaw(
            case.skill.spot(1, 1),
            f"{profile.title} {did}: {reading.detail}{fatal}",
            runtimes=(profile.id,),
            source=profile.source,
        )


@rule(
    "SK403",
    "value-decorated",
    Severity.WARNING,
    hint="Write the value without quotes and comments.",
    source="the reader of the runtime",
)
def value_decorated(case: Case) -> Iterator[Flaw]:
    """A runtime keeps quotes, escapes or a comment as part of the description.

    Nothing is lost, but the model sees text that was not meant for it.
    """
    for profile, field, written, held, entry in _compared(case):
        raw = _raw(case, entry)
        if field == "name" or not _decorated(written, held, entry, raw) or entry is None:
            continue
        quotes = entry.value.style in ('"', "'")
        what = "with its quotes" if quotes else "with what stands beside it"
        yield Flaw(
            case.skill.at(entry.value_at),
            f"{profile.title} reads `{field}` {what}: {_shown(held)}",
            runtimes=(profile.id,),
            source=profile.source,
        )

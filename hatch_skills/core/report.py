"""A report as text or JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hatch_skills.core.check import Report
from hatch_skills.core.findings import Finding, Severity

__all__ = ["as_json", "as_text", "summary", "three_lines"]


def __dir__() -> list[str]:
    return list(__all__)


Paint = Callable[[str, "Severity | None"], str]
"""Colours a text by a severity, or as a side remark; the identity where there is no terminal."""


def _plain(text: str, _: Severity | None) -> str:
    return text


def three_lines(finding: Finding, paint: Paint = _plain) -> str:
    """A finding as text: place and message, the cure, the source."""
    runtimes = f" ({', '.join(finding.runtimes)})" if finding.runtimes else ""
    word = paint(f"{finding.severity.word}[{finding.rule}]", finding.severity)
    lines = [f"{finding.location}: {word} {finding.message}{runtimes}"]
    if finding.hint:
        lines.append(f"    fix: {finding.hint}")
    if finding.source:
        lines.append(paint(f"    see: {finding.source}", None))
    return "\n".join(lines)


def summary(report: Report) -> str:
    """One closing line: how many skills, errors, warnings and infos."""
    parts = [_count(len(report.skills), "skill")]
    for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO):
        number = report.count(severity)
        if number or severity is Severity.ERROR:
            parts.append(_count(number, severity.word))
    if report.ignored:
        parts.append(f"{len(report.ignored)} ignored")
    return ", ".join(parts)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def as_text(report: Report, *, paint: Paint = _plain, show_ignored: bool = False, statistics: bool = False) -> str:
    """Every finding in three lines, errors first, ignored ones with reason, counts by rule, the closing line."""
    parts = [three_lines(finding, paint) for finding in sorted(report.findings, key=lambda f: (-f.severity, f.order))]
    if show_ignored:
        parts += [f"{f.location}: ignored[{f.rule}] {f.message}\n    why: {why}" for f, why in report.ignored]
    if statistics:
        counted = Counter((finding.rule, finding.name, finding.severity) for finding in report.findings)
        parts += [
            f"{count:>7,}  {rule} {name} ({severity.word})"
            for (rule, name, severity), count in sorted(counted.items(), key=lambda item: (-item[1], item[0][0]))
        ]
    return "\n".join([*parts, summary(report)])


def as_json(report: Report, *, full: bool = False) -> str:
    """The report in the shape that other tools rely on (version 1); `full` adds bodies, fields and catalogues."""
    document: dict[str, Any] = {
        "version": 1,
        "skills": [_skill(checked, full) for checked in report.skills],
        "findings": [_finding(finding) for finding in report.findings],
        "summary": {
            "skills": len(report.skills),
            "errors": report.count(Severity.ERROR),
            "warnings": report.count(Severity.WARNING),
            "infos": report.count(Severity.INFO),
        },
    }
    if full:
        document["catalogues"] = dict(report.catalogues)
    return json.dumps(document, indent=2, ensure_ascii=True, default=str)


def _skill(checked: Any, full: bool) -> dict[str, Any]:
    runtimes: dict[str, Any] = {}
    for runtime, reading in sorted(checked.readings.items()):
        entry: dict[str, Any] = {
            "accepted": reading.accepted,
            "outcome": reading.outcome,
            "name": reading.name if reading.accepted else None,
            "description": reading.description if reading.accepted else None,
        }
        if full:
            entry["detail"] = reading.detail
            entry["body"] = reading.body if reading.accepted else None
            entry["fields"] = _bounded(reading.fields) if reading.accepted else {}
        if checked.found is not None and runtime in checked.found:
            via = checked.found[runtime]
            entry["found"] = bool(via)
            entry["via"] = list(via)
        runtimes[runtime] = entry
    made: dict[str, Any] = {
        "path": checked.skill.path,
        "name": checked.name,
        "runtimes": runtimes,
    }
    if checked.skill.archive:
        made["archive"] = checked.skill.archive
    return made


def _bounded(value: Any, depth: int = 0, budget: list[int] | None = None) -> Any:
    """A value for JSON, bounded: aliases in YAML can stand for millions of items."""
    left = [5000] if budget is None else budget
    left[0] -= 1
    if left[0] < 0 or depth > 60:
        return "…"
    if isinstance(value, Mapping):
        return {str(key): _bounded(item, depth + 1, left) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [_bounded(item, depth + 1, left) for item in value]
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)


def _finding(finding: Finding) -> dict[str, Any]:
    made = {
        "path": finding.location.path,
        "line": finding.location.line or None,
        "column": finding.location.column or None,
        "rule": finding.rule,
        "name": finding.name,
        "severity": finding.severity.word,
        "message": finding.message,
        "hint": finding.hint,
        "source": finding.source,
        "runtimes": list(finding.runtimes),
    }
    if finding.location.archive:
        made["archive"] = finding.location.archive
    return made

"""A report for machines that show findings beside the source: GitHub annotations and SARIF."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from hatch_skills import __version__
from hatch_skills.core.check import Report
from hatch_skills.core.findings import Finding, Severity
from hatch_skills.core.rules import Rule, rules

__all__ = ["as_github", "as_sarif"]

_SARIF_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_GITHUB_WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def __dir__() -> list[str]:
    return list(__all__)


def as_github(report: Report) -> str:
    """Workflow commands, one for each finding. Source: GitHub Docs, “Workflow commands for GitHub Actions”."""
    return "\n".join(_annotation(finding) for finding in report.findings)


def _annotation(finding: Finding) -> str:
    place = finding.location
    path = f"{place.archive}: {place.path}" if place.archive else place.path
    properties = [f"file={_property(path)}"]
    if place.line:
        properties.append(f"line={place.line}")
    if place.column:
        properties.append(f"col={place.column}")
    properties.append(f"title={_property(f'{finding.rule} {finding.name}')}")
    runtimes = f" ({', '.join(finding.runtimes)})" if finding.runtimes else ""
    message = f"{finding.message}{runtimes}\nfix: {finding.hint}\nsee: {finding.source}"
    return f"::{_GITHUB_WORDS[finding.severity]} {','.join(properties)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def as_sarif(report: Report) -> str:
    """The report in SARIF 2.1.0; ignored findings are suppressed results with the reason. Source: OASIS SARIF 2.1.0."""
    known = rules()
    found = [*((finding, None) for finding in report.findings), *report.ignored]
    used = sorted({finding.rule for finding, _ in found})
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "hatch-skills",
                        "version": __version__,
                        "rules": [_described(known[rule]) for rule in used],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, reason, used) for finding, reason in found],
            }
        ],
    }
    return json.dumps(document, indent=2)


def _described(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.text.partition("\n")[0]},
        "fullDescription": {"text": rule.text},
        "help": {"text": f"{rule.hint}\n\nSource: {rule.source}"},
        "defaultConfiguration": {"level": _SARIF_LEVELS[rule.severity]},
    }


def _result(finding: Finding, reason: str | None, used: list[str]) -> dict[str, Any]:
    place = finding.location
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(place.path.encode("utf-8", "surrogateescape"))}}
    if place.archive:
        archive = quote(place.archive.encode("utf-8", "surrogateescape"))
        physical["artifactLocation"] = {"uri": f"{archive}/{physical['artifactLocation']['uri']}"}
    if place.line:
        physical["region"] = {"startLine": place.line, **({"startColumn": place.column} if place.column else {})}
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": used.index(finding.rule),
        "level": _SARIF_LEVELS[finding.severity],
        "message": {"text": f"{finding.message}. {finding.hint}" if finding.hint else finding.message},
        "locations": [{"physicalLocation": physical}],
        "properties": {"runtimes": list(finding.runtimes), "source": finding.source},
    }
    if reason is not None:
        result["suppressions"] = [{"kind": "external", "justification": reason}]
    return result

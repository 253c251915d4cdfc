"""Options that several subcommands share, and how their words become a selection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from hatch_skills.core.check import Report
from hatch_skills.core.config import Config, Selection, load_config, read_toml, select_runtimes
from hatch_skills.core.findings import Misuse, Severity
from hatch_skills.core.project import selection_for
from hatch_skills.core.report import as_json, as_text

__all__ = ["Wishes", "finish", "format_option", "ignore_option", "runtime_option", "strict_option", "wishes_for"]

_Function = TypeVar("_Function", bound=Callable[..., Any])


def __dir__() -> list[str]:
    return list(__all__)


def runtime_option(function: _Function) -> _Function:
    """``--runtime ID``, repeatable."""
    return click.option(
        "--runtime", "runtimes", multiple=True, metavar="ID", help="A runtime to be satisfied; may be repeated."
    )(function)


def ignore_option(function: _Function) -> _Function:
    """``--ignore ID``, repeatable."""
    return click.option(
        "--ignore", "ignored", multiple=True, metavar="ID", help="A rule or prefix that does not count."
    )(function)


def strict_option(function: _Function) -> _Function:
    """``--strict``."""
    return click.option("--strict", is_flag=True, help="Warnings count as errors for the exit status.")(function)


def format_option(*formats: str) -> Callable[[_Function], _Function]:
    """``--format`` with the formats that a subcommand knows; the first one is the default."""
    return click.option("--format", "output", type=click.Choice(formats), default=formats[0], show_default=True)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is asked of a check: the configuration of the project, the runtimes, and what does not count."""

    config: Config
    selection: Selection
    ignore: Mapping[str, str]
    hook: bool


def wishes_for(place: Path, runtimes: tuple[str, ...], ignored: tuple[str, ...]) -> Wishes:
    """Options of the call before the configuration of the project that `place` belongs to.

    Raises:
        Misuse: an unknown runtime or rule, or a configuration that is wrong.
    """
    from hatch_skills.core.project import uses_hook

    root = _project_root(place)
    document = read_toml(root / "pyproject.toml") if root else {}
    config = load_config(root) if root else Config()
    chosen = select_runtimes(runtimes) if runtimes else selection_for(document, config)
    wrong = [key for key in ignored if not key.startswith("SK")]
    if wrong:
        raise Misuse(*(f"--ignore {key}: a rule id such as SK304, or the beginning of one, is needed" for key in wrong))
    return Wishes(config, chosen, {**config.ignore, **dict.fromkeys(ignored, "--ignore")}, uses_hook(document))


def _project_root(place: Path) -> Path | None:
    here = place if place.is_dir() else place.parent
    for directory in (here, *here.resolve().parents):
        if (directory / "pyproject.toml").is_file():
            return directory
        if (directory / ".git").exists():
            return None
    return None


def finish(
    report: Report, output: str, *, strict: bool = False, show_ignored: bool = False, statistics: bool = False
) -> None:
    """Print a report and exit with its status: 0 clean, 1 findings, 2 nothing found."""
    if output == "json":
        click.echo(as_json(report))
    elif output in ("github", "sarif"):
        from hatch_skills.core.machine_report import as_github, as_sarif

        click.echo(as_github(report) if output == "github" else as_sarif(report))
    else:
        click.echo(as_text(report, paint=_paint, show_ignored=show_ignored, statistics=statistics))
    if report.empty:
        raise SystemExit(2)
    if report.failed or (strict and report.count(Severity.WARNING)):
        raise SystemExit(1)


def _paint(text: str, severity: Severity | None) -> str:
    if severity is None:
        return click.style(text, dim=True)
    return click.style(text, fg={Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}[severity])

"""One place where a rule is not met: severity, location, message, and the way out."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

__all__ = ["Finding", "Location", "Misuse", "Severity"]


def __dir__() -> list[str]:
    return list(__all__)


class Severity(enum.IntEnum):
    """How much a finding weighs: an error fails builds and tests, a warning does not."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """The word used in every report: ``error``, ``warning`` or ``info``."""
        return self.name.lower()


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a file; lines and columns count from 1, columns in code points, 0 means unknown.

    ``path`` is relative to the working directory, or inside the `archive` where there is one.
    """

    path: str
    line: int = 0
    column: int = 0
    archive: str = ""

    def __str__(self) -> str:
        parts = [f"{self.archive}: {self.path}" if self.archive else self.path]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where a rule is not met, with the cure and the source of the demand."""

    location: Location
    rule: str
    name: str
    severity: Severity
    message: str
    hint: str = ""
    source: str = ""
    runtimes: tuple[str, ...] = ()

    def at(self, severity: Severity) -> Finding:
        """The same finding with another severity."""
        return replace(self, severity=severity)

    @property
    def order(self) -> tuple[Location, str, str]:
        """The key by which reports sort: place, rule, message."""
        return (self.location, self.rule, self.message)


class Misuse(Exception):
    """The tool was called or configured wrongly; carries every problem at once.

    Args:
        problems: one sentence for each problem, with its full TOML path or option name.
    """

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems: tuple[str, ...] = problems

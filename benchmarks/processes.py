"""What a whole process costs: CPU seconds of it and its children, and its peak memory."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Measured", "measure"]


@dataclass(frozen=True, slots=True)
class Measured:
    """CPU seconds (user and system), peak resident memory in KiB, and the exit status."""

    cpu: float
    memory: int
    status: int

    @classmethod
    def median(cls, runs: Sequence[Measured]) -> Measured:
        """The run in the middle by CPU time; memory is the median of its own."""
        ordered = sorted(runs, key=lambda run: run.cpu)
        middle = ordered[len(ordered) // 2]
        return cls(middle.cpu, int(statistics.median(run.memory for run in runs)), middle.status)


def measure(words: Sequence[str], *, env: Mapping[str, str] | None = None) -> Measured:
    """Run one command to its end, its output thrown away, and account for it with ``wait4``."""
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen(
            words, stdout=nowhere, stderr=nowhere, stdin=nowhere, env={**os.environ, **(env or {})}
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    kibibytes = usage.ru_maxrss // (1024 if sys.platform == "darwin" else 1)
    return Measured(usage.ru_utime + usage.ru_stime, kibibytes, process.returncode)

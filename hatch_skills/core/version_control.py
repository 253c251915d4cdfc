"""Why git ignores a file, in git's own words."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

__all__ = ["why_ignored"]


def __dir__() -> list[str]:
    return list(__all__)


def why_ignored(path: str, *, root: Path = Path()) -> str:
    """The pattern that makes git ignore `path`, tracked or not, with its file and line; empty if none does.

    Without git, or outside a repository, the answer is empty too.
    """
    absolute = Path(os.path.abspath(root / path))
    try:
        ran = subprocess.run(
            ["git", "check-ignore", "--verbose", "--no-index", "--", str(absolute)],
            cwd=absolute.parent if absolute.parent.is_dir() else root,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    if ran.returncode != 0:
        return ""
    source, _, _ = ran.stdout.partition("\t")
    file, line, pattern = ([*source.rsplit(":", 2), "", ""])[:3]
    return f"excluded by {file} line {line} (`{pattern}`)"

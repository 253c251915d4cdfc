"""The command face: `hatch-skills` and `python -m hatch_skills`."""

from __future__ import annotations

import sys

__all__ = ["main"]


def __dir__() -> list[str]:
    return list(__all__)


def main() -> None:
    """Run the command; exit status 0 is clean, 1 findings, 2 misuse or nothing found, 130 interrupted."""
    for stream in (sys.stdout, sys.stderr):
        # A locale without UTF-8 changes what a text looks like, and never ends a check.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    from hatch_skills.command import command

    command()


if __name__ == "__main__":
    main()

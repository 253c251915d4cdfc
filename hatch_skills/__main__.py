"""The command face: `hatch-skills` and `python -m hatch_skills`."""

from __future__ import annotations

import os
import signal
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
    # Ended from outside, scratch directories go away like after Ctrl-C.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    import click

    from hatch_skills.command import command

    try:
        status = command.main(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("hatch-skills: interrupted", err=True)
        status = 130
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except BrokenPipeError:  # whoever read the output has enough of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status if isinstance(status, int) else 0)


if __name__ == "__main__":
    main()

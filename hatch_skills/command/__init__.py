"""The subcommands of `hatch-skills`, each imported when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from hatch_skills import __version__
from hatch_skills.core.findings import Misuse

__all__ = ["command"]

_COMMANDS = ("add", "check", "demo", "explain", "fix", "installed", "new", "prove", "rules", "runtimes", "show")


def __dir__() -> list[str]:
    return list(__all__)


class _Commands(click.Group):
    """A group whose commands are modules of this package; misuse of any of them is told in one place."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        found: click.Command = import_module(f"{__name__}.{cmd_name}").command
        return found

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Misuse as misuse:
            for problem in misuse.problems:
                click.echo(f"hatch-skills: {problem}", err=True)
            ctx.exit(2)


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="hatch-skills")
def command() -> None:
    """Ship agent skills inside Python packages, and prove that each runtime finds them."""

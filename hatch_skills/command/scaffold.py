"""Rendering the template that this installation brings, with Copier."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hatch_skills import __version__
from hatch_skills.core.findings import Misuse
from hatch_skills.core.origin import own_source, template_directory

__all__ = ["record_origin", "render"]


def __dir__() -> list[str]:
    return list(__all__)


def render(target: Path, answers: Mapping[str, str], *, ask: bool) -> None:
    """Render the template into `target`; nothing of the template is run, and no trust is asked for.

    Args:
        target: a directory that is not there, or empty.
        answers: answers that are known.
        ask: ask for the others at the terminal; otherwise their defaults are taken.

    Raises:
        Misuse: Copier is not installed, an answer is refused, or there is no terminal to ask at.
    """
    try:
        from copier import run_copy
        from copier.errors import CopierError
    except ImportError as error:
        raise Misuse('this needs Copier; install "hatch-skills[template]"') from error
    source = template_directory()
    with tempfile.TemporaryDirectory(prefix="hatch-skills-") as scratch:
        if (source / ".git").exists():  # a checkout: Copier would take its latest tag, or its uncommitted state
            shutil.copyfile(source / "copier.yml", Path(scratch) / "copier.yml")
            shutil.copytree(source / "template", Path(scratch) / "template")
            source = Path(scratch)
        try:
            run_copy(str(source), target, data=dict(answers), defaults=not ask, quiet=not ask, unsafe=False)
        except (CopierError, ValueError) as error:
            raise Misuse(*(line for line in str(error).splitlines() if line.strip())) from error


def record_origin(target: Path) -> str:
    """Write into the recorded answers where `copier update` finds later versions; the text says whether it can.

    The files came from an installed package, which has no versions of its own. Updates come from the repository that
    this installation was made from, if it has the tag of this version.
    """
    answers = target / ".copier-answers.yml"
    text = answers.read_text(encoding="utf-8")
    if "_commit:" in text:
        return "`copier update` brings later versions of the template."
    source, tag = own_source(), f"v{__version__}"
    if source is not None and (source / ".git").exists() and _has_tag(source, tag):
        lines = [line for line in text.splitlines() if not line.startswith(("_src_path:", "_commit:"))]
        lines[1:1] = [f"_commit: {tag}", f"_src_path: {source}"]
        answers.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return f"`copier update` brings later versions of the template from {source}."
    return (
        "This copy cannot be updated with `copier update`: it came from the installed package. "
        "Use `copier copy REPOSITORY DEST` for one that can."
    )


def _has_tag(repository: Path, tag: str) -> bool:
    words = ["git", "-C", str(repository), "rev-parse", "--verify", "--quiet", f"refs/tags/{tag}"]
    try:
        return subprocess.run(words, capture_output=True, check=False).returncode == 0
    except OSError:
        return False

"""One build per run, also across the workers of pytest-xdist."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hatch_skills.core.proof import Proof, SdistProof
    from pytest_skills.session import SkillSession

__all__ = ["proof_of", "sdist_proof_of", "shared_place"]

SECONDS = 900


def __dir__() -> list[str]:
    return list(__all__)


def proof_of(session: SkillSession) -> Proof:
    """Build or take the wheel, install it into a place of this process, and probe it.

    Raises:
        BuildFailed: the build failed, here or in the worker that did it.
        pytest.UsageError: the proof needs a package that is not installed, or the given wheel is not there.
    """
    from hatch_skills.core.findings import Misuse
    from hatch_skills.core.proof import BuildFailed, prove

    if session.failed_build:
        raise BuildFailed(session.failed_build)
    scratch = Path(tempfile.mkdtemp(prefix="hatch-skills-"))
    session.config.add_cleanup(lambda: shutil.rmtree(scratch, ignore_errors=True))
    try:
        return prove(session.project, session.selection, scratch, wheel=_wheel(session, scratch))
    except BuildFailed as failure:
        session.failed_build = str(failure)
        raise
    except Misuse as misuse:
        raise pytest.UsageError(*misuse.problems) from None


def _wheel(session: SkillSession, scratch: Path) -> Path:
    from hatch_skills.core.proof import build_wheel

    given = session.config.getoption("skills_wheel")
    if given:
        path = Path(session.config.invocation_params.dir / given)
        if not path.is_file():
            raise pytest.UsageError(f"--skills-wheel {given}: there is no such file")
        return path
    worker: dict[str, str] | None = getattr(session.config, "workerinput", None)
    if worker is None:
        return build_wheel(session.root, scratch)
    return _shared(session, shared_place(worker["testrunuid"]))


def shared_place(run: str) -> Path:
    """The directory that the workers of one pytest-xdist run share; their controller removes it."""
    return Path(tempfile.gettempdir()) / f"hatch-skills-{run}"


def _shared(session: SkillSession, place: Path) -> Path:
    """The wheel that the first worker builds; the others wait for it."""
    from hatch_skills.core.proof import BuildFailed, build_wheel

    answer = place / "answer.json"
    try:
        place.mkdir()
    except FileExistsError:
        deadline = time.monotonic() + SECONDS
        while not answer.exists():
            if time.monotonic() > deadline:
                raise BuildFailed(f"another worker has not built the wheel within {SECONDS} s") from None
            time.sleep(0.05)
        told = json.loads(answer.read_text(encoding="utf-8"))
        if told["failure"]:
            raise BuildFailed(told["failure"]) from None
        return Path(told["wheel"])
    told = {"wheel": "", "failure": "the worker that built the wheel was interrupted"}
    try:
        told = {"wheel": str(build_wheel(session.root, place / "scratch")), "failure": ""}
    except BuildFailed as failure:
        told["failure"] = str(failure)
        raise
    finally:
        unfinished = place / "answer.part"
        unfinished.write_text(json.dumps(told), encoding="utf-8")
        unfinished.replace(answer)
    return Path(told["wheel"])


def sdist_proof_of(session: SkillSession) -> SdistProof:
    """Build the sdist and the wheel from it, and compare with a wheel made straight from the tree.

    Raises:
        BuildFailed: one of the builds failed.
        pytest.UsageError: the proof needs a package that is not installed.
    """
    from hatch_skills.core.findings import Misuse
    from hatch_skills.core.proof import BuildFailed, prove_sdist

    if session.failed_build:
        raise BuildFailed(session.failed_build)
    scratch = Path(tempfile.mkdtemp(prefix="hatch-skills-"))
    session.config.add_cleanup(lambda: shutil.rmtree(scratch, ignore_errors=True))
    try:
        return prove_sdist(session.project, session.selection, scratch)
    except BuildFailed as failure:
        session.failed_build = str(failure)
        raise
    except Misuse as misuse:
        raise pytest.UsageError(*misuse.problems) from None

"""Every reader against the real runtime, where it can be imported: on all probes and on generated files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hatch_skills.core.runtimes import profile
from hatch_skills.core.tree import load_skill
from tests.runtimes.probe_files import PROBES, lay_out
from tests.runtimes.real_runtimes import REAL, Held, absent
from tests.runtimes.skill_texts import DIRECTORIES, skill_files

_SLOW = {"s46-many-keys"}
"""strictyaml needs half a minute for it; its verdict is recorded."""


@pytest.fixture(scope="module", params=sorted(REAL))
def runtime(request: pytest.FixtureRequest) -> str:
    """The id of a runtime that can be asked in this interpreter."""
    chosen: str = request.param
    reason = absent(chosen)
    if reason:
        pytest.skip(reason)
    return chosen


@pytest.fixture(scope="module")
def skills(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory for skills inside a package of a scratch site-packages."""
    directory = tmp_path_factory.mktemp("oracles") / "site" / "pk" / ".agents" / "skills"
    directory.mkdir(parents=True)
    return directory


def _held(runtime: str, path: Path) -> Held:
    reading = profile(runtime).read(load_skill(path, str(path)))
    return Held(reading.outcome, reading.name, reading.description, reading.body)


@pytest.mark.parametrize("name", sorted(PROBES))
def test_a_probe_is_read_as_the_runtime_reads_it(runtime: str, name: str, tmp_path: Path) -> None:
    """Outcome, name, description and body of a reader are those of the runtime itself."""
    if runtime == "agent-skills" and name in _SLOW:
        pytest.skip("strictyaml needs half a minute for 5,000 keys")
    path = lay_out(PROBES[name], tmp_path / "site" / "pk" / ".agents" / "skills")
    assert _held(runtime, path) == REAL[runtime].ask(path)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=skill_files(), directory=st.sampled_from(DIRECTORIES))
def test_any_file_is_read_as_the_runtime_reads_it(runtime: str, skills: Path, data: bytes, directory: str) -> None:
    """For generated files too, a reader is neither better nor worse than its runtime."""
    path = skills / directory / "SKILL.md"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    assert _held(runtime, path) == REAL[runtime].ask(path)

"""Every reader against the recorded verdicts of every runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hatch_skills.core.runtimes import profile, runtime_ids
from hatch_skills.core.runtimes.profile import Reading
from hatch_skills.core.tree import load_skill
from tests.runtimes.probe_files import PROBES, expand, lay_out


def _verdict(reading: Reading) -> list[Any]:
    if reading.accepted:
        return [reading.outcome, reading.name, reading.description]
    assert (reading.name, reading.description, reading.body, dict(reading.fields)) == (None, None, None, {})
    assert reading.detail, "a refusal says why"
    return [reading.outcome]


@pytest.mark.parametrize("name", sorted(PROBES))
def test_every_runtime_reads_a_probe_as_recorded(name: str, tmp_path: Path) -> None:
    """Outcome, name and description of all six readers are those of the real runtimes; a refusal holds nothing else."""
    probe = PROBES[name]
    path = lay_out(probe, tmp_path)
    read = {runtime: _verdict(profile(runtime).read(load_skill(path, str(path)))) for runtime in runtime_ids()}
    wanted = {
        runtime: [value if value is None or isinstance(value, str) else expand(value).decode() for value in verdict]
        for runtime, verdict in probe.expected.items()
    }
    assert read == wanted


def test_the_probes_cover_all_runtimes() -> None:
    """Each probe has one verdict for each runtime that there is."""
    assert {tuple(sorted(probe.expected)) for probe in PROBES.values()} == {runtime_ids()}

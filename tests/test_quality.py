"""Format, lint, types and import contracts, as tests of the whole."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.making import ROOT, run

pytestmark = pytest.mark.slow
BIN = Path(sys.executable).parent


@pytest.mark.parametrize(
    "words",
    [
        ("-m", "ruff", "format", "--check", "."),
        ("-m", "ruff", "check", "."),
        ("-m", "mypy"),
        (str(BIN / "lint-imports"), "--no-cache"),
    ],
    ids=["format", "lint", "types", "contracts"],
)
def test_quality(words: tuple[str, ...]) -> None:
    """The tools that keep the project in shape have nothing to say."""
    done = run(sys.executable, *words, cwd=ROOT)
    assert done.returncode == 0, done.stdout

"""A further runtime is one module."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.making import ROOT, run, skill_text, write

MODULE = '''
"""A runtime that takes everything and shouts its name."""

from hatch_skills.core.runtimes.profile import Profile, accepted


def read(skill):
    return accepted((skill.written("name") or "").upper(), skill.written("description") or "", "")


PROFILE = Profile(
    id="loud", title="Loud", looked_at="loud 1.0", source="loud 1.0", searches="nothing", duplicates="all", read=read
)
'''


def test_a_seventh_runtime_is_one_module(tmp_path: Path) -> None:
    """A module beside the others is listed, shown and judged, and nothing else is touched."""
    write(tmp_path, {"more/loud.py": MODULE, "tide-tables/SKILL.md": skill_text()})
    code = (
        "import sys; from hatch_skills.core import runtimes; runtimes.__path__.append(sys.argv[1]); "
        "sys.argv = ['hatch-skills', *sys.argv[2:]]; from hatch_skills.__main__ import main; main()"
    )
    words = (sys.executable, "-c", code, tmp_path / "more")
    env = {"PYTHONPATH": str(ROOT)}
    assert "loud 1.0" in run(*words, "runtimes", cwd=tmp_path, env=env).stdout
    shown = json.loads(run(*words, "show", "tide-tables", "--format", "json", cwd=tmp_path, env=env).stdout)
    assert shown["skills"][0]["runtimes"]["loud"]["name"] == "TIDE-TABLES"
    done = run(*words, "check", "tide-tables", "--runtime", "loud", cwd=tmp_path, env=env)
    assert done.returncode == 1
    assert "error[SK401] Loud reads `name` as 'TIDE-TABLES'" in done.stdout

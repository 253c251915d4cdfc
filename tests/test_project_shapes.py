"""The build hook in every shape of project: what ships, where, and under which entry point."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hatch_skills.core.archive import open_archive
from hatch_skills.core.config import Selection
from hatch_skills.core.shipment import ship
from tests.making import HOOK, archives, build, built, names, pyproject, run, skill_text, write

SKILL = ".agents/skills/tide-tables/SKILL.md"
WHEEL = "\n[tool.hatch.build.targets.wheel]\n"
GENERATE = (
    "from pathlib import Path\n"
    "from hatchling.builders.hooks.plugin.interface import BuildHookInterface\n\n\n"
    "class Early(BuildHookInterface):\n"
    "    def initialize(self, version, build_data):\n"
    f"        place = Path(self.root, 'src/demo', '{SKILL}')\n"
    "        place.parent.mkdir(parents=True, exist_ok=True)\n"
    f"        place.write_text({skill_text()!r})\n"
)
FORCE = (
    "from hatchling.builders.hooks.plugin.interface import BuildHookInterface\n\n\n"
    "class Early(BuildHookInterface):\n"
    "    def initialize(self, version, build_data):\n"
    "        build_data['force_include']['src/demo/.agents'] = 'demo/.agents'\n"
)
SHAPES: dict[str, tuple[str, dict[str, str], str]] = {
    "src layout": ("", {"src/demo/__init__.py": "", f"src/demo/{SKILL}": skill_text()}, f"demo/{SKILL}"),
    "flat layout": ("", {"demo/__init__.py": "", f"demo/{SKILL}": skill_text()}, f"demo/{SKILL}"),
    "several packages": (
        f'{WHEEL}packages = ["src/demo", "src/other"]\n',
        {"src/demo/__init__.py": "", "src/other/__init__.py": "", f"src/other/{SKILL}": skill_text()},
        f"other/{SKILL}",
    ),
    "namespace package": (
        f'{WHEEL}packages = ["src/acme"]\n',
        {"src/acme/demo/__init__.py": "", f"src/acme/demo/{SKILL}": skill_text()},
        f"acme/demo/{SKILL}",
    ),
    "no package at all": (
        f'{WHEEL}bypass-selection = true\n\n[tool.hatch-skills]\nmap = "demo"\n',
        {"skills/tide-tables/SKILL.md": skill_text()},
        f"demo/{SKILL}",
    ),
    "sources": (
        f'{WHEEL}only-include = ["code/demo"]\nsources = ["code"]\n',
        {"code/demo/__init__.py": "", f"code/demo/{SKILL}": skill_text()},
        f"demo/{SKILL}",
    ),
    "sources with a prefix": (
        f'{WHEEL}packages = ["demo"]\n\n[tool.hatch.build.targets.wheel.sources]\n"" = "vendor/"\n',
        {"demo/__init__.py": "", f"demo/{SKILL}": skill_text()},
        f"vendor/demo/{SKILL}",
    ),
    "only-packages": (
        f"{WHEEL}only-packages = true\n",
        {"src/demo/__init__.py": "", f"src/demo/{SKILL}": skill_text()},
        f"demo/{SKILL}",
    ),
    "include of code alone": (
        f'{WHEEL}include = ["src/demo/**/*.py"]\nsources = ["src"]\n',
        {"src/demo/__init__.py": "", f"src/demo/{SKILL}": skill_text()},
        f"demo/{SKILL}",
    ),
    "sdist of code alone": (
        '\n[tool.hatch.build.targets.sdist]\nonly-include = ["src"]\n',
        {"src/demo/__init__.py": "", "skills/tide-tables/SKILL.md": skill_text()},
        f"demo/{SKILL}",
    ),
    "skill made by an earlier hook": (
        "",
        {"src/demo/__init__.py": "", "early.py": GENERATE},
        f"demo/{SKILL}",
    ),
    "skill forced by an earlier hook": (
        "",
        {"src/demo/__init__.py": "", f"src/demo/{SKILL}": skill_text(), "early.py": FORCE, ".gitignore": ".agents/\n"},
        f"demo/{SKILL}",
    ),
    "dynamic version": (
        '\n[tool.hatch.version]\npath = "src/demo/__init__.py"\n',
        {"src/demo/__init__.py": '__version__ = "1.0"\n', f"src/demo/{SKILL}": skill_text()},
        f"demo/{SKILL}",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_shape_ships_its_skill_once(shape: str, tmp_path: Path) -> None:
    """Through the sdist, the skill is in the wheel once, and its entry point leads there."""
    tail, files, place = SHAPES[shape]
    early = '\n[tool.hatch.build.hooks.custom]\npath = "early.py"\n' if "early.py" in files else ""
    text = pyproject(f"{early}{HOOK}{tail}")
    if shape == "dynamic version":
        text = text.replace('version = "1.0"', 'dynamic = ["version"]', 1)
    wheel = built(write(tmp_path, {"pyproject.toml": text, **files}))
    assert [name for name in names(wheel) if name.endswith("SKILL.md")] == [place]
    shipment = ship(open_archive(wheel), selection=Selection())
    assert [hit.path for hit in shipment.found["ovos"]] == [place]
    assert [point.path for point in shipment.distribution.entry_points] == [place]


@pytest.mark.slow
def test_member_of_a_monorepo_is_not_hidden_by_the_parent(tmp_path: Path) -> None:
    """A ``.gitignore`` two levels above takes nothing away."""
    files = {".gitignore": ".agents/\nlib/\n", "libs/demo/pyproject.toml": pyproject()}
    write(tmp_path, {**files, "libs/demo/src/demo/__init__.py": "", f"libs/demo/src/demo/{SKILL}": skill_text()})
    assert run("git", "init", "-q", cwd=tmp_path).returncode == 0
    assert f"demo/{SKILL}" in names(built(tmp_path / "libs" / "demo"))


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["dev-mode-dirs = ['src']", "dev-mode-exact = true"])
def test_development_modes_keep_the_entry_point(mode: str, tmp_path: Path) -> None:
    """Editable wheels of every mode hold the generated module and no copy of the skill."""
    text = pyproject(f"{HOOK}\n[tool.hatch.build]\n{mode}\n")
    root = write(tmp_path, {"pyproject.toml": text, "src/demo/__init__.py": "", f"src/demo/{SKILL}": skill_text()})
    done = run(sys.executable, "-c", "from hatchling.build import build_editable; build_editable('.')", cwd=root)
    assert done.returncode == 0, done.stdout
    (wheel,) = root.glob("*.whl")
    assert "_skill_md_demo.py" in names(wheel)
    assert not any(name.endswith("SKILL.md") for name in names(wheel))


@pytest.mark.slow
def test_odd_names_are_findings_and_no_archive_stays(tmp_path: Path) -> None:
    """Names that Windows or UTF-8 cannot hold, and pipes, stop the build with a finding each."""
    import os

    root = write(
        tmp_path, {"pyproject.toml": pyproject(), "src/demo/__init__.py": "", f"src/demo/{SKILL}": skill_text()}
    )
    place = root / "src/demo/.agents/skills/tide-tables"
    (place / "aux.md").write_text("x")
    (place / os.fsdecode(b"caf\xe9.md")).write_text("x")
    os.mkfifo(place / "pipe")
    done = build(root)
    assert done.returncode != 0
    assert "error[SK311] the file name 'aux.md' is the name of a device on Windows" in done.stdout
    assert "error[SK311] the file name is no text" in done.stdout
    assert "error[SK315] 'pipe' is no regular file" in done.stdout
    assert "Traceback" not in done.stdout
    assert archives(root) == []

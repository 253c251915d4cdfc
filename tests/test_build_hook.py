"""The build hook, by real builds of real projects."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.making import (
    HOOK,
    ROOT,
    SKILL,
    Environment,
    archives,
    build,
    built,
    demo,
    names,
    pyproject,
    read,
    run,
    skill_text,
    write,
)

MODULE = "_skill_md_demo.py"
WHEEL_SKILL = "demo/.agents/skills/tide-tables/SKILL.md"


def test_wheel_holds_every_file_and_the_entry_point(tmp_path: Path) -> None:
    """A build ships all files of the skill, the generated module, and one entry point to it."""
    wheel = built(demo(tmp_path))
    members = names(wheel)
    for file in ("SKILL.md", "scripts/run.py", "references/guide.md"):
        assert f"demo/.agents/skills/tide-tables/{file}" in members
    assert "SKILL_MD_tide_tables = _p.realpath(" in read(wheel, MODULE)
    points = read(wheel, "demo-1.0.dist-info/entry_points.txt")
    assert points == "[opm.agents.skill_md]\ntide-tables = _skill_md_demo:SKILL_MD_tide_tables\n"


def test_wheel_from_the_tree_is_the_wheel_from_the_sdist(tmp_path: Path) -> None:
    """Both ways to a wheel give the same bytes, also where git ignores the skill."""
    root = demo(tmp_path / "project", {".gitignore": ".agents/\nlib/\n"})
    write(root, {"src/demo/.agents/skills/tide-tables/scripts/lib/rows.py": "x = 1\n"})
    through = built(root).read_bytes()
    assert build(root, "--wheel", "--outdir", str(tmp_path / "direct")).returncode == 0
    (direct,) = (tmp_path / "direct").glob("*.whl")
    assert direct.read_bytes() == through
    assert "demo/.agents/skills/tide-tables/scripts/lib/rows.py" in names(direct)


def test_static_entry_points_stay(tmp_path: Path) -> None:
    """The author's own entry points stand beside ours, and one of the same name wins."""
    own = 'other = "demo:OTHER"\ntide-tables = "demo.paths:TIDES"\n'
    project = f'\n[project.entry-points."opm.agents.skill_md"]\n{own}\n[project.scripts]\ndemo = "demo:main"\n'
    paths = (
        "from pathlib import Path\n\n"
        'TIDES = str(Path(__file__).resolve().parent / ".agents" / "skills" / "tide-tables" / "SKILL.md")\n'
    )
    low = skill_text("low-water")
    files = {
        "src/demo/__init__.py": "from demo.paths import TIDES as OTHER\n",
        "src/demo/paths.py": paths,
        "src/demo/.agents/skills/low-water/SKILL.md": low,
    }
    wheel = built(demo(tmp_path, files, project=project))
    points = read(wheel, "demo-1.0.dist-info/entry_points.txt")
    assert "tide-tables = demo.paths:TIDES" in points
    assert "low-water = _skill_md_demo:SKILL_MD_low_water" in points
    assert "demo = demo:main" in points


def test_static_entry_point_that_leads_nowhere_fails(tmp_path: Path) -> None:
    """A module that the wheel does not hold ends the build."""
    project = '\n[project.entry-points."opm.agents.skill_md"]\ntide-tables = "demo.gone:TIDES"\n'
    done = build(demo(tmp_path, project=project))
    assert done.returncode != 0
    assert "error[SK507]" in done.stdout
    assert "demo.gone" in done.stdout
    assert not [name for name in archives(tmp_path) if name.endswith(".whl")]


@pytest.mark.parametrize(
    ("files", "place", "rule"),
    [
        ({SKILL: skill_text(description=">-\n  Reads tide tables.")}, f"{SKILL}:3:14", "SK401"),
        ({SKILL: b"\xef\xbb\xbf" + skill_text().encode()}, f"{SKILL}:1:1", "SK102"),
        ({SKILL: "---\nname: tide-tables\ndescription: Reads tables.\n\n# Tides\n"}, f"{SKILL}:1:1", "SK104"),
        ({SKILL: skill_text("high-water")}, f"{SKILL}:2:7", "SK205"),
        ({SKILL: skill_text(body="\nSee [x](nowhere.md).\n")}, f"{SKILL}:6:9", "SK301"),
    ],
)
def test_bad_skill_fails_the_build(tmp_path: Path, files: dict[str, str | bytes], place: str, rule: str) -> None:
    """The build ends with place, cure and source in three lines, and leaves no archive."""
    done = build(demo(tmp_path, files))
    assert done.returncode != 0
    assert re.search(rf"{re.escape(place)}: error\[{rule}\].*\n\s+fix: .+\n\s+see: .+", done.stdout), done.stdout
    assert "Traceback" not in done.stdout
    assert archives(tmp_path) == []


def test_bad_skill_is_a_warning_in_an_editable_install(tmp_path: Path) -> None:
    """A half-written skill does not keep anybody from developing, unless the project says so."""
    root = demo(tmp_path, {SKILL: skill_text("high-water")})
    editable = "from hatchling.build import build_editable; build_editable('.')"
    done = run(sys.executable, "-c", editable, cwd=root)
    assert done.returncode == 0, done.stdout
    assert "error[SK205]" in done.stdout
    write(root, {"pyproject.toml": pyproject(HOOK + '\n[tool.hatch-skills]\neditable = "error"\n')})
    assert run(sys.executable, "-c", editable, cwd=root).returncode != 0


def test_root_skills_are_mapped_into_the_package(tmp_path: Path) -> None:
    """One copy at the root serves the repository and the wheel, through the sdist too."""
    root = demo(tmp_path, {"skills/low-water/SKILL.md": skill_text("low-water"), "skills/low-water/a.txt": "a\n"})
    wheel = built(root)
    assert "demo/.agents/skills/low-water/SKILL.md" in names(wheel)
    assert "demo/.agents/skills/low-water/a.txt" in names(wheel)
    assert not any(name.startswith("skills/") for name in names(wheel))
    assert "low-water = " in read(wheel, "demo-1.0.dist-info/entry_points.txt")


def test_root_skills_stay_out_where_the_project_says_so(tmp_path: Path) -> None:
    """``map = false`` leaves root ``skills/`` to the repository."""
    tail = HOOK + "\n[tool.hatch-skills]\nmap = false\n"
    root = demo(tmp_path, {"skills/low-water/SKILL.md": skill_text("low-water")}, tail=tail)
    assert not any("low-water" in name for name in names(built(root)))


def test_root_skills_need_one_package(tmp_path: Path) -> None:
    """With several packages and none called like the project, the build asks for ``map``."""
    files = {"skills/low-water/SKILL.md": skill_text("low-water"), "src/other/__init__.py": ""}
    tail = HOOK + '\n[tool.hatch.build.targets.wheel]\npackages = ["src/demo", "src/other"]\n'
    root = demo(tmp_path, files, tail=tail, name="third")
    done = build(root)
    assert done.returncode != 0
    assert "tool.hatch-skills.map" in done.stdout
    assert "demo, other" in done.stdout
    write(root, {"pyproject.toml": pyproject(tail + '\n[tool.hatch-skills]\nmap = "other"\n', name="third")})
    assert "other/.agents/skills/low-water/SKILL.md" in names(built(root))


def test_skill_anywhere_in_the_package_ships(tmp_path: Path) -> None:
    """Any ``<name>/SKILL.md`` inside the package counts; that library-skills does not look there is one warning."""
    root = write(
        tmp_path,
        {
            "pyproject.toml": pyproject(),
            "demo/__init__.py": "",
            "demo/skills/tide-tables/SKILL.md": skill_text(),
            "demo/skills/low-water/SKILL.md": skill_text("low-water"),
        },
    )
    done = build(root)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("warning[SK508]") == 1
    (wheel,) = (root / "dist").glob("*.whl")
    assert "demo/skills/low-water/SKILL.md" in names(wheel)


def test_project_without_a_skill_fails(tmp_path: Path) -> None:
    """A hook that finds nothing says where it looked; ``allow-empty`` accepts it."""
    root = write(
        tmp_path,
        {
            "pyproject.toml": pyproject(),
            "src/demo/__init__.py": "",
            ".agents/skills/ours/SKILL.md": skill_text("ours"),
        },
    )
    done = build(root)
    assert done.returncode != 0
    assert "error[SK500] no skill was found below every import package" in done.stdout
    assert ".agents/skills/ours/SKILL.md does not count" in done.stdout
    write(root, {"pyproject.toml": pyproject(HOOK + "\n[tool.hatch-skills]\nallow-empty = true\n")})
    assert build(root).returncode == 0


def test_explicit_exclude_of_a_skill_fails(tmp_path: Path) -> None:
    """An exclude that takes SKILL.md or a linked file away is an error; another resource may be left out."""
    tail = HOOK + '\n[tool.hatch.build.targets.wheel]\nexclude = ["*.md"]\n'
    done = build(demo(tmp_path / "a", tail=tail))
    assert done.returncode != 0
    assert f"{SKILL}: error[SK501]" in done.stdout
    tail = HOOK + '\n[tool.hatch.build]\nexclude = ["notes.txt"]\n'
    wheel = built(demo(tmp_path / "b", {"src/demo/.agents/skills/tide-tables/notes.txt": "n\n"}, tail=tail))
    assert not any("notes.txt" in name for name in names(wheel))


def test_wrong_configuration_names_every_problem(tmp_path: Path) -> None:
    """All problems come at once, each with its TOML path, and without a traceback."""
    tail = HOOK + 'runtimes = ["ovos"]\n\n[tool.hatch-skills]\nrunttimes = ["ovos"]\n'
    done = build(demo(tmp_path / "a", tail=tail))
    assert done.returncode != 0
    assert "tool.hatch.build.hooks.skills.runtimes: unknown key" in done.stdout
    tail = HOOK + '\n[tool.hatch-skills]\nrunttimes = ["ovos"]\neditable = 3\nskills = "x"\n'
    done = build(demo(tmp_path / "b", tail=tail))
    assert "tool.hatch-skills.runttimes: unknown key; did you mean `runtimes`?" in done.stdout
    assert "tool.hatch-skills.editable" in done.stdout
    assert "tool.hatch-skills.skills: an array of text is needed, not text" in done.stdout
    assert "Traceback" not in done.stdout


def test_skills_are_registered_in_other_groups(tmp_path: Path) -> None:
    """A group may take the path of each skill, or one directory of skills for the distribution; both lead there."""
    groups = '\n[tool.hatch-skills.groups]\n"a.files" = "file"\n"b.directories" = "directory"\n'
    root = demo(tmp_path / "project", tail=HOOK + groups)
    environment = Environment(tmp_path / "environment")
    environment.install(built(root))
    code = (
        "import json; from importlib.metadata import entry_points; "
        "print(json.dumps([[p.group, p.name, type(v).__name__, str(v)] "
        "for g in ('a.files', 'b.directories', 'opm.agents.skill_md') "
        "for p in entry_points(group=g) for v in [p.load()]]))"
    )
    found = [row for row in environment.ask(code) if "tide-tables" in row[3] or row[1] == "demo"]
    base = str(environment.site / "demo" / ".agents" / "skills")
    assert sorted(found) == [
        ["a.files", "tide-tables", "str", f"{base}/tide-tables/SKILL.md"],
        ["b.directories", "demo", type(tmp_path).__name__, base],
        ["opm.agents.skill_md", "tide-tables", "str", f"{base}/tide-tables/SKILL.md"],
    ]


def test_default_group_can_be_left_out(tmp_path: Path) -> None:
    """``"opm.agents.skill_md" = false`` registers nothing and writes no module."""
    tail = HOOK + '\n[tool.hatch-skills.groups]\n"opm.agents.skill_md" = false\n'
    wheel = built(demo(tmp_path, tail=tail))
    assert MODULE not in names(wheel)
    assert "demo-1.0.dist-info/entry_points.txt" not in names(wheel)


@pytest.mark.slow
def test_editable_root_skills_ask_for_the_repository_link(tmp_path: Path) -> None:
    """What library-skills cannot see is said, with the command that repairs it, and not said where it is repaired."""
    root = demo(tmp_path, {"skills/low-water/SKILL.md": skill_text("low-water", "Reads low water.")})
    editable = (sys.executable, "-c", "from hatchling.build import build_editable; build_editable('.')")
    done = run(*editable, cwd=root)
    assert done.returncode == 0, done.stdout
    assert "warning[SK524]" in done.stdout
    assert "ln -s ../skills .agents/skills" in done.stdout
    (root / ".agents").mkdir()
    (root / ".agents" / "skills").symlink_to("../skills")
    assert "SK524" not in run(*editable, cwd=root).stdout


@pytest.mark.slow
def test_builds_are_reproducible(tmp_path: Path) -> None:
    """Two directories, two umasks and two clocks give the same bytes."""
    made = []
    for name, mask in (("a", 0o022), ("some/other/place", 0o077)):
        before = os.umask(mask)
        try:
            root = demo(tmp_path / name)
            built(root)
        finally:
            os.umask(before)
        made.append({path.name: path.read_bytes() for path in (root / "dist").iterdir()})
    assert made[0] == made[1]


def test_archive_that_lacks_a_skill_is_removed(tmp_path: Path) -> None:
    """A later hook that takes a file out of the wheel is noticed in the finished archive, which then goes away."""
    late = (
        "from hatchling.builders.hooks.plugin.interface import BuildHookInterface\n\n\n"
        "class Late(BuildHookInterface):\n"
        "    def initialize(self, version, build_data):\n"
        "        build_data['force_include'].clear()\n"
    )
    tail = HOOK + "\n[tool.hatch.build.targets.wheel.hooks.custom]\npath = 'late.py'\n"
    done = build(demo(tmp_path, {"late.py": late, ".gitignore": ".agents/\n"}, tail=tail), "--wheel")
    assert done.returncode != 0
    assert f"{SKILL}: error[SK501]" in done.stdout
    assert archives(tmp_path) == []


def test_link_in_a_skill_fails(tmp_path: Path) -> None:
    """The hook refuses symbolic links, whose content no archive may take along."""
    root = demo(tmp_path, {"secret.txt": "secret\n"})
    (root / "src/demo/.agents/skills/tide-tables/link.txt").symlink_to(root / "secret.txt")
    done = build(root)
    assert done.returncode != 0
    assert "error[SK601]" in done.stdout
    assert archives(tmp_path) == []


def test_hooks_module_needs_hatchling_only(tmp_path: Path) -> None:
    """Importing Hatch's entry point loads no YAML, no click and nothing of the core."""
    code = (
        "import sys, hatch_skills.hooks; "
        "print([m for m in ('yaml', 'click', 'markdown_it', 'hatch_skills.core') if m in sys.modules])"
    )
    assert run(sys.executable, "-c", code, cwd=ROOT).stdout.strip() == "[]"


@pytest.mark.oracle
@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_real_runtimes_find_the_skill_once(tmp_path: Path, kind: str) -> None:
    """OVOS and library-skills find each skill exactly once, through a link too, and the package is not imported."""
    root = demo(
        tmp_path / "project", {"src/demo/__init__.py": "raise ImportError('heavy')\n", ".gitignore": ".agents/\n"}
    )
    environment = Environment(tmp_path / "environment")
    environment.install(*(["--editable", root] if kind == "editable" else [built(root)]))
    name, description = "tide-tables", "Reads tide tables. Use when somebody asks for high water."
    assert [row[:2] for row in environment.ovos()] == [[name, description]]
    assert [row[:2] for row in environment.library_skills()] == [[name, description]]
    link = tmp_path / "link"
    link.symlink_to(environment.place)
    assert [row[:2] for row in environment.ovos(link / "bin" / "python")] == [[name, description]]

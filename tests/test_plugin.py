"""The pytest plugin, by real pytest runs in real projects."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.making import HOOK, ROOT, SKILL, Environment, build, demo, pyproject, run, skill_text, write

INI = '\n[tool.pytest.ini_options]\nskills = "auto"\nrequired_plugins = ["hatch-skills"]\ntestpaths = ["tests"]\n'
OK = {"tests/test_ok.py": "def test_ok():\n    pass\n"}
SETUPTOOLS: dict[str, Any] = {"requires": ["setuptools"], "backend": "setuptools.build_meta"}


def pytest_in(root: Path, *words: str) -> tuple[int, str]:
    """Run pytest in a project with the plugin of this checkout; exit status and output."""
    base = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--color=no")
    done = run(*base, *words, cwd=root, env={"PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""})
    return done.returncode, done.stdout


def items(output: str) -> list[str]:
    """The node ids of a ``--collect-only -q`` run."""
    return [line for line in output.splitlines() if "::" in line]


def test_every_skill_becomes_items(tmp_path: Path) -> None:
    """Plain pytest collects the skill below ``.agents`` although testpaths names another directory."""
    root = demo(tmp_path, OK, tail=HOOK + INI)
    status, output = pytest_in(root, "--collect-only", "-q")
    assert status == 0
    wanted = ("agent-skills", "library-skills", "ovos", "wheel", "installed")
    assert items(output) == ["tests/test_ok.py::test_ok", *(f"{SKILL}::{name}" for name in wanted)]


def test_verbose_lines_are_node_ids(tmp_path: Path) -> None:
    """What ``-v`` prints can be given back to pytest."""
    status, output = pytest_in(demo(tmp_path, OK, tail=HOOK + INI), "-v", "-k", "ovos")
    assert status == 0
    assert f"{SKILL}::ovos PASSED" in output


def test_sound_package_passes(tmp_path: Path) -> None:
    """A package with the hook passes, is built once outside of its tree, and the header says what is proven."""
    root = demo(tmp_path, OK, tail=HOOK + INI)
    before = sorted(path for path in root.rglob("*") if "__pycache__" not in path.parts)
    status, output = pytest_in(root)
    assert status == 0, output
    assert "6 passed" in output
    assert "skills: 1 found; runtimes: agent-skills, library-skills, ovos; proven: wheel, installed" in output
    assert sorted(path for path in root.rglob("*") if "__pycache__" not in path.parts) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "count"),
    [
        (("tests",), 1),
        (("src",), 5),
        ((".",), 6),
        ((SKILL,), 5),
        ((f"{SKILL}::ovos",), 1),
        (("src", SKILL), 5),
        (("-k", "ovos"), 1),
        (("-m", "skills"), 5),
        (("--deselect", f"{SKILL}::wheel"), 5),
        (("--skills", "off"), 1),
        (("--skills", "always", "tests"), 6),
        (("--ignore", "src"), 1),
        (("-n", "2"), 6),
        (("-p", "xdist", "-n", "2", "src"), 5),
    ],
)
def test_selection_is_that_of_pytest(tmp_path: Path, words: tuple[str, ...], count: int) -> None:
    """Paths, node ids, ``-k``, ``-m``, ``--deselect``, ``--ignore`` and xdist choose as with ordinary items."""
    root = demo(tmp_path, OK, tail=HOOK + INI)
    status, output = pytest_in(root, *words)
    assert status == 0, output
    assert f"{count} passed" in output


def test_failure_shows_findings_and_no_traceback(tmp_path: Path) -> None:
    """A folded description fails for OVOS alone, with place, cure and source."""
    root = demo(tmp_path, {SKILL: skill_text(description=">-\n  Reads tide tables.")}, tail=INI, project=OWN_POINT)
    status, output = pytest_in(root, "-k", "ovos")
    assert status == 1
    assert f"FAILED {SKILL}::ovos" in output
    assert f"{SKILL}:3:14: error[SK401] OVOS reads `description` as '>-' (ovos)" in output
    assert "Traceback" not in output
    assert "1 failed, 4 deselected" in output


OWN_POINT = '\n[project.entry-points."opm.agents.skill_md"]\ntide-tables = "demo:TIDES"\n'


def test_exclude_without_the_hook_names_the_files(tmp_path: Path) -> None:
    """Hatchling with ``exclude = ["*.md"]`` loses the skill, and both proofs fail."""
    tail = '\n[tool.hatch.build.targets.wheel]\nexclude = ["*.md"]\n' + INI
    status, output = pytest_in(demo(tmp_path, tail=tail, requires=["hatchling"]))
    assert status == 1
    assert f"{SKILL}: error[SK501]" in output
    assert f"FAILED {SKILL}::wheel" in output
    assert f"FAILED {SKILL}::installed" in output


def test_setuptools_without_package_data_fails(tmp_path: Path) -> None:
    """The default of setuptools leaves the skill out of the wheel."""
    tail = '\n[tool.setuptools.packages.find]\nwhere = ["src"]\n' + INI
    status, output = pytest_in(demo(tmp_path, tail=tail, **SETUPTOOLS))
    assert status == 1
    assert f"{SKILL}: error[SK501]" in output


def test_stale_build_gives_no_false_green(tmp_path: Path) -> None:
    """Built once with package data, then without: red, whatever ``build/`` and ``*.egg-info`` still hold."""
    data = '\n[tool.setuptools.package-data]\ndemo = [".agents/**/*"]\n'
    find = '\n[tool.setuptools.packages.find]\nwhere = ["src"]\n'
    root = demo(tmp_path, tail=find + data + INI, **SETUPTOOLS)
    assert build(root, "--wheel").returncode == 0
    assert build(root).returncode == 0
    assert pytest_in(root)[0] == 0
    write(root, {"pyproject.toml": pyproject(find + INI, **SETUPTOOLS)})
    status, output = pytest_in(root)
    assert status == 1
    assert "error[SK501]" in output


def test_run_without_a_skill_fails(tmp_path: Path) -> None:
    """A project that asked for skills and has none is red, and says where was searched."""
    root = write(tmp_path, {"pyproject.toml": pyproject(INI), "src/demo/__init__.py": "", **OK})
    status, output = pytest_in(root)
    assert status == 1
    assert "FAILED pyproject.toml::no-skill-found" in output
    assert "error[SK500] no skill was found below every import package" in output
    assert pytest_in(root, "tests")[0] == 0


def test_missing_plugin_is_red(tmp_path: Path) -> None:
    """``required_plugins`` fails where the plugin is not loaded."""
    root = demo(tmp_path, OK, tail=HOOK + INI)
    done = run(sys.executable, "-m", "pytest", cwd=root, env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "Missing required plugins: hatch-skills" in done.stdout


def test_failed_build_is_one_failure(tmp_path: Path) -> None:
    """A backend that fails is shown once; the other items refer to it."""
    root = demo(tmp_path, tail=INI + '\n[tool.hatch.build.targets.wheel]\npackages = "x"\n', requires=["hatchling"])
    status, output = pytest_in(root)
    assert status == 1
    assert output.count("\nthe project does not build, so that nothing can be proven") == 1
    assert output.count("\nnothing to prove: the build failed, see") == 1


def test_wrong_configuration_is_a_usage_error(tmp_path: Path) -> None:
    """Every problem of ``[tool.hatch-skills]`` is listed, and nothing runs."""
    status, output = pytest_in(demo(tmp_path, tail=HOOK + INI + "\n[tool.hatch-skills]\nrunttimes = 1\nmap = 2\n"))
    assert status == pytest.ExitCode.USAGE_ERROR
    assert "tool.hatch-skills.runttimes: unknown key; did you mean `runtimes`?" in output
    assert "tool.hatch-skills.map" in output


def test_plugin_is_silent_where_nobody_asked(tmp_path: Path) -> None:
    """Without the ini key there is no item, no line and no failure for anybody's SKILL.md."""
    root = write(tmp_path, {"pytest.ini": "[pytest]\n", "vendor/other/SKILL.md": "not ours\n", **OK})
    status, output = pytest_in(root)
    assert status == 0
    assert "1 passed" in output
    assert "skill" not in output.lower().replace("plugins: ", "").replace("hatch-skills", "")


def test_scripts_of_a_skill_are_not_collected(tmp_path: Path) -> None:
    """A skill's own ``test_*.py`` is a tool and no test, also where pytest walks over it."""
    script = "skills/low-water/scripts/test_connection.py"
    files = {script: "import sys\n\nsys.exit(2)\n", "skills/low-water/SKILL.md": skill_text("low-water", "Reads low.")}
    root = demo(tmp_path, {**files, **OK}, tail=HOOK + INI)
    status, output = pytest_in(root, ".", "-k", "ok or connection")
    assert status == 0, output
    assert "1 passed" in output


def test_given_wheel_is_proven(tmp_path: Path) -> None:
    """``--skills-wheel`` proves the very file, and builds nothing."""
    root = demo(tmp_path / "project", tail=HOOK + INI)
    assert build(root).returncode == 0
    (wheel,) = (root / "dist").glob("*.whl")
    status, output = pytest_in(root, "--skills-wheel", str(wheel))
    assert status == 0, output
    write(root, {SKILL: skill_text(description="Reads other tables.")})
    status, output = pytest_in(root, "--skills-wheel", str(wheel))
    assert status == 1
    assert re.search(rf"{re.escape(SKILL)}: error\[SK504\] the wheel holds other bytes", output)


def test_fixtures_serve_an_authors_tests(tmp_path: Path) -> None:
    """`installed_skills` runs a script in the unpacked wheel; `skills` and `skill_wheel` are there too."""
    own = (
        "def test_script(installed_skills, skills, skill_wheel):\n"
        "    assert list(skills) == ['tide-tables']\n"
        "    assert skill_wheel.suffix == '.whl'\n"
        "    done = installed_skills['tide-tables'].run('scripts/run.py')\n"
        "    assert (done.returncode, done.stdout) == (0, 'high\\n')\n"
        "    assert 'src' not in installed_skills['tide-tables'].directory.parts\n"
    )
    status, output = pytest_in(demo(tmp_path, {"tests/test_script.py": own}, tail=HOOK + INI), "tests")
    assert status == 0, output


def test_skill_is_parametrised(tmp_path: Path) -> None:
    """A test that takes `skill` runs once for each skill of the project, in their order."""
    own = "def test_it(skill):\n    assert skill.written('name') == skill.directory\n"
    files = {
        "tests/test_it.py": own,
        "src/demo/.agents/skills/low-water/SKILL.md": skill_text("low-water", "Reads low."),
    }
    status, output = pytest_in(demo(tmp_path, files, tail=HOOK + INI), "tests", "-v")
    assert status == 0, output
    assert re.findall(r"test_it\[(\S+)\] PASSED", output) == ["low-water", "tide-tables"]


@pytest.mark.slow
def test_sdist_is_proven(tmp_path: Path) -> None:
    """What the wheel from the tree has and the wheel from the sdist has not is said at the setting that does it."""
    tail = '\n[tool.hatch.build]\npackages = ["src/demo"]\n' + INI + 'skills_proofs = ["sdist"]\n'
    root = demo(tmp_path, tail=tail, requires=["hatchling"])
    status, output = pytest_in(root, "-k", "sdist")
    assert status == 1
    assert f"FAILED {SKILL}::sdist" in output
    assert "error[SK519] the wheel made from the sdist lacks what the wheel made from the tree has" in output
    good = demo(tmp_path / "good", tail=HOOK + INI + 'skills_proofs = ["sdist"]\n')
    assert pytest_in(good, "-k", "sdist")[0] == 0


@pytest.mark.slow
def test_environment_is_proven(tmp_path: Path) -> None:
    """Not installed: skipped with the reason. Editable: green, and red with the command once a skill was added."""
    root = demo(tmp_path / "project", tail=HOOK + INI + 'skills_proofs = ["environment"]\n')
    status, output = pytest_in(root, "-k", "environment", "-rs")
    assert status == 0
    assert "the project is not installed in" in output
    environment = Environment(tmp_path / "environment")
    environment.install("--editable", root)
    words = (environment.python, "-m", "pytest", "-p", "no:cacheprovider", "-k", "environment")
    done = run(*words, cwd=root)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout
    write(root, {"src/demo/.agents/skills/low-water/SKILL.md": skill_text("low-water", "Reads low.")})
    done = run(*words, cwd=root)
    assert done.returncode == 1
    assert "OVOS does not find the skill in this environment; was it added or renamed after the install?" in done.stdout
    assert "fix: Run `pip install -e .` again." in done.stdout


@pytest.mark.slow
def test_stale_copy_in_the_environment_is_red(tmp_path: Path) -> None:
    """Installed from a wheel and edited since: the installed copy is another text."""
    root = demo(tmp_path / "project", tail=HOOK + INI + 'skills_proofs = ["environment"]\n')
    environment = Environment(tmp_path / "environment")
    environment.install(root)
    write(root, {SKILL: skill_text(description="Reads other tables.")})
    done = run(environment.python, "-m", "pytest", "-p", "no:cacheprovider", "-k", "environment", cwd=root)
    assert done.returncode == 1
    assert "error[SK525]" not in done.stdout
    assert "warning[SK525] the installed copy of the skill has another text than the tree" in done.stdout
    assert "fix: Run `pip install .` again." in done.stdout

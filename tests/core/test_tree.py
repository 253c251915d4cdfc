"""Skills in a directory: what the walk finds, what it leaves alone, and what it makes of odd places."""

from __future__ import annotations

import os
import socket
import sys
import time
from pathlib import Path

import pytest

from hatch_skills.core.skill import FILE_LIMIT
from hatch_skills.core.tree import is_archive, load_skill, never_ships, skill_directories, skills_below
from tests.making import ROOT, run, skill_text, write

A = skill_text("a")
B = skill_text("b")
ODD = os.fsdecode(b"t\xefde")


def found(root: Path) -> list[str]:
    """The directories that the walk gives, each once."""
    return [relative for relative, _ in skill_directories(root)]


def member_kinds(root: Path) -> dict[str, str]:
    """The kinds of the members of the skill at `root`."""
    return {path: member.kind for path, member in load_skill(root / "SKILL.md", "SKILL.md").members.items()}


def test_dot_directories_and_ignored_ones_are_searched(tmp_path: Path) -> None:
    """Nothing is hidden by a leading dot or by git; the result is sorted."""
    write(
        tmp_path,
        {
            ".gitignore": "*\n",
            ".agents/skills/b/SKILL.md": B,
            "x/.deep/.er/a/SKILL.md": A,
            "a/SKILL.md": A,
            "a/b/SKILL.md": B,
        },
    )
    assert found(tmp_path) == [".agents/skills/b", "a", "a/b", "x/.deep/.er/a"]
    assert [skill.path for skill in skills_below(tmp_path, "here")][:2] == [
        "here/.agents/skills/b/SKILL.md",
        "here/a/SKILL.md",
    ]


def test_caches_and_output_are_not_searched(tmp_path: Path) -> None:
    """Version control, caches, environments, `node_modules`, `build` and `dist` hold copies, and no skills."""
    left = (".git", "__pycache__", ".tox", "node_modules", "build/lib/demo", "dist", ".venv/lib", "env/x", "src/build")
    write(tmp_path, {f"{place}/skills/a/SKILL.md": A for place in left})
    write(tmp_path, {".venv/pyvenv.cfg": "", "env/pyvenv.cfg": ""})
    assert found(tmp_path) == []


@pytest.mark.parametrize("name", ["build", "dist", "docs", "tests", "node_modules", ".git", "__pycache__"])
def test_a_skill_may_have_any_name(tmp_path: Path, name: str) -> None:
    """A directory with a SKILL.md is a skill whatever it is called."""
    write(tmp_path, {f"skills/{name}/SKILL.md": A})
    assert found(tmp_path) == [f"skills/{name}"]


def test_a_package_may_be_called_build(tmp_path: Path) -> None:
    """`build` with an `__init__.py` is an import package, and no output."""
    write(tmp_path, {"src/build/__init__.py": "", "src/build/.agents/skills/a/SKILL.md": A})
    assert found(tmp_path) == ["src/build/.agents/skills/a"]


def test_a_linked_skill_is_found_once(tmp_path: Path) -> None:
    """A link in the place of a skill counts where its target is found in no other way; links to parents do not."""
    write(tmp_path / "far", {"b/SKILL.md": B, "many/c/SKILL.md": A})
    write(tmp_path / "tree", {"a/SKILL.md": A})
    for name, target in {
        "a2": "a",
        "b": "../far/b",
        "b2": "../far/b",
        "up": "..",
        "self": ".",
        "many": "../far/many",
    }.items():
        (tmp_path / "tree" / name).symlink_to(target)
    (tmp_path / "tree" / "a" / "loop").symlink_to("..")
    assert found(tmp_path / "tree") == ["a", "b"]
    skill = skills_below(tmp_path / "tree")[1]
    assert (skill.linked, skill.directory, skill.real_directory) == (True, "b", "b")


def test_dead_links_and_loops_are_passed(tmp_path: Path) -> None:
    """A link to nothing and a link to itself hold no skill, and a SKILL.md that is one is a skill without a file."""
    for name in ("gone", "loop"):
        (tmp_path / name).symlink_to(name if name == "loop" else "nowhere")
    write(tmp_path, {"a/x": "", "b/x": "", "c/SKILL.md/x": "", "d/x": ""})
    (tmp_path / "a/SKILL.md").symlink_to("nowhere")
    (tmp_path / "b/SKILL.md").symlink_to("SKILL.md")
    (tmp_path / "d/SKILL.md").symlink_to("x/below")
    states = {skill.path: (skill.found, skill.data) for skill in skills_below(tmp_path)}
    assert states == {
        "a/SKILL.md": ("missing", b""),
        "b/SKILL.md": ("unreadable", b""),
        "c/SKILL.md": ("directory", b""),
        "d/SKILL.md": ("missing", b""),
    }


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """A SKILL.md that is a named pipe is a file that cannot be read; reading it would never end."""
    os.mkfifo(tmp_path / "SKILL.md")
    os.mkfifo(tmp_path / "other")
    (skill,) = skills_below(tmp_path)
    assert (skill.found, skill.data) == ("unreadable", b"")
    assert skill.members["other"].kind == "other"


def test_case_variants(tmp_path: Path) -> None:
    """`skill.md` counts where it looks like a skill and nothing of the exact name stands beside it."""
    write(tmp_path, {"a/skill.md": A, "b/Skill.MD": "# Notes\n", "c/SKILL.md": A, "c/skill.md": B, "d/SKILLS.md": A})
    assert [skill.path for skill in skills_below(tmp_path)] == ["a/skill.md", "c/SKILL.md"]
    assert list(skill_directories(tmp_path)) == [("a", "skill.md"), ("b", "Skill.MD"), ("c", "SKILL.md")]


def test_a_large_file_is_read_up_to_the_bound(tmp_path: Path) -> None:
    """Beyond the bound a SKILL.md is cut, and not through a character."""
    for shift in range(3):
        path = write(tmp_path, {"SKILL.md": "x" * shift + "€" * (FILE_LIMIT // 3 + 9)}) / "SKILL.md"
        skill = load_skill(path, "SKILL.md")
        assert FILE_LIMIT < len(skill.data) < FILE_LIMIT + 4
        assert skill.text.undecodable is None


def test_members_are_all_files_but_caches(tmp_path: Path) -> None:
    """Hidden files, nested directories, links and sockets are members; bytecode, caches and environments are not."""
    write(
        tmp_path,
        {
            "SKILL.md": A, ".hidden": "", "lib/.x/y.txt": "", "scripts/run.sh!": "", "a/SKILL.md": B, "build/x": "",
            "__pycache__/x.pyc": "", "x.pyc": "", ".pyc": "", ".DS_Store": "", ".git/x": "", "e/pyvenv.cfg": "",
            "e/y": "",
        },
    )  # fmt: skip
    (tmp_path / "link").symlink_to("lib")
    assert member_kinds(tmp_path) == {
        ".hidden": "file", ".pyc": "file", "SKILL.md": "file", "a/SKILL.md": "file", "build/x": "file",
        "lib/.x/y.txt": "file", "link": "link", "scripts/run.sh": "file",
    }  # fmt: skip
    members = load_skill(tmp_path / "SKILL.md", "SKILL.md").members
    assert [path for path, member in members.items() if member.executable] == ["scripts/run.sh"]
    assert members["SKILL.md"].read() == A.encode()


def test_links_inside_of_a_skill_know_where_they_lead(tmp_path: Path) -> None:
    """A link that leaves the skill is outside, one to a directory that holds the skill is a loop."""
    write(tmp_path, {"out.txt": "", "skill/SKILL.md": A, "skill/x/y.txt": ""})
    aims = {"in": "x/y.txt", "out": "../out.txt", "root": "/etc", "up": "..", "self": "self", "gone": "x/nothing"}
    for name, aim in aims.items():
        (tmp_path / "skill" / name).symlink_to(aim)
    members = load_skill(tmp_path / "skill/SKILL.md", "SKILL.md").members
    assert {name: members[name].target for name in aims} == aims
    assert {name for name in aims if members[name].outside} == {"out", "root"}


def test_a_socket_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no regular file is a member of its own kind."""
    write(tmp_path, {"SKILL.md": A})
    monkeypatch.chdir(tmp_path)  # the address of a socket is short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s")
        assert member_kinds(tmp_path) == {"SKILL.md": "file", "s": "other"}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is closed to root")
def test_what_may_not_be_read_is_passed(tmp_path: Path) -> None:
    """A closed directory holds no skill, a closed SKILL.md is unreadable, a closed resource is no file."""
    write(tmp_path, {"a/SKILL.md": A, "b/SKILL.md": B, "c/SKILL.md": A, "c/x.sh": "#!/bin/sh\n"})
    closed = [tmp_path / "a", tmp_path / "b/SKILL.md", tmp_path / "c/x.sh"]
    try:
        for path in closed:
            path.chmod(0)
        assert [(skill.path, skill.found) for skill in skills_below(tmp_path)] == [
            ("b/SKILL.md", "unreadable"), ("c/SKILL.md", "file"),
        ]  # fmt: skip
        assert member_kinds(tmp_path / "c") == {"SKILL.md": "file", "x.sh": "other"}
    finally:
        for path in closed:
            path.chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="names are bytes on POSIX only")
def test_names_that_are_no_text(tmp_path: Path) -> None:
    """Directories and files whose names are no UTF-8 are walked, read and listed like all others."""
    write(tmp_path, {f"{ODD}/SKILL.md": A, f"b/{ODD}.txt": "x", "b/SKILL.md": B})
    assert found(tmp_path) == ["b", ODD]
    assert [skill.path for skill in skills_below(tmp_path, ODD)] == [f"{ODD}/b/SKILL.md", f"{ODD}/{ODD}/SKILL.md"]
    assert skills_below(tmp_path)[0].members[f"{ODD}.txt"].read() == b"x"


@pytest.mark.skipif(os.name == "nt", reason="names are bytes on POSIX only")
@pytest.mark.parametrize("output", ["text", "json", "github", "sarif"])
def test_reports_print_any_name_in_any_locale(tmp_path: Path, output: str) -> None:
    """A report on a name that is no text ends well on a terminal that knows ASCII only."""
    write(tmp_path, {f"skills/{ODD}/SKILL.md": skill_text("größe", "Tide 🌊"), f"skills/{ODD}/{ODD}": "x"})
    (tmp_path / "skills" / ODD / "link").symlink_to(ODD)
    plain = {
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "",
        "PYTHONPATH": str(ROOT),
    }
    done = run(sys.executable, "-m", "hatch_skills", "check", "--format", output, "skills", cwd=tmp_path, env=plain)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stdout
    assert r"t\udcefde" in done.stdout or "%EF" in done.stdout


def test_paths_beyond_the_limit_of_the_system_are_passed(tmp_path: Path) -> None:
    """A directory too deep to be named ends the walk there, and nowhere else."""
    write(tmp_path, {"a/SKILL.md": A})
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(40):
        os.mkdir("d" * 120, dir_fd=here)
        below = os.open("d" * 120, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    try:
        assert found(tmp_path) == ["a"]
    finally:
        run("rm", "-rf", tmp_path / ("d" * 120))


def test_ten_thousand_directories_are_walked_in_a_moment(tmp_path: Path) -> None:
    """The walk costs a few system calls for each directory."""
    for top in range(100):
        for below in range(100):
            os.makedirs(tmp_path / str(top) / str(below))
    write(tmp_path, {"50/50/a/SKILL.md": A})
    begin = time.process_time()
    assert found(tmp_path) == ["50/50/a"]
    assert time.process_time() - begin < 12


@pytest.mark.parametrize(
    ("name", "never"),
    [
        ("__pycache__", True),
        ("x.pyc", True),
        ("x.pyd", True),
        (".pyc", False),
        ("pyc", False),
        ("x.py", False),
        (".git", True),
    ],
)
def test_what_never_ships(name: str, never: bool) -> None:
    """Caches, bytecode and bookkeeping are left out by name."""
    assert never_ships(name) == never


def test_archives_are_known_by_name() -> None:
    """Wheels and sdists end as the specifications say."""
    names = ("a-1-py3-none-any.whl", "a-1.tar.gz", "a.tgz", "a.zip", "a.tar", "whl", "a.md")
    assert [is_archive(Path(name)) for name in names] == [True, True, True, True, False, False, False]

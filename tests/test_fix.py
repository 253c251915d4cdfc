"""`hatch-skills fix`, by real calls on real files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.making import HOOK, ROOT, SKILL, demo, pyproject, run, skill_text, write

FOLDED = skill_text('"tide-tables"', ">-\n  Reads tide\n  tables.")
PLAIN = skill_text(description="Reads tide tables.")
DID = "`name` without quotes; `description` on one line"
unix = pytest.mark.skipif(os.name == "nt", reason="needs a Unix")


def fix(*words: str | Path, cwd: Path) -> tuple[int, str, str]:
    """Run `hatch-skills fix`; exit status, output, and what went to stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "hatch_skills", "fix", *map(str, words)],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


def test_project_is_fixed_once(tmp_path: Path) -> None:
    """Without a path the project's skills are fixed, one line for each file; a second run has nothing to do."""
    root = demo(tmp_path, {SKILL: FOLDED, "README.md": FOLDED})
    assert fix(cwd=root) == (0, f"{SKILL}: {DID}\n", "1 skill, 1 changed\n")
    assert (root / SKILL).read_bytes() == PLAIN.encode()
    assert (root / "README.md").read_bytes() == FOLDED.encode()
    assert fix(cwd=root) == (0, "", "1 skill, nothing to fix\n")
    assert run(sys.executable, "-m", "hatch_skills", "check", cwd=root).stdout == "1 skill, 0 errors\n"


def test_diff_writes_nothing_and_applies(tmp_path: Path) -> None:
    """``--diff`` prints what git can apply, byte for byte, and ends with status 1."""
    odd = "\ufeff---\r\nname: 'tide-tables'\r\ndescription: Reads → “tides”\u2028.\r\n---\r\n\r\nNo last line end"
    root = write(tmp_path, {"a/SKILL.md": FOLDED, "b/SKILL.md": odd, "c/SKILL.md": f"---\n{PLAIN[4:]}"})
    assert run("git", "init", "-q", cwd=root).returncode == 0
    status, output, said = fix("--diff", ".", cwd=root)
    assert status == 1
    assert said.endswith("3 skills, 2 would change\n")
    assert (root / "a/SKILL.md").read_bytes() == FOLDED.encode()
    assert output.startswith('--- a/a/SKILL.md\n+++ b/a/SKILL.md\n@@ -1,8 +1,6 @@\n ---\n-name: "tide-tables"\n')
    (tmp_path / "fix.patch").write_bytes(output.encode())
    assert run("git", "apply", "fix.patch", cwd=root).stdout == ""
    patched = [path.read_bytes() for path in sorted(root.glob("*/SKILL.md"))]
    write(root, {"a/SKILL.md": FOLDED, "b/SKILL.md": odd})
    assert fix(".", cwd=root)[0] == 0
    assert [path.read_bytes() for path in sorted(root.glob("*/SKILL.md"))] == patched
    assert fix("--diff", ".", cwd=root)[:2] == (0, "")


def test_unsafe_is_asked_for(tmp_path: Path) -> None:
    """What changes a type is left alone without ``--unsafe``."""
    extra = "allowed-tools:\n  - Read\n  - Bash(git:*)\nmetadata:\n  version: 1.10\n"
    root = write(tmp_path, {"tide-tables/SKILL.md": skill_text(extra=extra)})
    assert fix(".", cwd=root) == (0, "", "1 skill, nothing to fix\n")
    assert fix("--unsafe", ".", cwd=root)[1] == (
        "tide-tables/SKILL.md: `allowed-tools` as one text; `metadata.version` in quotes\n"
    )
    wanted = skill_text(extra='allowed-tools: Read Bash(git:*)\nmetadata:\n  version: "1.10"\n')
    assert (root / "tide-tables/SKILL.md").read_text(encoding="utf-8") == wanted


def test_runtimes_decide(tmp_path: Path) -> None:
    """The runtimes come from the call, or from the project that each path belongs to."""
    text = skill_text(description="Tides: high and low.")
    tail = HOOK + '[tool.hatch-skills]\nruntimes = ["library-skills"]\n'
    files = {"one/pyproject.toml": pyproject(), "two/pyproject.toml": pyproject(tail)}
    root = write(tmp_path, {**files, "one/x/SKILL.md": text, "two/x/SKILL.md": text})
    status, output, said = fix("--unsafe", "one", "two", cwd=root)
    assert (status, output) == (0, "two/x/SKILL.md: `description` in quotes\n")
    assert "one/x/SKILL.md: left alone: the front matter is not YAML (line 3)" in said
    assert (
        fix("--unsafe", "--runtime", "agent-skills", "one", cwd=root)[1] == "one/x/SKILL.md: `description` in quotes\n"
    )


def test_nothing_found_is_status_2(tmp_path: Path) -> None:
    """No skill is never a silent success, unless the project says so."""
    (tmp_path / "empty").mkdir()
    status, output, said = fix("empty", cwd=tmp_path)
    assert (status, output) == (2, "")
    assert "empty: error[SK500] no skill was found below empty" in said
    root = write(tmp_path / "project", {"pyproject.toml": pyproject()})
    assert fix(cwd=root)[0] == 2
    write(root, {"pyproject.toml": pyproject(HOOK + "[tool.hatch-skills]\nallow-empty = true\n")})
    assert fix(cwd=root)[0] == 0


def test_misuse_comes_before_every_edit(tmp_path: Path) -> None:
    """Archives, missing paths and unknown runtimes are named together, and nothing is written."""
    root = write(tmp_path, {"a/SKILL.md": FOLDED, "demo-1.0-py3-none-any.whl": "", "b/pyproject.toml": "?"})
    status, _, said = fix("a", "nowhere", "demo-1.0-py3-none-any.whl", cwd=root)
    assert status == 2
    assert said == (
        "hatch-skills: nowhere: there is no such file or directory\n"
        "hatch-skills: demo-1.0-py3-none-any.whl: an archive is not edited\n"
    )
    assert fix("--runtime", "ovoss", "a", cwd=root)[0] == 2
    assert fix("a", "b", cwd=root)[0] == 2
    assert (root / "a/SKILL.md").read_bytes() == FOLDED.encode()


@unix
def test_what_cannot_be_edited_is_named(tmp_path: Path) -> None:
    """Links, pipes and bytes that are no UTF-8 stay as they are, and the others are fixed."""
    root = write(tmp_path, {"bad/SKILL.md": b"---\nname: \xff\n---\n", "good/SKILL.md": FOLDED, "there/file": FOLDED})
    (root / "linked").mkdir()
    (root / "linked/SKILL.md").symlink_to("../there/file")
    os.mkfifo(root / "pipe.md")
    status, output, said = fix("bad", "linked", "pipe.md", "good/SKILL.md", "good", cwd=root)
    assert (status, output) == (0, f"good/SKILL.md: {DID}\n")
    assert said == (
        "bad/SKILL.md: left alone: it is not UTF-8 (line 2, column 7)\n"
        "linked/SKILL.md: left alone: it is reached through a symbolic link\n"
        "pipe.md: left alone: it is no regular file\n"
        "4 skills, 1 changed\n"
    )
    assert (root / "there/file").read_bytes() == FOLDED.encode()
    assert (root / "linked/SKILL.md").is_symlink()


@unix
def test_mode_and_owner_are_kept(tmp_path: Path) -> None:
    """The file is a new one, with the mode and the owner of the old one, and nothing else lies beside it."""
    file = write(tmp_path, {"SKILL.md": FOLDED}) / "SKILL.md"
    file.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(file, 12345, 23456)
    before = file.stat()
    assert fix("SKILL.md", cwd=tmp_path)[0] == 0
    after = file.stat()
    assert after.st_ino != before.st_ino
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert os.listdir(tmp_path) == ["SKILL.md"]


@unix
def test_a_write_that_fails_leaves_no_trace(tmp_path: Path) -> None:
    """On a full disk, here a limit of one block, the file stays as it was; other files are still fixed; status 1."""
    large = FOLDED + "Open the table.\n" * 100
    root = write(tmp_path, {"large/SKILL.md": large, "small/SKILL.md": FOLDED})
    command = f"ulimit -f 1; exec {sys.executable} -B -m hatch_skills fix large small"
    done = run("sh", "-c", command, cwd=root)
    assert done.returncode == 1
    assert done.stdout.startswith("large/SKILL.md: not written: File too large\nsmall/SKILL.md: ")
    assert (root / "large/SKILL.md").read_bytes() == large.encode()
    assert (root / "small/SKILL.md").read_bytes() == PLAIN.encode()
    assert os.listdir(root / "large") == ["SKILL.md"]


@unix
def test_an_interrupt_leaves_whole_files(tmp_path: Path) -> None:
    """After Ctrl-C each file is the old one or the new one, and no scratch file is left."""
    write(tmp_path, {f"s{number:03}/SKILL.md": FOLDED for number in range(400)})
    words = [sys.executable, "-u", "-m", "hatch_skills", "fix", "."]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline().endswith(b"on one line\n")
        process.send_signal(signal.SIGINT)
        process.stdout.read()
    assert process.returncode in (1, 130)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 400
    assert {path.read_bytes() for path in files} == {FOLDED.encode(), PLAIN.encode()}


def test_hooks_for_pre_commit() -> None:
    """Each hook of `.pre-commit-hooks.yaml` calls a subcommand and gets the paths of SKILL.md files."""
    import re

    import yaml

    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in hooks] == ["hatch-skills-check", "hatch-skills-fix"]
    for hook in hooks:
        assert hook["id"] == hook["entry"].replace(" ", "-")
        assert (hook["language"], hook["pass_filenames"]) == ("python", True)
        assert re.search(hook["files"], "SKILL.md")
        assert re.search(hook["files"], SKILL)
        assert not re.search(hook["files"], "docs/NOT-SKILL.md")
        assert not re.search(hook["files"], "SKILL.md.jinja")

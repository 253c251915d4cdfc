"""The command, by real calls."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest
from sarif_pydantic import Sarif

from tests.making import HOOK, SKILL, Environment, built, demo, pyproject, run, skill_text, write


def hatch_skills(*words: str | Path, cwd: Path, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Run `python -m hatch_skills`; exit status and output."""
    done = run(sys.executable, "-m", "hatch_skills", *words, cwd=cwd, env=env)
    return done.returncode, done.stdout


def test_clean_project_is_clean(tmp_path: Path) -> None:
    """Without a path the project's own skills are checked; status 0."""
    assert hatch_skills("check", cwd=demo(tmp_path)) == (0, "1 skill, 0 errors\n")


def test_findings_have_three_lines_and_status_1(tmp_path: Path) -> None:
    """Place and message, cure, source, and a closing line."""
    root = write(tmp_path, {"tide-tables/SKILL.md": skill_text("high-water")})
    status, output = hatch_skills("check", "tide-tables", cwd=root)
    assert status == 1
    assert output == (
        "tide-tables/SKILL.md:2:7: error[SK205] the name 'high-water' and the directory 'tide-tables' differ"
        " (agent-skills)\n"
        "    fix: Rename the directory or the skill.\n"
        "    see: Agent Skills specification, section “Frontmatter”\n"
        "1 skill, 1 error\n"
    )


def test_json_is_the_promised_shape(tmp_path: Path) -> None:
    """Version, skills with their runtimes, findings with every key, summary."""
    root = write(tmp_path, {"tide-tables/SKILL.md": skill_text(description=">-\n  Reads.")})
    status, output = hatch_skills("check", ".", "--runtime", "ovos", "--format", "json", cwd=root)
    assert status == 1
    document = json.loads(output)
    assert document["version"] == 1
    (skill,) = document["skills"]
    assert skill["path"] == "tide-tables/SKILL.md"
    assert skill["name"] == "tide-tables"
    held = {"accepted": True, "outcome": "ok", "name": "tide-tables", "description": ">-"}
    assert skill["runtimes"] == {"ovos": held}
    (finding,) = document["findings"]
    assert finding["path"] == "tide-tables/SKILL.md"
    assert (finding["line"], finding["column"], finding["rule"]) == (3, 14, "SK401")
    assert set(finding) == {
        *("path", "line", "column", "rule", "name", "severity", "message", "hint", "source", "runtimes"),
    }
    assert document["summary"] == {"skills": 1, "errors": 1, "warnings": 0, "infos": 0}


def test_nothing_found_is_status_2(tmp_path: Path) -> None:
    """A search without a skill is never green, in words and in JSON."""
    (tmp_path / "empty").mkdir()
    status, output = hatch_skills("check", "empty", cwd=tmp_path)
    assert status == 2
    assert "empty: error[SK500] no skill was found below empty" in output
    status, output = hatch_skills("check", "empty", "--format", "json", cwd=tmp_path)
    assert status == 2
    assert [finding["rule"] for finding in json.loads(output)["findings"]] == ["SK500"]
    root = write(tmp_path / "project", {"pyproject.toml": pyproject()})
    status, output = hatch_skills("check", cwd=root)
    assert status == 2
    assert "no skill was found below every import package" in output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("check", "nowhere"), "nowhere: there is no such file or directory"),
        (("check", "--runtime", "ovoss"), "--runtime: unknown runtime 'ovoss'; did you mean `ovos`?"),
        (("check", "--runtime", "os-protocol", "--runtime", "agent-skills"), "exclude each other"),
        (("check", "--ignore", "304"), "--ignore 304: a rule id such as SK304"),
        (("installed", "--python", "nowhere"), "--python nowhere: no interpreter"),
        (("prove",), "there is no pyproject.toml and no setup.py"),
    ],
)
def test_misuse_is_status_2(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    """What was called wrongly is said in one line with a way out, and without a traceback."""
    root = write(tmp_path, {"skills/tide-tables/SKILL.md": skill_text()})
    status, output = hatch_skills(*words, cwd=root)
    assert status == 2
    assert says in output
    assert "Traceback" not in output


def test_wrong_configuration_lists_every_problem(tmp_path: Path) -> None:
    """The command reads the table that hook and plugin read."""
    root = demo(tmp_path, tail=HOOK + '\n[tool.hatch-skills]\nrunttimes = ["ovos"]\nignore = { X1 = "", SK1 = "" }\n')
    status, output = hatch_skills("check", cwd=root)
    assert status == 2
    assert "tool.hatch-skills.runttimes: unknown key; did you mean `runtimes`?" in output
    assert "tool.hatch-skills.ignore.X1: a rule id such as SK304" in output
    assert "tool.hatch-skills.ignore.SK1: the reason is empty" in output


def test_ignored_rules_do_not_count(tmp_path: Path) -> None:
    """A rule may be ignored by configuration, for one path, or by option."""
    tail = HOOK + '\n[tool.hatch-skills]\nignore = { "SK205:tide-tables" = "renamed later" }\n'
    root = demo(tmp_path, {SKILL: skill_text("high-water")}, tail=tail)
    assert hatch_skills("check", cwd=root) == (0, "1 skill, 0 errors, 1 ignored\n")
    write(root, {"pyproject.toml": pyproject()})
    assert hatch_skills("check", cwd=root)[0] == 1
    assert hatch_skills("check", "--ignore", "SK2", cwd=root)[0] == 0


def test_warnings_count_where_strict(tmp_path: Path) -> None:
    """A warning is no failure, unless ``--strict`` is given."""
    root = write(tmp_path, {"tide-tables/SKILL.md": skill_text(extra="version: one\n")})
    assert hatch_skills("check", ".", cwd=root)[0] == 0
    assert hatch_skills("check", ".", "--strict", cwd=root)[0] == 1


def test_tree_and_wheel_tell_what_was_lost(tmp_path: Path) -> None:
    """Given together, the tree and a wheel without the skill show it, with git's reason."""
    root = demo(tmp_path, {".gitignore": "build/\n.agents/\n"}, tail="", requires=["hatchling"])
    assert run("git", "init", "-q", cwd=root).returncode == 0
    wheel = built(root)
    status, output = hatch_skills("check", ".", wheel.relative_to(root), cwd=root)
    assert status == 1
    assert f"{SKILL}: error[SK501] the skill is in the project and not in the wheel" in output
    assert "excluded by .gitignore line 2 (`.agents/`)" in output


def test_sdist_and_wheel_tell_what_was_lost(tmp_path: Path) -> None:
    """A skill that the sdist holds and the wheel lacks is named, without the tree."""
    root = demo(tmp_path, tail='\n[tool.hatch.build.targets.wheel]\nexclude = ["*.md"]\n', requires=["hatchling"])
    wheel = built(root).relative_to(root)
    status, output = hatch_skills("check", "dist/demo-1.0.tar.gz", wheel, cwd=root)
    assert status == 1
    assert (
        f"dist/demo-1.0.tar.gz: demo-1.0/{SKILL}: error[SK501] the skill is in the project and not in the wheel"
        in output
    )


def test_wheel_alone_shows_where_it_is_found(tmp_path: Path) -> None:
    """A wheel is read without being installed: paths inside it, and by which way each runtime finds the skill."""
    root = demo(tmp_path)
    status, output = hatch_skills("check", built(root), "--format", "json", cwd=root)
    assert status == 0
    (skill,) = json.loads(output)["skills"]
    assert skill["path"] == "demo/.agents/skills/tide-tables/SKILL.md"
    assert skill["runtimes"]["ovos"]["via"] == ["entry-point"]
    assert skill["runtimes"]["library-skills"]["via"] == ["record"]


def test_hooks_turned_off_is_noticed_on_the_wheel(tmp_path: Path) -> None:
    """``HATCH_BUILD_NO_HOOKS`` leaves the entry point out, which the wheel shows and `prove` too."""
    root = demo(tmp_path)
    env = {"HATCH_BUILD_NO_HOOKS": "1"}
    assert run(sys.executable, "-m", "build", "--no-isolation", cwd=root, env=env).returncode == 0
    (wheel,) = (root / "dist").glob("*.whl")
    status, output = hatch_skills("check", ".", wheel, cwd=root)
    assert status == 1
    assert "error[SK506] the entry point 'tide-tables' of opm.agents.skill_md is not in the wheel" in output
    status, output = hatch_skills("prove", cwd=root, env=env)
    assert status == 1
    assert "error[SK506]" in output


def test_prove_shows_who_finds_the_skill(tmp_path: Path) -> None:
    """The proof without pytest: build, install, ask."""
    status, output = hatch_skills("prove", "--format", "json", cwd=demo(tmp_path))
    assert status == 0, output
    (skill,) = json.loads(output)["skills"]
    assert skill["runtimes"]["ovos"]["found"] is True
    assert skill["runtimes"]["library-skills"]["via"] == ["record"]


def test_prove_takes_a_finished_wheel(tmp_path: Path) -> None:
    """The very file that will be published is proven, and a table shows the ways."""
    root = demo(tmp_path)
    status, output = hatch_skills("prove", built(root), cwd=root)
    assert status == 0, output
    assert [line.split() for line in output.splitlines()[1:3]] == [
        ["tide-tables", "library-skills", "record"],
        ["tide-tables", "ovos", "entry-point"],
    ]


def test_installed_lists_what_each_runtime_finds(tmp_path: Path) -> None:
    """In an environment with the wheel, both searching runtimes list the skill with its distribution."""
    environment = Environment(tmp_path / "environment")
    environment.install(built(demo(tmp_path / "project")))
    status, output = hatch_skills("installed", "--path", environment.site, cwd=tmp_path)
    assert status == 0, output
    assert "OVOS finds 1 skill\n  tide-tables  (demo 1.0, by entry-point)" in output
    assert "library-skills finds 1 skill\n  tide-tables  (demo 1.0, by record)" in output


def test_installed_says_which_environment_is_empty(tmp_path: Path) -> None:
    """No skill: the environment is named, and how to choose another."""
    (tmp_path / "site").mkdir()
    status, output = hatch_skills("installed", "--path", "site", cwd=tmp_path)
    assert status == 2
    assert f"{tmp_path / 'site'}: 0 distributions" in output
    assert "--python" in output


def test_locale_without_utf_8_changes_no_verdict(tmp_path: Path) -> None:
    """Sound UTF-8 is sound under ``LC_ALL=C`` without UTF-8 mode, and printing does not fail."""
    root = write(
        tmp_path, {"tide-tables/SKILL.md": skill_text(description="Reads → “tides”. 表", extra="versión: 1\n")}
    )
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    status, output = hatch_skills("check", ".", "--strict", cwd=root, env=env)
    assert status == 1
    assert "SK221" in output
    assert "Traceback" not in output


@pytest.mark.slow
def test_demo_offline(tmp_path: Path) -> None:
    """The demonstration runs without an index, keeps its directory, and says what was not asked."""
    status, output = hatch_skills("demo", "--offline", "here", cwd=tmp_path)
    assert status == 0, output
    assert "OVOS: not asked (--offline); hatch-skills finds it by entry-point" in output
    assert "tide-tables is found after a real install by OVOS and library-skills." in output
    assert (tmp_path / "here" / "tide-tables" / "dist").is_dir()
    status, output = hatch_skills("demo", "--offline", "here", cwd=tmp_path)
    assert status == 2
    assert "here: it is there already and not empty" in output


def test_github_output_is_one_command_for_each_finding(tmp_path: Path) -> None:
    """Annotations carry file, line, column and title; a parser of workflow commands gets the message back."""
    root = write(tmp_path, {"tide, tables/SKILL.md": skill_text("tide-tables")})
    status, output = hatch_skills("check", ".", "--format", "github", cwd=root)
    assert status == 1
    (line,) = output.splitlines()
    command, properties, data = re.fullmatch(r"::(\w+) (.*?)::(.*)", line).groups()  # type: ignore[union-attr]
    given = dict(item.split("=", 1) for item in properties.split(","))
    assert command == "error"
    assert unquote(given["file"]) == "tide, tables/SKILL.md"
    assert (given["line"], given["col"]) == ("2", "7")
    assert unquote(data).splitlines()[1] == "fix: Rename the directory or the skill."


def without(written: object, read: object, path: str = "") -> list[str]:
    """Paths of what a parser did not take over."""
    if isinstance(written, dict):
        known = read if isinstance(read, dict) else {}
        lost = [f"{path}/{key}" for key in written if key not in known]
        return lost + [p for key in written if key in known for p in without(written[key], known[key], f"{path}/{key}")]
    if isinstance(written, list):
        taken = read if isinstance(read, list) else []
        pairs = enumerate(zip(written, taken, strict=True))
        return [p for number, (mine, theirs) in pairs for p in without(mine, theirs, f"{path}/{number}")]
    return []


def test_sarif_output_fits_its_schema(tmp_path: Path) -> None:
    """SARIF 2.1.0: a typed model of the format reads it without a rest, and ignored findings are suppressed."""
    root = write(tmp_path, {"tide-tables/SKILL.md": skill_text("high-water", extra="version: one\n")})
    words = ("check", ".", "--format", "sarif", "--ignore", "SK221")
    status, output = hatch_skills(*words, cwd=root)
    assert status == 1
    document = json.loads(output)
    read = Sarif.model_validate_json(output).model_dump(mode="json", by_alias=True, exclude_none=True)
    assert read["runs"][0]["results"][0]["message"] == document["runs"][0]["results"][0]["message"]
    assert without(document, read) == []
    (ran,) = document["runs"]
    assert [result["ruleId"] for result in ran["results"]] == ["SK205", "SK221"]
    assert ran["results"][0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 2, "startColumn": 7}
    assert ran["results"][1]["suppressions"] == [{"kind": "external", "justification": "--ignore"}]
    for result in ran["results"]:
        assert ran["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_selection_of_rules(tmp_path: Path) -> None:
    """`--select` takes ids and prefixes; nothing else counts then."""
    root = write(tmp_path, {"tide-tables/SKILL.md": skill_text("high-water", extra="version: one\n")})
    status, output = hatch_skills("check", ".", "--select", "SK22", cwd=root)
    assert status == 0
    assert "SK221" in output
    assert "SK205" not in output


def test_ignored_findings_are_shown_with_their_reason(tmp_path: Path) -> None:
    """`--show-ignored` prints the reason; an entry that matches nothing is a warning at its line."""
    tail = HOOK + '\n[tool.hatch-skills.ignore]\nSK205 = "renamed later"\n"SK304" = "long on purpose"\n'
    root = demo(tmp_path, {SKILL: skill_text("high-water")}, tail=tail)
    status, output = hatch_skills("check", "--show-ignored", cwd=root)
    assert status == 0
    assert f"{SKILL}:2:7: ignored[SK205]" in output
    assert "    why: renamed later" in output
    line = (root / "pyproject.toml").read_text().splitlines().index('"SK304" = "long on purpose"') + 1
    assert f"pyproject.toml:{line}:1: warning[SK705] `ignore` has 'SK304', which matches no finding" in output


def test_statistics_count_rules(tmp_path: Path) -> None:
    """`--statistics` adds one line for each rule that was found, the most frequent first."""
    root = write(tmp_path, {f"{name}/SKILL.md": skill_text("x", f"Reads {name}.") for name in ("a-one", "b-two")})
    status, output = hatch_skills("check", ".", "--statistics", "--select", "SK205", cwd=root)
    assert status == 1
    assert "      2  SK205 name-not-directory (error)\n" in output


def test_rules_are_listed_and_explained(tmp_path: Path) -> None:
    """`rules` lists every rule, `explain` takes an id or a name, and an unknown one gets a suggestion."""
    status, output = hatch_skills("rules", cwd=tmp_path)
    assert status == 0
    assert output.startswith("SK101  not-utf-8")
    status, output = hatch_skills("explain", "value-lost", cwd=tmp_path)
    assert status == 0
    assert output.startswith("SK401 value-lost (error)\n\nA runtime takes the skill")
    status, output = hatch_skills("explain", "SK999", cwd=tmp_path)
    assert status == 2
    assert "there is no rule 'SK999'" in output

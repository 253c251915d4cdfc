"""The table `[tool.hatch-skills]`: every option, and every problem at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from hatch_skills.core.config import (
    Config,
    Selection,
    load_config,
    option_names,
    read_toml,
    select_runtimes,
    suggestion,
)
from hatch_skills.core.findings import Misuse
from tests.making import write


def config(root: Path, text: str | bytes) -> Config:
    """The configuration that a pyproject.toml gives."""
    write(root, {"pyproject.toml": text})
    return load_config(root)


def problems(root: Path, text: str | bytes) -> list[str]:
    """What is wrong with a pyproject.toml, each sentence without the path of the file."""
    with pytest.raises(Misuse) as misuse:
        config(root, text)
    path = str(root / "pyproject.toml")
    assert all(problem.startswith(path) for problem in misuse.value.problems)
    return [problem.removeprefix(path) for problem in misuse.value.problems]


def table(text: str) -> str:
    """A pyproject.toml with one table of ours."""
    return f'[project]\nname = "demo"\n\n[tool.hatch-skills]\n{text}\n'


def test_nothing_is_needed(tmp_path: Path) -> None:
    """Without a file, without a table and with an empty one, the defaults hold."""
    path = str(tmp_path / "pyproject.toml")
    assert load_config(tmp_path) == Config(path=path)
    assert config(tmp_path, "[tool.other]\n") == config(tmp_path, table("")) == Config(path=path)
    default = Config()
    assert (default.skills, default.map, default.editable, default.allow_empty) == (None, True, "warn", False)
    assert default.selection == Selection()
    assert dict(default.groups) == {"opm.agents.skill_md": "file"}


def test_every_option_is_read(tmp_path: Path) -> None:
    """Each option reaches the configuration; none is forgotten here."""
    text = table(
        'allow-empty = true\ncatalogue-budget = 9000\neditable = "error"\ngroups = { "a.b" = "directory" }\n'
        'ignore = { SK304 = "long", "SK3:a/*" = "b" }\nmap = "demo.sub"\nruntimes = ["ovos", "ovos"]\nskills = ["a/*"]'
    )
    assert all(f"{name} = " in text for name in option_names())
    assert config(tmp_path, text) == Config(
        selection=Selection(("ovos",), explicit=True),
        ignore={"SK304": "long", "SK3:a/*": "b"},
        skills=("a/*",),
        map="demo.sub",
        editable="error",
        allow_empty=True,
        catalogue_budget=9000,
        groups={"opm.agents.skill_md": "file", "a.b": "directory"},
        path=str(tmp_path / "pyproject.toml"),
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("runttimes = []", "runttimes: unknown key; did you mean `runtimes`?"),
        (
            "x = 1",
            "x: unknown key; known: allow-empty, catalogue-budget, editable, groups, ignore, map, runtimes, skills",
        ),
        ("runtimes = []", "runtimes: at least one runtime is needed; leave the key out for the default"),
        ('runtimes = "ovos"', "runtimes: an array of text is needed, not text"),
        ("runtimes = [1]", "runtimes[0]: text is needed, not a number"),
        ('runtimes = ["ovs"]', "runtimes: unknown runtime 'ovs'; did you mean `ovos`?"),
        ("ignore = []", 'ignore: a table of rule = "reason" is needed, not an array'),
        ("ignore = { SK304 = 1 }", "ignore.SK304: the reason is text, not a number"),
        ('ignore = { SK304 = " " }', "ignore.SK304: the reason is empty; say why the rule does not count here"),
        ('ignore = { E501 = "x" }', "ignore.E501: a rule id such as SK304, or the beginning of one, is needed"),
        ('ignore = { SK3045 = "x" }', "ignore.SK3045: a rule id such as SK304, or the beginning of one, is needed"),
        ("skills = true", "skills: an array of text is needed, not a boolean"),
        ("skills = [1.5]", "skills[0]: text is needed, not a number"),
        ('skills = ["ok", "/etc/*"]', "skills[1]: '/etc/*' leaves the project"),
        ('skills = ["a/../../b"]', "skills[0]: 'a/../../b' leaves the project"),
        ("map = 3", "map: true, false or the name of a package is needed, not a number"),
        ('map = "my-package"', "map: 'my-package' is no name of an import package"),
        ('map = ""', "map: '' is no name of an import package"),
        ("editable = true", 'editable: "warn" or "error" is needed, not True'),
        ("editable = []", 'editable: "warn" or "error" is needed, not []'),
        ('allow-empty = "yes"', "allow-empty: true or false is needed, not text"),
        ("allow-empty = 2020-01-01", "allow-empty: true or false is needed, not a date"),
        ("catalogue-budget = true", "catalogue-budget: a number of characters is needed, not True"),
        ("catalogue-budget = 0", "catalogue-budget: a number of characters is needed, not 0"),
        ("groups = 1", 'groups: a table of group = "file" or "directory" is needed, not a number'),
        (
            "groups = { a = true }",
            'groups.a: "file" (a path for each skill), "directory" (one of all skills) or false is needed, not True',
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_path(tmp_path: Path, line: str, problem: str) -> None:
    """Each wrong key, type and value is one sentence that begins with the full path in the TOML file."""
    assert problems(tmp_path, table(line)) == [f": tool.hatch-skills.{problem}"]


def test_all_problems_come_at_once(tmp_path: Path) -> None:
    """Nobody has to mend one line to hear of the next."""
    lines = 'edtable = 1\nruntimes = ["agent-skills", "os-protocol", "x"]\nskills = [1, 2]\nignore = { X = 1 }\nmap = 1'
    assert [problem.split(":")[1] for problem in problems(tmp_path, table(lines))] == [
        " tool.hatch-skills.edtable",
        " tool.hatch-skills.runtimes",
        " tool.hatch-skills.runtimes",
        " tool.hatch-skills.skills[0]",
        " tool.hatch-skills.skills[1]",
        " tool.hatch-skills.ignore.X",
        " tool.hatch-skills.ignore.X",
        " tool.hatch-skills.map",
    ]


def test_a_group_can_be_switched_off(tmp_path: Path) -> None:
    """`false` takes a group away, that of OVOS too."""
    made = config(tmp_path, table('groups = { "opm.agents.skill_md" = false, x = "file" }'))
    assert dict(made.groups) == {"x": "file"}


def test_rivals_exclude_each_other() -> None:
    """Two runtimes that no file satisfies both are refused together, whoever names them."""
    with pytest.raises(Misuse, match="agent-skills and os-protocol exclude each other"):
        select_runtimes(("os-protocol", "agent-skills"))
    assert select_runtimes(("os-protocol",)) == Selection(("os-protocol",), explicit=True)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"[project]\nname = '\xff'\n", ":2:9: not TOML: byte 0xff is no UTF-8"),
        ("[project]\nname = \n", ": not TOML: Invalid value (at line 2, column 8)"),
        ("tool = 3", ": tool: a table is needed, not a number"),
        ("tool = []", ": tool: a table is needed, not an array"),
        ('[tool]\nhatch-skills = "x"', ": tool.hatch-skills: a table is needed, not text"),
        ("[[tool.hatch-skills]]", ": tool.hatch-skills: a table is needed, not an array"),
    ],
)
def test_a_broken_file_is_one_problem(tmp_path: Path, text: str | bytes, problem: str) -> None:
    """What is no TOML, and a root of the wrong type, is told with its place."""
    assert problems(tmp_path, text) == [problem]


@pytest.mark.parametrize(
    "text", ["x = " + "[" * 5000, "x = " + "9" * 5000, "x = 2024-13-45", "\ufeff[a]\n[a]\n", "x = 1\0"]
)
def test_no_toml_is_too_odd(tmp_path: Path, text: str) -> None:
    """Deep nesting, endless numbers and impossible dates are problems of the file, and no crash."""
    (problem,) = problems(tmp_path, text)
    assert problem.startswith(": not TOML: ")


def test_a_file_that_is_none(tmp_path: Path) -> None:
    """A directory of that name is told as the system tells it; nothing at all is an empty table."""
    assert read_toml(tmp_path / "pyproject.toml") == {}
    (tmp_path / "pyproject.toml").mkdir()
    with pytest.raises(Misuse, match=r"pyproject\.toml: Is a directory"):
        load_config(tmp_path)


def test_suggestions() -> None:
    """A near miss is suggested; without one, everything known is listed."""
    assert suggestion("edittable", ("editable", "map")) == "did you mean `editable`?"
    assert suggestion("zzz", ("editable", "map")) == "known: editable, map"

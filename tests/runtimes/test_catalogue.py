"""What each runtime shows its model, against the real programs where they can be imported."""

from __future__ import annotations

import importlib
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hatch_skills.core.runtimes import profile
from hatch_skills.core.runtimes.loomflow import modes
from hatch_skills.core.runtimes.os_protocol import tools
from hatch_skills.core.runtimes.profile import Reading
from hatch_skills.core.skill import Skill
from hatch_skills.core.tree import load_skill
from tests.runtimes.real_runtimes import absent

_TEXTS = {
    "b-skill/SKILL.md": '---\nname: b-skill\ndescription: Größe & <b> it\'s "so" — ja\n---\nB\n',
    "a-skill/SKILL.md": "---\nname: a-skill\ndescription: First\n---\nA\n",
    "c/B.skill/SKILL.md": "---\nname: B.skill\ndescription: Same tool as b-skill\n---\nC\n",
    "d/a-skill/SKILL.md": "---\nname: a-skill\ndescription: >\n  Second\n  line\n---\nD\n",
    "tooled/SKILL.md": "---\nname: tooled\ndescription: Tools\ntools:\n  add:\n    script: scripts/add.py\n---\nE\n",
    "tooled/tools.py": "",
    "tooled/scripts/add.py": "",
    "技能/SKILL.md": "---\nname: 技能\ndescription: 表格\n---\nF\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A directory of skills that share names and tool names."""
    for path, text in _TEXTS.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def _pairs(runtime: str, paths: list[Path]) -> list[tuple[Skill, Reading]]:
    skills = [load_skill(path, str(path)) for path in paths]
    pairs = [(skill, profile(runtime).read(skill)) for skill in skills]
    return [(skill, reading) for skill, reading in pairs if reading.accepted]


def _catalogue(runtime: str, paths: list[Path]) -> str:
    render = profile(runtime).catalogue
    assert render is not None
    return render(_pairs(runtime, paths))


def _import(runtime: str, module: str) -> Any:
    reason = absent(runtime)
    if reason:
        pytest.skip(reason)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(module)


def test_ovos_shows_the_tools_of_a_refreshed_toolbox(tree: Path) -> None:
    """The JSON is that of the real toolbox: slugs, verbatim descriptions, schemas, the last skill of a tool name."""
    toolbox = _import("ovos", "ovos_agentic_loop.skills.toolbox")
    paths = sorted(tree.rglob("SKILL.md"))
    box = toolbox.SkillMDToolBox(config={"extra_skill_md_paths": [str(path) for path in paths]})
    box.refresh_tools()
    found = [Path(path) for path in box._loader.discover_paths()]
    assert _catalogue("ovos", found) == json.dumps(box.tool_json_list, indent=2)
    assert len(found) >= 6


@pytest.mark.parametrize("name", ["my-skill", "größe", "技能", "A B", '"a-b"', "a__b", "-x-", "İ", ""])
def test_ovos_makes_slugs(name: str) -> None:
    """A tool name is the slug that the real toolbox makes."""
    toolbox = _import("ovos", "ovos_agentic_loop.skills.toolbox")
    tool_name = profile("ovos").tool_name
    assert tool_name is not None
    assert tool_name(name) == toolbox._slugify(name)


def test_loomflow_shows_a_sorted_list(tree: Path) -> None:
    """The block of the system prompt is that of the real registry, with counts of tools, and the last one of a name."""
    skills = _import("loomflow", "loomflow.skills")
    refused = ("b-skill", "B.skill", "技能")
    paths = [path for path in sorted(tree.rglob("SKILL.md")) if path.parent.name not in refused]
    registry = skills.SkillRegistry([skills.Skill(path.parent) for path in paths])
    assert _catalogue("loomflow", paths) == registry.catalog_section()
    assert _catalogue("loomflow", []) == skills.SkillRegistry().catalog_section()
    assert "tooled [+2 tools]: Tools" in _catalogue("loomflow", paths)


def test_the_reference_validator_shows_a_prompt_block(tree: Path) -> None:
    """Names and descriptions are escaped, locations are not, and the order is the one given."""
    skills_ref = _import("agent-skills", "skills_ref")
    paths = [tree / name / "SKILL.md" for name in ("b-skill", "技能", "a-skill")]
    assert _catalogue("agent-skills", paths) == skills_ref.to_prompt([path.parent for path in paths])
    assert _catalogue("agent-skills", []) == skills_ref.to_prompt([])


def test_a_skill_in_an_archive_is_located_by_its_path() -> None:
    """A location that is in no file system is shown as it is."""
    skill = Skill("demo.whl/x/SKILL.md", "x", b"---\nname: x\ndescription: d\n---\n", archive="demo.whl")
    render = profile("agent-skills").catalogue
    assert render is not None
    assert "<location>\ndemo.whl/x/SKILL.md\n</location>" in render([(skill, profile("agent-skills").read(skill))])


def test_read_skill_shows_lines_sorted_by_name(tmp_path: Path) -> None:
    """The dash is left out with an empty description, and a flat file wins over a directory of its name."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "SKILL.md").write_text("---\ndescription: directory\n---\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("---\ndescription: flat\n---\n", encoding="utf-8")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "SKILL.md").write_text("---\nname: aa\n---\n", encoding="utf-8")
    paths = [tmp_path / "b" / "SKILL.md", tmp_path / "b.md", tmp_path / "c" / "SKILL.md"]
    assert _catalogue("read-skill", paths) == "  aa\n  b — flat"


def test_os_protocol_lists_registry_entries(tmp_path: Path) -> None:
    """Each skill is an entry with its domain and api, and the names of its tools come from its folder."""
    directory = tmp_path / "x"
    (directory / "tools" / "deep").mkdir(parents=True)
    (directory / "tools" / "add.ts").touch()
    (directory / "tools" / "deep" / "index.ts").touch()
    text = "---\nname: X\ndescription: d\nprotocol:\n  domain: actions\n  api: a\nextends: y\n---\nBody\n"
    (directory / "SKILL.md").write_text(text, encoding="utf-8")
    ((skill, reading),) = _pairs("os-protocol", [directory / "SKILL.md"])
    assert json.loads(_catalogue("os-protocol", [directory / "SKILL.md"])) == [
        {"name": "X", "domain": "actions", "api": "a", "path": skill.path, "loaded": False}
    ]
    assert dict(reading.fields) == {"protocol": {"domain": "actions", "api": "a"}, "extends": "y"}
    assert tools(skill) == ("add", "deep")


def test_library_skills_shows_nothing() -> None:
    """It places files and has no prompt."""
    assert profile("library-skills").catalogue is None


def test_loomflow_has_three_modes(tree: Path) -> None:
    """A module, a folder of scripts and the `tools` field are told apart."""
    ((skill, reading),) = _pairs("loomflow", [tree / "tooled" / "SKILL.md"])
    assert modes(skill, reading) == ("tools.py", "scripts/", "tools:")
    assert reading.fields["tools"] == {"add": {"description": "", "script": "scripts/add.py", "args": {}}}


_FIELDS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "agent-skills": lambda held: {
        "license": held.license,
        "compatibility": held.compatibility,
        "allowed-tools": held.allowed_tools,
        "metadata": held.metadata,
    },
    "loomflow": lambda held: {
        "license": held.license,
        "compatibility": held.compatibility,
        "allowed-tools": held.allowed_tools,
        "metadata": held.extra,
        "requires": held.requires,
    },
    "ovos": lambda held: {k: v for k, v in held.raw_frontmatter.items() if k not in ("name", "description")},
}


@pytest.mark.parametrize("runtime", sorted(_FIELDS))
def test_other_fields_are_kept_as_the_runtime_keeps_them(runtime: str, tmp_path: Path) -> None:
    """Types, order and nesting of all further values are the runtime's own."""
    text = (
        "---\nname: x\ndescription: d\nlicense: MIT # c\ncompatibility: any\nallowed-tools: Bash(git:*) Read\n"
        "metadata:\n  version: 1.0\n  flag: true\n  deep:\n    a: 007\n    b: null\n---\nBody\n"
    )
    path = tmp_path / "x" / "SKILL.md"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    held: Any
    if runtime == "agent-skills":
        held = _import(runtime, "skills_ref").read_properties(path.parent)
    elif runtime == "loomflow":
        held = _import(runtime, "loomflow.skills").Skill(path.parent).metadata
    else:
        held = _import(runtime, "ovos_agentic_loop.skills.loader")._parse_skill_md(str(path))
    reading = profile(runtime).read(load_skill(path, str(path)))
    assert reading.fields == {key: value for key, value in _FIELDS[runtime](held).items() if value}

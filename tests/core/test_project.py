"""The project's skills: those that have to ship, and why the others do not count."""

from __future__ import annotations

from pathlib import Path

import pytest

from hatch_skills.core.config import Config, Selection
from hatch_skills.core.findings import Misuse
from hatch_skills.core.project import home_package, import_packages, load_project, selection_for, uses_hook
from tests.making import run, skill_text, write

A = skill_text("a")
OURS: dict[str, object] = {"tool": {"hatch": {"build": {"hooks": {"skills": {}}}}}}


def shipping(root: Path, **options: object) -> list[str]:
    """The paths of the skills that have to ship."""
    return [skill.path for skill in load_project(root, Config(**options)).skills]  # type: ignore[arg-type]


def reasons(root: Path, **options: object) -> dict[str, str]:
    """Why each other SKILL.md does not count."""
    return dict(load_project(root, Config(**options)).left_out)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("place", "files"),
    [
        ("src/demo/.agents/skills/a", ("src/demo/__init__.py",)),
        ("src/demo/skills/a", ("src/demo/__init__.py",)),
        ("src/demo", ("src/demo/__init__.py",)),
        ("src/demo/deep/er/a", ("src/demo/__init__.py",)),
        ("src/name/space/a", ("src/name/space/x.py",)),
        ("src/name/space/a", ()),
        ("demo/.agents/skills/a", ("demo/__init__.py",)),
        ("demo/skills/a", ("demo/x.py",)),
        ("name/space/a", ("name/space/__init__.py",)),
        ("python/demo/a", ("python/demo/__init__.py",)),
        ("my-code/demo/a", ("my-code/demo/__init__.py",)),
        ("skills/a", ()),
        ("skills/a", ("skills/__init__.py",)),
        ("skills/group/a", ()),
        ("src/demo/skills/tests", ("src/demo/__init__.py",)),
        ("src/demo/.agents/skills/docs", ("src/demo/__init__.py",)),
        ("src/demo/skills/build", ("src/demo/__init__.py",)),
        ("src/demo/skills/dist", ("src/demo/__init__.py",)),
        ("src/build/skills/a", ("src/build/__init__.py",)),
        ("skills/tests", ()),
        ("skills/build", ()),
    ],
)
def test_skills_of_packages_and_root_skills_ship(tmp_path: Path, place: str, files: tuple[str, ...]) -> None:
    """Flat and src layout, namespaces, and root `skills/` hold project skills, whatever these are called."""
    write(tmp_path, {**dict.fromkeys(files, ""), f"{place}/SKILL.md": A})
    assert shipping(tmp_path) == [f"{place}/SKILL.md"]
    assert reasons(tmp_path) == {}


@pytest.mark.parametrize(
    ("place", "files", "why"),
    [
        (".agents/skills/a", (), "root .agents/ belongs to the contributors of the repository"),
        (".claude/skills/a", (), "root .claude/ belongs to the contributors of the repository"),
        (".github/a", (), "root .github/ belongs to the contributors of the repository"),
        ("tests/cases/a", ("tests/__init__.py",), "it lies below tests/"),
        ("src/demo/tests/a", ("src/demo/__init__.py",), "it lies below tests/"),
        ("docs/a", (), "it lies below docs/"),
        ("examples/x/a", (), "it lies below examples/"),
        ("src/my-skill", (), "it lies in no import package"),
        ("src", (), "it lies in no import package"),
        ("assets/a", (), "it lies in no import package"),
        ("my-assets/a", ("my-assets/x.py",), "it lies in no import package"),
    ],
)
def test_what_is_left_out_has_a_reason(tmp_path: Path, place: str, files: tuple[str, ...], why: str) -> None:
    """Contributors' skills, tests, documents and examples are counted, and do not ship."""
    write(tmp_path, {**dict.fromkeys(files, ""), f"{place}/SKILL.md": A})
    assert shipping(tmp_path) == []
    assert reasons(tmp_path) == {f"{place}/SKILL.md": why}


def test_other_odd_places_have_reasons(tmp_path: Path) -> None:
    """A SKILL.md at the root, one that is spelled otherwise, and root skills that are not mapped do not ship."""
    write(
        tmp_path, {"SKILL.md": A, "src/demo/skills/a/skill.md": A, "src/demo/__init__.py": "", "skills/b/SKILL.md": A}
    )
    assert reasons(tmp_path, map=False) == {
        "SKILL.md": "it lies at the root of the project, where no package ships it",
        "skills/b/SKILL.md": "tool.hatch-skills.map is false",
        "src/demo/skills/a/skill.md": "it is called skill.md, not SKILL.md",
    }


def test_other_projects_are_left_alone(tmp_path: Path) -> None:
    """A directory with its own `pyproject.toml` belongs to another project, whether it is reached by a link or not."""
    write(tmp_path / "far", {"pyproject.toml": "", "SKILL.md": A})
    files = {
        "pyproject.toml": "",
        "src/demo/skills/a/SKILL.md": A,
        "packages/b/pyproject.toml": "",
        "packages/b/x/SKILL.md": A,
    }
    write(tmp_path / "here", files)
    (tmp_path / "here/src/demo/skills/far").symlink_to(tmp_path / "far")
    assert shipping(tmp_path / "here") == ["src/demo/skills/a/SKILL.md"]
    assert reasons(tmp_path / "here") == {}


def test_what_git_ignores_counts(tmp_path: Path) -> None:
    """A skill that git ignores has to ship; that the backend drops it is the very thing to be found."""
    write(tmp_path, {".gitignore": ".agents/\n", "src/demo/.agents/skills/a/SKILL.md": A})
    run("git", "init", "-q", cwd=tmp_path)
    assert shipping(tmp_path) == ["src/demo/.agents/skills/a/SKILL.md"]


def test_a_linked_skill_counts_once(tmp_path: Path) -> None:
    """One copy at the root that is linked into the package is found at the root; a link from elsewhere at its place."""
    write(tmp_path, {"skills/a/SKILL.md": A, "src/demo/__init__.py": "", "data/b/SKILL.md": A})
    (tmp_path / "src/demo/a").symlink_to("../../skills/a")
    assert shipping(tmp_path) == ["skills/a/SKILL.md"]


@pytest.mark.parametrize(
    ("globs", "paths"),
    [
        (("data/*/SKILL.md",), ["data/a/SKILL.md"]),
        (("data/*",), ["data/a/SKILL.md"]),
        (("./data/*/",), ["data/a/SKILL.md"]),
        (("data/**",), ["data/a/SKILL.md", "data/b/c/SKILL.md"]),
        (("**/SKILL.md",), ["SKILL.md", "data/a/SKILL.md", "data/b/c/SKILL.md"]),
        (("**/c",), ["data/b/c/SKILL.md"]),
        (("data/**/c", "SKILL.md"), ["SKILL.md", "data/b/c/SKILL.md"]),
        (("data/?",), ["data/a/SKILL.md"]),
        (("d*",), []),
        (("data/[ab]",), []),
        ((), []),
    ],
)
def test_globs_replace_the_search(tmp_path: Path, globs: tuple[str, ...], paths: list[str]) -> None:
    """With `skills`, exactly what a glob matches ships: a directory or its file, `*` within a part, `**` across."""
    files = ["SKILL.md", "data/a/SKILL.md", "data/b/c/SKILL.md"]
    write(tmp_path, dict.fromkeys(files, A))
    project = load_project(tmp_path, Config(skills=globs))
    assert [skill.path for skill in project.skills] == [skill.relative for skill in project.skills] == paths
    assert all(skill.source == tmp_path / skill.path for skill in project.skills)
    assert dict(project.left_out) == dict.fromkeys(
        [file for file in files if file not in paths], "no glob of tool.hatch-skills.skills matches"
    )
    assert project.looked == "at " + ", ".join(globs)


def test_shown_is_put_before_every_path(tmp_path: Path) -> None:
    """Reports show paths from the working directory; the path inside the project stays with the skill."""
    write(tmp_path, {"skills/a/SKILL.md": A, "docs/b/SKILL.md": A})
    project = load_project(tmp_path, Config(), shown="../project")
    assert [(skill.path, skill.relative) for skill in project.skills] == [
        ("../project/skills/a/SKILL.md", "skills/a/SKILL.md")
    ]
    assert project.left_out[0][0] == "../project/docs/b/SKILL.md"
    assert project.mapped == {"../project/skills/a/SKILL.md"}


def test_root_skills_are_mapped_unless_they_are_a_package(tmp_path: Path) -> None:
    """`mapped` are the skills that the hook puts into the package; an import package called skills ships its own."""
    write(tmp_path, {"skills/a/SKILL.md": A})
    assert load_project(tmp_path, Config()).mapped == {"skills/a/SKILL.md"}
    assert load_project(tmp_path, Config(map=False, skills=("skills/*",))).mapped == frozenset()
    write(tmp_path, {"skills/__init__.py": ""})
    project = load_project(tmp_path, Config())
    assert (len(project.skills), project.mapped) == (1, frozenset())


def test_import_packages(tmp_path: Path) -> None:
    """Packages are named by what the tree holds: regular ones, and namespaces below src; no loops of links."""
    write(
        tmp_path,
        {
            "src/demo/__init__.py": "", "src/name/space/x.py": "", "src/empty/x.txt": "", "src/a-b/__init__.py": "",
            "flat/__init__.py": "", "plain/x.py": "", "tests/__init__.py": "", "file": "",
        },
    )  # fmt: skip
    (tmp_path / "loop").symlink_to("loop")
    assert import_packages(tmp_path) == ("demo", "flat", "name")
    assert import_packages(tmp_path / "nowhere") == ()


def test_home_package(tmp_path: Path) -> None:
    """Root `skills/` goes into the named package, the only one, or the one that is called like the distribution."""
    config = Config(path="pyproject.toml")
    with pytest.raises(Misuse, match=r'tool\.hatch-skills\.map: .* has none; name it: map = "my_demo"'):
        home_package(tmp_path, config, "My-Demo")
    write(tmp_path, {"src/one/__init__.py": ""})
    assert home_package(tmp_path, config, "My-Demo") == "one"
    write(tmp_path, {"src/two/__init__.py": ""})
    with pytest.raises(Misuse, match=r'has one, two; name it: map = "one"'):
        home_package(tmp_path, config, "My-Demo")
    write(tmp_path, {"src/My_demo/__init__.py": ""})
    assert home_package(tmp_path, config, "My.-Demo") == "My_demo"
    assert home_package(tmp_path, Config(map="two.sub"), "x") == "two.sub"


@pytest.mark.parametrize(
    ("document", "uses"),
    [
        (OURS, True),
        ({"tool": {"hatch": {"build": {"targets": {"wheel": {"hooks": {"skills": {}}}}}}}}, True),
        ({"tool": {"hatch": {"build": {"hooks": {"vcs": {}}}}}}, False),
        ({}, False),
        (3, False),
        ({"tool": 3}, False),
        ({"tool": {"hatch": "skills"}}, False),
        ({"tool": {"hatch": {"build": ["skills"]}}}, False),
        ({"tool": {"hatch": {"build": {"hooks": 3, "targets": 3}}}}, False),
        ({"tool": {"hatch": {"build": {"hooks": "skills", "targets": {"wheel": 3, "sdist": {"hooks": True}}}}}}, False),
    ],
)
def test_the_hook_is_seen_in_any_document(document: object, uses: bool) -> None:
    """The table of the hook counts for all targets or one; whatever else stands there is no hook."""
    assert uses_hook(document) == uses


@pytest.mark.parametrize(
    ("document", "ovos"),
    [
        (OURS, True),
        ({"project": {"entry-points": {"opm.agents.skill_md": {"a": "b:c"}}}}, True),
        ({"project": {"entry-points": {"other": {}}}}, False),
        ({"project": {"entry-points": 3}}, False),
        ({"project": 3}, False),
        ({}, False),
        (None, False),
    ],
)
def test_a_package_is_held_to_what_it_addresses(document: object, ovos: bool) -> None:
    """OVOS counts where its entry points are registered; runtimes that were named are taken as they are."""
    selection = selection_for(document, Config())
    assert selection.runtimes == ("agent-skills", "library-skills", *(["ovos"] if ovos else []))
    named = Selection(("read-skill",), explicit=True)
    assert selection_for(document, Config(selection=named)) == named

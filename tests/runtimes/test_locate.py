"""The locators on facts of distributions, and against the real programs on a site-packages made of files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from hatch_skills.core.environment import ask_environment
from hatch_skills.core.runtimes import profile, profiles
from hatch_skills.core.runtimes.distribution import SKILL_GROUP, Distribution, EntryPoint, Found
from hatch_skills.core.skill import Skill
from hatch_skills.core.tree import load_skill
from tests.runtimes.real_runtimes import absent


def _skill(name: str, description: str = "Format notes.") -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\n\nDo it.\n"


def _distribution(name: str, *rows: str, **facts: object) -> Distribution:
    record = tuple((row, f"/site/{row}") for row in rows)
    return Distribution(name, "1.0", f"/site/{name}-1.0.dist-info", **{"record": record, **facts})  # type: ignore[arg-type]


def _point(path: str | None, *, kind: str = "str", certain: bool = True, group: str = SKILL_GROUP) -> EntryPoint:
    return EntryPoint(group, "demo", "demo:SKILL", path, None, "", kind, certain)


def _locate(runtime: str, distributions: Sequence[Distribution]) -> list[tuple[str, str]]:
    locate = profile(runtime).locate
    assert locate is not None
    return [(found.path, found.via) for found in locate(distributions)]


def test_two_runtimes_search_installed_packages() -> None:
    """The others are given directories, so they have no locator."""
    assert [each.id for each in profiles() if each.locate is not None] == ["library-skills", "ovos"]


def test_ovos_lists_entry_points_before_records() -> None:
    """The entry points of all distributions come first, with the path as it is written."""
    one = _distribution("one", "one/SKILL.md", entry_points=(_point("/site/one/../one/SKILL.md"),))
    two = _distribution("two", "two/deep/er/SKILL.md", entry_points=(_point("/elsewhere/any.txt"),))
    assert _locate("ovos", (one, two)) == [
        ("/site/one/../one/SKILL.md", "entry-point"),
        ("/elsewhere/any.txt", "entry-point"),
        ("/site/one/SKILL.md", "record"),
        ("/site/two/deep/er/SKILL.md", "record"),
    ]


def test_ovos_drops_equal_paths() -> None:
    """A resolved path from an entry point and the same path from RECORD are one skill."""
    one = _distribution("one", "one/SKILL.md", "one/SKILL.md", entry_points=(_point("/site/one/SKILL.md"),))
    assert _locate("ovos", (one,)) == [("/site/one/SKILL.md", "entry-point")]


def test_ovos_takes_text_only() -> None:
    """A value of another type, a value that names no file and a foreign group are dropped without a word."""
    points = (_point("/site/a", kind="PosixPath"), _point(None), _point("/site/b", group="other"))
    assert _locate("ovos", (_distribution("one", entry_points=points),)) == []


def test_ovos_counts_what_is_uncertain() -> None:
    """An entry point that was not loaded, but whose file is known, is found."""
    points = (_point("pk/SKILL.md", kind="", certain=False), _point(None, kind="", certain=False))
    assert _locate("ovos", (_distribution("one", entry_points=points),)) == [("pk/SKILL.md", "entry-point")]


def test_ovos_takes_exactly_skill_md_that_exist() -> None:
    """Other spellings and rows without a file are left out; a distribution without RECORD has nothing."""
    rows = (("pk/skill.md", "/site/pk/skill.md"), ("pk/SKILL.md", None), ("SKILL.md", "/site/SKILL.md"))
    assert _locate("ovos", (_distribution("one", record=rows), _distribution("two", record=None))) == [
        ("/site/SKILL.md", "record")
    ]


def test_ovos_looks_at_egg_info() -> None:
    """A project that is not installed but has ``*.egg-info`` on the path is found; library-skills never looks there."""
    one = _distribution("one", "pk/.agents/skills/x/SKILL.md", legacy=True)
    assert len(_locate("ovos", (one,))) == 1
    assert _locate("library-skills", (one,)) == []


def test_ovos_takes_entry_points_of_the_first_distribution_of_a_name() -> None:
    """importlib.metadata asks one distribution for each normalized name, and all of them for files."""
    one = _distribution("My.Skills", "a/SKILL.md", entry_points=(_point("/a"),))
    two = _distribution("my-skills", "b/SKILL.md", entry_points=(_point("/b"),))
    assert _locate("ovos", (one, two)) == [
        ("/a", "entry-point"),
        ("/site/a/SKILL.md", "record"),
        ("/site/b/SKILL.md", "record"),
    ]


def test_a_malformed_entry_points_file_hides_all_entry_points() -> None:
    """The RECORD scan still works."""
    broken = _distribution("one", problems=("entry_points.txt cannot be read: TypeError()",))
    two = _distribution("two", "two/SKILL.md", entry_points=(_point("/two"),))
    assert _locate("ovos", (broken, two)) == [("/site/two/SKILL.md", "record")]


def test_an_entry_point_that_exits_leaves_ovos_with_nothing() -> None:
    """`SystemExit` at import leaves the search, and no skill of the environment is found."""
    one = _distribution("one", "one/SKILL.md")
    two = _distribution("two", entry_points=(_point(None, kind="SystemExit"),))
    assert _locate("ovos", (one, two)) == []


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("pk/.agents/skills/x/SKILL.md", True),
        (".agents/skills/x/SKILL.md", True),
        ("pk/.agents/skills/a/b/SKILL.md", True),
        ("pk/.agents/x/.agents/skills/y/SKILL.md", True),
        ("../../share/.agents/skills/x/SKILL.md", True),
        ("pk/.agents/skills/SKILL.md", False),
        ("pk/skills/x/SKILL.md", False),
        ("pk/.agents/x/skills/y/SKILL.md", False),
        ("pk/.agents/skills/x/skill.md", False),
    ],
)
def test_library_skills_wants_a_shape(row: str, found: bool) -> None:
    """``.agents``, ``skills``, at least one directory, and a last part that is exactly ``SKILL.md``."""
    assert bool(_locate("library-skills", (_distribution("one", row),))) is found


def test_library_skills_sorts_by_metadata_directory() -> None:
    """Distributions are looked at by the name of their directory, not in the order of the path."""
    b, a = (_distribution(name, f"{name}/.agents/skills/x/SKILL.md") for name in ("b", "a"))
    assert [path for path, _ in _locate("library-skills", (b, a))] == [
        "/site/a/.agents/skills/x/SKILL.md",
        "/site/b/.agents/skills/x/SKILL.md",
    ]


def test_library_skills_takes_a_directory_once() -> None:
    """The first distribution that names a skill directory has it."""
    locate = profile("library-skills").locate
    assert locate is not None
    row = "pk/.agents/skills/x/SKILL.md"
    found = locate((_distribution("b", row), _distribution("a", row, row)))
    assert [(each.distribution, each.path) for each in found] == [("a", f"/site/{row}")]


def test_library_skills_searches_the_source_only_where_record_gave_no_valid_skill() -> None:
    """With a reader, a broken file in RECORD sends it to the source root; without one, every file counts as valid."""
    row, source = "pk/.agents/skills/x/SKILL.md", "/src/pk/.agents/skills/x/SKILL.md"
    one = _distribution("one", row, editable="/src", editable_skills=(source,))
    locate = profile("library-skills").locate
    assert locate is not None

    def read(path: str) -> Skill | None:
        return Skill(path, "x", b"no front matter") if path.startswith("/site") else None

    assert locate((one,)) == (Found(f"/site/{row}", "record", "one", "1.0", real=f"/site/{row}"),)
    assert [(each.path, each.via) for each in locate((one,), read=read)] == [
        (f"/site/{row}", "record"),
        (source, "direct-url"),
    ]
    assert [each.path for each in locate((_distribution("one", editable="/src", editable_skills=(source,)),))] == [
        source
    ]


def test_metadata_that_are_not_utf_8_end_the_scan_of_library_skills() -> None:
    """Nothing is found in any distribution; names that are missing cost one distribution."""
    one = _distribution("one", "pk/.agents/skills/x/SKILL.md")
    broken = _distribution("two", problems=("METADATA cannot be read: UnicodeDecodeError('utf-8', …)",))
    assert _locate("library-skills", (one, broken)) == []
    nameless = Distribution("", "", "/site/x.dist-info", one.record)
    assert len(_locate("library-skills", (one, nameless))) == 1


def _install(site: Path, name: str, files: dict[str, str], metadata: dict[str, str] | None = None) -> None:
    information = site / f"{name}-1.0.dist-info"
    information.mkdir(parents=True)
    written = {"METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", **(metadata or {})}
    written["RECORD"] = "".join(f"{row},,\n" for row in files)
    for row, text in [*files.items(), *((f"{information.name}/{file}", text) for file, text in written.items())]:
        (site / row).parent.mkdir(parents=True, exist_ok=True)
        (site / row).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("runtime", ["ovos", "library-skills"])
def test_the_locators_find_what_the_programs_find(runtime: str, tmp_path: Path) -> None:
    """On one directory with installed packages of many shapes, paths, names and order agree with the real runtime."""
    reason = absent(runtime)
    if reason:
        pytest.skip(reason)
    site, source = tmp_path / "site", tmp_path / "src"
    shape = "{}/.agents/skills/{}/SKILL.md"
    _install(site, "wheel", {shape.format("wheel", "one"): _skill("one"), "wheel/skills/two/SKILL.md": _skill("two")})
    _install(
        site,
        "entry",
        {
            "entry/SKILL.md": _skill("three"),
            "entry.py": "import os, pathlib\n"
            "TEXT = os.path.join(os.path.dirname(__file__), 'entry', '..', 'entry', 'SKILL.md')\n"
            "PATH = pathlib.Path(TEXT)\nNOTHING = '/no/such/file'\n",
            "entry/broken/SKILL.md": "no front matter",
            "entry/.agents/skills/deep/er/SKILL.md": _skill("er"),
            "entry/skill.md": _skill("small"),
        },
        {
            "entry_points.txt": f"[{SKILL_GROUP}]\n"
            "a = entry:TEXT\nb = entry:PATH\nc = entry:NOTHING\nd = entry:MISSING\n"
        },
    )
    _install(site, "invalid", {shape.format("invalid", "x"): _skill("y"), shape.format("invalid", "z"): "---\n---\n"})
    for name in ("five", "six"):
        (source / shape.format("pk", name)).parent.mkdir(parents=True)
        (source / shape.format("pk", name)).write_text(_skill(name), encoding="utf-8")
    direct = {"direct_url.json": json.dumps({"url": source.as_uri(), "dir_info": {"editable": True}})}
    _install(site, "editable", {shape.format("editable", "x"): "broken"}, direct)
    _install(site, "editable2", {shape.format("editable2", "ok"): _skill("ok")}, direct)
    environment = ask_environment(paths=[str(site)], ask=True)
    locate = profile(runtime).locate
    assert locate is not None
    found = locate(environment.distributions, read=lambda path: load_skill(Path(path), path))
    readings = [(each.path, profile(runtime).read(load_skill(Path(each.path), each.path))) for each in found]
    ours = [(path, reading.name) for path, reading in readings if reading.accepted]
    theirs = [
        (each["path"], each["name"]) for each in environment.asked[runtime] if each["path"].startswith(str(tmp_path))
    ]
    assert len(theirs) > 3
    assert ours == theirs

"""The two readers without a program: against the JSON Schema, and against the documented rules written down plainly."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hatch_skills.core.runtimes import profile
from hatch_skills.core.skill import Skill
from tests.runtimes.skill_texts import skill_files

_TEXT = {"type": "string"}
_SCHEMA = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {
        "name": _TEXT,
        "description": _TEXT,
        "extends": _TEXT,
        "protocol": {
            "type": "object",
            "properties": {
                "domain": {"enum": ["system", "context", "actions", "checks", "skills", "workflows", "runs"], **_TEXT},
                "api": _TEXT,
            },
            "required": ["domain", "api"],
            "additionalProperties": False,
        },
    },
    "required": ["name", "description", "protocol"],
    "additionalProperties": False,
}
"""The demands of skill.md.json version 1, a draft-7 schema."""

_ENTRIES = (
    "name: x", "name: 1", "description: d", "description:", "extends: y", "extends: [y]", "license: MIT", "1: x",
    "protocol:", "protocol: [a]", "protocol: 2024-13-45", "protocol: {domain: runs}",
    "protocol: {domain: runs, api: 1}",
    "protocol: {domain: runs, api: b, more: c}", "protocol: {domain: [runs], api: b}",
    "protocol: &a {domain: checks, api: b}", "protocol:\n  domain: actions\n  api: a",
    "protocol:\n  domain: other\n  api: a",
)  # fmt: skip
_PARTS = st.lists(st.sampled_from(_ENTRIES), max_size=5, unique=True)
_WHOLE = st.just(["name: x", "description: >\n  d\n", "protocol:\n  domain: skills\n  api: a"])
_FILES = st.one_of(
    skill_files(),
    st.builds(lambda parts: ("---\n" + "\n".join(parts) + "\n---\nBody\n").encode(), st.one_of(_PARTS, _WHOLE)),
)


def _skill(data: bytes) -> Skill:
    return Skill("my-skill/SKILL.md", "my-skill", data, "my-skill")


@settings(max_examples=200, deadline=None)
@given(data=_FILES)
def test_os_protocol_accepts_what_its_schema_accepts(data: bytes) -> None:
    """Front matter cut between the fences and loaded by PyYAML is taken exactly where a schema validator takes it."""
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed (extra: test)")
    wanted: Any = None
    try:
        text = data.decode("utf-8")
        match = re.search(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", text, re.DOTALL | re.MULTILINE)
        values: Any = yaml.safe_load(match[1]) if match else None
        if match and jsonschema.Draft7Validator(_SCHEMA).is_valid(values):
            wanted = ("ok", values["name"], values["description"], text[match.end() :])
    except (ValueError, KeyError, IndexError, AttributeError, yaml.YAMLError):
        wanted = None
    reading = profile("os-protocol").read(_skill(data))
    read = (reading.outcome, reading.name, reading.description, reading.body)
    assert read == (wanted or ("rejected", None, None, None))


@settings(max_examples=200, deadline=None)
@given(data=skill_files())
def test_read_skill_holds_what_its_rules_say(data: bytes) -> None:
    """The reading by line is held; it is marked where a YAML reader, or bytes that are no UTF-8, leave a question."""
    text = data.decode("utf-8", "replace")
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    inner: list[str] = []
    if lines[0] == "---" and "---" in lines[1:]:
        inner = lines[1 : lines.index("---", 1)]
    name, description = "my-skill", ""
    for line in inner:
        key, colon, value = (part.strip() for part in line.partition(":"))
        if colon and key == "name" and value:
            name = value
        elif colon and key == "description":
            description = value
    values: Any = None
    try:
        values = yaml.safe_load("\n".join(inner))
    except Exception:
        values = None
    values = values if isinstance(values, dict) else {}
    other = (
        str(values.get("name") or "my-skill"),
        "" if values.get("description") is None else str(values["description"]),
    )
    open_ = other != (name, description) or b"\xff" in data
    reading = profile("read-skill").read(_skill(data))
    assert (reading.outcome, reading.name, reading.description) == ("warned" if open_ else "ok", name, description)
    assert reading.detail.startswith("open: ") is open_


def test_read_skill_knows_flat_files() -> None:
    """The default name of ``<name>.md`` is its stem; any other file name is none of its skills."""
    flat = Skill("skills/flat.md", "skills", b"---\ndescription: d\n---\n# Body\n", "skills")
    reading = profile("read-skill").read(flat)
    assert (reading.outcome, reading.name, reading.description, reading.body) == ("ok", "flat", "d", "# Body\n")
    for name in ("skill.md", "Skill.md", "notes.txt"):
        assert profile("read-skill").read(Skill(f"skills/x/{name}", "x", b"text", "x")).outcome == "skipped"


def test_each_runtime_tells_what_it_is() -> None:
    """A profile names the version that was looked at, its source, its search, and what becomes of duplicates."""
    for runtime in ("agent-skills", "library-skills", "loomflow", "os-protocol", "ovos", "read-skill"):
        found = profile(runtime)
        assert found.id == runtime
        assert all((found.title, found.looked_at, found.source, found.searches, found.duplicates))
        assert all(field.source for field in found.fields.values())
        assert {"name", "description"} <= set(found.fields)
    assert profile("os-protocol").excludes == {"agent-skills"}
    assert profile("agent-skills").excludes == {"os-protocol"}
    assert profile("library-skills").locates_only == ".agents/skills/<name>/SKILL.md"

"""What `fix` makes of a SKILL.md, by example and as a property of generated files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hatch_skills.core.edits import Fixed, fix
from hatch_skills.core.portable import plain
from hatch_skills.core.runtimes import DEFAULT, profiles, runtime_ids
from hatch_skills.core.skill import Skill
from tests.making import BODY, DESCRIPTION
from tests.runtimes.skill_texts import skill_files

YAML_READERS = ("agent-skills", "library-skills")
NAME = "name: tide-tables\n"
TOP = f"{NAME}description: {DESCRIPTION}\n"


def skill(data: bytes | str) -> Skill:
    """A skill called tide-tables in a directory of that name."""
    made = data if isinstance(data, bytes) else data.encode()
    path = ".agents/skills/tide-tables/SKILL.md"
    return Skill(path, "tide-tables", made, real_directory="tide-tables")


def fixed(text: str, runtimes: tuple[str, ...] = DEFAULT, *, unsafe: bool = False) -> Fixed:
    """`fix` on a text, with the runtimes that are to be satisfied."""
    return fix(skill(text), profiles(runtimes), unsafe=unsafe)


def fields(front_matter: str, runtimes: tuple[str, ...] = DEFAULT, *, unsafe: bool = False) -> str:
    """What `fix` makes of the text between the fences; the body has to stay."""
    done = fixed(f"---\n{front_matter}---\n{BODY}", runtimes, unsafe=unsafe).data.decode()
    assert done.startswith("---\n")
    assert done.endswith(f"---\n{BODY}")
    return done[4 : -4 - len(BODY)]


@pytest.mark.parametrize(
    ("before", "after", "done"),
    [
        ("\ufeff---\n{}---\nBody\n", "---\n{}---\nBody\n", "byte order mark removed"),
        (
            "\ufeff\ufeff\n---\n{}---\n",
            "---\n{}---\n",
            "byte order mark removed; blank lines above the fence removed",
        ),
        ("\n \t\n---\n{}---\nBody\n", "---\n{}---\nBody\n", "blank lines above the fence removed"),
        (
            "# SPDX-License-Identifier: MIT\n#\n# Copyright 2026 Ada\n\n---\n{}---\n",
            "---\n# SPDX-License-Identifier: MIT\n#\n# Copyright 2026 Ada\n{}---\n",
            "comment moved below the fence",
        ),
        ("---  \n{}---\t\n\nBody  \n", "---\n{}---\n\nBody  \n", "blanks after a fence removed"),
        ("---\n{}---", "---\n{}---\n", "line end added after the closing fence"),
    ],
)
def test_fences(before: str, after: str, done: str) -> None:
    """What hides a fence from a runtime goes or moves; the body stays."""
    made = fixed(before.replace("{}", TOP))
    assert made == Fixed(after.replace("{}", TOP).encode(), (done,))


def test_line_ends_follow_the_body() -> None:
    """CRLF becomes LF where the body has LF; where the body has CRLF the file keeps it, also in new lines."""
    front_matter = f"---\n{NAME}description: >\n  a\n  b\nmetadata: {{a: b}}\n---\n".replace("\n", "\r\n")
    made = fixed(front_matter + "Body\n")
    assert made.data.decode() == "---\nname: tide-tables\ndescription: a b\nmetadata:\n  a: b\n---\nBody\n"
    assert made.done[0] == "CRLF line ends of the front matter are LF"
    made = fixed(front_matter + "Body\r\n")
    lines = ("---", "name: tide-tables", "description: a b", "metadata:", "  a: b", "---", "Body", "")
    assert made.data.decode() == "\r\n".join(lines)
    assert made.left == (
        "the body has CRLF line ends and is never touched; let .gitattributes say `SKILL.md text eol=lf`",
    )


@pytest.mark.parametrize(
    "above",
    [
        "# Tide tables\n\n",
        "# Tides: how to read them\n",
        "<!-- SPDX-License-Identifier: MIT -->\n",
        "# Copyright 2026 Ada\n\n# Tide tables\n\n",
        "# Copyright ---- Ada\n",
    ],
)
def test_what_is_no_licence_comment_stays(above: str) -> None:
    """A heading is part of what the author tells the model; it is not hidden in a comment."""
    text = f"{above}---\n{TOP}---\n"
    made = fixed(text)
    assert made.data.decode() == text
    assert made.done == ()
    assert made.left[0].startswith("line 1 is ")


def test_a_rule_below_blank_lines_opens_nothing() -> None:
    """A Markdown file that begins with a horizontal rule is not turned into front matter."""
    text = "\n---\n\nHigh water: noon.\n\n---\n"
    assert fixed(text).data.decode() == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"name: \"tide-tables\"\ndescription: '{DESCRIPTION}'\n", TOP),
        (
            'name: tide-tables\ndescription: "It\\u0027s high – “now”. 表"\n',
            f"{NAME}description: It's high – “now”. 表\n",
        ),
        (f"{NAME}description: >-\n  Reads tide\n  tables.\n", f"{NAME}description: Reads tide tables.\n"),
        (
            f"{NAME}description: |\n  Reads tides.\n\nlicense: MIT\n",
            f"{NAME}description: Reads tides.\n\nlicense: MIT\n",
        ),
        (f"{NAME}description: Reads tide\n  tables.\n", f"{NAME}description: Reads tide tables.\n"),
        (f"{NAME}description:\n  Reads tide tables.\n", f"{NAME}description: Reads tide tables.\n"),
        (f'"name":  tide-tables\ndescription : {DESCRIPTION}\n', TOP),
        (
            f"{TOP}license: 'MIT'\ncompatibility: >\n  Python\n  3.10\n",
            f"{TOP}license: MIT\ncompatibility: Python 3.10\n",
        ),
        (f"{TOP}metadata: {{author: me, 'v': \"1.0\"}}\n", f'{TOP}metadata:\n  author: me\n  v: "1.0"\n'),
        (
            f"{TOP}metadata:\n    tags: [a, [b], {{c: d}}]\n",
            f"{TOP}metadata:\n    tags:\n      - a\n      - - b\n      - c: d\n",
        ),
        (f"{TOP}metadata:\n  - {{a: 1,\n     b: }}\n", f"{TOP}metadata:\n  - a: 1\n    b:\n"),
        (f'{TOP}"allowed-tools": [Read, "Bash(git:*)"]\n', f'{TOP}allowed-tools:\n  - Read\n  - "Bash(git:*)"\n'),
    ],
)
def test_portable_forms(before: str, after: str) -> None:
    """Texts become plain and one line, flow style becomes block style."""
    assert fields(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("name: 'tide-tables' # the directory\n", "# the directory\nname: tide-tables\n"),
        ("name: tide-tables # the directory\n", "# the directory\nname: tide-tables\n"),
        ("name: tide-tables\n", "name: tide-tables\n"),
    ],
)
def test_comments_move_above(before: str, after: str) -> None:
    """A comment beside a value moves to a line of its own."""
    assert fields(f"{before}description: > # why\n  Reads\n  tides.\n# last\n") == (
        f"{after}# why\ndescription: Reads tides.\n# last\n"
    )
    assert fields(f"{TOP}metadata: {{a: b}} # more\n") == f"{TOP}# more\nmetadata:\n  a: b\n"


@pytest.mark.parametrize(
    "front_matter",
    [
        f'{NAME}description: "Reads: tides"\n',
        f'{NAME}description: "Reads tides:"\n',
        f'{NAME}description: "Issue #3 and # 4"\n',
        f'{NAME}description: "- tides"\n',
        f'{NAME}description: "[tides] read"\n',
        f'{NAME}description: "@tides"\n',
        f'{NAME}description: "tides --- read"\n',
        f'{NAME}description: "Tides\\tread"\n',
        f'{NAME}description: "Tides\\nread"\n',
        f'{NAME}description: "Tides\\u2028read"\n',
        f'{NAME}description: "12.50"\n',
        f'{NAME}description: "yes"\n',
        f'{NAME}description: "2026-01-01"\n',
        f'{NAME}description: ""\n',
        f"{NAME}description: |\n  Reads\n  tides.\n",
        f"{NAME}description: >\n  Reads\n\n  tides.\n",
        f"{NAME}description: issue #42 and table # 3\n",
        f"{NAME}description: &d 'Reads tides.'\nmetadata:\n  same: *d\n",
        f"{NAME}description: !!str 'Reads tides.'\n",
        f"{TOP}metadata: {{}}\n",
        f"{TOP}metadata: {{a: b, # lost?\n  c: d}}\n",
        f"{TOP}argument-hint: [file]\n",
        f'{NAME}"description": "Reads: tides"\n',
        f"{TOP}metadata: {{name: other}}\n",
        f"{TOP}metadata:\n  version: 1.10\n",
        f"{TOP}allowed-tools:\n  - Read\n",
        f"{NAME}description: Reads: tides\n",
        f"{TOP}metadata:\n\ta: b\n",
        f"# c\n\n{TOP}\n",
    ],
)
def test_what_stays(front_matter: str) -> None:
    """No edit is made that would be ambiguous, lose a comment, change a value, or make another runtime read worse."""
    assert fields(front_matter) == front_matter


def test_a_runtime_that_is_not_selected_does_not_count() -> None:
    """Only OVOS takes a nested `name` for the name, and only Loomflow refuses a mapping in a list."""
    pairs = f"{TOP}tags: [{{a: b, c: d}}]\n"
    assert fields(pairs) == f"{TOP}tags:\n  - a: b\n    c: d\n"
    assert fields(pairs, ("loomflow",)) == pairs
    assert fields(f"{TOP}metadata: {{name: other}}\n", YAML_READERS) == f"{TOP}metadata:\n  name: other\n"


def test_refused_files_are_mended_too() -> None:
    """A runtime that refuses the file for another reason does not keep it from being fixed."""
    assert fields(f"{NAME}description: >\n  Reads\n  tides.\nversion: 2\n") == (
        f"{NAME}description: Reads tides.\nversion: 2\n"
    )


@pytest.mark.parametrize(
    ("runtimes", "before", "after"),
    [
        (DEFAULT, f"{TOP}allowed-tools: [Read, Bash(git:*)]\n", f"{TOP}allowed-tools: Read Bash(git:*)\n"),
        (DEFAULT, f"{TOP}allowed-tools:\n- Read\n- 'Write'\n# c\n", f"{TOP}allowed-tools: Read Write\n# c\n"),
        (DEFAULT, f"{TOP}allowed-tools:\n  - Bash(git add:*)\n", f"{TOP}allowed-tools:\n  - Bash(git add:*)\n"),
        (DEFAULT, f"{TOP}allowed-tools:\n  - Read # c\n", f"{TOP}allowed-tools:\n  - Read # c\n"),
        (
            DEFAULT,
            f"{TOP}metadata: {{version: 1.10, on: 2026-01-31, b: true}}\n",
            f'{TOP}metadata:\n  version: "1.10"\n  on: "2026-01-31"\n  b: true\n',
        ),
        (DEFAULT, f"{TOP}metadata:\n\ta: b\n\tc: d\n", f"{TOP}metadata:\n  a: b\n  c: d\n"),
        (DEFAULT, f"{TOP}metadata:\n    a: b\n\tc: d\n", f"{TOP}metadata:\n    a: b\n    c: d\n"),
        (DEFAULT, f"{NAME}description: Reads: tides\n", f"{NAME}description: Reads: tides\n"),
        (YAML_READERS, f"{NAME}description: Reads: tides\n", f'{NAME}description: "Reads: tides"\n'),
        (YAML_READERS, f'{NAME}description: Says "a": b\n', f"{NAME}description: 'Says \"a\": b'\n"),
        (YAML_READERS, f"{NAME}description: Reads: a\n  b\n", f"{NAME}description: Reads: a\n  b\n"),
        (YAML_READERS, f"{NAME}description: Reads: a # b\n", f"{NAME}description: Reads: a # b\n"),
        (DEFAULT, f"{TOP}argument-hint: [a] - [b]\nx: **y** z\n", f'{TOP}argument-hint: "[a] - [b]"\nx: "**y** z"\n'),
        (DEFAULT, f"{TOP}metadata: {{a: b: c}}\n", f"{TOP}metadata: {{a: b: c}}\n"),
        (DEFAULT, f"{TOP}tags: [a, b\n", f"{TOP}tags: [a, b\n"),
        (DEFAULT, f"{TOP}tags: {'[' * 300}{']' * 300}\n", f"{TOP}tags: {'[' * 300}{']' * 300}\n"),
        (DEFAULT, f"{NAME}description: 12\n", f"{NAME}description: 12\n"),
        (YAML_READERS, f"{NAME}description: 12\n", f'{NAME}description: "12"\n'),
        (DEFAULT, f"{TOP}license: 2.0\n", f'{TOP}license: "2.0"\n'),
    ],
)
def test_unsafe_edits(runtimes: tuple[str, ...], before: str, after: str) -> None:
    """With `unsafe`, types change and broken lines are quoted, where every selected runtime then reads it right."""
    assert before == after or fields(before, runtimes) != after
    assert fields(before, runtimes, unsafe=True) == after


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (skill(b"---\nname: caf\xe9\n---"), "it is not UTF-8 (line 2, column 10)"),
        (skill("---".encode("utf-16")), "it is UTF-16 (line 1, column 1)"),
        (replace(skill(f"\ufeff---\n{TOP}---"), linked=True), "it is reached through a symbolic link"),
        (replace(skill(""), found="missing"), "it is a link to nothing"),
        (replace(skill(""), found="other"), "it is no regular file"),
    ],
)
def test_what_is_not_ours_to_edit(made: Skill, reason: str) -> None:
    """What cannot be read, or lies elsewhere, is left and named."""
    assert fix(made, profiles(DEFAULT)) == Fixed(made.data, left=(reason,))


def test_what_was_left_is_said() -> None:
    """Front matter that is missing or no YAML is named with its place."""
    assert fixed("Text.\n").left == ("there is no front matter: line 1 is 'Text.', not `---`",)
    assert fixed(f"---\n{NAME}description: a: b\n---\n").left == (
        "the front matter is not YAML (line 3), so that its values stay as they are",
    )


_LETTERS = st.text("ab é表😀:#'\"-[]{},\\\n&*!|>%@`=\u00a0\u2028\ufeff", max_size=24)
_TEXTS = st.one_of(
    _LETTERS, st.sampled_from(("Reads tides.", "a b c d e f g", "yes", "1.10", "a: b", "a --- b", "a\n\nb"))
)
_SCALARS = st.one_of(_TEXTS, st.integers(), st.booleans(), st.none(), st.dates(), st.floats())
_NESTED = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_TEXTS, inner, max_size=3)),
    max_leaves=6,
)
_KEYS = st.sampled_from(("name", "description", "license", "compatibility", "metadata", "allowed-tools", "tags", "yes"))
_HEADS = st.sampled_from(("", "", "", "\ufeff", "\n\n", "# SPDX-License-Identifier: MIT\n", "# Title\n"))
_FENCES = st.sampled_from(("---", "---", "---", "--- ", "---\t"))
_BODIES = st.sampled_from(("", "\n", "Body\n", "\n# Body\n\n---\nname: no\n---\n", "a\rb\n", "x\r\n\r\n"))
_COMMENTS = st.sampled_from(("", "", "", " # c", "  #c ", "\n# c", "\n\n", "\n  # c"))


@st.composite
def dumped_files(draw: st.DrawFn) -> bytes:
    """A SKILL.md whose values PyYAML wrote in any style and width, with comments between and beside them."""
    parts = [draw(_HEADS), draw(_FENCES), "\n"]
    for key in ("name", "description", *draw(st.lists(_KEYS, max_size=3))):
        value: Any = draw(_TEXTS if key in ("name", "description") else _NESTED)
        if key == "name" and draw(st.booleans()):
            value = "tide-tables"
        text = yaml.safe_dump(
            {key: value},
            default_style=draw(st.sampled_from((None, None, '"', "'", "|", ">"))),
            default_flow_style=draw(st.booleans()),
            width=draw(st.sampled_from((8, 80, 1000))),
            allow_unicode=True,
        )
        text = text.strip()[1:-1] if text.startswith("{") and draw(st.integers(0, 5)) else text.rstrip("\n")
        parts += [text, draw(_COMMENTS), "\n"]
    parts += [draw(_FENCES), draw(st.sampled_from(("\n", "\n", "\n", "")))]
    head = "".join(parts).replace("\n", draw(st.sampled_from(("\n", "\n", "\n", "\r\n", "\r"))))
    return (head + (draw(_BODIES) if head[-1] in "\r\n" else "")).encode("utf-8", "replace")


def _stripped(value: Any) -> Any:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        return [(_stripped(key), _stripped(item)) for key, item in value.items()]
    return [_stripped(item) for item in value] if isinstance(value, (list, tuple)) else value


def _values(made: Skill) -> str:
    """What PyYAML itself makes of the front matter, texts stripped; the name of its error where there is one."""
    try:
        return repr(_stripped(yaml.safe_load(made.front_matter.yaml.text)))
    except Exception as error:  # PyYAML lets KeyError, ValueError and more escape
        return type(error).__name__


@settings(max_examples=350, deadline=None)
@given(
    data=st.one_of(dumped_files(), dumped_files(), skill_files()),
    runtimes=st.one_of(st.just(DEFAULT), st.lists(st.sampled_from(runtime_ids()), min_size=1, unique=True)),
    unsafe=st.booleans(),
)
def test_a_fix_keeps_what_was_written(data: bytes, runtimes: list[str] | tuple[str, ...], unsafe: bool) -> None:
    """Values are equal after strip, the body is untouched, no runtime loses the skill, a second run changes nothing."""
    selected = profiles(tuple(runtimes))
    before = skill(data)
    made = fix(before, selected, unsafe=unsafe)
    after = skill(made.data)
    assert bool(made.done) == (made.data != data)
    again = fix(after, selected, unsafe=unsafe)
    assert (again.data, again.done, again.left) == (made.data, (), made.left)
    assert before.text.content.endswith(after.front_matter.body)
    if before.front_matter.closing_line:
        assert after.front_matter.body == before.front_matter.body
        assert unsafe or _values(after) == _values(before)
    for profile in selected:
        was, now = profile.read(before), profile.read(after)
        assert now.accepted or not was.accepted
        assert not was.accepted or was.name != (before.written("name") or "").strip() or now.name == was.name


@settings(max_examples=150, deadline=None)
@given(text=st.one_of(_TEXTS, st.text(max_size=12)))
def test_plain_text_is_read_as_it_is(text: str) -> None:
    """What counts as plain is held by every reader exactly so."""
    if plain(text) is None:
        return
    made = skill(f"---\nname: tide-tables\ndescription: {text}\n---\n{BODY}")
    for profile in profiles():
        reading = profile.read(made)
        assert not reading.accepted or reading.description == text, profile.id
        assert reading.outcome == "ok" or profile.id in ("os-protocol", "loomflow"), profile.id

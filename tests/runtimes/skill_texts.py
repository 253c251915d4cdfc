"""Generated SKILL.md texts: mostly well formed, each with a few of the things that runtimes stumble over."""

from __future__ import annotations

from hypothesis import strategies as st

__all__ = ["DIRECTORIES", "front_matters", "skill_files"]

DIRECTORIES = ("my-skill", "my-skill", "my-skill", "abc", "größe", "x2", "yes", "null", "My-Skill")

_NAMES = (
    "my-skill", '"my-skill"', "'my-skill'", "my-skill # c", "my-skill ", "my_skill", "My-Skill", "größe", "ａbc",
    "x²", "yes", "null", "~", "12", "1.5", "2024-01-01", "-a", "a--b", "claude-x", "[my-skill]", "&a my-skill", "",
    "x" * 65,
)  # fmt: skip
_VALUES = (
    "Format notes. Use when asked.", '"quoted"', "'it''s'", '"say \\"hi\\" \\u00e9 \\q"', "text # comment",
    "text#x", "a: b", "ends:", "List<String>", "a < b > c", "</x y>", "[a, b]", "[WIP] x", "{a: b}", "*x", "&d x",
    "`c`", "@u", "%x", "!t x", "!!str x", "!!int x", "!!set {a}", "- x", "-x", "? x", ": x", "null", "true", "42",
    "1.5", "0x1f", "12:30", "1_000", "=", "<<", "~", "2024-01-01", "2024-13-45", '"unclosed', '"', '"a" and "b"',
    "a --- b", "a---", "x" * 1024, "x" * 1025, "", "  ", ">", "|", ">-", "|2", "tab\there", "nbsp\xa0", "nel\x85x",
    "ls\u2028x", "bell\x07", "\x0cff", "\x1cfs", "\ufeffbom", "\x7f", "\u202ertl", "é😀", '"a\\\n  b"', '"a\n\nb"',
    "'a\n  b'", "a\n  b", "a\n\n  b", "\n  next", "# c\n\n  next\n", ">\n  a\n  b", ">\n  a\n\n  b", "|\n  a\n   b",
    "|\n  # no comment\n  x", ">-\n  a", "|+\n  a\n\n", "> # c\n  x", "\n  # c\n  > # d\n  x", "\n  - a\n  - b",
    "\n- a\n- b", "\n- Bash(git:*)", "\n  - # c\n    a", "\n  a: b", "\n  a: b\n    c: d", "\n  a:\n    b: c",
    "\n  # c\n  a: b", "\n\n\ta: b", "\n\ta: b", "\n  <<:\n    a: b", "{<<: {a: b}}", "&a [*a]", "*undefined",
    "[[[[a]]]]", "\n  name: other\n  description: nested", "\n  domain: actions\n  api: x",
    "\n  add:\n    script: x.py\n    args:\n      a: string",
)  # fmt: skip
_KEYS = (
    "name", "description", "license", "compatibility", "metadata", "allowed-tools", "allowed_tools", "requires",
    "tools", "protocol", "extends", "keywords", '"description"', "'name'", "Name", "name ", " name", "\tname", "<<",
    "?", "? k\n", "1", "é",
)  # fmt: skip
_COLONS = (': ', ': ', ': ', ': ', ': ', ':', ':  ', ' : ', ':\t', '')  # fmt: skip
_LINES = (
    "", "  ", "# comment", "  # comment", "- a", "- a: b", "  - c", "  more text", "    deeper", "  key: value",
    "...", "? a", ": b", "---", "text", '"text"', "%x", "\t", "  \t", 'end"', "end'",
)  # fmt: skip
_FENCES = ("---",) * 30 + ("--- ", "---\t", "----", "---x", "--- # c", " ---", "...", "", "\ufeff---", "---\n\n")
_BODIES = ("\n# Body\n\nDo the thing.\n", "", "\n", "\n \n\n", "\n---\nname: no\n---\n", " \n\n x")

_values = st.sampled_from(_VALUES)
_entries = st.builds("{}{}{}".format, st.sampled_from(_KEYS), st.sampled_from(_COLONS), _values)
_odd_lines = st.one_of(_entries, _entries, st.sampled_from(_LINES), st.text("ab:#-\"'>|? \t\n[{,&*!\\", max_size=8))
_names = st.one_of(st.just("name: my-skill"), st.builds("name: {}".format, st.sampled_from(_NAMES)))
_descriptions = st.one_of(st.just("description: Format notes."), st.builds("description: {}".format, _values))


@st.composite
def front_matters(draw: st.DrawFn) -> str:
    """What may stand between the fences, without a last line end."""
    lines = [draw(_names), draw(_descriptions)]
    for line in draw(st.lists(_odd_lines, max_size=3)):
        lines.insert(draw(st.integers(0, len(lines))), line)
    for _ in range(draw(st.sampled_from((0, 0, 0, 0, 1, 2)))):
        lines[draw(st.integers(0, len(lines) - 1))] = ""
    return "\n".join(lines)


@st.composite
def skill_files(draw: st.DrawFn) -> bytes:
    """The bytes of a SKILL.md; line ends are LF, CRLF or CR, and now and then there is a byte that is no UTF-8."""
    opening, closing = draw(st.sampled_from(_FENCES)), draw(st.sampled_from(_FENCES))
    gap = draw(st.sampled_from(("", "", "", "", "\n", " \n\n")))
    text = f"{opening}\n{gap}{draw(front_matters())}\n{gap}{closing}{draw(st.sampled_from(_BODIES))}"
    for _ in range(draw(st.sampled_from((0, 0, 0, 0, 1, 2)))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from("\n \t#:-\"'>|?\r\x85\x0b\x00[{,é")) + text[at:]
    text = text.replace("\n", draw(st.sampled_from(("\n", "\n", "\n", "\n", "\n", "\r\n", "\r"))))
    data = text.encode("utf-8")
    return data + b"\xff" if draw(st.integers(0, 60)) == 60 else data

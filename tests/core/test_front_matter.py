"""The fences of a SKILL.md: what stands between them, where, and why there are none."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hatch_skills.core.front_matter import FrontMatter
from hatch_skills.core.text import Text

_PIECES = (
    "---", "---", "--- ", " ---", "----", "...", "---yaml", "\n", "\n", "\n", "\r", "\r\n", "name: x", "- a", "# c",
    "{", "description: >\n  y", "\ufeff", "\x00", "'", "\t", "&a *a", "a: b", "é😀", "\u2028\x85", "\x0c", "\xa0",
)  # fmt: skip
_pieces = st.lists(st.one_of(st.sampled_from(_PIECES).map(str.encode), st.just(b"\xff")), max_size=12).map(b"".join)


def front_matter(text: str | bytes) -> FrontMatter:
    """The front matter of a file with this content."""
    return FrontMatter(Text(text if isinstance(text, bytes) else text.encode()))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_file_is_cut_at_its_fences(end: str) -> None:
    """YAML, body and their lines come out the same for every kind of line end, each with the ends as written."""
    found = front_matter(f"---{end}name: x{end}a: [b]{end}---{end}{end}# Body{end}")
    assert found.problem is None
    assert (found.closing_line, found.body_line) == (4, 5)
    assert found.yaml.text == f"{end}name: x{end}a: [b]"
    assert found.body == f"{end}# Body{end}"
    begin, stop = found.span
    assert found.text.content[:begin] == "---"
    assert found.text.content[stop:] == f"{end}---{end}{end}# Body{end}"
    assert found.position(found.yaml.text.index("[b]")) == (3, 4)


@pytest.mark.parametrize(
    ("text", "yaml", "body"),
    [
        ("---\nname: x\n---", "\nname: x", ""),
        ("---\nname: x\n---\n", "\nname: x", ""),
        ("--- \t\nname: x\n---\t \nbody", "\nname: x", "body"),
        ("---\n---", "", ""),
        ("---\r\n---\r\nbody", "", "body"),
        ("---\n\n---\nbody", "\n", "body"),
        ("---\nname: x\n---\n---\nbody", "\nname: x", "---\nbody"),
        ("---\nname: x\n\n# Title\n\n---\nmore", "\nname: x\n\n# Title\n", "more"),
    ],
)
def test_fences_stand_alone_on_their_lines(text: str, yaml: str, body: str) -> None:
    """Blanks may follow a fence, the first later fence closes, and the file may end with it."""
    found = front_matter(text)
    assert (found.problem, found.yaml.text, found.body) == (None, yaml, body)


@pytest.mark.parametrize(
    ("text", "kind", "line", "column", "message"),
    [
        ("", "empty-file", 1, 1, "the file is empty"),
        ("\ufeff \r\n\t\n", "empty-file", 1, 1, "the file is empty"),
        ("---yaml\nname: x\n---\n", "front-matter-language", 1, 4, "declares the language 'yaml'"),
        ("--- toml\nname = 1\n---\n", "front-matter-language", 1, 4, "declares the language 'toml'"),
        ("---name: x\n---\n", "fence-not-alone", 1, 1, "the opening fence shares its line with 'name: x'"),
        ("--- # c\nname: x\n---\n", "fence-not-alone", 1, 1, "the opening fence shares its line with '# c'"),
        ("---\xa0\nname: x\n---\n", "fence-not-alone", 1, 1, r"the opening fence shares its line with '\xa0'"),
        ("---\nname: x\n--- # c\n", "fence-not-alone", 3, 1, "the closing fence shares its line with '# c'"),
        ("---\nname: x\n---\x0c\n", "fence-not-alone", 3, 1, r"the closing fence shares its line with '\x0c'"),
        (" ---\nname: x\n---\n", "fence-indented", 1, 1, "the opening fence is indented"),
        ("---\nname: x\n ---\n", "fence-indented", 3, 1, "the closing fence is indented"),
        ("---\nname: x\n...\n", "fence-misspelled", 3, 1, "ends with '...', which is no fence"),
        ("---\nname: x\n-----\n", "fence-misspelled", 3, 1, "ends with '-----', which is no fence"),
        ("\n---\nname: x\n---\n", "text-above-front-matter", 1, 1, "line 1 is a blank line, not `---`; the front"),
        ("# Title\n\n---\nname: x\n---\n", "text-above-front-matter", 1, 1, "seems to begin on line 3"),
        ("<!-- c -->\r\n---\r\nname: x\r\n---", "text-above-front-matter", 1, 1, "line 1 is '<!-- c -->'"),
        ("# Title\n\ntext\n", "no-front-matter", 1, 1, "line 1 is '# Title', not `---`"),
        ("----\nname: x\n---\n", "no-front-matter", 1, 1, "line 1 is '----', not `---`"),
        ("\x0c---\nname: x\n---\n", "no-front-matter", 1, 1, r"line 1 is '\x0c---', not `---`"),
        ("---", "unclosed-front-matter", 1, 1, "before line 2"),
        ("---\nname: x\n", "unclosed-front-matter", 1, 1, "before line 3"),
        ("---\nname: x\n# Title\n\ntext\n", "unclosed-front-matter", 1, 1, "before line 3 (`# Title`)"),
        ("---\na:\n  - b\n#c\nd: e\n\nText here\n", "unclosed-front-matter", 1, 1, "before line 7 (`Text here`)"),
        ("\ufeff---\nname: x\n", "unclosed-front-matter", 1, 1, "never closed"),
    ],
)  # fmt: skip
def test_a_missing_fence_is_explained(text: str, kind: str, line: int, column: int, message: str) -> None:
    """Each way to miss the fences has a name of its own, its place, its reason, and a cure."""
    found = front_matter(text)
    assert found.problem is not None
    assert (found.problem.kind, found.problem.line, found.problem.column) == (kind, line, column)
    assert message in found.problem.message
    assert found.problem.hint.endswith((".", "`---` on this line."))
    assert (found.closing_line, found.body, found.yaml.text) == (0, found.text.content, "")


@pytest.mark.parametrize("data", [b"\xff\xfe-\0-\0-\0", b"---\nname: \xff\n---\n", b"\xef\xbb\xbf---\nname: x\n---\n"])
def test_bytes_and_marks_are_told_by_others(data: bytes) -> None:
    """What is no UTF-8, and what has only a byte order mark too much, has no problem of its fences."""
    found = front_matter(data)
    assert (found.problem, found.closing_line, found.entries) == (None, 0, ())


def test_entries_are_in_the_order_of_the_file() -> None:
    """Every scalar key is an entry, repeated ones too; the last one of a name counts; offsets are those of the file."""
    content = "---\nname: one\nmetadata:\n  name: nested\n'name': two\n? [a]\n: b\n12: c\n---\n"
    found = front_matter(content)
    assert [entry.key for entry in found.entries] == ["name", "metadata", "name", "12"]
    last = found.entry("name")
    assert last is not None
    assert (last.value.text, last.key_at, last.value_at) == ("two", content.index("'name'"), content.index("two"))
    assert found.entry("nested") is None
    assert [content[entry.key_at :][:4] for entry in found.entries] == ["name", "meta", "'nam", "12: "]


@pytest.mark.parametrize("text", ["---\n- a\n---\n", "---\ntext\n---\n", "---\na: [b\n---\n", "---\n# c\n---\n", "x"])
def test_what_is_no_mapping_has_no_entries(text: str) -> None:
    """A list, a text, an error and nothing at all give no entries."""
    assert front_matter(text).entries == ()


@given(st.one_of(_pieces, st.binary(max_size=40).map(lambda data: b"---\n" + data + b"\n---\n")))
@example(b"---\r---")
@example(b"---\n---\r\n")
def test_no_bytes_are_too_odd(data: bytes) -> None:
    """Any bytes give a front matter or a reason, with all places inside of the text."""
    found = front_matter(data)
    content = found.text.content
    begin, stop = found.span
    assert 0 <= begin <= stop <= len(content)
    assert content.endswith(found.body)
    if found.closing_line:
        assert found.problem is None
        assert found.text.lines[found.closing_line - 1].rstrip(" \t") == "---"
        assert content[stop:].startswith(("\n", "\r")) or found.yaml.text == ""
        assert found.text.position(len(content) - len(found.body))[0] == min(found.body_line, len(found.text.starts))
        for entry in found.entries:
            assert begin <= entry.key_at <= entry.value_at <= stop
    elif found.problem is None:
        assert found.text.undecodable is not None or found.text.has_bom
    else:
        assert 1 <= found.problem.line <= max(1, len(found.text.lines))

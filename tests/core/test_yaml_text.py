"""YAML nodes with offsets: equal to PyYAML's pure loader, and bounded."""

from __future__ import annotations

import contextlib
import time
import tracemalloc
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from hatch_skills.core import yaml_text
from hatch_skills.core.yaml_text import NODE_LIMIT, SIZE_LIMIT, Node, Remark, read_yaml

_HOSTILE = (
    "a", "b", "Z", "0", "9", "-", "_", ".", ":", ": ", " #", "#", "  ", " ", "\t", "\n", "\r", "'", '"', "[", "]",
    "{", "}", ",", "&", "*", "!", "|", ">", "%", "@", "`", "?", "- ", "~", "=", "<<", "---", "...", "\x00", "\x07",
    "\x1f", "\x7f", "\x85", "\x9f", "\xa0", "\u2027", "\u2028", "\u2029", "\ufeff", "\ufffd", "\ufffe", "\uffff",
    "\ud7ff", "\ue000", "\ufefe", "\uff00", "😀", "\U0010ffff", "é",
)  # fmt: skip
_WORDS = (
    "yes", "No", "TRUE", "false", "on", "OFF", "null", "Null", "y", "n", "Y", "yEs", "inf", "nan", "NaN", "e1", "tRue",
    "Format notes. Use when asked.", "see http://x.example/#a", "a #b", "a# b", "x" * 1030, "x" * 70,
)  # fmt: skip
_pieces = st.lists(st.sampled_from(_HOSTILE + _WORDS), max_size=5).map("".join)
_keys = st.one_of(
    st.sampled_from(("name", "description", "allowed-tools", "a_b", "yes", "Null", "x" * 64, "x" * 65)), _pieces
)
_colons = st.sampled_from((": ", ": ", ":", ":  ", " : ", ""))
_lines = st.one_of(
    st.builds("{}{}{}{}".format, _keys, _colons, _pieces, st.sampled_from(("", " ", "\t"))),
    st.builds("{}: {}".format, st.sampled_from("abc"), st.sampled_from(_WORDS)),
    st.sampled_from(("", "", " ", "# c", "  more", "- a")),
)
_texts = st.builds(
    "{}{}{}".format,
    st.sampled_from(("", "\n", "\n\n")),
    st.lists(_lines, max_size=5).map("\n".join),
    st.sampled_from(("", "\n")),
)


def _composed(text: str) -> Any:
    """The node that PyYAML's pure loader makes of a text, as a tuple; an exception is its type."""
    try:
        return _flat(yaml.SafeLoader(text).get_single_node())
    except yaml.YAMLError as error:
        return type(error)


def _flat(node: yaml.Node | None) -> Any:
    if node is None:
        return None
    value = node.value
    if isinstance(node, yaml.SequenceNode):
        value = [_flat(item) for item in value]
    elif isinstance(node, yaml.MappingNode):
        value = [(_flat(key), _flat(item)) for key, item in value]
    return (node.tag, node.start_mark.index, node.end_mark.index, value)


def _ours(node: Node | None) -> Any:
    if node is None:
        return None
    value: Any = node.text
    if node.kind == "sequence":
        value = [_ours(item) for item in node.items]
    elif node.kind == "mapping":
        value = [(_ours(key), _ours(item)) for key, item in node.pairs]
    tag = node.tag if node.tag.startswith(("!", "tag:")) else f"tag:yaml.org,2002:{node.tag}"
    return (tag, node.start, node.end, value)


def _loaded(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except Exception as error:
        return type(error)


@given(_texts)
@example("a: b \n\n\nc: d\n\n")
@example("a: b\n\ufeffc: d")
@example("a: b:")
@example("a: b: ")
@example("yes: b")
@example("a: off")
def test_the_fast_path_is_pyyaml(text: str) -> None:
    """Where the fast path gives an answer, keys, values, tags, offsets and loaded values are PyYAML's."""
    plain = yaml_text._read_plain(text)
    if plain is not None:
        assert _ours(plain.root) == _composed(text)
        assert plain.load() == yaml.safe_load(text)


def test_the_fast_path_takes_what_skills_have() -> None:
    """Ordinary front matter takes the fast path, and everything that needs a parser does not."""
    assert read_yaml("name: tide-tables\ndescription: Reads tide tables, e.g. at 12:30. Use it!\n\nlicense: MIT").plain
    for text in ("name: 'x'", "name: 12", "a:\n  b: c", "a: b # c", "a: [b]", "# c", "a: true", "a: b\r\nc: d", ""):
        assert not read_yaml(text).plain


@given(_texts)
def test_nodes_are_those_of_pyyaml(text: str) -> None:
    """Every text gives the nodes of the pure loader, or an error where that raises one."""
    read = read_yaml(text)
    composed = _composed(text)
    if isinstance(composed, type):
        assert read.root is None
        assert read.error is not None
        assert 0 <= read.error.offset <= len(text) + 1
    else:
        assert read.error is None
        assert _ours(read.root) == composed


@given(_texts)
def test_load_is_safe_load(text: str) -> None:
    """`load` gives the value of `yaml.safe_load`, or raises as it does."""
    wanted = _loaded(text)
    try:
        loaded = read_yaml(text).load()
    except Exception as error:
        loaded = type(error)
    if isinstance(wanted, type) and issubclass(wanted, yaml.YAMLError):
        assert isinstance(loaded, type)
        assert issubclass(loaded, yaml.YAMLError)
    else:
        assert repr(loaded) == repr(wanted)


@pytest.mark.parametrize(
    "text",
    [
        "a: 12\nb: 0x1f\nc: 1.5\nd: 12:30\ne: 1_000\nf: ~\ng: yes\nh: 2024-01-01\ni: .inf",
        "base: &b {x: 1, y: [2]}\nother: {<<: *b, z: 3}\nagain: *b",
        "<<: [{a: 1, b: 2}, {a: 3}]\nc: 4",
        "a: !!binary aGk=\nb: !!set {x, y}\nc: !!omap [x: 1]\nd: !!str 12",
        "a: >-\n  folded\n  text\nb: |+\n  kept\n\n",
        '"q\\u00e9": \'it\'\'s\'',
        "? [a, b]\n: c",
        "a: !foreign x",
        "a: 2024-13-45",
        "a: !!int ''",
        "a: *gone",
        "&r [*r]",
        "&r {a: *r}",
        "a: 1\na: 2",
        "{[a]: b}",
        "=: a\n",
        "a: =",
        "",
        "just text",
        "- a\n- b",
        "--- a\n--- b",
        "a: b\n...\n",
        "%YAML 1.1\n---\na: b",
        "%YAML 2.0\n---\na: b",
        "a:\tb",
        "\ta: b",
        "a: 'open",
        "a: \x07",
        "0001-01-01T00:00:00+23:00",
    ],
)  # fmt: skip
def test_load_agrees_on_what_yaml_can_say(text: str) -> None:
    """Types, merges, tags, anchors and errors come out as `yaml.safe_load` gives them, twice in a row."""
    read, wanted = read_yaml(text), _loaded(text)
    for _ in range(2):
        if isinstance(wanted, type) and issubclass(wanted, Exception):
            with pytest.raises(yaml.YAMLError if issubclass(wanted, yaml.YAMLError) else wanted):
                read.load()
        else:
            assert repr(read.load()) == repr(wanted)


@given(st.lists(st.sampled_from(["é", "😀", "a"]), max_size=3).map("".join))
def test_offsets_slice_the_text(head: str) -> None:
    """`start` and `end` of a node cut out what was written, quotes included, behind characters of any width."""
    text = f"# {head}\nname: {head}a # c\nquoted: '{head}''x'\nlist: [one, \"two\"]\nblock: >\n  folded\n"
    root = read_yaml(text).root
    assert root is not None
    values = {key.text: value for key, value in root.pairs}
    assert text[root.pairs[0][0].start : root.pairs[0][0].end] == "name"
    assert text[values["name"].start : values["name"].end] == f"{head}a"
    assert text[values["quoted"].start : values["quoted"].end] == f"'{head}''x'"
    assert [text[item.start : item.end] for item in values["list"].items] == ["one", '"two"']
    assert text[values["block"].start : values["block"].end] == ">\n  folded\n"
    assert (values["quoted"].text, values["quoted"].style) == (f"{head}'x", "'")
    assert (values["list"].kind, values["list"].style, str(values["list"])) == ("sequence", "flow", "a list")
    assert (values["block"].style, str(values["block"])) == (">", "folded\n")


def test_remarks_name_anchors_aliases_and_tags() -> None:
    """Everything that other readers refuse is remarked, in the order of the text."""
    text = "a: &x !!str v\nb: *x\nc: !t\n  d: e\n"
    assert read_yaml(text).remarks == (
        Remark("anchor", text.index("&"), "x"),
        Remark("tag", text.index("&"), "tag:yaml.org,2002:str"),
        Remark("alias", text.index("*"), "x"),
        Remark("tag", text.index("!t"), "!t"),
    )


def test_an_error_has_its_place_and_its_context() -> None:
    """The offset is where PyYAML stumbles, the context where the broken thing began."""
    text = "name: x\ndescription: [a, b\nlicense: MIT\n"
    error = read_yaml(text).error
    assert error is not None
    assert (error.offset, error.problem) == (text.index(": MIT"), "expected ',' or ']', but got ':'")
    assert (error.context_offset, error.context) == (text.index("["), "while parsing a flow sequence")
    control = read_yaml("a: b\nc: d\x07e\n").error
    assert control is not None
    assert (control.offset, control.problem) == (9, "character U+0007")


def test_depth_is_told() -> None:
    """The deepest level of nesting counts the root as one."""
    assert read_yaml("a: [[b]]").depth == 4
    assert read_yaml("a: b").depth == 1


def _bomb(levels: int, shape: str, width: int) -> str:
    lines = [f"a0: &a0 {'{x: 1}' if '<<' in shape else '[x]'}"]
    aliases = [",".join([f"*a{level - 1}"] * width) for level in range(1, levels)]
    return "\n".join([*lines, *(f"a{n}: &a{n} {shape.replace('…', item)}" for n, item in enumerate(aliases, 1))])


_BOUNDED = {
    "50,000 plain lines": "\n".join(f"k{number}: value" for number in range(50_000)),
    "flow sequences, 3,000 deep": "a: " + "[" * 3000 + "]" * 3000,
    "flow mappings, 3,000 deep": "a: " + "{a: " * 3000 + "}" * 3000,
    "flow sequences, 200,000 deep": "a: " + "[" * 200_000,
    "block mappings, 700 deep": "\n".join(" " * level + "a:" for level in range(700)),
    "block sequences, 20,000 deep": "- " * 20_000,
    "alias bomb": _bomb(12, "[…]", 9),
    "long alias bomb": _bomb(300, "[…]", 9),
    "merge bomb": _bomb(12, "{<<: […]}", 9),
    "binary merge bomb": _bomb(300, "{<<: […]}", 2),
    "100,000 plain lines": "\n".join(f"k{number}: value" for number in range(100_000)),
    "1,000,000 plain lines": "a: b\n" * 1_000_000,
    "100,000 lines of a block": "d: |\n" + "  x\n" * 100_000,
    "100,000 comments": "# c\n" * 100_000,
    "1 MB of plain text": "d: " + "word " * 200_000,
    "1 MB in quotes": f'd: "{"word " * 200_000}"',
    "quotes up to the bound": f'd: "{"a b" * (SIZE_LIMIT // 3 - 5)}"',
    "lines up to the bound": "d: a" + "\n b" * (SIZE_LIMIT // 3 - 5),
    "escapes up to the bound": 'd: "' + r"\x41" * (SIZE_LIMIT // 4 - 5) + '"',
    "base 60 up to the bound": "a: 1" + ":10" * (SIZE_LIMIT // 3 - 5),
    "digits up to the bound": "a: " + "1" * (SIZE_LIMIT - 5),
    "5,000 plain keys": "\n".join(f"k{number}: v" for number in range(5000)),
    "5,000 quoted keys": "\n".join(f"'k{number}': v" for number in range(5000)),
    "nodes up to the bound": "[" + "a," * (NODE_LIMIT - 5) + "]",
    "tags up to the bound": "[" + "!t x," * (NODE_LIMIT - 5) + "]",
}  # fmt: skip


@pytest.mark.parametrize("shape", _BOUNDED)
def test_reading_is_bounded(shape: str) -> None:
    """No text keeps the reader or `load` busy for long, and all end in a value or in one of the promised errors."""
    text = _BOUNDED[shape]
    begin = time.process_time()
    read = read_yaml(text)
    with contextlib.suppress(yaml.YAMLError, ValueError, RecursionError):
        read.load()
    assert time.process_time() - begin < 12  # below one second on an idle machine


@pytest.mark.parametrize("shape", ["alias bomb", "merge bomb", "1,000,000 plain lines", "1 MB in quotes"])
def test_memory_is_bounded(shape: str) -> None:
    """Reading takes no more than some dozen megabytes, however the text multiplies."""
    tracemalloc.start()
    try:
        read = yaml_text.read_yaml.__wrapped__(_BOUNDED[shape])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert read.text
    assert peak < 60_000_000


def test_beyond_a_bound_is_an_error_that_says_so() -> None:
    """Too large and too deep are errors with a place, and `load` raises what it promises."""
    large = read_yaml(f'd: "{"x" * SIZE_LIMIT}"')
    assert large.error is not None
    assert large.error.problem == "larger than the reader's bound"
    with pytest.raises(yaml.YAMLError):
        large.load()
    deep = read_yaml(_BOUNDED["flow sequences, 3,000 deep"])
    assert deep.error is not None
    assert (deep.error.problem, deep.error.offset) == ("nested too deeply", 3 + yaml_text.DEPTH_LIMIT)
    with pytest.raises(RecursionError):
        deep.load()
    many = read_yaml("[" + "a," * NODE_LIMIT + "]")
    assert many.error is not None
    assert many.error.problem == "larger than the reader's bound"

"""Links and fences of a body, held against CommonMark examples and the parser's own list."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll

from hatch_skills.core.markdown import BODY_LIMIT, Link, confirmed, link_candidates, unclosed_fence

_PIECES = (
    "[", "]", "(", ")", "](", "]: ", "[a]", "[a]: b\n", "(b)", "(<b c>)", "![", "!", "`", "``", "\\", "<", ">", "\n",
    "\n\n", "\r\n", "\r", " ", "> ", "- ", "    ", "1. ", "```\n", "~~~\n", "* ", "a", "b", "x.md", "%20", "&amp;",
    "[a ![b](x) d](y)", "[", "](", "&#35;", "#f", "?q", '"t"', "(t)", "*", "# ", "<div>", "<!--", "-->", "<a href='",
    "\t", "\0", "é", "😀", "\xa0", "[a][b]", "[b]", "\n", "\n===\n", "---", "\\)", "\\(", "{", "https://x.y/",
    "<x@y.z>", "\x0b", "\x7f",
)  # fmt: skip
_bodies = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join)
_FENCES = (
    "```\n",
    "```\n",
    "```sh\n",
    "~~~\n",
    "````\n",
    "``` x`\n",
    "a\n",
    "\n",
    "\x85",
    "\x0c\n",
    "`",
    "    ",
    "\r\n",
    "#\n",
)
_fences = st.lists(st.sampled_from(_FENCES), max_size=9).map("".join)
_PARSER = MarkdownIt("commonmark")


def links(body: str) -> list[str]:
    """The destinations that are confirmed, as written."""
    return [link.target for link in link_candidates(body) if confirmed(body, link)]


def parsed(body: str) -> list[str]:
    """Where the links and images of a body lead, as the CommonMark parser says; autolinks left out."""
    found, tokens = [], list(_PARSER.parse(body))
    while tokens:
        token = tokens.pop()
        if token.type in ("link_open", "image") and token.markup != "autolink":
            found.append(str(token.attrs.get("href") or token.attrs.get("src") or ""))
        tokens.extend(token.children or ())
    return sorted(filter(None, found))


@pytest.mark.parametrize(
    ("body", "targets"),
    [
        ("[a](b.md)", ["b.md"]),
        ("![a](b.png 'title')", ["b.png"]),
        ('[a]( b.md "a (title)" )', ["b.md"]),
        ("[a](<b c.md>)", ["b c.md"]),
        (r"[a](<b\>c>)", [r"b\>c"]),
        ("[a](b(c(d)).md)", ["b(c(d)).md"]),
        (r"[a](b\(c.md)", [r"b\(c.md"]),
        ("[a](b<c)", ["b<c"]),
        ("[a](b\xa0c)", ["b\xa0c"]),
        ("[a](b c)", []),
        ("[a] (b)", []),
        (r"\[a](b)", []),
        (r"[a\](b)", []),
        (r"\![a](b)", ["b"]),
        ("[a [b] c](d)", ["d"]),
        ("[a ![b](c) d](e)", ["c", "e"]),
        ("![a ![b](c) d](e)", ["c", "e"]),
        ("[a [b](c) d](e)", ["c"]),
        ("[a\nb](c)", ["c"]),
        ("[a](\n  b\n)", ["b"]),
        ("> [a](\n> b.md)", ["b.md"]),
        ("- x\n\n  [a](b)", ["b"]),
        ("# [a](b) #", ["b"]),
        ("[a](b)\n===", ["b"]),
        ("`[a](b)`", []),
        ("``[a](b) ` ``", []),
        ("`x\ny` [a](b) `z`", ["b"]),
        (r"\`[a](b)\`", ["b"]),
        ("`[a](b)", ["b"]),
        ("[a`](b)`", []),
        ("    [a](b)", []),
        ("```\n[a](b)\n```", []),
        ("~~~\n[a](b)", []),
        ("> ```\n[a](b)", ["b"]),
        ("<div>\n[a](b)\n</div>", []),
        ("<div>\n\n[a](b)\n\n</div>", ["b"]),
        ("<!-- [a](b) -->", []),
        ("<a title='[a](b)'>", []),
        ("<https://x.example/[a](b)>", []),
        ("```\n[a](b)\n```\n[a](b)", ["b"]),
        ("[a](b%20c.md)", ["b%20c.md"]),
        ("[a](b&amp;c.md)", ["b&amp;c.md"]),
        ("[a]\r\r```\r[b](c)\r```\r[a](b)", ["b"]),
        ("[x]\n\n[x]: b.md", ["b.md"]),
        ("[y][x]\n\n[X]: <b c> 'title'", ["b c"]),
        ("[x][]\n\n[x]:\n  b.md", ["b.md"]),
        ("![y][x]\n\n> [x]: b.md", ["b.md"]),
        ("[a\\]]\n\n[a\\]]: b", ["b"]),
        ("[a b]\n\n[a\nb]: c", ["c"]),
        ("[x]: unused.md", []),
        ("[x]\n\n[x]: first\n[x]: second", ["first"]),
        ("[x]\n\n    [x]: code.md", []),
        ("[x]\n\n```\n[x]: code.md\n```", []),
        ("call(a[0]: int)", []),
        ("[a]()", [""]),
        ("[a](javascript:x)", []),
    ],
)  # fmt: skip
def test_links_are_those_of_commonmark(body: str, targets: list[str]) -> None:
    """Each construct of CommonMark gives the destinations that it has, as written, and no others."""
    assert links(body) == targets


def test_a_link_knows_its_place() -> None:
    """The offset is that of the destination, also where the same one stands in code beside it."""
    body = "`[a](b.md)`\r\n\r\n> - see [a](<b.md>)\r\n>   and `[a](b.md)` [é😀](b.md)\r\n"
    found = [link for link in link_candidates(body) if confirmed(body, link)]
    assert [link.offset for link in found] == [body.index("<b") + 1, body.rindex("b.md")]


@pytest.mark.parametrize(
    ("target", "path", "relative"),
    [
        ("b.md", "b.md", True),
        ("b.md#part", "b.md", True),
        ("b.md?raw=1#part", "b.md", True),
        ("b%20c%2Fd.md", "b c/d.md", True),
        ("b%23c.md", "b#c.md", True),
        (r"b\#c.md", "b", True),
        (r"b\_c\(d\).md", "b_c(d).md", True),
        (r"b\c", r"b\c", True),
        ("b&amp;c&auml;&#100;&#x65;.md", "b&cäde.md", True),
        ("b&ampc;&c", "b&ampc;&c", True),
        (r"b\&amp;c", "b&amp;c", True),
        ("&#35;part", "", False),
        (r"\#part", "", False),
        ("#part", "", False),
        ("", "", False),
        ("/b.md", "/b.md", False),
        ("//host/b.md", "//host/b.md", False),
        ("~/b.md", "~/b.md", False),
        ("?q", "", False),
        ("https://x.example/b.md", "https://x.example/b.md", False),
        ("mailto:a@b.example", "mailto:a@b.example", False),
        ("./a:b.md", "./a:b.md", True),
        ("../b.md", "../b.md", True),
        ("b%ff.md", "b\ufffd.md", True),
        ("100%.md", "100%.md", True),
    ],
)
def test_a_destination_is_a_path(target: str, path: str, relative: bool) -> None:
    """Escapes and entities are undone before the fragment is cut off, percent signs after that."""
    link = Link(target, 0)
    assert (link.path, link.is_relative) == (path, relative)


@given(_bodies)
@example("[a]: b\n[](\\[a][b]]([x]")
@example("\xa0\r\n[a](b)[a]: b\n")
@example("\t[a](b)\n- \t[a](b)\n")
def test_no_link_is_missed_and_none_is_made_up(body: str) -> None:
    """On any document, the confirmed candidates lead where the links of the CommonMark parser lead."""
    candidates = list(link_candidates(body))
    assert all(body[link.offset :].startswith(link.target) for link in candidates)
    plain = [unescapeAll(target.replace("\0", "\ufffd")) for target in links(body)]
    made = sorted(filter(None, map(_PARSER.normalizeLink, plain)))
    wanted = parsed(body)
    if "]:" in body:  # a definition may serve several links
        made, wanted = sorted(set(made)), sorted(set(wanted))
    assert made == wanted


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("```\na\n```\n", 0),
        ("a\n\n```sh\nb\n", 3),
        ("```\n```\n```\n", 3),
        ("````\n```\n````\n", 0),
        ("````\n```\n", 1),
        ("```\n~~~\n```\n", 0),
        ("~~~\n```\n", 1),
        ("``` a`b\n", 0),
        ("```\na\n``` b\n", 1),
        ("```\na\n    ```\n", 1),
        ("```\na\n```\x85\n", 1),
        ("    ```\n", 0),
        ("a\r\n\r\n```\r\nb\r\n```\r\n", 0),
        ("a\r\r```\rb\r", 3),
        ("a\x85b\u2028c\x0cd\n```\n", 2),
        ("<!--\n```\n-->\n", 0),
        ("1. a\n\n   ```\n   b\n    ```\n", 0),
        ("1. a\n\n     ```\n     b\n     ```\n", 0),
        ("- a\n  ```\n  b\n\nc\n", 2),
        ("> ```\n> a\n> ```\n", 0),
        ("> ```\n\na\n", 1),
        ("`` ` ``\n", 0),
        ("```\n\n", 1),
        ("  ```\n  ", 1),
        ("```", 1),
        ("", 0),
    ],
)
def test_an_open_fence_is_that_of_commonmark(body: str, line: int) -> None:
    """A fence is open where nothing closes it; containers, comments, indented code and all line ends count."""
    assert unclosed_fence(body) == line


@given(_fences)
def test_whatever_is_open_takes_what_follows(body: str) -> None:
    """Outside of containers, a fence is reported exactly where the parser puts text that is added into it."""
    body = body + "\n"
    swallowing = [
        token for token in _PARSER.parse(body + "\nTAIL\n") if token.type == "fence" and "TAIL" in token.content
    ]
    assert unclosed_fence(body) == (swallowing[0].map[0] + 1 if swallowing and swallowing[0].map else 0)


@given(_bodies)
def test_an_open_fence_is_a_fence(body: str) -> None:
    """Inside of containers too, a reported line is the first one of a fence."""
    line = unclosed_fence(body)
    assert line == 0 or line - 1 in {
        token.map[0] for token in _PARSER.parse(body) if token.type == "fence" and token.map
    }


@pytest.mark.parametrize("piece", ["](", "[a](b(", "[a]: <b\n", "[a](x.md) ", "[a](x.md)\n", "```\n", "\\"])
def test_scanning_is_bounded(piece: str) -> None:
    """A megabyte of hostile Markdown is scanned in a moment, and only its beginning is parsed."""
    body = "[a](gone.md)\n" + piece * (1_000_000 // len(piece))
    begin = time.process_time()
    for link in link_candidates(body):
        confirmed(body, link)
    unclosed_fence(body)
    assert time.process_time() - begin < 60


def test_nothing_is_looked_for_behind_the_bound() -> None:
    """A link behind the bound is no candidate; an open fence is found by its look."""
    body = "[a](b.md)\n\n" + "word " * (BODY_LIMIT // 5) + "\n\n[c](d.md)\n"
    assert [link.target for link in link_candidates(body)] == links(body) == ["b.md"]
    assert unclosed_fence(body + "```\n") == 6

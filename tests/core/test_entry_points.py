"""`entry_points.txt` as `importlib.metadata` reads it."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hatch_skills.core.entry_points import parse_entry_points
from tests.making import write

_LINES = (
    "[a]", "[b]", "[a]", "[]", "[ a ]", "[[a]]", "[a", "a]", "x = m:y", "x=m", "z = m:y [e, f]", "x = m = n", "= m",
    "x =", "x", "# c", "; c", "; x = m", "  x = m:y  ", "\tx=m", "", " ", "=", "x : m", "é = ü:ä", "x\x0c= m",
    "x\x85= m", "[a] # c",
)  # fmt: skip
_texts = st.lists(st.sampled_from(_LINES), max_size=7).map("\n".join)


def installed(text: str, place: Path) -> dict[str, list[tuple[str, str]]] | None:
    """What `importlib.metadata` reads of a distribution with this file; None if it raises."""
    write(place, {"demo-1.dist-info/entry_points.txt": text})
    groups: dict[str, list[tuple[str, str]]] = {}
    try:
        for point in metadata.Distribution.at(place / "demo-1.dist-info").entry_points:
            groups.setdefault(point.group, []).append((point.name, point.value))
    except Exception:
        return None
    return groups


@given(_texts)
@example("x\n[a]\nx = m")
@example("[a]\n; c")
@example("[a]\r\nx = m\r\n")
def test_files_are_read_as_installed_tools_read_them(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """Groups, names and values are those of `importlib.metadata`, and a line is broken where that raises."""
    groups, broken = parse_entry_points(text)
    real = installed(text, tmp_path_factory.getbasetemp() / "points")
    assert bool(broken) == (real is None)
    assert real is None or {group: list(pairs) for group, pairs in groups.items()} == real


def test_groups_keep_their_order() -> None:
    """Pairs come in the order of the file, and a group that is opened twice goes on."""
    text = "[a]\nx = m:y\n\n# c\n[b]\nz = n\n[a]\nw = o [extra]\n"
    assert parse_entry_points(text) == ({"a": (("x", "m:y"), ("w", "o [extra]")), "b": (("z", "n"),)}, ())


def test_broken_lines_are_named() -> None:
    """A line without `=` is named as written; the others are read."""
    assert parse_entry_points("[a]\n  oops here\nx = m\n") == ({"a": (("x", "m"),)}, ("oops here",))

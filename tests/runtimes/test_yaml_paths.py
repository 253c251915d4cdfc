"""The fast ways through YAML and through the fences hold the same as the slow ones."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hatch_skills.core.runtimes import loomflow, ovos, strict_parser, strict_yaml
from hatch_skills.core.runtimes.strict_yaml import Refused, read_strict_yaml
from hatch_skills.core.yaml_text import read_yaml
from tests.runtimes.skill_texts import front_matters

_FENCES = st.lists(st.sampled_from(("---", "\n", "\n---\n", " ", "\t", "x", "\x0c", "\u2028")), max_size=12).map(
    "".join
)


def _outcome(read: Any, text: str) -> Any:
    try:
        return repr(read(text))
    except Refused as error:
        return error.outcome
    except Exception as error:
        return "YAMLError" if isinstance(error, yaml.YAMLError) else type(error)


def _slow(text: str) -> Any:
    root, comments = strict_parser.parse_strict_yaml(text)
    return text if root is None else strict_yaml._Values(text, comments).document(root)


@settings(max_examples=200, deadline=None)
@given(text=front_matters())
def test_the_shared_nodes_give_what_the_strict_parser_gives(text: str) -> None:
    """Where the nodes of PyYAML are taken for strictyaml's, the values are the same."""
    text = "\n" + text.replace("---", "- -") + "\n"  # three hyphens end the text for strictyaml
    assert _outcome(read_strict_yaml, text) == _outcome(_slow, text)


@settings(max_examples=200, deadline=None)
@given(text=front_matters())
def test_a_loaded_yaml_is_what_safe_load_gives(text: str) -> None:
    """Values made of the nodes that were kept are those of a fresh `yaml.safe_load`."""
    for _ in range(2):
        assert _outcome(lambda text: read_yaml(text).load(), text) == _outcome(yaml.safe_load, text)


@pytest.mark.parametrize(
    "text", ["a: &a {b: c}\nd:\n  <<: *a\n  e: f\n=: g\n", "<<: text\nname: x\n", "a: 2024-13-45\n"]
)
def test_loading_twice_gives_the_same(text: str) -> None:
    """PyYAML changes nodes when it resolves `<<`, even where it fails; a second reader sees what the first saw."""
    found = read_yaml(text)
    first = _outcome(lambda _: found.load(), text)
    assert first == _outcome(lambda _: found.load(), text) == _outcome(yaml.safe_load, text)


@pytest.mark.parametrize(
    ("cut", "pattern"),
    [
        (ovos._front_matter, r"^---\s*\n(.*?)\n---\s*\n(.*)"),
        (loomflow._front_matter, r"\A---\s*\n(.*?)\n---\s*(?:\n|$)"),
    ],
)
def test_the_fences_are_those_of_the_runtime(cut: Any, pattern: str) -> None:
    """One pass finds the same front matter and body as the quadratic pattern of the runtime."""

    @settings(max_examples=200, deadline=None)
    @given(text=_FENCES)
    def compare(text: str) -> None:
        match = re.match(pattern, text, re.DOTALL)
        span = cut(text)
        wanted = match and (match[1], text[match.start(2) if match.re.groups > 1 else match.end() :].strip())
        assert (span and (text[span[0] : span[1]], text[span[2] :].strip())) == wanted

    compare()

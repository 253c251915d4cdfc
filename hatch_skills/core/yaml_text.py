"""YAML 1.1 as PyYAML's pure loader reads it, with the offset of every node and bounds on time and depth."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import yaml

__all__ = ["DEPTH_LIMIT", "NODE_LIMIT", "SIZE_LIMIT", "Node", "Remark", "Yaml", "YamlError", "read_yaml"]

SIZE_LIMIT = 262_144
"""Code points of YAML beyond plain ``key: value`` lines that are read; PyYAML needs about 10 s for a megabyte."""

DEPTH_LIMIT = 240
"""Levels of nesting that are read; the YAML readers of the runtimes give up between 246 and 490."""

NODE_LIMIT = 12_000
"""Keys, values and items that are read; PyYAML needs about a second for twice as many."""

_LINE_LIMIT = 50_000
"""Lines that the fast path reads; half a second."""

_BOUND = "larger than the reader's bound"
_DEEP = "nested too deeply"
_TAG = "tag:yaml.org,2002:"
_UNPRINTABLE = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_PLAIN_LINE = re.compile(rf"([A-Za-z][A-Za-z0-9_-]{{0,63}}):( +)([A-Za-z][^{_UNPRINTABLE}]*)")
_NOT_PLAIN = re.compile(r": | #|:\Z")
_TYPED_WORDS = frozenset(
    word
    for base in ("yes", "no", "true", "false", "on", "off", "null")
    for word in (base, base.capitalize(), base.upper())
)


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Node:
    """One YAML node; ``start`` and ``end`` are offsets in code points.

    ``kind`` is ``scalar``, ``sequence`` or ``mapping``; ``tag`` is ``str``, ``int``, ``float``, ``bool``, ``null``,
    ``timestamp``, ``seq``, ``map``, … or a foreign tag in full; ``style`` is empty for plain scalars, else the
    quote, ``|`` or ``>``; for collections ``flow`` or ``block``.
    """

    kind: str
    tag: str
    start: int
    end: int
    style: str = ""
    text: str = ""
    items: tuple[Node, ...] = ()
    pairs: tuple[tuple[Node, Node], ...] = ()

    def __str__(self) -> str:
        return self.text if self.kind == "scalar" else f"a {'list' if self.kind == 'sequence' else 'mapping'}"


@dataclass(frozen=True, slots=True)
class YamlError:
    """Why a text is no YAML: ``offset`` of the place, PyYAML's words, and the offset where the context began."""

    offset: int
    problem: str
    context: str = ""
    context_offset: int | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """What YAML allows and other readers refuse: ``kind`` is ``anchor``, ``alias`` or ``tag``."""

    kind: str
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class Yaml:
    """A YAML text after reading: its root node or its error, remarks, and the deepest level of nesting."""

    text: str
    root: Node | None
    error: YamlError | None = None
    remarks: tuple[Remark, ...] = ()
    depth: int = 1
    plain: bool = False
    composed: Any = field(default=None, repr=False, compare=False)
    loaded: list[tuple[Any, Exception | None]] = field(default_factory=list, repr=False, compare=False)

    def load(self) -> Any:
        """The value that ``yaml.safe_load`` gives, built by PyYAML's own constructor; nobody may change it.

        It is built once, as PyYAML changes the nodes while it does so, even where it fails.

        Raises:
            yaml.YAMLError: the text is no YAML, or a tag or key cannot be constructed, or it is beyond a bound.
            ValueError: an impossible date or number (PyYAML lets it escape, as it does other exceptions).
            RecursionError: nested too deeply.
        """
        if not self.loaded:
            try:
                self.loaded.append((self._load(), None))
            except Exception as error:
                self.loaded.append((None, error))
        value, problem = self.loaded[0]
        if problem is not None:
            raise problem.with_traceback(None)
        return value

    def _load(self) -> Any:
        if self.plain:
            assert self.root is not None
            return {key.text: value.text for key, value in self.root.pairs}
        import yaml

        if self.error is not None:
            if self.error.problem != _DEEP:
                raise yaml.YAMLError(self.error.problem)
            if len(self.text) > 50_000 or self.text.count("[") + self.text.count("{") > 490:
                raise RecursionError
            return yaml.load(self.text, yaml.SafeLoader)
        if self.root is None:
            return None
        counts: dict[int, int] = {}
        _measure(self.root, counts)
        if max(counts.values(), default=0) > NODE_LIMIT:
            raise yaml.YAMLError(_BOUND)
        return yaml.constructor.SafeConstructor().construct_document(self.composed)


@lru_cache(maxsize=32)
def read_yaml(text: str) -> Yaml:
    """Read one YAML document of `text`.

    Lines that are all plain ``key: value`` take a path of their own, about twenty times as fast; a property test
    holds it equal to PyYAML.
    """
    return _read_plain(text) or _read_any(text)


def _read_plain(text: str) -> Yaml | None:
    if text.count("\n") > _LINE_LIMIT:
        return None
    pairs: list[tuple[Node, Node]] = []
    offset = 0
    for line in text.split("\n"):
        if line:
            match = _PLAIN_LINE.fullmatch(line)
            if match is None or _NOT_PLAIN.search(line, match.start(3)):
                return None
            key, value = match[1], match[3].rstrip(" ")
            if key in _TYPED_WORDS or value in _TYPED_WORDS:
                return None
            begin = offset + match.start(3)
            pairs.append(
                (
                    Node("scalar", "str", offset, offset + len(key), text=key),
                    Node("scalar", "str", begin, begin + len(value), text=value),
                )
            )
        offset += len(line) + 1
    if not pairs:
        return None
    root = Node("mapping", "map", pairs[0][0].start, len(text), "block", pairs=tuple(pairs))
    return Yaml(text, root, plain=True)


def _measure(node: Node, counts: dict[int, int]) -> int:
    """Note what costs PyYAML's constructor more than linear time.

    That is the number of pairs that a mapping has once ``<<`` is resolved, as they are copied for every mention, and
    the length of a number in base 60.
    """
    if node.kind == "scalar":
        if node.tag in ("int", "float") and ":" in node.text:
            counts[id(node)] = len(node.text)
        return 0
    if id(node) in counts:
        return counts[id(node)]
    counts[id(node)] = total = 0
    for item in node.items:
        _measure(item, counts)
    for key, value in node.pairs:
        count = _measure(value, counts)
        if key.tag == "merge":
            total += sum(_measure(item, counts) for item in value.items) or count
        else:
            total += 1
    counts[id(node)] = total
    return total


class _TooDeep(Exception):
    """Nesting beyond `DEPTH_LIMIT`; carries the offset."""


class _TooLarge(Exception):
    """More than `NODE_LIMIT` nodes."""


def _read_any(text: str) -> Yaml:
    import yaml

    if len(text) > SIZE_LIMIT:
        return Yaml(text, None, YamlError(0, _BOUND))
    try:
        loader = _loader_class()(text)
        node = loader.get_single_node()
    except yaml.reader.ReaderError as error:
        return Yaml(text, None, YamlError(_index(error.position), f"character U+{_code(error):04X}"))
    except yaml.MarkedYAMLError as error:
        return Yaml(text, None, _explain(error))
    except _TooLarge:
        return Yaml(text, None, YamlError(0, _BOUND))
    except (_TooDeep, RecursionError) as error:
        offset = error.args[0] if isinstance(error, _TooDeep) else 0
        return Yaml(text, None, YamlError(offset, _DEEP), depth=DEPTH_LIMIT + 1)
    root = None if node is None else _convert(node, {})
    return Yaml(text, root, remarks=tuple(loader.remarks), depth=loader.deepest, composed=node)


def _index(position: Any) -> int:
    return position if isinstance(position, int) else 0


def _code(error: yaml.reader.ReaderError) -> int:
    character: Any = error.character
    return ord(character) if isinstance(character, str) else int(character)


def _explain(error: yaml.MarkedYAMLError) -> YamlError:
    mark = error.problem_mark or error.context_mark
    context = error.context_mark
    return YamlError(
        mark.index if mark else 0,
        error.problem or error.context or "",
        error.context or "",
        context.index if context else None,
    )


def _convert(node: yaml.Node, seen: dict[int, Node]) -> Node:
    """A frozen copy of a PyYAML node; aliased nodes are shared, so that alias bombs stay as small as their text."""
    import yaml

    known = seen.get(id(node))
    if known is not None:
        return known
    tag = node.tag.removeprefix(_TAG)
    start, end = node.start_mark.index, node.end_mark.index
    if isinstance(node, yaml.ScalarNode):
        made = Node("scalar", tag, start, end, node.style or "", node.value)
    else:
        style = "flow" if getattr(node, "flow_style", False) else "block"
        seen[id(node)] = Node("scalar", tag, start, end, style, "")  # an alias to its own parent
        if isinstance(node, yaml.SequenceNode):
            items = tuple(_convert(item, seen) for item in node.value)
            made = Node("sequence", tag, start, end, style, items=items)
        else:
            pairs = tuple((_convert(key, seen), _convert(value, seen)) for key, value in node.value)
            made = Node("mapping", tag, start, end, style, pairs=pairs)
    seen[id(node)] = made
    return made


@lru_cache(maxsize=1)
def _loader_class() -> Any:
    """PyYAML's pure loader, which also notes anchors, aliases, tags and the depth; made late, as YAML costs 50 ms."""
    import yaml

    class Loader(yaml.SafeLoader):
        def __init__(self, stream: str) -> None:
            super().__init__(stream)
            self.remarks: list[Remark] = []
            self.level = self.deepest = self.count = 0

        def fetch_flow_collection_start(self, TokenClass: Any) -> None:
            if self.flow_level >= DEPTH_LIMIT:  # beyond it, the scanner's time grows with the square of the depth
                raise _TooDeep(self.index)
            super().fetch_flow_collection_start(TokenClass)

        def compose_node(self, parent: Any, index: Any) -> Any:
            event: Any = self.peek_event()  # type: ignore[no-untyped-call]
            offset = event.start_mark.index
            if isinstance(event, yaml.AliasEvent):
                self.remarks.append(Remark("alias", offset, str(event.anchor)))
            else:
                if event.anchor is not None:
                    self.remarks.append(Remark("anchor", offset, str(event.anchor)))
                if event.tag is not None:
                    self.remarks.append(Remark("tag", offset, str(event.tag)))
            self.level += 1
            self.deepest = max(self.deepest, self.level)
            self.count += 1
            if self.count > NODE_LIMIT:
                raise _TooLarge
            if self.level > DEPTH_LIMIT:
                raise _TooDeep(offset)
            try:
                return super().compose_node(parent, index)
            finally:
                self.level -= 1

    return Loader

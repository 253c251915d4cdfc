"""The grammar of block YAML over tokens with comments, as the parser inside strictyaml 1.7.3 goes through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hatch_skills.core.runtimes.strict_scanner import Refused, comment_of, scanner_class
from hatch_skills.core.yaml_text import DEPTH_LIMIT, NODE_LIMIT, SIZE_LIMIT, Node

if TYPE_CHECKING:
    import yaml

__all__ = ["BOUND", "parse_strict_yaml"]

BOUND = "larger than the reader's bound"
_BRACKETS = "a collection in brackets"
_REFUSED = {"<alias>": "an alias", "<anchor>": "an anchor", "<tag>": "a tag", "[": _BRACKETS, "{": _BRACKETS}


def __dir__() -> list[str]:
    return list(__all__)


def parse_strict_yaml(text: str) -> tuple[Node | None, dict[int, list[Any]]]:
    """The root node of `text`, and the comment of each node that has one, by its `id`.

    Raises:
        Refused: strictyaml does not come to an end of the text.
    """
    import yaml

    if len(text) > SIZE_LIMIT:
        raise Refused("rejected", BOUND)
    try:
        parser = _Parser(scanner_class()(text))
        return parser.document(), parser.comments
    except yaml.reader.ReaderError as error:
        raise Refused("crash", f"AttributeError: the YAML has the character U+{_code(error):04X}") from None
    except yaml.MarkedYAMLError as error:
        raise Refused("rejected", str(error.problem or error.context)) from None
    except RecursionError:
        raise Refused("crash", "RecursionError: nested too deeply") from None


def _code(error: yaml.reader.ReaderError) -> int:
    character: Any = error.character
    return ord(character) if isinstance(character, str) else int(character)


class _Parser:
    """The grammar of block YAML over tokens with comments; a comment moves on until two meet, and that is a crash."""

    def __init__(self, scanner: Any) -> None:
        self.scanner = scanner
        self.comments: dict[int, list[Any]] = {}
        self.depth = self.count = 0

    def made(self, node: Node, comment: Any) -> Node:
        self.count += 1
        if self.count > NODE_LIMIT:
            raise Refused("rejected", BOUND)
        if comment:
            self.comments[id(node)] = comment
        return node

    def at(self, *kinds: str) -> bool:
        return self.scanner.head().id in kinds

    def take(self, *, give: bool = True) -> Any:
        """The next token, after its comment moved on to the token behind it."""
        token = self.scanner.take()
        if give:
            _move(token, self.scanner.head())
        return token

    def document(self) -> Node | None:
        self.take()
        if self.at("<stream end>"):
            return None
        root = self.node()
        if self.at("<document end>"):
            self.take(give=False)
        if not self.at("<stream end>"):
            raise Refused("rejected", "something stands behind the end of the YAML")
        return root

    def node(self, *, flush: bool = False) -> Node:
        if self.at(*_REFUSED):
            raise Refused("rejected", f"the YAML has {_REFUSED[self.scanner.head().id]}")
        head = self.scanner.head()
        if flush and head.id == "-":
            comment = None
            if comment_of(head) and comment_of(head)[0]:
                comment = [comment_of(head)[0], []]
                comment_of(head)[0] = None
            return self.nested(head, comment, self.flush_entries)
        if head.id == "<scalar>":
            return self.scalar(self.take(give=False))
        if head.id == "<block sequence start>":
            return self.nested(head, _split(head), self.entries)
        if head.id == "<block mapping start>":
            return self.nested(head, comment_of(head), self.pairs)
        raise Refused("rejected", f"{head.id} stands where a value belongs")

    def scalar(self, token: Any) -> Node:
        tag = {"=": "value", "<<": "merge"}.get(token.value, "str") if token.plain else "str"
        start, end = token.start_mark.index, token.end_mark.index
        return self.made(Node("scalar", tag, start, end, token.style or "", token.value), comment_of(token))

    def empty(self, token: Any, comment: Any = None) -> Node:
        return self.made(Node("scalar", "str", token.end_mark.index, token.end_mark.index), comment)

    def nested(self, head: Any, comment: Any, read: Callable[[int], Node]) -> Node:
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise RecursionError
        node = read(head.start_mark.index)
        self.depth -= 1
        return self.made(node, comment)

    def entries(self, start: int) -> Node:
        self.take(give=False)
        items = []
        while self.at("-"):
            dash = self.take()
            items.append(self.empty(dash) if self.at("-", "<block end>") else self.node())
        return self.ended(Node("sequence", "seq", start, start, "block", items=tuple(items)))

    def flush_entries(self, start: int) -> Node:
        items = []
        while self.at("-"):
            dash = self.take()
            items.append(self.empty(dash) if self.at("-", "?", ":", "<block end>") else self.node())
        return self.close(Node("sequence", "seq", start, start, "block", items=tuple(items)), self.scanner.head())

    def pairs(self, start: int) -> Node:
        self.take(give=False)
        pairs = []
        while self.at("?", ":"):
            key = self.key()
            pairs.append((key, self.value()))
        return self.ended(Node("mapping", "map", start, start, "block", pairs=tuple(pairs)))

    def ended(self, node: Node) -> Node:
        if not self.at("<block end>"):
            raise Refused("rejected", f"{self.scanner.head().id} stands where the block ends")
        return self.close(node, self.take(give=node.kind == "mapping"))

    def close(self, node: Node, end: Any) -> Node:
        """The comments before the end of a block belong to its node from here on."""
        if comment_of(end) and comment_of(end)[1]:
            comment_of(end)[1] = None
            self.comments[id(node)] = [None, None]
        return node

    def key(self) -> Node:
        if self.at(":"):
            return self.empty(self.scanner.head())
        mark = self.take()
        return self.empty(mark) if self.at("?", ":", "<block end>") else self.node(flush=True)

    def value(self) -> Node:
        if not self.at(":"):
            return self.empty(self.scanner.head())
        colon = self.take(give=False)
        if not self.at("?"):
            _move(colon, self.scanner.head())
        if not self.at("?", ":", "<block end>"):
            return self.node(flush=True)
        comment = comment_of(colon)
        if comment is None:
            following = self.scanner.head()
            if comment_of(following):
                comment = [comment_of(following)[0], None]
                following.comment = [None, comment_of(following)[1]]
        return self.empty(colon, comment)


def _move(token: Any, target: Any) -> None:
    """Give the comment of a token to the next one.

    Raises:
        Refused: both have one in the same place, which strictyaml's parser does not expect.
    """
    comment = comment_of(token)
    if comment is None or target.id == "<stream end>":
        return
    token.comment = None
    if not comment_of(target):
        target.comment = comment
    elif (comment[0] and comment_of(target)[0]) or (comment[1] and comment_of(target)[1]):
        raise Refused("crash", "NotImplementedError: two comments meet")
    else:
        comment_of(target)[:2] = [mine or theirs for mine, theirs in zip(comment, comment_of(target), strict=False)]


def _split(token: Any) -> Any:
    """The comment that a list takes from its first token: the one on the line of its key."""
    comment = comment_of(token)
    if comment is None or comment[1] is None:
        if comment is None or comment[0] is None:
            return None
        token.comment = None
        return [comment[0], None]
    return comment

"""The text that a module binds to a name, read from its source without importing it."""

from __future__ import annotations

import ast
import posixpath
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

__all__ = ["Constant", "read_constant"]

_DEPTH = 60
_LENGTH = 4096
_WRITERS = frozenset({"globals", "vars", "exec", "setattr"})
_PATHS = frozenset({"pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "pathlib.PurePosixPath"})
_SEPARATORS = {"os.sep": "/", "os.path.sep": "/", "os.pardir": "..", "os.path.pardir": ".."}
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Constant:
    """What a module binds to a name.

    ``bound`` is false if the module never binds it; ``value`` the text or path, None if it cannot be known without
    running the module; ``type`` is ``str``, ``Path`` or empty; ``resolved`` tells that links and ``..`` are resolved.
    ``problem`` says why the source is no Python.
    """

    bound: bool
    value: str | None = None
    type: str = ""
    resolved: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Value:
    text: str
    type: str
    resolved: bool = False


@dataclass(frozen=True, slots=True)
class _Origin:
    """The dotted name of what an import gives."""

    name: str


def read_constant(source: bytes, name: str, file: str) -> Constant:
    """Read the module-level name `name` of a module whose ``__file__`` is `file`, an absolute path of POSIX.

    Understood are text, ``os.path`` and ``pathlib`` expressions over ``__file__``, and other names of the module;
    anything else, and whatever depends on the working directory, gives a constant whose value is not known.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(source)
    except SyntaxError as error:
        return Constant(bound=False, problem=f"line {error.lineno or 1}: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Constant(bound=False, problem=str(error) or type(error).__name__)
    reader = _Reader(file)
    for statement in module.body:
        reader.run(statement)
    for node in ast.walk(module):
        if isinstance(node, ast.Global):
            reader.forget(node.names)
        elif isinstance(node, ast.Name) and node.id in _WRITERS and node.id not in reader.names:
            reader.dynamic = True
    if name not in reader.names:
        return Constant(bound=reader.dynamic or "__getattr__" in reader.names)
    value = reader.names[name]
    return Constant(True, value.text, value.type, value.resolved) if isinstance(value, _Value) else Constant(bound=True)


class _Reader:
    """The names of a module after each of its statements, as far as they are known."""

    def __init__(self, file: str) -> None:
        self.names: dict[str, _Value | _Origin | None] = {"__file__": _Value(file, "str")}
        self.dynamic = False

    def forget(self, names: Sequence[str]) -> None:
        """Names that are bound to something unknown."""
        self.names.update(dict.fromkeys(names))

    def run(self, statement: ast.stmt) -> None:
        """Bind what a statement binds."""
        if isinstance(statement, ast.Assign):
            value = self.read(statement.value)
            self.forget(list(_bound(statement)))
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    self.names[target.id] = value
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            if statement.value is not None:
                value = self.read(statement.value)
                self.forget(list(_bound(statement)))
                self.names[statement.target.id] = value
        elif isinstance(statement, ast.Import):
            for alias in statement.names:
                name = alias.asname or alias.name.partition(".")[0]
                self.names[name] = _Origin(alias.name if alias.asname else name)
        elif isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                if alias.name == "*":
                    self.dynamic = True
                    self.forget(list(self.names))
                else:
                    origin = None if statement.level else _Origin(f"{statement.module}.{alias.name}")
                    self.names[alias.asname or alias.name] = origin
        elif isinstance(statement, ast.Delete):
            for name in _bound(statement):
                self.names.pop(name, None)
        else:
            for name in _bound(statement):
                if name == "*":
                    self.dynamic = True
                    self.forget(list(self.names))
                else:
                    self.forget([name])

    def read(self, node: ast.expr, depth: int = 0) -> _Value | None:
        """The value of an expression; None if it is not known."""
        if depth > _DEPTH:
            return None
        value = None
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            value = _Value(node.value, "str")
        elif isinstance(node, ast.Name):
            bound = self.names.get(node.id)
            value = bound if isinstance(bound, _Value) else None
            value = value or self._separator(node)
        elif isinstance(node, ast.BinOp):
            value = self._operator(node, depth)
        elif isinstance(node, ast.Attribute):
            owner = self.read(node.value, depth + 1)
            if owner is None:
                value = self._separator(node)
            elif owner.type == "Path" and node.attr == "parent":
                value = _Value(str(PurePosixPath(owner.text).parent), "Path", owner.resolved)
        elif isinstance(node, ast.Subscript):
            value = self._ancestor(node, depth)
        elif isinstance(node, ast.Call) and not node.keywords:
            value = self._call(node, depth)
        return value if value is None or len(value.text) <= _LENGTH else None

    def _origin(self, node: ast.expr) -> str:
        """The dotted name of what an expression names; empty if it names nothing that is imported or built in."""
        if isinstance(node, ast.Name):
            bound = self.names.get(node.id, _Origin(f"builtins.{node.id}"))
            return bound.name.replace("posixpath", "os.path") if isinstance(bound, _Origin) else ""
        if isinstance(node, ast.Attribute):
            owner = self._origin(node.value)
            return f"{owner}.{node.attr}" if owner else ""
        return ""

    def _separator(self, node: ast.expr) -> _Value | None:
        text = _SEPARATORS.get(self._origin(node))
        return None if text is None else _Value(text, "str")

    def _operator(self, node: ast.BinOp, depth: int) -> _Value | None:
        left, right = self.read(node.left, depth + 1), self.read(node.right, depth + 1)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Div) and "Path" in (left.type, right.type):
            return _joined([left, right], "Path")
        if isinstance(node.op, ast.Add) and left.type == right.type == "str":
            return _Value(left.text + right.text, "str", left.resolved and ".." not in right.text)
        return None

    def _ancestor(self, node: ast.Subscript, depth: int) -> _Value | None:
        """``path.parents[n]``."""
        if not isinstance(node.value, ast.Attribute) or node.value.attr != "parents":
            return None
        owner = self.read(node.value.value, depth + 1)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if owner is None or owner.type != "Path" or type(index) is not int:
            return None
        parents = PurePosixPath(owner.text).parents
        return _Value(str(parents[index]), "Path", owner.resolved) if 0 <= index < len(parents) else None

    def _call(self, node: ast.Call, depth: int) -> _Value | None:
        arguments = [self.read(argument, depth + 1) for argument in node.args]
        values = [argument for argument in arguments if argument is not None]
        if len(values) < len(arguments):
            return None
        origin = self._origin(node.func)
        if origin:
            return _function(origin, values)
        if isinstance(node.func, ast.Attribute):
            owner = self.read(node.func.value, depth + 1)
            if owner is not None and owner.type == "Path":
                return _method(owner, node.func.attr, values)
        return None


def _function(name: str, values: Sequence[_Value]) -> _Value | None:
    if not values:
        return None
    first = values[0]
    if name in _PATHS:
        return _joined(values, "Path")
    if name == "os.path.join":
        return _joined(values, "str")
    if len(values) > 1:
        return None
    if name in ("builtins.str", "os.fspath"):
        return _Value(first.text, "str", first.resolved)
    if name == "os.path.dirname":
        return _Value(posixpath.dirname(first.text), "str", first.resolved)
    if name == "os.path.normpath" or (name in ("os.path.realpath", "os.path.abspath") and first.text.startswith("/")):
        return _Value(posixpath.normpath(first.text), "str", first.resolved or name == "os.path.realpath")
    return None


def _method(owner: _Value, name: str, values: Sequence[_Value]) -> _Value | None:
    if name == "joinpath":
        return _joined([owner, *values], "Path")
    if name == "with_name" and len(values) == 1 and values[0].type == "str":
        try:
            return _Value(str(PurePosixPath(owner.text).with_name(values[0].text)), "Path", owner.resolved)
        except ValueError:
            return None
    if values:
        return None
    if name == "as_posix":
        return _Value(owner.text, "str", owner.resolved)
    if name in ("resolve", "absolute") and owner.text.startswith("/"):
        resolves = name == "resolve"
        text = str(PurePosixPath(posixpath.normpath(owner.text))) if resolves else owner.text
        return _Value(text, "Path", owner.resolved or resolves)
    return None


def _joined(values: Sequence[_Value], kind: str) -> _Value:
    texts = [value.text for value in values]
    text = str(PurePosixPath(*texts)) if kind == "Path" else posixpath.join(*texts)
    return _Value(text, kind, values[0].resolved and not any(".." in part.split("/") for part in texts[1:]))


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Every name that a statement binds or may bind, ``*`` for those of a star import."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, _NAMED) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        if not isinstance(node, _SCOPES):
            stack.extend(ast.iter_child_nodes(node))

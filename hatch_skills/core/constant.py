"""The text that a module binds to a name, read from its source without importing it."""

from __future__ import annotations

import ast
import posixpath
from dataclasses import dataclass

__all__ = ["Constant", "read_constant"]

_DEPTH = 60


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Constant:
    """What a module binds to a name.

    ``bound`` is false if the module never binds it; ``value`` the text or path, None if it cannot be known without
    running the module; ``type`` is ``str``, ``Path`` or empty; ``resolved`` tells that links and ``..`` are resolved.
    """

    bound: bool
    value: str | None = None
    type: str = ""
    resolved: bool = False


@dataclass(frozen=True, slots=True)
class _Value:
    text: str
    type: str
    resolved: bool = False


def read_constant(source: bytes, name: str, file: str) -> Constant:
    """Read the module-level name `name` of a module whose ``__file__`` is `file`.

    Understood are text, ``os.path`` and ``pathlib`` expressions over ``__file__``, and other names of the module;
    anything else gives a constant whose value is not known.
    """
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Constant(bound=False)
    bindings: dict[str, ast.expr | None] = {}
    for statement in module.body:
        _bind(statement, bindings)
    if name not in bindings:
        dynamic = "__getattr__" in bindings or "*" in bindings
        return Constant(bound=dynamic)
    value = _Reader(bindings, file).read(bindings[name], 0)
    if value is None:
        return Constant(bound=True)
    return Constant(True, value.text, value.type, value.resolved)


def _bind(statement: ast.stmt, bindings: dict[str, ast.expr | None]) -> None:
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            for node in ast.walk(target):
                if isinstance(node, ast.Name):
                    bindings[node.id] = statement.value if node is target else None
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        if statement.value is not None:
            bindings[statement.target.id] = statement.value
    elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        bindings[statement.name] = None
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        for alias in statement.names:
            bindings[alias.asname or alias.name.partition(".")[0]] = None
    elif isinstance(statement, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                bindings[node.id] = None


class _Reader:
    def __init__(self, bindings: dict[str, ast.expr | None], file: str) -> None:
        self.bindings = bindings
        self.file = file

    def read(self, node: ast.expr | None, depth: int) -> _Value | None:
        if node is None or depth > _DEPTH:
            return None
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return _Value(node.value, "str")
        if isinstance(node, ast.Name):
            if node.id == "__file__":
                return _Value(self.file, "str")
            return self.read(self.bindings.get(node.id), depth + 1)
        if isinstance(node, ast.BinOp):
            return self._operator(node, depth)
        if isinstance(node, ast.Attribute) and node.attr == "parent":
            value = self.read(node.value, depth + 1)
            return value and _Value(posixpath.dirname(value.text), "Path", value.resolved)
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        return None

    def _operator(self, node: ast.BinOp, depth: int) -> _Value | None:
        left, right = self.read(node.left, depth + 1), self.read(node.right, depth + 1)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Div) and "Path" in (left.type, right.type):
            return _Value(posixpath.join(left.text, right.text), "Path", left.resolved)
        if isinstance(node.op, ast.Add) and left.type == right.type == "str":
            return _Value(left.text + right.text, "str", left.resolved)
        return None

    def _call(self, node: ast.Call, depth: int) -> _Value | None:
        function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        arguments = [self.read(argument, depth + 1) for argument in node.args]
        if isinstance(node.func, ast.Attribute) and not arguments and function in ("resolve", "absolute", "as_posix"):
            owner = self.read(node.func.value, depth + 1)
            if owner is None:
                return None
            text = posixpath.normpath(owner.text) if function == "resolve" else owner.text
            kind = "str" if function == "as_posix" else "Path"
            return _Value(text, kind, owner.resolved or function == "resolve")
        if not arguments or any(argument is None for argument in arguments):
            return None
        values = [argument for argument in arguments if argument is not None]
        first = values[0]
        if function in ("realpath", "abspath", "normpath") and len(values) == 1:
            resolved = first.resolved or function == "realpath"
            return _Value(posixpath.normpath(first.text), "str", resolved)
        if function == "dirname" and len(values) == 1:
            return _Value(posixpath.dirname(first.text), "str", first.resolved)
        if function in ("str", "fspath") and len(values) == 1:
            return _Value(first.text, "str", first.resolved)
        joined = posixpath.join(*(value.text for value in values))
        if function in ("Path", "PurePath"):
            return _Value(joined, "Path", first.resolved)
        if function in ("join", "joinpath"):
            if isinstance(node.func, ast.Attribute) and function == "joinpath":
                owner = self.read(node.func.value, depth + 1)
                return owner and _Value(posixpath.join(owner.text, joined), "Path", owner.resolved)
            return _Value(joined, "str", first.resolved)
        return None

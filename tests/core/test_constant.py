"""What a module binds, read from its source: never another value than running it gives."""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path

import pytest

from hatch_skills.core.constant import Constant, read_constant
from tests.making import run, write

_FORMS = [
    "X = 'a'",
    "X = 'a' 'b' + \"c\"",
    "X: str = 'a'",
    "X: str",
    "X = Y = 'a'",
    "(X) = 'a'",
    "X, Y = 'a', 'b'",
    "X = __file__",
    "__file__ = 'other'\nX = __file__",
    "import os\nX = os.path.join(os.path.dirname(__file__), 'SKILL.md')",
    "import os.path\nX = os.path.realpath(os.path.join(os.path.dirname(__file__), '..', 'a', 'SKILL.md'))",
    "import os.path as _p\n_d = _p.dirname(__file__)\nX = _p.realpath(_p.join(_d, 'a', 'SKILL.md'))",
    "from os import path\nX = path.abspath(path.join(path.dirname(__file__), 'a'))",
    "from os.path import dirname as d, join\nX = join(d(d(__file__)), 'a')",
    "import posixpath\nX = posixpath.normpath(posixpath.join(__file__, '../a/./b//c'))",
    "import os\nX = os.path.join(__file__, '/etc/x')",
    "import os\nX = __file__ + os.sep + os.pardir",
    "import os\nX = os.path.dirname(__file__) + '/a'",
    "import os\nX = os.path.abspath('a')",
    "import os\nX = os.path.realpath('a')",
    "import os\nX = os.path.normpath('a/../b')",
    "import os\nX = os.fspath('a')",
    "import os\nX = os.path.join('a', 'b')",
    "import os\nX = os.getcwd()",
    "import os\nX = os.path.realpath(__file__, strict=True)",
    "from pathlib import Path\nX = Path(__file__).parent / 'a' / 'SKILL.md'",
    "from pathlib import Path\nX = str(Path(__file__).resolve().parent / 'a')",
    "from pathlib import Path\nX = str(Path(__file__).parents[1] / 'a')",
    "from pathlib import Path\nX = str(Path(__file__).parents[99])",
    "from pathlib import Path\nX = str(Path(__file__).with_name('SKILL.md'))",
    "from pathlib import Path\nX = str(Path(__file__).with_name('a/b'))",
    "from pathlib import Path\nX = Path(__file__).parent.joinpath('a', 'b').as_posix()",
    "from pathlib import Path\nX = str(Path(__file__, '..', 'a').resolve())",
    "from pathlib import Path\nX = str(Path('a//b/./c/'))",
    "from pathlib import Path\nX = str(Path('a').resolve())",
    "from pathlib import Path\nX = str(Path('a').absolute())",
    "from pathlib import Path\nX = str(Path('a').parent.parent)",
    "from pathlib import Path\nX = str(Path())",
    "from pathlib import Path\nX = str(Path.cwd())",
    "from pathlib import Path\nX = str('a' / Path('b'))",
    "from pathlib import Path\nX = str(Path(__file__).parent.parent.parent.parent.parent.parent.parent.parent.parent)",
    "from pathlib import Path\nX = Path(__file__).parent + 'a'",
    "from pathlib import Path\nX = str(Path(__file__).resolve(strict=True))",
    "from pathlib import PurePosixPath as P\nX = str(P(__file__).parent)",
    "import pathlib\nX = pathlib.Path(__file__).stem",
    "import pathlib as pl\nX = str(pl.Path(__file__).parent)",
    "from pathlib import *\nX = str(Path(__file__).parent)",
    "from os.path import *\nX = join('a', 'b')",
    "X = 'a'\nfrom os.path import *",
    "X = 'a'\nfrom os import sep as X",
    "X = __file__.parent",
    "X = 'a'.join('xyz')",
    "join = lambda *a: 'mine'\nX = join('a', 'b')",
    "def str(x): return 'mine'\nX = str('a')",
    "class Path:\n    def __init__(self, x): self.parent = 'mine'\nX = Path(__file__).parent",
    "class os:\n    class path:\n        join = lambda *a: 'mine'\nX = os.path.join('a', 'b')",
    "X = f'{__file__}/a'",
    "X = '%s/a' % __file__",
    "X = '{}/a'.format(__file__)",
    "X = 'a' * 3",
    "X = b'a'",
    "X = 3",
    "X = None",
    "X = ['a']",
    "X = 'a'.replace('a', 'b')",
    "X = 'a' if __file__ else 'b'",
    "X = 'a'\nX = 'b'",
    "Y = 'a'\nX = Y\nY = 'b'",
    "X = 'a'\nX = X + 'b'",
    "X = 'a'\nX += 'b'",
    "X = 'a'\nif True:\n    X = 'b'",
    "X = 'a'\nif False:\n    X = 'b'",
    "try:\n    import nothing_of_this_name as X\nexcept ImportError:\n    X = 'b'",
    "try:\n    from os import nothing as X\nexcept ImportError:\n    pass\nX = 'a'",
    "X = 'a'\nfor X in 'bc':\n    pass",
    "X = 'a'\nwhile X == 'a':\n    X = 'b'",
    "import contextlib\nX = 'a'\nwith contextlib.nullcontext('b') as X:\n    pass",
    "X = 'a'\nmatch 'b':\n    case X:\n        pass",
    "X = 'a'\nmatch ['b']:\n    case [*X]:\n        pass",
    "X = 'a'\nmatch {'k': 1}:\n    case {**X}:\n        pass",
    "X = 'a'\nY = (X := 'b')",
    "X = 'a'\n(X := 'b')",
    "X = 'a'\n[X := 'b' for _ in 'x']",
    "X = 'a'\nY = [X for X in 'b']",
    "X = 'a'\ndel X",
    "X = 'a'\ndef f():\n    global X\n    X = 'b'\nf()",
    "X = 'a'\ndef f():\n    X = 'b'\nf()",
    "X = 'a'\nclass C:\n    X = 'b'",
    "def X(): pass",
    "class X: pass",
    "import os as X",
    "import os.path as X",
    "globals()['X'] = 'a'",
    "import sys\nsetattr(sys.modules[__name__], 'X', 'a')",
    "exec('X = 1')",
    "def __getattr__(name): return 'a'",
    "Y = 'a'",
    "def f():\n    X = 'a'",
    "from importlib.resources import files\nX = str(files('os'))",
    "X = '\\d'",
    "X = ''",
    "X = 'a\\0b'",
    "X = '\\udce9'",
    "# -*- coding: latin-1 -*-\nX = '\xe9'",
    "X = 'ä'",
    "if True:\n    def X(): pass",
    "X = (\n",
    "X = 'a'\n  Y = 1",
    "X = 'a'\0",
    "return 1",
    "X = 'a'\nraise SystemExit",
]  # fmt: skip

_RUNNER = """
import importlib, json, sys, warnings
warnings.simplefilter("ignore")
answers = []
for number in range(int(sys.argv[1])):
    try:
        value = getattr(importlib.import_module(f"one.two.m{number}"), "X")
    except BaseException as error:
        answers.append([type(error).__name__, None])
    else:
        answers.append([type(value).__name__, value if isinstance(value, str) else str(value)])
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[str]]]:
    """What running the modules really binds, each in a package of one process."""
    root = tmp_path_factory.mktemp("real").resolve()
    files: dict[str, str | bytes] = {"one/__init__.py": "", "one/two/__init__.py": ""}
    for number, form in enumerate(_FORMS):
        files[f"one/two/m{number}.py"] = form.encode("latin-1" if "latin-1" in form else "utf-8")
    write(root, files)
    done = run(sys.executable, "-c", _RUNNER, str(len(_FORMS)), cwd=root)
    assert done.returncode == 0, done.stdout
    return root, json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("number", range(len(_FORMS)), ids=lambda number: f"m{number}")
def test_a_value_is_what_the_module_really_binds(number: int, answers: tuple[Path, list[list[str]]]) -> None:
    """Whatever is known without running the module is what running it gives; a name that it binds is never denied."""
    root, real = answers
    file = root / "one" / "two" / f"m{number}.py"
    kind, value = real[number]
    constant = read_constant(file.read_bytes(), "X", str(file))
    if constant.value is not None and kind != "SystemExit":
        assert (constant.type, constant.value) == ("Path" if kind.endswith("Path") else kind, value)
    if not constant.bound:
        assert kind in ("AttributeError", "SyntaxError", "ValueError", "IndentationError")
    if constant.problem:
        assert kind in ("SyntaxError", "ValueError", "IndentationError")


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("import os\nX = os.path.join(os.path.dirname(__file__), 'a', 'SKILL.md')", "/site/demo/a/SKILL.md"),
        ("import os.path as _p\n_d = _p.dirname(__file__)\nX = _p.realpath(_p.join(_d, '../b'))", "/site/b"),
        ("from pathlib import Path\nX = str(Path(__file__).resolve().parents[1] / 'a')", "/site/a"),
        ("from pathlib import Path\n_H = Path(__file__).parent\nX = (_H / 'a').as_posix()", "/site/demo/a"),
        ("from pathlib import Path\nX = str(Path(__file__).with_name('SKILL.md'))", "/site/demo/SKILL.md"),
        ("from pathlib import Path\nX = str(Path(__file__).parent.joinpath('a', 'b'))", "/site/demo/a/b"),
        ("from os.path import abspath, dirname\nX = dirname(abspath(__file__)) + '/a'", "/site/demo/a"),
        ("X = 'plain'", "plain"),
    ],
)
def test_the_usual_forms_are_understood(source: str, value: str) -> None:
    """What authors write to name a file beside their module is known without running it."""
    constant = read_constant(source.encode(), "X", "/site/demo/__init__.py")
    assert (constant.bound, constant.value, constant.type) == (True, value, "str")


@pytest.mark.parametrize(
    ("expression", "resolved"),
    [
        ("os.path.realpath(__file__)", True),
        ("os.path.join(os.path.dirname(os.path.realpath(__file__)), 'a')", True),
        ("os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', 'a')", False),
        ("str(Path(__file__).resolve().parent / 'a')", True),
        ("str(Path(__file__).resolve().parent / '../a')", False),
        ("os.path.abspath(__file__)", False),
        ("__file__", False),
        ("str(Path(__file__).parent / 'a')", False),
    ],
)
def test_what_is_resolved_is_known(expression: str, resolved: bool) -> None:
    """A path is resolved once links are followed, until something with `..` is added."""
    source = f"import os\nfrom pathlib import Path\nX = {expression}\n".encode()
    assert read_constant(source, "X", "/site/demo.py").resolved == resolved


@pytest.mark.parametrize(
    "source",
    ["X = f'{__file__}'", "from importlib.resources import files\nX = str(files('a'))", "from .a import X", "X = g()"],
)
def test_what_would_have_to_run_is_unknown(source: str) -> None:
    """A name that is bound to something else is bound, and its value is not known."""
    assert read_constant(source.encode(), "X", "/site/demo.py") == Constant(bound=True)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (b"X = (\n", "line 1: '(' was never closed"),
        (b"\nX = = 1", "line 2: invalid syntax"),
        (b"X = '\xff'", ""),
        (b"X = 1\0", ""),
        (b"# coding: no-such-codec\n", ""),
        (b"X = " + b"(" * 5000, ""),
        (b"X = " + b"-" * 100_000 + b"1", ""),
        (b"X = " + b"'a' + " * 100_000 + b"'b'", ""),
    ],
)  # fmt: skip
def test_no_source_is_too_odd(source: bytes, problem: str) -> None:
    """What Python cannot parse is told with its line; nothing ends in an exception."""
    constant = read_constant(source, "X", "/site/demo.py")
    assert constant.value is None
    assert constant.problem.startswith(problem)
    assert constant.problem or constant.bound


@pytest.mark.parametrize(
    "source",
    [
        "X = 'a'\n" + "X = X + X\n" * 80,
        "B0 = 'a'\n" + "".join(f"B{n + 1} = B{n} + B{n}\n" for n in range(80)) + "X = B80",
        "import os\nX = 'a'\n" + "X = os.path.join(X, X, X)\n" * 60,
        "X = " + " + ".join(["'a'"] * 900),
        "X = " + "(" * 80 + "'a'" + ")" * 80,
    ],
)  # fmt: skip
def test_no_text_grows_without_bound(source: str) -> None:
    """A text that doubles with every line is given up, and costs neither time nor memory."""
    begin = time.process_time()
    constant = read_constant(source.encode(), "X", "/site/demo.py")
    assert constant.bound
    assert constant.value in (None, "a")
    assert time.process_time() - begin < 12


def test_no_warning_is_shown() -> None:
    """A wrong escape in somebody's module is not our user's business."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_constant(b"Y = '\\d'\nX = 'a'\n1 is 1\n", "X", "/site/demo.py").value == "a"

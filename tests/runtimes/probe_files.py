"""The probes: small SKILL.md inputs with what every runtime made of them, laid out as files."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

__all__ = ["PROBES", "Probe", "expand", "lay_out"]

_STORED: dict[str, Any] = json.loads(Path(__file__).with_name("probes.json").read_text(encoding="utf-8"))


class Probe(NamedTuple):
    """One input: its files and links relative to a scratch folder, the SKILL.md in question, and the verdicts.

    A verdict is the outcome, and the name and description that the runtime holds where it takes the skill.
    """

    skill: str
    files: dict[str, Any]
    links: dict[str, str]
    directories: list[str]
    expected: dict[str, list[Any]]


PROBES = {
    name: Probe(each["skill"], each["files"], each.get("links", {}), each.get("directories", []), each["expected"])
    for name, each in _STORED.items()
}


def expand(content: Any) -> bytes:
    """The bytes that a stored content stands for: text, base64, a repetition (``{}`` counts), or a list of these."""
    if isinstance(content, str):
        return content.encode("utf-8")
    if isinstance(content, list):
        return b"".join(map(expand, content))
    if "base64" in content:
        return base64.b64decode(content["base64"])
    return "".join(content["repeat"].replace("{}", str(i)) for i in range(content["times"])).encode("utf-8")


def lay_out(probe: Probe, root: Path) -> Path:
    """Write the files of a probe below `root`, and give the path of its SKILL.md."""
    for directory in probe.directories:
        (root / directory).mkdir(parents=True)
    for path, content in probe.files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists():
            pytest.skip("this file system does not tell upper and lower case apart")
        file.write_bytes(expand(content))
    for path, target in probe.links.items():
        if sys.platform == "win32":
            pytest.skip("links need a privilege on Windows")
        link = root / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)
    return root / probe.skill

"""Generated skills of realistic size: median body of 190 lines, description of 172 characters, some links, blocks."""

from __future__ import annotations

import random
from pathlib import Path

__all__ = ["write_environment", "write_skills"]

_WORDS = (
    "table",
    "tide",
    "water",
    "port",
    "harbour",
    "gauge",
    "level",
    "chart",
    "pilot",
    "vessel",
    "draught",
    "berth",
    "quay",
    "current",
    "wind",
    "moon",
    "spring",
    "neap",
    "record",
    "series",
    "value",
    "column",
    "row",
    "file",
    "parse",
    "render",
    "check",
    "report",
    "compare",
    "install",
    "package",
    "wheel",
    "import",
    "module",
    "function",
    "test",
)


def write_skills(root: Path, count: int, *, seed: int = 7) -> Path:
    """Write `count` skills below `root`, each in a directory of its own; the same for the same seed.

    One in ten has a block in its metadata, one in four a link to a file of its own, one in twenty a quoted description.
    """
    chance = random.Random(seed)
    for number in range(count):
        name = f"{chance.choice(_WORDS)}-{chance.choice(_WORDS)}-{number:05d}"
        place = root / name
        place.mkdir(parents=True)
        (place / "SKILL.md").write_text(_skill(name, chance, place), encoding="utf-8", newline="\n")
    return root


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choice(_WORDS) for _ in range(words)).capitalize() + "."


def _skill(name: str, chance: random.Random, place: Path) -> str:
    size = max(60, int(chance.gauss(172, 50)))
    description = ""
    while len(description) < size:
        description += f" {_sentence(chance, chance.randint(6, 12))}"
    description = description.strip()[:1000]
    if chance.random() < 0.05:
        description = f'"{description}"'
    lines = ["---", f"name: {name}", f"description: {description}"]
    if chance.random() < 0.3:
        lines.append("license: MIT")
    if chance.random() < 0.1:
        lines += ["metadata:", f'  author: "{chance.choice(_WORDS)}"', f'  version: "1.{number_of(chance)}"']
    lines += ["---", "", f"# {name}", ""]
    target = max(20, int(chance.gauss(190, 70)))
    while len(lines) < target:
        kind = chance.random()
        if kind < 0.08:
            lines += [f"## {_sentence(chance, 3)}", ""]
        elif kind < 0.16:
            lines += [
                "```sh",
                f"{chance.choice(_WORDS)} --{chance.choice(_WORDS)} {chance.choice(_WORDS)}.csv",
                "```",
                "",
            ]
        elif kind < 0.5:
            lines += [f"- {_sentence(chance, chance.randint(5, 14))}" for _ in range(3)]
        else:
            lines += [_sentence(chance, chance.randint(8, 24)), ""]
    if chance.random() < 0.25:
        (place / "references").mkdir()
        (place / "references" / "guide.md").write_text("# Guide\n", encoding="utf-8")
        lines += ["", "See [the guide](references/guide.md) and [the page](https://example.org/tides)."]
    return "\n".join(lines) + "\n"


def number_of(chance: random.Random) -> int:
    """A small number for a version."""
    return chance.randint(0, 20)


def write_environment(site: Path, count: int, *, rows: int = 200) -> Path:
    """Write a site-packages with `count` distributions of `rows` files each; one in fifty ships a skill."""
    for number in range(count):
        name = f"package-{number:04d}"
        module = name.replace("-", "_")
        info = site / f"{module}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
        files = [
            f"{module}/module_{row}.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,{row}" for row in range(rows)
        ]
        if number % 50 == 0:
            skill = site / module / ".agents" / "skills" / name / "SKILL.md"
            skill.parent.mkdir(parents=True)
            skill.write_text(
                f"---\nname: {name}\ndescription: Reads tables of {name}.\n---\n\nRead.\n", encoding="utf-8"
            )
            files.append(f"{module}/.agents/skills/{name}/SKILL.md,,")
        (info / "RECORD").write_text("\n".join([*files, f"{info.name}/RECORD,,"]) + "\n", encoding="utf-8")
    return site

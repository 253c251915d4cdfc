"""The table and the plot: CPU seconds, peak memory, and ratios to ours in the same run."""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping, Sequence

from benchmarks.peers import OURS, Peer
from benchmarks.processes import Measured

__all__ = ["page", "plot"]

_WIDTH, _ROW, _LEFT = 760, 22, 230
_FONT = 'font-family="sans-serif" font-size="12"'


def page(
    peers: Sequence[Peer],
    results: Mapping[tuple[str, int], Measured],
    searches: Mapping[tuple[str, int], Measured],
    distributions: int,
) -> str:
    """The Markdown page."""
    text = (
        "CPU seconds of whole processes (user and system, children included), peak resident memory, and the ratio to "
        "hatch-skills in the same run; medians. `python -m benchmarks` installs the peers from the index, makes the "
        "inputs and writes this page. The peers check other things than we do: the table says what a run costs, not "
        "what it is worth."
    )
    where = (
        f"Python {platform.python_version()} on {platform.system()}; three runtimes are selected for `hatch-skills`."
    )
    picture = "![CPU seconds for 1,000 skills, logarithmic](benchmarks.svg)"
    lines = ["# Benchmarks", "", text, "", where, "", picture]
    for count in sorted({count for _, count in results}):
        lines += ["", f"## {count:,} skill{'' if count == 1 else 's'}", ""]
        lines += _table([peer.name for peer in peers], results, count)
    lines += ["", f"## An environment of {distributions} distributions", ""]
    lines += _table(list(dict.fromkeys(name for name, _ in searches)), searches, distributions)
    return "\n".join(lines) + "\n"


def _table(names: Sequence[str], results: Mapping[tuple[str, int], Measured], count: int) -> list[str]:
    ours = results[OURS, count]
    lines = ["| tool | CPU s | ratio to ours | peak MiB |", "|---|---:|---:|---:|"]
    for name in names:
        done = results.get((name, count))
        if done is None:
            lines.append(f"| {name} | not run | | |")
        else:
            lines.append(f"| {name} | {done.cpu:.3f} | {done.cpu / ours.cpu:.2f} | {done.memory / 1024:.0f} |")
    return lines


def plot(peers: Sequence[Peer], results: Mapping[tuple[str, int], Measured]) -> str:
    """Bars for 1,000 skills on a logarithmic scale, as SVG."""
    counts = sorted({count for _, count in results})
    count = 1000 if 1000 in counts else counts[-1]
    rows = sorted(
        ((results[peer.name, count].cpu, peer.name) for peer in peers if (peer.name, count) in results), reverse=False
    )
    least, most = 0.01, max(cpu for cpu, _ in rows) * 1.5
    height = _ROW * len(rows) + 40

    def reach(seconds: float) -> float:
        share = math.log(max(seconds, least) / least) / math.log(most / least)
        return share * (_WIDTH - _LEFT - 80)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" {_FONT}>',
        f'<title>CPU seconds for {count:,} skills</title><rect width="100%" height="100%" fill="white"/>',
    ]
    for number, (cpu, name) in enumerate(rows):
        y = 10 + number * _ROW
        colour = "#2a7f62" if name.startswith(OURS) else "#9aa5b1"
        parts += [
            f'<text x="{_LEFT - 8}" y="{y + 14}" text-anchor="end">{name}</text>',
            f'<rect x="{_LEFT}" y="{y + 3}" width="{reach(cpu):.1f}" height="{_ROW - 8}" fill="{colour}"/>',
            f'<text x="{_LEFT + reach(cpu) + 6:.1f}" y="{y + 14}">{cpu:.2f} s</text>',
        ]
    parts.append(f'<text x="{_LEFT}" y="{height - 10}" fill="#555">CPU seconds, logarithmic scale</text></svg>')
    return "\n".join(parts) + "\n"

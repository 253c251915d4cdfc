"""Run every peer and us on the same inputs, in turn; ``python -m benchmarks`` writes `docs/benchmarks.md`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.inputs import write_environment, write_skills
from benchmarks.peers import Peer, install_peers, install_searchers
from benchmarks.processes import Measured, measure
from benchmarks.report import page, plot

DISTRIBUTIONS = 500
DOCS = Path(__file__).resolve().parents[1] / "docs"


def main() -> None:
    """Make the inputs, install the peers, measure, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--counts", default="1,1000,20000", help="numbers of skills, separated by commas")
    parser.add_argument("--rounds", type=int, default=5, help="how often each process runs; the median counts")
    parser.add_argument("--place", type=Path, help="a directory for inputs and peers, kept for the next run")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hatch-skills-benchmark-") as scratch:
        place = wanted.place or Path(scratch)
        peers = install_peers(place / "peers")
        results: dict[tuple[str, int], Measured] = {}
        for count in map(int, wanted.counts.split(",")):
            inputs = place / f"skills-{count}"
            if not inputs.is_dir():
                write_skills(inputs, count)
            results |= _compare(peers, inputs, count, wanted.rounds)
        searchers = install_searchers(place / "peers")
        site = place / "site-packages"
        if not site.is_dir():
            write_environment(site, DISTRIBUTIONS)
        searches = _compare(searchers, site, DISTRIBUTIONS, wanted.rounds)
    DOCS.mkdir(exist_ok=True)
    text = page(peers, results, searches, DISTRIBUTIONS)
    (DOCS / "benchmarks.md").write_text(text, encoding="utf-8", newline="\n")
    (DOCS / "benchmarks.svg").write_text(plot(peers, results), encoding="utf-8", newline="\n")


def _compare(peers: list[Peer], inputs: Path, count: int, rounds: int) -> dict[tuple[str, int], Measured]:
    """Every peer in turn, round by round, so that a busy minute hits all of them."""
    runs: dict[str, list[Measured]] = {peer.name: [] for peer in peers if count <= peer.most}
    for _ in range(rounds if count < 20_000 else max(1, rounds // 2)):
        for peer in peers:
            if count <= peer.most:
                done = measure(peer.words(inputs), env=peer.env)
                runs[peer.name].append(done)
                print(f"{count:>6} {peer.name:<24} {done.cpu:8.3f} s {done.memory / 1024:8.1f} MiB", file=sys.stderr)  # noqa: T201
    return {(name, count): Measured.median(taken) for name, taken in runs.items()}


if __name__ == "__main__":
    main()

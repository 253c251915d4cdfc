"""No file makes a reader hang, and readings stay as small as the text they come from."""

from __future__ import annotations

import time

import pytest

from hatch_skills.core.runtimes import profile, runtime_ids
from hatch_skills.core.skill import Skill

_SECONDS = 10
"""Each reader stays below a second on an ordinary machine; this leaves room for a slow one."""

_HEAD = "---\nname: x\ndescription: Format notes.\n"
_MERGES = "".join(f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 9)}]}}\n" for i in range(1, 12))
_BOMB = "".join(f"b{i}: &b{i} [{', '.join([f'*b{i - 1}'] * 9)}]\n" for i in range(1, 30))

_HOSTILE = {
    "blank lines without a fence": "---" + "\n" * 200_000 + "x",
    "fences that never close": "---\n" + "\n---   x" * 50_000,
    "blanks behind a fence": "---" + " \n" * 200_000 + "---x",
    "100,000 lines of body": _HEAD + "---\n" + "text\n" * 100_000,
    "100,000 plain lines": _HEAD + "".join(f"k{i}: v\n" for i in range(100_000)) + "---\n",
    "100,000 items": _HEAD + "metadata:\n" + "- \n" * 100_000 + "---\n",
    "100,000 comments": _HEAD + "# c\n" * 100_000 + "---\n",
    "100,000 blank lines": _HEAD + "\n" * 100_000 + "---\n",
    "5,000 keys": _HEAD + "metadata:\n" + "".join(f"  k{i}: v\n" for i in range(5_000)) + "---\n",
    "5,000 commented keys": _HEAD + "metadata: # c\n" + "".join(f"  k{i}: v\n" for i in range(5_000)) + "---\n",
    "a megabyte of description": "---\nname: x\ndescription: " + "x" * 1_000_000 + "\n---\n",
    "a quoted megabyte": '---\nname: x\ndescription: "' + "x" * 1_000_000 + '"\n---\n',
    "a megabyte that looks like tags": "---\nname: x\ndescription: " + "<a" * 500_000 + "\n---\n",
    "3,000 lists in brackets": _HEAD + "metadata: " + "[" * 3_000 + "]" * 3_000 + "\n---\n",
    "3,000 lists in dashes": _HEAD + "metadata:\n  " + "- " * 3_000 + "x\n---\n",
    "1,500 nested mappings": _HEAD + "metadata:\n" + "".join(" " * i + "a:\n" for i in range(1, 1_500)) + "---\n",
    "a list of commas": _HEAD + "metadata: [" + "x," * 120_000 + "]\n---\n",
    "aliases of aliases": _HEAD + "b0: &b0 [x]\n" + _BOMB + "---\n",
    "a description of aliases": "---\nname: x\nb0: &b0 [x]\n" + _BOMB + "description: *b29\n---\n",
    "merges of merges": _HEAD + "a0: &a0 {k: v}\n" + _MERGES + "---\n",
    "a number in base 60": _HEAD + "metadata: 1" + ":01" * 80_000 + "\n---\n",
    "a long integer": _HEAD + "metadata: " + "1" * 200_000 + "\n---\n",
    "a quote that never ends": _HEAD + 'metadata: "' + "x\n" * 100_000 + "---\n",
    "question marks": _HEAD + "? " * 50_000 + "\n---\n",
}


@pytest.mark.parametrize("runtime", runtime_ids())
@pytest.mark.parametrize("what", _HOSTILE)
def test_a_hostile_file_is_read_in_time(runtime: str, what: str) -> None:
    """The reading comes soon, whatever it says."""
    skill = Skill("x/SKILL.md", "x", _HOSTILE[what].encode(), "x")
    began = time.process_time()
    reading = profile(runtime).read(skill)
    assert time.process_time() - began < _SECONDS
    assert reading.outcome in ("ok", "warned", "skipped", "rejected", "crash")


def test_the_slowness_of_strictyaml_is_told() -> None:
    """A file that is taken, but keeps the reference validator busy for half a minute, says so."""
    reading = profile("agent-skills").read(Skill("x/SKILL.md", "x", _HOSTILE["5,000 keys"].encode(), "x"))
    assert (reading.outcome, reading.detail) == ("ok", "strictyaml needs 39 s or more for 5,003 keys")


def test_beyond_the_bound_is_refused_with_that_word() -> None:
    """A YAML reader gives up where our own bound is met, and says that it is ours."""
    data = _HOSTILE["a quoted megabyte"].encode()
    for runtime in ("agent-skills", "library-skills", "os-protocol"):
        reading = profile(runtime).read(Skill("x/SKILL.md", "x", data, "x"))
        assert not reading.accepted
        assert "larger than the reader's bound" in reading.detail


def test_one_bad_file_that_stops_everything_is_marked() -> None:
    """Bytes that are no UTF-8 stop OVOS, and an impossible date stops library-skills."""
    bad = Skill("x/SKILL.md", "x", b"---\nname: x\xff\n---\n", "x")
    date = Skill("x/SKILL.md", "x", _HEAD.encode() + b"metadata: 2024-13-45\n---\n", "x")
    assert (profile("ovos").read(bad).outcome, profile("ovos").read(bad).fatal) == ("crash", True)
    assert (profile("library-skills").read(date).outcome, profile("library-skills").read(date).fatal) == ("crash", True)
    assert not profile("ovos").read(date).fatal

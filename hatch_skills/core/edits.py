"""The safe rewrites behind `fix`: a SKILL.md in, the same skill in portable form out, each edit proven by reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from hatch_skills.core.collection_rewrites import flow_rewrites, tools_rewrites
from hatch_skills.core.front_matter import FrontMatter
from hatch_skills.core.repairs import fence_repairs, head_repairs, line_end_repairs, line_repairs, tab_repairs
from hatch_skills.core.rewrites import SIZE_LIMIT, Rewrite, key_rewrites, quote_rewrites, text_rewrites
from hatch_skills.core.runtimes.profile import Profile, Reading
from hatch_skills.core.skill import FILE_LIMIT, Skill
from hatch_skills.core.yaml_text import Node

__all__ = ["Fixed", "fix"]

_PASSES = 20
_TRIED_ONE_BY_ONE = 32


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Fixed:
    """The bytes of a SKILL.md after `fix`, what was done in words, and what was left alone for which reason."""

    data: bytes
    done: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def fix(skill: Skill, profiles: Sequence[Profile], *, unsafe: bool = False) -> Fixed:
    """Rewrite what can be rewritten so that each runtime of `profiles` reads what was written.

    Args:
        skill: a SKILL.md of a tree.
        profiles: the runtimes to be satisfied.
        unsafe: also make edits that change the type of a value, and edits of front matter that is no YAML.

    Returns:
        the new bytes. The body stays as it is, byte for byte; every value of the front matter stays equal after
        strip; what a runtime took before it still takes. An edit that cannot keep this is not made. A second run
        changes nothing.
    """
    why = _untouchable(skill)
    if why:
        return Fixed(skill.data, left=(why,))
    judge = _Judge(tuple(profiles), unsafe)
    fields = frozenset(key for profile in profiles for key in profile.fields)
    now, done = skill, dict[str, None]()
    for _ in range(_PASSES):
        before = now
        for find in _steps(fields, unsafe):
            now, did = _applied(now, find(now.front_matter), judge)
            done.update(dict.fromkeys(did))
        if now.data == before.data:
            return Fixed(now.data, tuple(done), tuple(_left(now)))
    return Fixed(skill.data, left=("the edits do not come to an end; this is a fault of hatch-skills",))


def _untouchable(skill: Skill) -> str:
    """Why a file is not for us to edit; empty if it is."""
    if skill.found != "file":
        words = {"missing": "a link to nothing", "directory": "a directory", "unreadable": "a file that cannot be read"}
        return f"it is {words.get(skill.found, 'no regular file')}"
    if skill.linked:
        return "it is reached through a symbolic link"
    if len(skill.data) > FILE_LIMIT:
        return f"it has more than {FILE_LIMIT:,} bytes"
    bad = skill.text.undecodable
    if bad is not None:
        return f"it is {bad.encoding or 'not UTF-8'} (line {bad.line}, column {bad.column})"
    return ""


def _left(skill: Skill) -> Iterable[str]:
    front_matter = skill.front_matter
    if front_matter.problem is not None:
        yield front_matter.problem.message
    elif front_matter.yaml.error is not None:
        line, _ = front_matter.position(front_matter.yaml.error.offset)
        yield f"the front matter is not YAML (line {line}), so that its values stay as they are"
    elif len(front_matter.yaml.text) > SIZE_LIMIT:
        yield f"the front matter has more than {SIZE_LIMIT:,} characters, so that its values stay as they are"
    if "\r" in skill.text.content:
        kind = "CRLF" if "\r\n" in skill.text.content else "CR"
        yield f"the body has {kind} line ends and is never touched; let .gitattributes say `SKILL.md text eol=lf`"


def _steps(fields: frozenset[str], unsafe: bool) -> Iterable[Callable[[FrontMatter], tuple[Rewrite, ...]]]:
    """What is looked for, in order; each step finds its places in what the one before left."""
    yield head_repairs
    yield line_end_repairs
    yield fence_repairs
    if unsafe:
        yield lambda front_matter: tab_repairs(front_matter, 2)
        yield lambda front_matter: tab_repairs(front_matter, 4)
        yield line_repairs
        yield tools_rewrites
    yield flow_rewrites
    yield lambda front_matter: key_rewrites(front_matter, fields)
    yield lambda front_matter: text_rewrites(front_matter, fields, unsafe=unsafe)
    if unsafe:
        yield quote_rewrites


def _applied(skill: Skill, rewrites: Sequence[Rewrite], judge: _Judge) -> tuple[Skill, list[str]]:
    """The skill after those rewrites that keep it sound; all at once if possible, else halves and halves of them."""
    if not rewrites:
        return skill, []
    content = skill.text.content
    for rewrite in sorted(rewrites, key=lambda rewrite: (rewrite.start, rewrite.end), reverse=True):
        content = content[: rewrite.start] + rewrite.text + content[rewrite.end :]
    changed = replace(skill, data=content.encode())
    if judge.keeps(skill, changed, rewrites):
        return changed, [rewrite.what for rewrite in rewrites]
    if not 1 < len(rewrites) <= _TRIED_ONE_BY_ONE:
        return skill, []
    half = len(rewrites) // 2
    skill, later = _applied(skill, rewrites[half:], judge)  # the offsets of what stands before remain as they are
    skill, earlier = _applied(skill, rewrites[:half], judge)
    return skill, earlier + later


@dataclass(frozen=True, slots=True)
class _Judge:
    """Decides by reading whether an edit may stay."""

    profiles: tuple[Profile, ...]
    unsafe: bool

    def keeps(self, before: Skill, after: Skill, rewrites: Sequence[Rewrite]) -> bool:
        """Body and values are the same, no runtime is worse off, and each rewritten field is held as it was meant."""
        return (
            after.front_matter.closing_line > 0
            and _same_body(before, after)
            and all((after.written(each.key) or "").strip() == each.value for each in rewrites if each.key)
            and not (any(each.heals for each in rewrites) and after.front_matter.yaml.error is not None)
            and (not before.front_matter.closing_line or self._same_values(before, after))
            and all(self._reads(profile, before, after, rewrites) for profile in self.profiles)
        )

    def _same_values(self, before: Skill, after: Skill) -> bool:
        old, new = before.front_matter.yaml, after.front_matter.yaml
        if old.error is not None:
            return self.unsafe if new.error is None else new.error.problem == old.error.problem
        if old.root is None or new.root is None:
            return old.root is new.root and new.error is None
        return _equal(old.root, new.root, self.unsafe)

    def _reads(self, profile: Profile, before: Skill, after: Skill, rewrites: Sequence[Rewrite]) -> bool:
        old, new = profile.read(before), profile.read(after)
        if not new.accepted:
            return not old.accepted
        if old.accepted and before.front_matter.closing_line and not _as_good(old, new, after):
            return False
        return all(_holds(new, each) for each in rewrites if each.key in profile.fields)


def _as_good(old: Reading, new: Reading, after: Skill) -> bool:
    """Name, description and body are what was held before, or what is written; there is no new warning."""
    trios = (
        (old.name, new.name, after.written("name")),
        (old.description, new.description, after.written("description")),
        (old.body, new.body, after.front_matter.body),
    )
    return (old.outcome != "ok" or new.outcome == "ok") and all(
        now == was or _universal(now or "") in (_universal(was or ""), _universal(written or ""))
        for was, now, written in trios
    )


def _holds(reading: Reading, rewrite: Rewrite) -> bool:
    if rewrite.key in ("name", "description"):
        held = reading.name if rewrite.key == "name" else reading.description
    else:
        held = reading.fields.get(rewrite.key)
    return not isinstance(held, str) or held.strip() == rewrite.value


def _universal(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _same_body(before: Skill, after: Skill) -> bool:
    body = after.front_matter.body
    if before.front_matter.closing_line:
        return before.front_matter.body == body
    return before.text.content.endswith(body)


def _equal(old: Node, new: Node, unsafe: bool) -> bool:
    """Two nodes hold the same after strip; `unsafe` lets a type become text, and a list of words their line."""
    waiting, seen = [(old, new)], set[tuple[int, int]]()
    while waiting:
        one, other = waiting.pop()
        if (id(one), id(other)) in seen:
            continue
        seen.add((id(one), id(other)))
        if unsafe and one.kind == "sequence" and other.kind == "scalar":
            if other.text.split() != [item.text for item in one.items]:
                return False
            continue
        if one.kind != other.kind or one.text.strip() != other.text.strip():
            return False
        if one.tag != other.tag and not (unsafe and other.tag == "str"):
            return False
        if len(one.items) != len(other.items) or len(one.pairs) != len(other.pairs):
            return False
        waiting += zip(one.items, other.items, strict=True)
        for (key, value), (other_key, other_value) in zip(one.pairs, other.pairs, strict=True):
            waiting += [(key, other_key), (value, other_value)]
    return True

"""SK1: the file and its front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hatch_skills.core.findings import Severity
from hatch_skills.core.rules.registry import Case, Flaw, rule
from hatch_skills.core.skill import FILE_LIMIT
from hatch_skills.core.yaml_text import YamlError

__all__ = ["expanded_size"]

_SPECIFICATION = "Agent Skills specification, section “SKILL.md format”"
_CONFLICT = re.compile(r"<{7} |={7}\Z|>{7} |\|{7} ")
_ANCHOR_BOUND = 1000


def __dir__() -> list[str]:
    return list(__all__)


@rule(
    "SK101",
    "not-utf-8",
    Severity.ERROR,
    hint="Save the file as UTF-8 without a byte order mark.",
    source="every runtime opens SKILL.md as UTF-8",
)
def not_utf_8(case: Case) -> Iterator[Flaw]:
    """The file holds bytes that are no UTF-8.

    Runtimes open SKILL.md as UTF-8. Most skip the file; OVOS raises, and then no skill of the whole environment is
    loaded. Save the file as UTF-8, or replace the byte at the place that the message gives.
    """
    bad = case.skill.text.undecodable
    if bad is None or case.skill.found != "file":
        return
    what = f"it is {bad.encoding}" if bad.encoding else f"byte 0x{bad.byte:02X} at offset {bad.offset}"
    fatal = tuple(profile.id for profile in case.profiles if case.readings[profile.id].fatal)
    yield Flaw(case.skill.spot(bad.line, bad.column), f"the file is not UTF-8: {what}", runtimes=fatal)


@rule(
    "SK102",
    "byte-order-mark",
    Severity.ERROR,
    hint="Save the file as UTF-8 without a byte order mark.",
    source="skills-ref, ovos-agentic-loop, loomflow and library-skills look for `---` as the first characters",
)
def byte_order_mark(case: Case) -> Iterator[Flaw]:
    """The file begins with a byte order mark (U+FEFF).

    The mark is invisible, and it hides the opening fence: runtimes then find no front matter and drop the skill.

    """
    if case.skill.text.has_bom:
        yield Flaw(case.skill.spot(1, 1), "the file begins with a byte order mark, which hides the front matter")


@rule(
    "SK103",
    "no-front-matter",
    Severity.ERROR,
    hint="Begin the file with `---`, a `name:` line, a `description:` line and `---`.",
    source=_SPECIFICATION,
)
def no_front_matter(case: Case) -> Iterator[Flaw]:
    """The file does not begin with front matter.

    `---` has to be the first line, at the first column, with nothing above it: no heading, no licence comment, no
    blank line. Without front matter a skill has neither name nor description, and every runtime drops it.
    """
    problem = case.skill.front_matter.problem
    kinds = ("no-front-matter", "text-above-front-matter", "empty-file")
    if case.skill.found == "file" and problem is not None and problem.kind in kinds:
        yield Flaw(case.skill.spot(problem.line, problem.column), problem.message, problem.hint)


@rule(
    "SK104",
    "broken-fence",
    Severity.ERROR,
    hint="Write `---` alone on a line before and after the fields.",
    source=_SPECIFICATION,
)
def broken_fence(case: Case) -> Iterator[Flaw]:
    """A fence of the front matter is missing, or does not stand alone on its line.

    The front matter begins and ends with a line of exactly three hyphens at the first column. A heading glued to the
    fence (`---# Title`), four hyphens, three dots, an indented fence or a language after it (`---js`) are read
    differently by every runtime, and most drop the skill.
    """
    problem = case.skill.front_matter.problem
    kinds = ("fence-not-alone", "fence-indented", "fence-misspelled", "unclosed-front-matter", "front-matter-language")
    if problem is not None and problem.kind in kinds:
        yield Flaw(case.skill.spot(problem.line, problem.column), problem.message, problem.hint)


@rule(
    "SK105",
    "not-yaml",
    Severity.ERROR,
    hint="Write the front matter as plain `key: value` lines.",
    source="PyYAML, with which library-skills reads front matter",
)
def not_yaml(case: Case) -> Iterator[Flaw]:
    """The front matter is not YAML.

    Usual causes: a colon followed by a blank inside an unquoted value, a value that begins with `*`, `[`, `{`, `@`,
    `%` or a backtick, a backslash inside double quotes, a tab as indentation. Strict runtimes drop the skill, lenient
    ones read something else. Reword the value, so that no quoting is needed: some runtimes keep quotes.
    """
    front_matter = case.skill.front_matter
    error = front_matter.yaml.error
    if error is None or front_matter.problem is not None or _conflicts(case, front_matter.body_line):
        return
    offset, message, hint = _cause(front_matter.yaml.text, error)
    if error.problem.startswith("character U+"):
        return  # SK108
    yield Flaw(case.skill.at(front_matter.span[0] + offset), message, hint)


def _cause(text: str, error: YamlError) -> tuple[int, str, str]:
    """Offset, message and hint for an error of the YAML reader, by its real cause."""
    at, problem = error.offset, error.problem
    line_start = text.rfind("\n", 0, at) + 1
    line = text[line_start:].split("\n", 1)[0]
    key = re.match(r"[ \t]*(?:- )?([\w.\"'-]+)[ \t]*:[ \t]+(?=\S)", line)
    value_start = line_start + key.end() if key else -1
    if problem == "nested too deeply" or problem.startswith("larger than"):
        return at, f"the front matter is {problem}", "Keep the front matter small and flat."
    if problem == "mapping values are not allowed here":
        return (
            at,
            "a colon followed by a blank starts a new mapping inside an unquoted value",
            "Reword the value without `: `, for instance with a dash or a comma.",
        )
    if "'\\t'" in problem:
        return at, "a tab is used as indentation, which YAML forbids", "Indent with spaces."
    if "unknown escape character" in problem:
        shown = text[at - 1 : at + 1]
        return (
            at - 1,
            f"`{shown}` is no YAML escape inside double quotes",
            "Write the value without quotes, or double the backslash.",
        )
    if "could not find expected ':'" in problem and error.context_offset is not None:
        return (
            error.context_offset,
            f"`{_snippet(text, error.context_offset)}` is no `key: value` line",
            "Write `key: value`, or indent the line if it continues the value above.",
        )
    if 0 <= value_start <= at and text[value_start] in "\"'":
        quote = "double" if text[value_start] == '"' else "single"
        return (
            value_start,
            f"the {quote} quote that opens the value is not closed at its end",
            "Write the value without quotes at its ends, or close them there.",
        )
    if 0 <= value_start <= at and text[value_start] in "*&[]{}@`%!|>,":
        first = text[value_start]
        why = {
            "*": "a value cannot begin with `*`, which is an alias in YAML",
            "&": "a value that begins with `&` is an anchor in YAML",
            "[": "a value that begins with `[` is a list in YAML",
            "{": "a value that begins with `{` is a mapping in YAML",
            "!": "a value that begins with `!` is a tag in YAML",
            "|": "a value that begins with `|` is a block in YAML",
            ">": "a value that begins with `>` is a block in YAML",
        }.get(first, f"a value cannot begin with `{first}` in YAML")
        return value_start, why, "Begin the value with a word."
    return at, f"the front matter is not YAML: {problem}", ""


def _snippet(text: str, offset: int) -> str:
    return text[offset:].split("\n", 1)[0].strip()[:40]


@rule(
    "SK106",
    "not-a-mapping",
    Severity.ERROR,
    hint="Write `name: …` and `description: …` lines between the fences.",
    source=_SPECIFICATION,
)
def not_a_mapping(case: Case) -> Iterator[Flaw]:
    """What stands between the fences is no mapping of keys to values.

    A Markdown file that begins with a horizontal rule looks like front matter and is none; so does a list.
    """
    front_matter = case.skill.front_matter
    if front_matter.problem is not None or case.skill.text.undecodable or front_matter.yaml.error is not None:
        return
    if not front_matter.closing_line:
        return
    root = front_matter.yaml.root
    if root is None:
        yield Flaw(case.skill.spot(1, 1), "the front matter is empty; `name` and `description` are required")
    elif root.kind != "mapping":
        what = "a list" if root.kind == "sequence" else "text"
        yield Flaw(
            case.skill.at(front_matter.span[0] + root.start),
            f"the part between the fences is {what}, not `key: value` lines; `name` and `description` are required",
        )


@rule(
    "SK107",
    "duplicate-key",
    Severity.ERROR,
    hint="Keep one of them.",
    source="YAML 1.2, 3.2.1.1: keys are unique; skills-ref refuses, PyYAML keeps the last",
)
def duplicate_key(case: Case) -> Iterator[Flaw]:
    """A key stands twice in the front matter.

    Lenient readers take the last one without a word, strict ones drop the skill.
    """
    first: dict[str, int] = {}
    for entry in case.skill.front_matter.entries:
        line = case.skill.at(entry.key_at).line
        if entry.key in first:
            yield Flaw(
                case.skill.at(entry.key_at),
                f"the key `{entry.key}` stands on lines {first[entry.key]} and {line}; most readers keep the last",
            )
        first.setdefault(entry.key, line)


@rule(
    "SK108",
    "control-character",
    Severity.ERROR,
    hint="Remove the character.",
    source="YAML 1.1, 5.1: printable characters; skills-ref ends in an exception, library-skills drops the skill",
)
def control_character(case: Case) -> Iterator[Flaw]:
    """The front matter holds a control character or an exotic line break.

    Control characters, usually pasted from a terminal, are no YAML. U+0085, U+2028 and U+2029 end a line for some
    readers and not for others, so that the rest of the value is lost there.
    """
    front_matter = case.skill.front_matter
    begin, end = front_matter.span
    for match in re.finditer(
        r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]", case.skill.text.content[begin:end]
    ):
        code = ord(match[0])
        kind = "line break" if code in (0x85, 0x2028, 0x2029) else "control character"
        yield Flaw(case.skill.at(begin + match.start()), f"{kind} U+{code:04X} in the front matter")


@rule(
    "SK109",
    "conflict-marker",
    Severity.ERROR,
    hint="Settle the conflict and delete the markers.",
    source="git-merge(1) and `copier update` write such lines",
)
def conflict_marker(case: Case) -> Iterator[Flaw]:
    """A merge conflict was left in the file.

    `git merge` and `copier update` mark both versions with `<<<<<<<`, `=======` and `>>>>>>>` at the beginning of a
    line, and a model reads both. Markers inside code fences are examples and count for nothing.
    """
    for number in _conflicts(case, len(case.skill.text.lines) + 1):
        yield Flaw(case.skill.spot(number, 1), f"merge conflict marker `{case.skill.text.lines[number - 1][:7]}`")


def _conflicts(case: Case, before: int) -> tuple[int, ...]:
    """The first line of each conflict before a line number, outside code fences."""
    lines = case.skill.text.lines
    if "<<<<<<< " not in case.skill.text.content:
        return ()
    found, fence, end = [], "", case.skill.front_matter.closing_line
    for number, line in enumerate(lines[: before - 1], 1):
        opening = re.match(r" {0,3}(```+|~~~+)", line)
        if number > end and opening:
            fence = "" if fence and opening[1].startswith(fence) else fence or opening[1]
        elif not fence and line.startswith("<<<<<<< "):
            rest = lines[number:]
            if any(other.startswith(">>>>>>> ") for other in rest) or "=======" in rest:
                found.append(number)
    return tuple(found)


@rule(
    "SK110",
    "wrong-file-name",
    Severity.ERROR,
    hint="Rename the file to SKILL.md.",
    source="Agent Skills specification, section “Directory structure”",
)
def wrong_file_name(case: Case) -> Iterator[Flaw]:
    """The file is called like SKILL.md, but not exactly so.

    `skill.md` works on a file system that ignores case, such as most people's on a Mac, and is not found anywhere else.
    """
    if case.skill.file_name != "SKILL.md":
        yield Flaw(
            case.skill.spot(), f"the file is called {case.skill.file_name!r}; runtimes look for exactly 'SKILL.md'"
        )


@rule(
    "SK111",
    "carriage-returns",
    Severity.WARNING,
    hint="Let .gitattributes say `SKILL.md text eol=lf`, and save the file with LF line ends.",
    source="git and editors on Windows write CRLF; readers with `\\n` in their patterns find no front matter",
)
def carriage_returns(case: Case) -> Iterator[Flaw]:
    """The file has CRLF or CR line ends.

    The known runtimes cope, line readers elsewhere find no fence or keep an invisible character at the end of values.
    """
    if b"\r" in case.skill.data and not case.skill.text.undecodable:
        kind = "CRLF" if b"\r\n" in case.skill.data else "CR"
        yield Flaw(case.skill.spot(1), f"the file has {kind} line ends")


@rule(
    "SK112",
    "blanks-after-fence",
    Severity.WARNING,
    hint="Remove the blanks.",
    source="readers that compare a line with `---` find no fence there",
)
def blanks_after_fence(case: Case) -> Iterator[Flaw]:
    """A fence is followed by blanks.

    They cannot be seen, and readers that want exactly `---` then find no front matter.
    """
    closing = case.skill.front_matter.closing_line
    for number in (1, closing) if closing else ():
        if case.skill.text.lines[number - 1].strip() != case.skill.text.lines[number - 1]:
            yield Flaw(case.skill.spot(number, 4), "blanks after the fence")


@rule(
    "SK113",
    "yaml-tag",
    Severity.ERROR,
    hint="Write the value without the tag.",
    source="skills-ref and library-skills refuse tags; other readers keep them as text",
)
def yaml_tag(case: Case) -> Iterator[Flaw]:
    """A value carries a YAML tag such as `!!python/object`.

    No runtime builds objects from tags; they refuse the file or keep the tag as text. Nothing is ever run from it here.
    """
    front_matter = case.skill.front_matter
    for remark in front_matter.yaml.remarks:
        if remark.kind == "tag":
            shown = remark.text.replace("tag:yaml.org,2002:", "!!")
            yield Flaw(
                case.skill.at(front_matter.span[0] + remark.offset), f"the value has the YAML tag `{shown[:60]}`"
            )


@rule(
    "SK114",
    "yaml-anchor",
    Severity.INFO,
    hint="Write the value out.",
    source="skills-ref refuses anchors and aliases; line readers keep them as text",
)
def yaml_anchor(case: Case) -> Iterator[Flaw]:
    """The front matter uses YAML anchors or aliases.

    They are valid YAML that skills-ref refuses and simple readers keep as text. Aliases that multiply into more than
    1,000 values are an error: whatever prints or copies such a value hangs.
    """
    front_matter = case.skill.front_matter
    first = next((remark for remark in front_matter.yaml.remarks if remark.kind in ("anchor", "alias")), None)
    if first is None:
        return
    size = expanded_size(case)
    bomb = size > _ANCHOR_BOUND
    yield Flaw(
        case.skill.at(front_matter.span[0] + first.offset),
        f"aliases multiply into {size:,} values"
        if bomb
        else f"`{'&' if first.kind == 'anchor' else '*'}{first.text}` is a YAML {first.kind}",
        severity=Severity.ERROR if bomb else None,
    )


def expanded_size(case: Case) -> int:
    """How many nodes the front matter has once every alias is written out; counted without writing them out."""
    sizes: dict[int, int] = {}
    root = case.skill.front_matter.yaml.root
    stack = [root] if root is not None else []
    while stack:
        node = stack[-1]
        children = [*node.items, *(child for pair in node.pairs for child in pair)]
        waiting = [child for child in children if id(child) not in sizes]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        sizes[id(node)] = 1 + sum(sizes[id(child)] for child in children)
    return sizes[id(root)] if root is not None else 0


@rule(
    "SK115",
    "not-a-file",
    Severity.ERROR,
    hint="Put a regular file there.",
    source="runtimes open SKILL.md as a file",
)
def not_a_file(case: Case) -> Iterator[Flaw]:
    """SKILL.md is a directory, a link to nothing, or cannot be read."""
    found = case.skill.found
    if found != "file":
        what = {"missing": "a link to nothing", "directory": "a directory"}.get(found, "a file that cannot be read")
        yield Flaw(case.skill.spot(), f"SKILL.md is {what}")
    elif len(case.skill.data) > FILE_LIMIT:
        yield Flaw(case.skill.spot(), f"SKILL.md has more than {FILE_LIMIT:,} bytes and was not read to its end")


@rule(
    "SK116",
    "comment-cuts-value",
    Severity.WARNING,
    hint="Reword the value so that no `#` follows a blank.",
    source="YAML 1.2, 6.6: a comment begins with a `#` after white space",
)
def comment_cuts_value(case: Case) -> Iterator[Flaw]:
    """A blank and `#` cut a value off.

    Everything after them is a comment for YAML readers, so that half of a description such as
    `issue #42 and table #3` vanishes without a message.
    """
    front_matter = case.skill.front_matter
    for entry in front_matter.entries:
        if entry.value.kind != "scalar" or entry.value.style:
            continue
        end = front_matter.span[0] + entry.value.end
        line = case.skill.text.content[end:].split("\n", 1)[0].rstrip("\r")
        match = re.match(r"[ \t]+(#[^\s#].*)", line)
        if match:
            yield Flaw(
                case.skill.at(end + match.start(1)),
                f"`{entry.key}` ends before `{match[1][:30]}`: the rest of the line is a comment for YAML readers",
            )


@rule(
    "SK117",
    "flow-style",
    Severity.INFO,
    hint="Write one `- item` or `key: value` line for each.",
    source="skills-ref 0.1.1 refuses flow style; the specification allows any YAML",
)
def flow_style(case: Case) -> Iterator[Flaw]:
    """The front matter uses flow style, `[a, b]` or `{a: b}`.

    It is YAML, and one in ten skills does it. The reference validator refuses the whole file for it, and some line
    readers see text.
    """
    front_matter = case.skill.front_matter
    for entry in front_matter.entries:
        if entry.key in ("name", "description"):
            continue
        nodes = [entry.value, *entry.value.items, *(value for _, value in entry.value.pairs)]
        node = next((node for node in nodes if node.style == "flow" and node.kind != "scalar"), None)
        if node is not None:
            yield Flaw(
                case.skill.at(front_matter.span[0] + node.start),
                f"`{entry.key}` holds a {'list' if node.kind == 'sequence' else 'mapping'} in flow style",
            )


@rule(
    "SK118",
    "several-lines",
    Severity.WARNING,
    hint="Keep the value on one line, and leave the front matter out of the formatter.",
    source="line readers take the first line only",
)
def several_lines(case: Case) -> Iterator[Flaw]:
    """A plain value goes on over several lines.

    Formatters that wrap long lines do it. YAML readers join the lines, line readers take the first one only.
    """
    front_matter = case.skill.front_matter
    for entry in front_matter.entries:
        value = entry.value
        held = {"name": "name", "description": "description"}.get(entry.key)
        if held and any(getattr(r, held) not in (None, value.text) for r in case.readings.values()):
            continue  # SK401 says it, with what is read
        if (
            value.kind == "scalar"
            and not value.style
            and "\n" in front_matter.yaml.text[value.start : value.end].strip()
        ):
            yield Flaw(case.skill.at(entry.value_at), f"`{entry.key}` goes on over several lines")

"""SK2: name, description and the other fields."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from hatch_skills.core.findings import Severity
from hatch_skills.core.front_matter import Entry
from hatch_skills.core.rules.registry import Case, Flaw, rule
from hatch_skills.core.yaml_text import Node

__all__ = ["SPECIFIED_KEYS", "slug"]

_SPECIFICATION = "Agent Skills specification, section “Frontmatter”"
SPECIFIED_KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
"""The fields of the specification."""

_ASCII_NAME = re.compile(r"[a-z0-9-]*\Z")
_RESERVED = ("anthropic", "claude")
_TEMPLATE_TEXT = re.compile(r"TODO\b|FIXME\b|\[TODO|<(?:your|skill)[- ][^<>]*>|\byour-skill-name\b", re.IGNORECASE)


def __dir__() -> list[str]:
    return list(__all__)


def slug(text: str) -> str:
    """A skill name made from any text: lower-case ASCII letters, digits, single hyphens; empty if letters were lost."""
    tail = text.rpartition(":")[2] if ":" in text else text
    plain = "".join(c for c in unicodedata.normalize("NFKD", tail) if not unicodedata.combining(c))
    if any(c.isalnum() and not c.isascii() for c in plain):
        return ""
    ascii_text = plain.encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_text.lower()).strip("-")[:64].rstrip("-")


def _readable(case: Case) -> bool:
    """There is a mapping between fences, so that single fields can be judged."""
    front_matter = case.skill.front_matter
    root = front_matter.yaml.root
    return front_matter.problem is None and root is not None and root.kind == "mapping"


def _type(node: Node) -> str:
    if node.kind != "scalar":
        return "a list" if node.kind == "sequence" else "a mapping"
    return {
        "int": "a number", "float": "a number", "bool": "a boolean", "null": "nothing", "timestamp": "a date",
        "merge": "a merge key", "value": "a special word", "binary": "binary data",
    }.get(node.tag, "no text")  # fmt: skip


def _missing(case: Case, key: str) -> Iterator[Flaw]:
    entry = case.skill.front_matter.entry(key)
    if entry is None:
        nested = _nested(case, key)
        if nested is not None:
            yield Flaw(
                case.skill.at(case.skill.front_matter.span[0] + nested.start),
                f"`{key}` stands below another key; at the top level it is missing",
                f"Write `{key}:` at the first column.",
            )
            return
        misspelled = next(
            (e for e in case.skill.front_matter.entries if e.key.lower() == key or _near(e.key, (key,))), None
        )
        if misspelled is not None:
            yield Flaw(
                case.skill.at(misspelled.key_at),
                f"`{key}` is missing; `{misspelled.key}` stands here",
                f"Rename `{misspelled.key}` to `{key}`.",
            )
            return
        yield Flaw(case.skill.spot(1, 1), f"`{key}` is missing")
    elif entry.value.kind == "scalar" and not entry.value.text.strip():
        yield Flaw(case.skill.at(entry.key_at), f"`{key}` is empty")


def _nested(case: Case, key: str) -> Node | None:
    for entry in case.skill.front_matter.entries:
        for name, _ in entry.value.pairs:
            if name.text == key:
                return name
    return None


def _near(word: str, known: tuple[str, ...]) -> str:
    folded = word.lower().replace("_", "-")
    if folded in known:
        return folded
    import difflib

    return next(iter(difflib.get_close_matches(folded, known, n=1, cutoff=0.8)), "")


def _not_text(case: Case, key: str) -> Iterator[Flaw]:
    entry = case.skill.front_matter.entry(key)
    if entry is None or entry.value.tag == "str":
        return
    foreign = entry.value.tag.startswith(("tag:", "!", "python"))
    if foreign or (entry.value.kind == "scalar" and not entry.value.text.strip()):
        return  # SK113, SK201 and SK211
    shown = f"`{key}` is {_type(entry.value)}, not text"
    if entry.value.kind == "scalar":
        shown = f"`{key}: {entry.value.text[:30]}` is {_type(entry.value)} for YAML readers, not text"
    yield Flaw(case.skill.at(entry.value_at), shown)


@rule("SK201", "name-missing", Severity.ERROR, hint="Write `name: <directory name>`.", source=_SPECIFICATION)
def name_missing(case: Case) -> Iterator[Flaw]:
    """The skill has no name.

    `name` is one of the two required fields. Without it every runtime drops the skill.
    """
    if _readable(case):
        yield from _missing(case, "name")


@rule(
    "SK202",
    "name-not-text",
    Severity.ERROR,
    hint="Choose a name that begins with a letter and is no word such as yes, true or null.",
    source="YAML 1.1 types; library-skills and loomflow take text only",
)
def name_not_text(case: Case) -> Iterator[Flaw]:
    """YAML readers see a number, a boolean, a date or a list instead of the name.

    `name: 12306`, `name: yes` and `name: [x]` are no text, and runtimes that use a YAML reader drop the skill.
    """
    if _readable(case):
        yield from _not_text(case, "name")


@rule("SK203", "name-too-long", Severity.ERROR, hint="Shorten the name.", source=_SPECIFICATION)
def name_too_long(case: Case) -> Iterator[Flaw]:
    """The name is longer than the runtimes allow."""
    yield from _too_long(case, "name")


def _too_long(case: Case, key: str) -> Iterator[Flaw]:
    entry = case.skill.front_matter.entry(key)
    if entry is None or entry.value.kind != "scalar":
        return
    limits = {p.id: p.fields[key].limit for p in case.profiles if key in p.fields}
    over = {runtime: limit for runtime, limit in limits.items() if limit is not None and len(entry.value.text) > limit}
    stripped = len(entry.value.text.strip())
    if over and (stripped > min(over.values()) or any(not case.readings[runtime].accepted for runtime in over)):
        limit = min(over.values())
        yield Flaw(
            case.skill.at(entry.value_at),
            f"`{key}` has {len(entry.value.text):,} characters, the limit is {limit:,}",
            runtimes=tuple(over),
        )


@rule(
    "SK204",
    "name-characters",
    Severity.ERROR,
    hint="Use a-z, 0-9 and single hyphens between them.",
    source=_SPECIFICATION,
)
def name_characters(case: Case) -> Iterator[Flaw]:
    """The name holds something else than a-z, 0-9 and single hyphens between them.

    Capitals, blanks, underscores, dots, slashes and a prefix such as `plugin:` are refused by nearly every runtime.
    Letters outside ASCII are valid for the reference validator and lost elsewhere; look-alike letters make a second
    skill that reads like the first. Nobody may build a path from such a name.
    """
    entry = case.skill.front_matter.entry("name")
    if entry is None or entry.value.kind != "scalar" or not entry.value.text.strip():
        return
    name = entry.value.text.strip()
    strict = bool(_ASCII_NAME.match(name)) and not (name.startswith("-") or name.endswith("-") or "--" in name)
    if strict:
        return
    against = tuple(
        p.id
        for p in case.profiles
        if "name" in p.fields and p.fields["name"].pattern and not p.fields["name"].pattern.match(name)
    )
    offset, message = _bad_character(entry, name)
    made = slug(name)
    where = case.skill.front_matter.text.position(offset)
    yield Flaw(
        case.skill.spot(*where),
        message,
        f"Write `{made}`." if made else "",
        runtimes=against,
        severity=None if against else Severity.WARNING,
    )


def _bad_character(entry: Entry, name: str) -> tuple[int, str]:
    at = entry.value_at
    if "/" in name or "\\" in name or name in (".", ".."):
        return at, f"the name {name!r} is a path"
    scripts = {unicodedata.name(c, "?").split(" ")[0] for c in name if c.isalpha()}
    odd = next((c for c in name if ord(c) > 127), None)
    if odd is not None:
        label = unicodedata.name(odd, "an unnamed character").lower()
        if len(scripts) > 1 and "LATIN" in scripts and odd.isalpha() and unicodedata.normalize("NFKC", odd) == odd:
            offset = at + name.index(odd) + (1 if entry.value.style else 0)
            mixed = " and ".join(sorted(script.capitalize() for script in scripts))
            return offset, f"the name mixes {mixed} letters: U+{ord(odd):04X}, {label}"
        return at, f"the name holds U+{ord(odd):04X}, {label}; names consist of a-z, 0-9 and hyphens"
    bad = next((c for c in name if not _ASCII_NAME.match(c)), None)
    if bad is None:
        return at, f"the name {name!r} begins or ends with a hyphen, or holds two in a row"
    return at, f"{bad!r} in the name {name!r}; names consist of a-z, 0-9 and hyphens"


@rule(
    "SK205",
    "name-not-directory",
    Severity.ERROR,
    hint="Rename the directory or the skill.",
    source=_SPECIFICATION,
)
def name_not_directory(case: Case) -> Iterator[Flaw]:
    """The name differs from the directory of the skill.

    The specification wants them equal; strict runtimes drop the skill, others show it under either name. A directory
    that is a Python package cannot have a hyphen in its name: move such a skill to `.agents/skills/<name>/`.
    """
    entry = case.skill.front_matter.entry("name")
    if entry is None or entry.value.kind != "scalar" or not entry.value.text.strip():
        return
    name, directory = entry.value.text.strip(), case.skill.directory
    if not directory or unicodedata.normalize("NFKC", name) == unicodedata.normalize("NFKC", directory):
        return
    against = tuple(p.id for p in case.profiles if "name" in p.fields and p.fields["name"].equals_directory)
    severity = None if against else Severity.WARNING
    if f"/{case.skill.path}".endswith("/.agents/skills/SKILL.md") or slug(name) == directory:
        return  # SK510, SK204
    if "_" in directory and directory.replace("_", "-").lower() == name.replace("_", "-"):
        yield Flaw(
            case.skill.at(entry.value_at),
            f"the directory {directory!r} can never equal a skill name, and the name is {name!r}",
            f"Move the skill to .agents/skills/{slug(name)}/ inside the package.",
            against,
            severity,
        )
        return
    yield Flaw(
        case.skill.at(entry.value_at),
        f"the name {name!r} and the directory {directory!r} differ",
        runtimes=against,
        severity=severity,
    )


@rule(
    "SK206",
    "name-reserved",
    Severity.WARNING,
    hint="Choose a name without the vendor's word.",
    source="loomflow 0.20.0 and an upload service refuse such names",
)
def name_reserved(case: Case) -> Iterator[Flaw]:
    """The name holds a vendor's reserved word, `claude` or `anthropic`.

    Such a skill works locally and is refused where names are reserved.
    """
    entry = case.skill.front_matter.entry("name")
    if entry is None or entry.value.kind != "scalar":
        return
    word = next((word for word in _RESERVED if word in entry.value.text.lower()), None)
    if word:
        yield Flaw(case.skill.at(entry.value_at), f"the name holds the reserved word `{word}`")


@rule(
    "SK211",
    "description-missing",
    Severity.ERROR,
    hint="Write `description:` and one line: what the skill does, and when to use it.",
    source=_SPECIFICATION,
)
def description_missing(case: Case) -> Iterator[Flaw]:
    """The skill has no description.

    `description` is what a model sees when it chooses a skill. Without it every runtime drops the skill.
    """
    if _readable(case):
        yield from _missing(case, "description")


@rule(
    "SK212",
    "description-not-text",
    Severity.ERROR,
    hint="Begin the description with a word.",
    source="YAML 1.1 types; library-skills and loomflow take text only",
)
def description_not_text(case: Case) -> Iterator[Flaw]:
    """YAML readers see a number, a boolean, a date, a list or a mapping instead of the description."""
    if _readable(case):
        yield from _not_text(case, "description")


@rule(
    "SK213",
    "description-too-long",
    Severity.ERROR,
    hint="Shorten it; detail belongs into the body.",
    source=_SPECIFICATION,
)
def description_too_long(case: Case) -> Iterator[Flaw]:
    """The description has more characters than the runtimes allow.

    The limit counts characters of the value after YAML has read it, neither bytes nor source lines.
    """
    yield from _too_long(case, "description")


@rule(
    "SK214",
    "description-tag",
    Severity.WARNING,
    hint="Write the words without angle brackets.",
    source="loomflow 0.20.0 refuses text shaped like a tag; some catalogues are XML",
)
def description_tag(case: Case) -> Iterator[Flaw]:
    """The description holds text that is shaped like a tag, such as `List<String>` or `<name>`."""
    entry = case.skill.front_matter.entry("description")
    if entry is None or entry.value.kind != "scalar":
        return
    match = re.search(r"</?[A-Za-z!?][^<>]*>", entry.value.text)
    if match:
        yield Flaw(case.skill.at(entry.value_at), f"`{match[0][:40]}` in the description is shaped like a tag")


@rule(
    "SK215",
    "template-text",
    Severity.WARNING,
    hint="Replace it with the real text.",
    source="text that templates leave for the author",
)
def template_text(case: Case) -> Iterator[Flaw]:
    """The name or the description still holds the text of a template."""
    for key in ("name", "description"):
        entry = case.skill.front_matter.entry(key)
        if entry is None or entry.value.kind != "scalar":
            continue
        match = _TEMPLATE_TEXT.search(entry.value.text)
        if match:
            content = case.skill.text.content
            at = content.find(match[0], entry.value_at)
            yield Flaw(
                case.skill.at(at if at >= 0 else entry.value_at),
                f"`{key}` still holds the text of the template: `{match[0]}`",
            )


@rule(
    "SK221",
    "unknown-field",
    Severity.WARNING,
    hint="Move it below `metadata:`, or ignore SK221 with the reason for which a client needs it.",
    source="skills-ref 0.1.1 refuses other fields; the specification names six",
)
def unknown_field(case: Case) -> Iterator[Flaw]:
    """A top-level field is none of the six of the specification.

    The specification does not forbid it and one skill in four has one, but strict validators refuse the file. A near
    miss such as `descripton` or `allowed_tools` is a field that silently does nothing.
    """
    strict = tuple(p for p in case.profiles if p.known_keys is not None)
    foreign: list[Entry] = []
    for entry in case.skill.front_matter.entries:
        if entry.key in SPECIFIED_KEYS:
            continue
        near = _near(entry.key, SPECIFIED_KEYS)
        if near in ("name", "description") and case.skill.front_matter.entry(near) is None:
            continue  # SK201 and SK211 say it
        against = tuple(p.id for p in strict if entry.key not in (p.known_keys or ()))
        if near:
            message = f"the field `{entry.key}` is not known"
            yield Flaw(case.skill.at(entry.key_at), message, f"Did you mean `{near}`?", against)
        elif against:
            foreign.append(entry)
    if foreign:
        keys = ", ".join(f"`{entry.key}`" for entry in foreign)
        are = "is" if len(foreign) == 1 else "are"
        message = f"{keys} {are} none of the fields of the specification"
        yield Flaw(case.skill.at(foreign[0].key_at), message, runtimes=tuple(p.id for p in strict))


@rule("SK222", "compatibility", Severity.ERROR, hint="Write one line of 1 to 500 characters.", source=_SPECIFICATION)
def compatibility(case: Case) -> Iterator[Flaw]:
    """`compatibility` is no text of 1 to 500 characters."""
    entry = case.skill.front_matter.entry("compatibility")
    if entry is None:
        return
    if entry.value.kind != "scalar":
        yield Flaw(case.skill.at(entry.value_at), f"`compatibility` is {_type(entry.value)}, not text")
    elif len(entry.value.text) > 500:
        yield Flaw(
            case.skill.at(entry.value_at), f"`compatibility` has {len(entry.value.text):,} characters, the limit is 500"
        )
    elif not entry.value.text.strip():
        yield Flaw(case.skill.at(entry.key_at), "`compatibility` is empty", severity=Severity.WARNING)


@rule(
    "SK223",
    "metadata-not-mapping",
    Severity.ERROR,
    hint="Write `key: value` lines below `metadata:`.",
    source=_SPECIFICATION,
)
def metadata_not_mapping(case: Case) -> Iterator[Flaw]:
    """`metadata` is text or a list instead of a mapping."""
    entry = case.skill.front_matter.entry("metadata")
    if entry is not None and entry.value.kind != "mapping" and (entry.value.text.strip() or entry.value.items):
        kind = "text" if entry.value.kind == "scalar" else "a list"
        yield Flaw(case.skill.at(entry.value_at), f"`metadata` is {kind}, not a mapping")


@rule(
    "SK224",
    "metadata-not-text",
    Severity.WARNING,
    hint="Put the value into double quotes.",
    source="Agent Skills specification: metadata maps text to text",
)
def metadata_not_text(case: Case) -> Iterator[Flaw]:
    """A value below `metadata` loses something because YAML takes it for a number or a date.

    `version: 1.10` becomes 1.1, and a date becomes an object that text consumers cannot use. Other values that are
    no text are left alone: hosts nest their own blocks there.
    """
    entry = case.skill.front_matter.entry("metadata")
    for key, value in entry.value.pairs if entry is not None else ():
        if value.kind != "scalar":
            continue
        at = case.skill.at(case.skill.front_matter.span[0] + value.start)
        if value.tag == "timestamp":
            yield Flaw(at, f"`metadata.{key.text}` is a date, not text")
        elif value.tag in ("int", "float"):
            read = _number(value.text, value.tag)
            if read != value.text:
                yield Flaw(at, f"`metadata.{key.text}` is a number ({read}); `{value.text}` is lost")


def _number(text: str, tag: str) -> str:
    """A YAML number as a program prints it again."""
    import yaml

    try:
        return str(yaml.load(text, yaml.SafeLoader))
    except (yaml.YAMLError, ValueError):
        return f"no {tag}"


@rule(
    "SK225",
    "allowed-tools",
    Severity.WARNING,
    hint="Write the tools on one line, separated by blanks.",
    source="Agent Skills specification: allowed-tools is a space-separated string",
)
def allowed_tools(case: Case) -> Iterator[Flaw]:
    """`allowed-tools` is no text with the tools separated by blanks."""
    entry = case.skill.front_matter.entry("allowed-tools")
    if entry is not None and entry.value.kind != "scalar":
        yield Flaw(case.skill.at(entry.key_at), f"`allowed-tools` is {_type(entry.value)}, not text")


@rule(
    "SK226",
    "license-not-text",
    Severity.WARNING,
    hint="Write the licence's name or the file's name.",
    source=_SPECIFICATION,
)
def license_not_text(case: Case) -> Iterator[Flaw]:
    """`license` is no text."""
    entry = case.skill.front_matter.entry("license")
    if entry is not None and entry.value.tag not in ("str", "null"):
        yield Flaw(case.skill.at(entry.value_at), f"`license` is {_type(entry.value)}, not text")

"""The page of bounds, made from the constants themselves."""

from __future__ import annotations

from hatch_skills.core import environment, markdown, members, probe, rewrites, skill, yaml_text
from hatch_skills.core.rules import body, security
from pytest_skills import once


def limits_page() -> str:
    """The Markdown page about every bound, why it is there, and what is reported beyond it."""
    rows = (
        ("bytes of a SKILL.md", skill.FILE_LIMIT, "memory", "SK115; the rest is not read"),
        ("code points of YAML that is not plain lines", yaml_text.SIZE_LIMIT, "time", "SK105"),
        ("nodes of the YAML", yaml_text.NODE_LIMIT, "time", "SK105"),
        ("levels of nesting", yaml_text.DEPTH_LIMIT, "runtimes give up between 246 and 490", "SK105"),
        ("values after aliases are written out", 1000, "whatever prints them hangs", "SK114, an error"),
        (
            "code points of a body that are searched for links",
            markdown.BODY_LIMIT,
            "time",
            "nothing behind it is looked at",
        ),
        ("code points of front matter that `fix` edits", rewrites.SIZE_LIMIT, "time", "left alone, and said"),
        ("bytes of a script that is searched for downloads", security.SCRIPT_LIMIT, "time", "not searched"),
        ("bytes of a resource without a warning", body.LARGE, "everybody downloads it", "SK318"),
        ("members of an archive", members.MEMBER_LIMIT, "time", "SK513"),
        ("bytes of an unpacked sdist", members.SIZE_LIMIT, "disk", "SK513"),
        ("bytes of one member that is read", members.CONTENT_LIMIT, "memory", "SK513"),
        ("seconds for loading one entry point", probe.SECONDS, "a package may hang at import", "SK507"),
        ("seconds for searching an environment", environment.SECONDS, "the same", "misuse, status 2"),
        (
            "seconds that an xdist worker waits for the build",
            once.SECONDS,
            "it may have died",
            "a failed item",
        ),
    )
    lines = [
        "# Limits",
        "",
        "Every bound, why it is there, and what is reported beyond it. Nothing that a file holds makes a check hang,",
        "crash or run out of memory; where it does so to a runtime, that is a fact about it, and `show` says so.",
        "",
        "| what | bound | why | beyond it |",
        "|---|---:|---|---|",
        *(f"| {what} | {bound:,} | {why} | {beyond} |" for what, bound, why, beyond in rows),
    ]
    return "\n".join(lines) + "\n"

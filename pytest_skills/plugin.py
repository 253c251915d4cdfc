"""The pytest plugin: options, discovery and items; heavy imports wait until an item runs."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_skills.fixtures import installed_skills, skill, skill_wheel, skills

if TYPE_CHECKING:
    from pytest_skills.session import SkillSession

__all__ = ["installed_skills", "skill", "skill_wheel", "skills"]

MODES = ("off", "auto", "always")
PROOFS = ("wheel", "sdist", "installed", "environment")
DEFAULT_PROOFS = ("wheel", "installed")


# No __dir__ here: pytest finds the hooks of a plugin by dir().


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options and ini keys; the plugin does nothing until a project turns it on."""
    group = parser.getgroup("skills", "agent skills (SKILL.md)")
    group.addoption(
        "--skills",
        dest="skills_mode",
        metavar="MODE",
        choices=MODES,
        help="collect skills: off, auto (with the whole suite), always (also when paths are given)",
    )
    group.addoption(
        "--skills-wheel",
        dest="skills_wheel",
        metavar="FILE",
        help="prove this finished wheel instead of one that is built for the run",
    )
    parser.addini("skills", "collect skills: off (default), auto (with the whole suite), always", default="off")
    parser.addini("skills_proofs", f"what is proven: {', '.join(PROOFS)}", type="args", default=list(DEFAULT_PROOFS))


def mode(config: pytest.Config) -> str:
    """The mode in force: ``off``, ``auto`` or ``always``; `pytest.UsageError` for another word."""
    chosen = str(config.getoption("skills_mode") or config.getini("skills"))
    if chosen not in MODES:
        raise pytest.UsageError(f"ini key `skills`: {chosen!r} is none of {', '.join(MODES)}")
    return chosen


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker; the configuration itself is read only where the plugin is on."""
    config.addinivalue_line("markers", "skills: an item of hatch-skills for a SKILL.md")
    if mode(config) != "off":
        from pytest_skills.session import SkillSession

        config.pluginmanager.register(SkillSession(config), "skills-session")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take a SKILL.md that was named on the command line."""
    found = session_of(parent.config)
    if found is not None and file_path.name == "SKILL.md" and parent.session.isinitpath(file_path):
        return SkillFile.from_parent(parent.session, path=file_path)
    return None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Keep pytest from importing the scripts of a skill as tests."""
    found = session_of(config)
    if found is None or collection_path.suffix != ".py":
        return None
    return True if found.is_script(collection_path) else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes the fixture `skill` once for each skill of the project."""
    found = session_of(metafunc.config)
    if found is not None and "skill" in metafunc.fixturenames:
        metafunc.parametrize("skill", found.project.skills, ids=lambda skill: skill.directory, indirect=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """One line after failures of ours: where the rules are explained."""
    found = session_of(config)
    failed = terminalreporter.stats.get("failed", [])
    if found is not None and any("SKILL.md::" in report.nodeid for report in failed):
        rules = sorted(set(re.findall(r"\w+\[(SK\d{3})\]", "\n".join(str(report.longrepr) for report in failed))))
        if rules:
            terminalreporter.write_line(
                f"skills: `hatch-skills explain {rules[0]}` says why it matters; so for the others"
            )


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Add the skills to what the session collects, as its own children, so that no package is imported for them."""
    report = yield
    found = session_of(collector.config)
    if found is not None and isinstance(collector, pytest.Session) and report.passed:
        report.result = [*report.result, *_files(collector, found)]
    return report


def session_of(config: pytest.Config) -> SkillSession | None:
    """The state of this run, or None where the plugin is off."""
    found: SkillSession | None = config.pluginmanager.getplugin("skills-session")
    return found


def _files(session: pytest.Session, found: SkillSession) -> Iterator[pytest.Collector]:
    for path in found.wanted(session):
        yield SkillFile.from_parent(session, path=path)
    if found.is_empty:
        yield NoSkillFile.from_parent(session, path=found.blamed)


class SkillFile(pytest.File):
    """A SKILL.md; its items are one for each runtime and one for each proof."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item for each runtime that counts for the skill, then the proofs."""
        found = session_of(self.config)
        assert found is not None
        for name in found.item_names(self.path):
            item: pytest.Item = SkillItem.from_parent(self, name=name)
            item.add_marker("skills")
            yield item


class NoSkillFile(pytest.File):
    """The place where skills would have been found."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item, which fails with the reason."""
        item: pytest.Item = SkillItem.from_parent(self, name="no-skill-found")
        item.add_marker("skills")
        yield item


class SkillItem(pytest.Item):
    """One verdict about one skill; a failure shows findings and no traceback."""

    def runtest(self) -> None:
        """Judge the skill; raises `SkillFailure` with the text of the findings."""
        found = session_of(self.config)
        assert found is not None
        text = found.verdict(self.path, self.name, self.nodeid)
        if text:
            raise SkillFailure(text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The findings alone; anything else is a bug of ours and keeps its traceback."""
        if isinstance(excinfo.value, SkillFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The file, its first line, and a title; pytest writes `::` for the dots of a title that ends the node id."""
        return self.path, 0, f"{self.path.parent.name}: {self.name}"


class SkillFailure(Exception):
    """A verdict is negative; the text holds the findings."""

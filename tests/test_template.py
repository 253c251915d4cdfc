"""The template writes a sound package for every answer, and keeps the author's text in every update."""

from __future__ import annotations

import itertools
import json
import keyword
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import copier
import pytest
import yaml

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
QUESTIONS = yaml.safe_load((ROOT / "copier.yml").read_text(encoding="utf-8"))
IDENTITY = {"NAME": "Test", "EMAIL": "test@example.org"}
CONFLICT_MARKER = re.compile(r"^(<{7}|={7}|>{7})( |$)", re.MULTILINE)

# Pairs of author and description that some file format, shell or template language takes for its own.
AWKWARD = [
    ("Zoë Müller-Lüdenscheidt", "Liest Maße und Größen – naïvely. Use when jemand nach Öl fragt."),
    ('Ada "Countess" O\'Lovelace \\', 'Says "hello", isn\'t \\n and \\u00e9. Use when \\ is meant.'),
    ("{{ author_name }} {% raw %}", "Fills {{ item.name }}, {% if x %} and {#notes#}. Use when braces matter."),
    ("#1: [x] & co, *Inc*", "Knows C#, a:b and https://example.org/#top. Use when a hash is glued."),
    ("山田 太郎 😀", "Keeps 😀, 🇪🇺, 👩\u200d🚀 and 日本語. Use when asked for emoji."),
    ("  <ada@example.org>  ", "Runs $(date), `id`, ${HOME}, %s and a < b > c. Use when a shell could."),
    ("true", "é" * 512),
    ("'''", "null, 0x1F and 2024-01-01 stay text. Use when ''' or \"\"\" is near."),
]
COMBINATIONS = [
    {
        "skill_name": "tide-tables",
        "layout": layout,
        "license": licence,
        "ci": ("github", "none")[(number + number // 4) % 2],
        "python_floor": QUESTIONS["python_floor"]["choices"][number % 6],
        "runtimes": (["agent-skills", "library-skills", "ovos"], ["loomflow", "ovos"])[number % 3 // 2],
        "author_name": author,
        "skill_description": description,
    }
    for number, ((layout, licence), (author, description)) in enumerate(
        zip(
            itertools.product(("package", "root"), ("MIT", "Apache-2.0", "BSD-3-Clause", "none")),
            AWKWARD,
            strict=True,
        )
    )
]


class Rendered(NamedTuple):
    """A package that was rendered, and the answers that were given."""

    path: Path
    answers: dict[str, Any]

    @property
    def skill(self) -> Path:
        """The directory of the skill."""
        return next(self.path.rglob("SKILL.md")).parent

    def files(self) -> list[Path]:
        """All files, but for those of git."""
        files = (path for path in self.path.rglob("*") if path.is_file())
        return sorted(path for path in files if ".git" not in path.relative_to(self.path).parts)


@pytest.fixture(scope="module", autouse=True)
def _git_identity() -> Iterator[None]:
    """Git, which Copier runs too, has an identity and no configuration of this machine."""
    with pytest.MonkeyPatch.context() as patch:
        for role, (key, value) in itertools.product(("AUTHOR", "COMMITTER"), IDENTITY.items()):
            patch.setenv(f"GIT_{role}_{key}", value)
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        yield


@pytest.fixture(scope="module")
def template_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a plain directory with the template."""
    directory = tmp_path_factory.mktemp("files")
    shutil.copy(ROOT / "copier.yml", directory)
    shutil.copytree(ROOT / "template", directory / "template")
    return directory


@pytest.fixture(scope="module")
def template(template_files: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with the template as its first release."""
    repository = tmp_path_factory.mktemp("template")
    shutil.copytree(template_files, repository, dirs_exist_ok=True)
    git(repository, "init", "-q")
    release(repository, "v1.0.0")
    return repository


@pytest.fixture(scope="module", params=COMBINATIONS, ids=lambda answers: f"{answers['layout']}-{answers['license']}")
def rendered(request: pytest.FixtureRequest, template: Path, tmp_path_factory: pytest.TempPathFactory) -> Rendered:
    """Return the package for one combination of answers."""
    answers: dict[str, Any] = request.param
    return render(template, tmp_path_factory.mktemp("rendered") / "package", **answers)


def git(directory: Path, *arguments: str) -> str:
    """Return what git prints."""
    return subprocess.run(
        ["git", *arguments], cwd=directory, check=True, capture_output=True, text=True, encoding="utf-8"
    ).stdout


def release(repository: Path, tag: str) -> None:
    """Commit everything, and tag it."""
    git(repository, "add", "--all")
    git(repository, "commit", "-qm", tag)
    git(repository, "tag", tag)


def render(template: Path, destination: Path, **answers: Any) -> Rendered:
    """Return the package that Copier writes, without any trust in the template."""
    copier.run_copy(str(template), destination, data=answers, defaults=True, quiet=True, unsafe=False)
    return Rendered(destination, answers)


def edit(path: Path, old: str, new: str) -> None:
    """Replace the one place where a file has the old text."""
    text = path.read_bytes().decode()
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
    path.write_bytes(text.replace(old, new).encode())


def refusal(template_files: Path, tmp_path: Path, **answers: object) -> tuple[str, str]:
    """Return the first question whose answer is refused, and the message."""
    with pytest.raises(ValueError, match=r"^(Validation error|Invalid choice)") as refused:
        render(template_files, tmp_path / "refused", **answers)
    assert not (tmp_path / "refused").exists()
    question, _, message = str(refused.value).partition("'")[2].partition("': ")
    return question, message


# What is rendered


def test_the_skill_name_is_the_only_answer_that_is_needed(template: Path, tmp_path: Path) -> None:
    """The command of the documentation works as it is, and asks for no trust."""
    command = [sys.executable, "-m", "copier", "copy", "--quiet", "--defaults", "-d", "skill_name=tide-tables"]

    subprocess.run([*command, str(template), "out"], cwd=tmp_path, check=True)

    files = [path.relative_to(tmp_path / "out").as_posix() for path in Rendered(tmp_path / "out", {}).files()]
    assert files == [
        ".copier-answers.yml",
        ".gitattributes",
        ".github/workflows/ci.yml",
        ".gitignore",
        ".pre-commit-config.yaml",
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "pyproject.toml",
        "src/tide_tables/.agents/skills/tide-tables/SKILL.md",
        "src/tide_tables/.agents/skills/tide-tables/references/formats.md",
        "src/tide_tables/.agents/skills/tide-tables/scripts/to_markdown.py",
        "src/tide_tables/__init__.py",
        "src/tide_tables/py.typed",
        "tests/test_to_markdown.py",
    ]


def test_template_asks_for_no_trust_and_no_answer() -> None:
    """There are no tasks, migrations and extensions, and every question has a default."""
    assert {key for key in QUESTIONS if key.startswith("_")} == {
        "_exclude",
        "_message_after_copy",
        "_message_after_update",
        "_min_copier_version",
        "_subdirectory",
    }
    assert not [key for key, value in QUESTIONS.items() if not key.startswith("_") and "default" not in value]


def test_no_file_of_the_template_is_a_skill() -> None:
    """The template travels in our own wheel, where a runtime would take a SKILL.md for one of ours."""
    assert not list((ROOT / "template").rglob("SKILL.md"))


def test_every_data_file_parses(rendered: Rendered) -> None:
    """TOML, YAML and Python files hold what a parser of their language accepts."""
    for path in rendered.files():
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".toml":
            tomllib.loads(text)
        elif path.suffix in {".yml", ".yaml"}:
            yaml.safe_load(text)
        elif path.suffix == ".py":
            compile(text, path, "exec")


def test_answers_reach_the_metadata(rendered: Rendered) -> None:
    """Hatchling reads from pyproject.toml what was answered, character by character."""
    run = subprocess.run(
        [sys.executable, "-m", "hatchling", "metadata"],
        cwd=rendered.path,
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    metadata = json.loads(run.stdout)
    licence = rendered.answers["license"]

    assert metadata["name"] == "tide-tables"
    assert metadata["description"] == rendered.answers["skill_description"][:512]
    assert metadata["authors"] == [{"name": rendered.answers["author_name"].strip()}]
    assert metadata["license"] == {"none": "LicenseRef-Proprietary"}.get(licence, licence)
    assert metadata.get("classifiers", []) == (["Private :: Do Not Upload"] if licence == "none" else [])


def test_description_is_written_as_it_was_answered(rendered: Rendered) -> None:
    """Name and description are plain one-line values: no quotes, no escapes, no second rendering."""
    lines = (rendered.skill / "SKILL.md").read_text(encoding="utf-8").split("\n")

    assert lines[:5] == [
        "---",
        "name: tide-tables",
        f"description: {rendered.answers['skill_description']}",
        "---",
        "",
    ]


def test_answers_are_recorded(rendered: Rendered) -> None:
    """The answers file returns every answer unchanged, and holds nothing that was not asked."""
    recorded = yaml.safe_load((rendered.path / ".copier-answers.yml").read_text(encoding="utf-8"))

    assert recorded.items() >= rendered.answers.items()
    assert recorded.keys() - rendered.answers.keys() == {
        "_commit",
        "_src_path",
        "package_name",
    }


def test_nothing_of_the_template_is_left(rendered: Rendered) -> None:
    """No braces of Jinja, no conflict marker, no CR and no trailing blank, but for what an answer holds."""
    for path in rendered.files():
        text = path.read_bytes().decode()
        for answer in (rendered.answers["skill_description"], rendered.answers["author_name"].strip()):
            text = text.replace(json.dumps(answer, ensure_ascii=False), "answer").replace(answer, "answer")
        if path.name == "ci.yml":
            text = re.sub(r"\$\{\{ [a-z.]+ \}\}", "expression", text)
        if path.name != ".copier-answers.yml":
            assert not re.search(r"\{\{|\{%|\{#|%\}|\}\}", text), path
        assert not CONFLICT_MARKER.search(text), path
        assert "\r" not in text, path
        assert not re.search(r"[ \t]+$", text, re.MULTILINE), path
        assert text == "" or (text.endswith("\n") and not text.endswith("\n\n")), path


def test_layout_decides_where_the_skill_lies(rendered: Rendered) -> None:
    """The directory has the skill's name, in the package or at the root, and uv watches it."""
    directory = {"package": "src/tide_tables/.agents/skills", "root": "skills"}[rendered.answers["layout"]]
    pyproject = tomllib.loads((rendered.path / "pyproject.toml").read_text(encoding="utf-8"))

    assert rendered.skill == rendered.path / directory / "tide-tables"
    assert pyproject["tool"]["uv"]["cache-keys"] == [
        {"file": "pyproject.toml"},
        {"file": f"{directory}/**/SKILL.md"},
    ]


def test_script_is_executable(rendered: Rendered) -> None:
    """The script has mode 755, and nothing else has an executable bit."""
    executable = [path.name for path in rendered.files() if path.stat().st_mode & 0o111]

    assert executable == ["to_markdown.py"]
    assert (rendered.skill / "scripts/to_markdown.py").stat().st_mode & 0o777 == 0o755


def test_links_lead_to_files(rendered: Rendered) -> None:
    """Every relative link of a Markdown file leads to a file of the package."""
    for path in rendered.files():
        if path.suffix == ".md":
            text = path.read_text(encoding="utf-8").replace(rendered.answers["skill_description"], "")
            for target in re.findall(r"\]\((?!https:)([^)]+)\)", text):
                assert (path.parent / target).is_file(), f"{path.name}: {target}"


def test_licence_has_its_text(rendered: Rendered) -> None:
    """LICENSE is the text that belongs to the answer, with the author where the text has a place."""
    text = (rendered.path / "LICENSE").read_text(encoding="utf-8")
    licence = rendered.answers["license"]
    first, last = {
        "MIT": ("MIT License", "SOFTWARE."),
        "Apache-2.0": ("                                 Apache License", "   limitations under the License."),
        "BSD-3-Clause": (
            "BSD 3-Clause License",
            "OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.",
        ),
        "none": (
            f"Copyright (c) {rendered.answers['author_name'].strip()}",
            "software is granted, except by a written agreement with the copyright holder.",
        ),
    }[licence]

    assert text.strip("\n").split("\n")[0] == first
    assert text.strip("\n").split("\n")[-1] == last
    if licence != "Apache-2.0":
        assert f"Copyright (c) {rendered.answers['author_name'].strip()}\n" in text


def test_git_ignores_no_file(rendered: Rendered) -> None:
    """What the template writes is what git keeps, and git keeps LF."""
    git(rendered.path, "init", "-q")
    git(rendered.path, "add", "--all")

    assert len(git(rendered.path, "ls-files").split()) == len(rendered.files())
    assert {line.split()[2] for line in git(rendered.path, "ls-files", "--eol").splitlines()} == {"attr/text=auto"}


def test_workflow_gives_rights_where_they_are_needed(rendered: Rendered) -> None:
    """CI reads, only the job that publishes may sign in, and a proprietary package has no such job."""
    path = rendered.path / ".github/workflows/ci.yml"
    if rendered.answers["ci"] == "none":
        assert not (rendered.path / ".github").exists()
        return
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    rights = {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job}
    actions = {step["uses"] for job in workflow["jobs"].values() for step in job["steps"] if "uses" in step}

    assert workflow["permissions"] == {"contents": "read"}
    assert rights == ({} if rendered.answers["license"] == "none" else {"publish": {"id-token": "write"}})
    assert actions >= {"actions/checkout@v4", "actions/setup-python@v5", "actions/upload-artifact@v4"}


def test_python_files_have_no_finding_of_ruff(rendered: Rendered) -> None:
    """The files that an author starts from are linted and formatted."""
    for command in (["check"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--isolated", "--no-cache", "--line-length", "100"]
        subprocess.run([*ruff, "src", "tests", rendered.skill], cwd=rendered.path, check=True, capture_output=True)


def test_tested_pythons_begin_with_the_floor(rendered: Rendered) -> None:
    """CI runs every version that can be chosen, from the chosen one on."""
    versions, floor = QUESTIONS["python_floor"]["choices"], rendered.answers["python_floor"]
    pyproject = tomllib.loads((rendered.path / "pyproject.toml").read_text(encoding="utf-8"))

    assert pyproject["project"]["requires-python"] == f">={floor}"
    if rendered.answers["ci"] == "github":
        workflow = yaml.safe_load((rendered.path / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
        assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == versions[versions.index(floor) :]


def test_pyproject_turns_hook_and_tests_on(rendered: Rendered) -> None:
    """The hook's table is empty, a missing plugin is an error, and only an unusual choice is written down."""
    pyproject = tomllib.loads((rendered.path / "pyproject.toml").read_text(encoding="utf-8"))
    runtimes = rendered.answers["runtimes"]

    assert pyproject["build-system"]["requires"] == ["hatchling", "hatch-skills"]
    assert pyproject["tool"]["hatch"]["build"]["hooks"] == {"skills": {}}
    assert pyproject["tool"]["pytest"]["ini_options"]["skills"] == "auto"
    assert pyproject["tool"]["pytest"]["ini_options"]["required_plugins"] == ["hatch-skills"]
    assert pyproject["tool"].get("hatch-skills") == (
        None if runtimes == QUESTIONS["runtimes"]["default"] else {"runtimes": runtimes}
    )


@pytest.mark.parametrize(
    ("skill_name", "layout", "package_name"),
    [("build", "root", "build_skill"), ("json", "package", "json_skill"), ("a" * 64, "root", "a" * 64)],
)
def test_no_skill_name_is_lost(
    template_files: Path, tmp_path: Path, skill_name: str, layout: str, package_name: str
) -> None:
    """A skill called like what git ignores, or like a module, is kept, and its package can be imported."""
    package = render(template_files, tmp_path / "package", skill_name=skill_name, layout=layout)
    git(package.path, "init", "-q")
    git(package.path, "add", "--all")

    assert package.skill.name == skill_name
    assert [path.name for path in (package.path / "src").iterdir()] == [package_name]
    assert len(git(package.path, "ls-files").split()) == len(package.files())


# The example skill


@pytest.fixture(scope="module")
def example(template_files: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory of the skill that comes with the template."""
    return render(template_files, tmp_path_factory.mktemp("example") / "package").skill


def to_markdown(example: Path, *arguments: str, standard_input: str = "") -> subprocess.CompletedProcess[str]:
    """Run the script of the example."""
    return subprocess.run(
        [sys.executable, str(example / "scripts/to_markdown.py"), *arguments],
        input=standard_input,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_example_shows_what_the_script_prints(example: Path) -> None:
    """The table in SKILL.md is what the script makes of the CSV text above it."""
    text = (example / "SKILL.md").read_text(encoding="utf-8")
    source, table = re.findall(r"^```(?:text|markdown)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)

    assert to_markdown(example, "-", standard_input=source).stdout == table


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        pytest.param(None, [], "No such file or directory", id="missing"),
        pytest.param(b"", [], "no rows", id="empty"),
        pytest.param(b"gr\xfc\xdfe\n", [], "can't decode byte", id="encoding"),
        pytest.param(b"a,b\n1,2,3\n", [], "fields, the header has", id="ragged"),
        pytest.param(b'a,"b\n', [], "unexpected end", id="quote"),
        pytest.param(b"a\n", ["--delimiter", "::"], "neither one character", id="delimiter"),
        pytest.param(b"a\n", ["--encoding", "x"], "unknown encoding", id="unknown-encoding"),
    ],
)
def test_faulty_input_ends_the_script_with_a_message(
    example: Path, tmp_path: Path, content: bytes | None, arguments: list[str], message: str
) -> None:
    """The script says on standard error what is wrong, prints no table, and ends with status 2."""
    source = tmp_path / "source.csv"
    if content is not None:
        source.write_bytes(content)

    run = to_markdown(example, str(source), *arguments)

    assert (run.returncode, run.stdout) == (2, "")
    assert message in run.stderr
    assert "Traceback" not in run.stderr


def test_troubleshooting_quotes_real_messages(example: Path) -> None:
    """Each message that SKILL.md explains is one that the test above has seen."""
    text = (example / "SKILL.md").read_text(encoding="utf-8")

    assert re.findall(r"^\| `(.+?)` \|", text, re.MULTILINE) == [
        "No such file or directory",
        "can't decode byte",
        "fields, the header has",
        "no rows",
    ]


# Answers that are refused


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("skill_name", "My Skill", "single hyphens"),
        ("skill_name", "3d-tools", "a letter first"),
        ("skill_name", "pdf-tables\n", "single hyphens"),
        ("skill_name", "größe", "a-z"),
        ("skill_name", "a" * 65, "64"),
        ("skill_name", "yes", "YAML"),
        ("skill_name", "com1", "Windows"),
        ("skill_name", "claude-helper", "claude"),
        ("package_name", "my project", "single underscores"),
        ("package_name", "Tables", "a-z"),
        ("package_name", "_private", "single underscores"),
        ("package_name", "class", "Python"),
        ("package_name", "json", "Python"),
        ("package_name", "hatch_skills", "build tools"),
        ("author_name", " ", "visible"),
        ("author_name", "Ada\nLovelace", "one line"),
    ],
)
def test_refused_name_comes_with_one_that_is_accepted(
    template_files: Path, tmp_path: Path, question: str, answer: str, reason: str
) -> None:
    """The message starts with a form that works, made of what was typed, and then gives the reason."""
    refused, message = refusal(template_files, tmp_path, **{question: answer})
    form = re.match(r"write (.+?): ", message)

    assert refused == question
    assert reason in message
    assert form, message
    # No runtime is refused too, by a later question: the form itself was accepted.
    assert refusal(template_files, tmp_path, **{question: form[1]}, runtimes=[])[0] == "runtimes"


@pytest.mark.parametrize(
    ("description", "reason"),
    [
        ("", "not empty"),
        ("Ends with a blank. ", "blank"),
        ("Two\nlines.", "one line"),
        ("A\ttab.", "tabs"),
        ("A line\u2028separator.", "one line"),
        ("A half \ud83d pair.", "hidden"),
        ("A zero\u200bwidth space.", "hidden"),
        ("A hidden \U000e0041 tag.", "hidden"),
        ("é" * 513, "1026"),
        ("Reads --- fences.", "`---`"),
        ("Note: this is a key.", "`: `"),
        ("Ends with a colon:", "`:`"),
        ("Reads issue #1.", "` #`"),
        *((f"{mark}starts with a mark.", "syntax") for mark in "[{#&|>'\"`"),
        ("- starts with a mark.", "syntax"),
        *((word, "a sentence") for word in ("3.14", "0x1F", "2024-01-01 12:00:00", "No", "~", "=")),
        ("Reads a List<String> type.", "`<tag>`"),
        ("Writes to <me@example.org> only.", "`<tag>`"),
    ],
)
def test_description_that_a_runtime_misreads_is_refused(
    template_files: Path, tmp_path: Path, description: str, reason: str
) -> None:
    """The message names the cause, and ends with an example."""
    refused, message = refusal(template_files, tmp_path, skill_description=description)

    assert refused == "skill_description"
    assert reason in message
    assert message.endswith("For example: Computes tide tables. Use when the user asks for high or low water.")


@pytest.mark.parametrize(
    ("question", "answer"),
    [("license", "GPL"), ("python_floor", "3.9"), ("layout", "x"), ("runtimes", ["x"]), ("ci", "x")],
)
def test_only_listed_choices_are_accepted(template_files: Path, tmp_path: Path, question: str, answer: object) -> None:
    """Another choice is an error before anything is written."""
    assert refusal(template_files, tmp_path, **{question: answer})


def test_reserved_names_are_complete() -> None:
    """Every keyword and every module of this Python is refused as the name of a package."""
    possible = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
    names = {name for name in {*sys.stdlib_module_names, *keyword.kwlist} if possible.fullmatch(name)}

    assert sorted(names - set(QUESTIONS["reserved_names"]["default"].split())) == []


# Updates


@pytest.fixture
def releases(template: Path, tmp_path: Path) -> Path:
    """Return a repository of the template in which a test can make the next release."""
    return shutil.copytree(template, tmp_path / "template")


def second_release(releases: Path) -> None:
    """Change each kind of file, and add one."""
    skill = releases / "template/{{ skills_dir }}/{{ skill_name }}"
    edit(skill / "SKILL.md.jinja", "Say so; do not make up a table.", "Say that it is empty.")
    edit(skill / "scripts/to_markdown.py", '"""Print a CSV file', '"""Write a CSV file')
    edit(
        releases / "template/pyproject.toml.jinja", "xfail_strict = true\n", 'xfail_strict = true\nlog_level = "INFO"\n'
    )
    edit(releases / "template/pyproject.toml.jinja", "\n# The template ends", "\n[tool.new]\n\n# The template ends")
    edit(releases / "template/README.md.jinja", "`hatch test` and `hatch build` do the same.", "So does `hatch test`.")
    (releases / "template/NEWS.md").write_text("new\n", encoding="utf-8")
    release(releases, "v2.0.0")


def update(package: Rendered, **options: Any) -> None:
    """Commit the package, and bring it to the newest release of the template."""
    git(package.path, "add", "--all")
    git(package.path, "commit", "-qm", "Work of the author")
    copier.run_update(package.path, defaults=True, overwrite=True, quiet=True, unsafe=False, **options)


def test_update_keeps_the_authors_text_and_brings_the_templates(releases: Path, tmp_path: Path) -> None:
    """Both sides' changes are in the file, without conflict, though the package was moved meanwhile."""
    package = render(releases, tmp_path / "first", **COMBINATIONS[2])
    git(package.path, "init", "-q")
    package = Rendered(package.path.rename(tmp_path / "elsewhere"), package.answers)
    before = package.files()
    skill = package.skill / "SKILL.md"
    edit(skill, "Turn a CSV file into a Markdown table with a script, not by hand", "My {{ own }} words")
    edit(skill, f"description: {package.answers['skill_description']}", "description: My own. Use when I say so.")
    edit(package.path / "pyproject.toml", 'version = "0.1.0"', 'version = "1.2.3"')
    edit(package.path / "pyproject.toml", "dependencies = []", 'dependencies = ["tabulate"]')
    with (package.path / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("\n[tool.mine]\nanswer = 42\n")
    edit(package.path / "README.md", "A skill for agents, in a Python package.", "My introduction.")
    second_release(releases)

    update(package)

    text = skill.read_text(encoding="utf-8")
    pyproject = tomllib.loads((package.path / "pyproject.toml").read_text(encoding="utf-8"))
    readme = (package.path / "README.md").read_text(encoding="utf-8")
    assert "description: My own. Use when I say so." in text
    assert "My {{ own }} words" in text
    assert "Say that it is empty." in text
    assert pyproject["project"]["version"] == "1.2.3"
    assert pyproject["project"]["dependencies"] == ["tabulate"]
    assert pyproject["project"]["description"] == package.answers["skill_description"]
    assert pyproject["tool"]["mine"] == {"answer": 42}
    assert pyproject["tool"]["new"] == {}
    assert pyproject["tool"]["pytest"]["ini_options"]["log_level"] == "INFO"
    assert "My introduction." in readme
    assert "So does `hatch test`." in readme
    assert set(package.files()) == {*before, package.path / "NEWS.md"}
    assert not [path for path in package.files() if CONFLICT_MARKER.search(path.read_text(encoding="utf-8"))]
    script = package.skill / "scripts/to_markdown.py"
    assert '"""Write a CSV file' in script.read_text(encoding="utf-8")
    assert script.stat().st_mode & 0o777 == 0o755


@pytest.fixture(scope="module")
def updated(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Rendered:
    """Return an updated package, whose author has another skill in place of the example."""
    releases = shutil.copytree(template, tmp_path_factory.mktemp("releases") / "template")
    path = tmp_path_factory.mktemp("updated") / "package"
    data = {"skill_name": "tide-tables", "layout": "root"}
    copier.run_copy(str(releases), path, data=data, answers_file=".skills.yml", defaults=True, quiet=True)
    package = Rendered(path, data)
    git(path, "init", "-q")
    git(path, "add", "--all")
    git(path, "commit", "-qm", "Start from the template")
    (path / "skills/mine").mkdir()
    (path / "skills/mine/SKILL.md").write_text("---\nname: mine\n", encoding="utf-8")
    shutil.rmtree(path / "skills/tide-tables")
    second_release(releases)

    update(package, answers_file=".skills.yml")

    return package


def test_deleted_example_stays_deleted(updated: Rendered) -> None:
    """An author who put another skill in place of the example does not get the example back."""
    assert (updated.path / "NEWS.md").is_file()
    assert [path.name for path in (updated.path / "skills").iterdir()] == ["mine"]


def test_answers_file_may_have_another_name(updated: Rendered) -> None:
    """With `-a`, the answers are written to and read from the file that it names."""
    recorded = yaml.safe_load((updated.path / ".skills.yml").read_text(encoding="utf-8"))

    assert recorded["_commit"] == "v2.0.0"
    assert recorded["skill_name"] == "tide-tables"
    assert not (updated.path / ".copier-answers.yml").exists()
    assert "edit `.skills.yml`" in (updated.path / "README.md").read_text(encoding="utf-8")


def test_new_release_is_announced(releases: Path, tmp_path: Path) -> None:
    """`copier check-update` ends with status 2 as soon as the template has a newer release."""
    package = render(releases, tmp_path / "package")
    git(package.path, "init", "-q")
    git(package.path, "add", "--all")
    git(package.path, "commit", "-qm", "Start from the template")
    second_release(releases)

    check = [sys.executable, "-m", "copier", "check-update", "--quiet"]

    assert subprocess.run(check, cwd=package.path, check=False).returncode == 2

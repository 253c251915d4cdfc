"""Wheels and sdists, whole and hostile: their skills, their facts, and one kind of error."""

from __future__ import annotations

import contextlib
import gzip
import io
import struct
import tarfile
import time
import tracemalloc
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_skills.core.archive import Archive, ArchiveError, open_archive
from hatch_skills.core.members import CONTENT_LIMIT, MEMBER_LIMIT, SIZE_LIMIT, Members
from hatch_skills.core.skill import FILE_LIMIT, Member
from tests.making import skill_text

A = skill_text("a").encode()
SKILL = "demo/.agents/skills/a/SKILL.md"
INFO = "demo-1.0.dist-info/"
POINT = "[opm.agents.skill_md]\na = demo:X\n"
LINK = 0o120777 << 16


def zipped(
    members: Mapping[str, str | bytes], links: Mapping[str, str] | None = None, twice: Sequence[str] = ()
) -> bytes:
    """The bytes of a zip file."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, data in [*members.items(), *((name, "again") for name in twice)]:
            archive.writestr(name, data)
        for name, target in (links or {}).items():
            info = zipfile.ZipInfo(name)
            info.external_attr = LINK
            archive.writestr(info, target)
    return stream.getvalue()


def taped(members: Sequence[tuple[str, bytes, bytes, str]]) -> bytes:
    """The bytes of a tar file: name, data, type and link name of each member."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data, kind, link in members:
            info = tarfile.TarInfo(name)
            info.size, info.type, info.linkname = len(data), kind, link
            archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def files(members: Mapping[str, bytes]) -> list[tuple[str, bytes, bytes, str]]:
    """Regular members for `taped`."""
    return [(name, data, tarfile.REGTYPE, "") for name, data in members.items()]


def wheel(place: Path, members: Mapping[str, str | bytes], **options: object) -> Archive:
    """A wheel with these members and a METADATA, opened."""
    path = place / "demo-1.0-py3-none-any.whl"
    base = {f"{INFO}METADATA": "Metadata-Version: 2.1\nName: Demo\nVersion: 1.0\n"}
    path.write_bytes(zipped({**base, **members}, **options))  # type: ignore[arg-type]
    return open_archive(path, path.name)


def sdist(place: Path, tape: bytes) -> Archive:
    """A tar file as an sdist, opened."""
    path = place / "demo-1.0.tar.gz"
    path.write_bytes(gzip.compress(tape, 1))
    return open_archive(path, path.name)


def use(archive: Archive) -> None:
    """Do everything that a check does with an archive."""
    for skill in archive.skills():
        for member in skill.members.values():
            if member.kind == "file":
                member.read()
    archive.record()
    archive.distribution()


def refusal(path: Path) -> str:
    """Why an archive is refused, when it is opened or its skills are asked for."""
    with pytest.raises(ArchiveError) as error:
        use(open_archive(path))
    return str(error.value)


# ---------------------------------------------------------------------------------------------------- what is found


def test_a_wheel_gives_its_skills_and_their_files(tmp_path: Path) -> None:
    """Each SKILL.md is a skill with the members below it, sorted, and knows where it comes from."""
    archive = wheel(
        tmp_path, {"demo/z/SKILL.md": A, SKILL: A, f"{SKILL[:-8]}x/y.txt": "y", "demo/.agents/skills/ab": "no"}
    )
    first, second = archive.skills()
    assert [first.path, second.path] == [SKILL, "demo/z/SKILL.md"]
    assert list(first.members) == ["SKILL.md", "x/y.txt"]
    assert (first.directory, first.origin, first.archive, first.found) == ("a", "wheel", archive.shown, "file")
    assert first.members["x/y.txt"].read() == b"y"
    assert (archive.kind, archive.top, archive.info) == ("wheel", "", "demo-1.0.dist-info")


def test_an_sdist_has_a_top_directory(tmp_path: Path) -> None:
    """The one directory at the root is known; with two there is none."""
    assert sdist(tmp_path, taped(files({"demo-1.0/a/SKILL.md": A}))).top == "demo-1.0"
    assert sdist(tmp_path, taped(files({"demo-1.0/x": b"", "y": b""}))).top == ""
    path = tmp_path / "demo-1.0.zip"
    path.write_bytes(zipped({"demo-1.0/a/SKILL.md": A}))
    assert (open_archive(path).kind, open_archive(path).top) == ("sdist", "demo-1.0")


def test_case_variants_count_where_they_look_like_skills(tmp_path: Path) -> None:
    """`skill.md` is one where it begins like front matter and has no proper neighbour."""
    members: dict[str, str | bytes] = {
        "a/skill.md": A,
        "b/Skill.md": "# no",
        "c/SKILL.md": A,
        "c/skill.md": A,
        "skill.md": A,
    }
    assert [skill.path for skill in wheel(tmp_path, members).skills()] == ["a/skill.md", "c/SKILL.md", "skill.md"]
    members = {"skill.md": A, "SKILL.md": A}
    assert [skill.path for skill in wheel(tmp_path, members).skills()] == ["SKILL.md"]


def test_library_data_lies_where_it_is_installed(tmp_path: Path) -> None:
    """Members below `.data/purelib` and `.data/platlib` have the paths that an installer gives them; others stay."""
    archive = wheel(
        tmp_path,
        {
            f"demo-1.0.data/purelib/{SKILL}": A,
            "demo-1.0.data/data/share/b/SKILL.md": A,
            f"{INFO}RECORD": f"demo-1.0.data/purelib/{SKILL},sha256=x,3\n",
        },
    )
    assert [skill.path for skill in archive.skills()] == ["demo-1.0.data/data/share/b/SKILL.md", SKILL]
    assert sorted(archive.record() or {}) == [SKILL]
    assert archive.distribution().record == ((SKILL, SKILL),)


def test_directories_are_no_members(tmp_path: Path) -> None:
    """Entries for directories are passed, in both formats."""
    assert wheel(tmp_path, {"demo/": "", SKILL: A}).members.keys() == {SKILL, f"{INFO}METADATA"}
    tape = taped([("demo-1.0", b"", tarfile.DIRTYPE, ""), *files({"./demo-1.0/x": b""})])
    assert list(sdist(tmp_path, tape).members) == ["demo-1.0/x"]


def test_paths_that_come_twice_are_named(tmp_path: Path) -> None:
    """The last one counts, and the archive knows that there was another."""
    archive = wheel(tmp_path, {SKILL: A}, twice=[SKILL])
    assert (archive.duplicates, archive.skills()[0].data) == ((SKILL,), b"again")
    archive = sdist(tmp_path, taped([*files({"d/x": b"1"}), *files({"./d/x": b"2"})]))
    assert (archive.duplicates, archive.members["d/x"].read()) == (("d/x",), b"2")


def test_links_know_where_they_lead(tmp_path: Path) -> None:
    """A link of an archive is a link, with its target, and is outside where it leaves the skill."""
    aims = {
        "in": "x/y",
        "up": "../..",
        "out": "../b/z",
        "root": "/etc/passwd",
        "far": "../../../../../../x",
        "near": "../ab",
    }
    archive = wheel(tmp_path, {SKILL: A}, links={f"{SKILL[:-8]}{name}": aim for name, aim in aims.items()})
    members = archive.skills()[0].members
    assert {name: (members[name].kind, members[name].target) for name in aims} == {
        n: ("link", a) for n, a in aims.items()
    }
    assert {name for name in aims if members[name].outside} == {"out", "root", "far", "near"}
    tape = taped([*files({"d/a/SKILL.md": A}), *((f"d/a/{n}", b"", tarfile.SYMTYPE, a) for n, a in aims.items())])
    members = sdist(tmp_path, tape).skills()[0].members
    assert {name for name in aims if members[name].outside} == {"out", "root", "far", "near"}


def test_a_link_is_no_skill_file(tmp_path: Path) -> None:
    """A SKILL.md that is a link in a wheel is a skill without a file: no installer follows it."""
    (skill,) = wheel(tmp_path, {"x": A}, links={SKILL: "../../../../x"}).skills()
    assert (skill.found, skill.linked, skill.data) == ("missing", True, b"")


def test_other_kinds_of_tar_members(tmp_path: Path) -> None:
    """A hard link is the file that it is linked to, with its size; pipes and devices are no files."""
    tape = taped(
        [
            *files({"d/a/SKILL.md": A, "d/a/x": b"xyz"}),
            ("d/a/hard", b"", tarfile.LNKTYPE, "d/a/x"),
            ("d/a/pipe", b"", tarfile.FIFOTYPE, ""),
            ("d/a/device", b"", tarfile.CHRTYPE, ""),
        ]
    )
    members = sdist(tmp_path, tape).skills()[0].members
    kinds = {"SKILL.md": "file", "device": "other", "hard": "file", "pipe": "other", "x": "file"}
    assert {path: member.kind for path, member in members.items()} == kinds
    assert (members["hard"].size, members["hard"].read()) == (3, b"xyz")


# ---------------------------------------------------------------------------------------------------- facts of wheels


def test_record_is_csv(tmp_path: Path) -> None:
    """Quotes, commas and both line ends are read as CSV says; odd rows are passed, and what follows no CSV is lost."""
    rows = 'a.py,sha256=x,1\r\n"b,""c"".py",sha256=y,2\n\nshort,row\n"d\ne.py",,\n./f.py,sha256=z,3,more\n'
    archive = wheel(tmp_path, {f"{INFO}RECORD": rows})
    assert archive.record() == {
        "a.py": ("sha256=x", "1"), 'b,"c".py': ("sha256=y", "2"), "d\ne.py": ("", ""), "f.py": ("sha256=z", "3"),
    }  # fmt: skip
    assert wheel(tmp_path, {}).record() is None
    assert wheel(tmp_path, {f"{INFO}RECORD": b"\xff,,\n"}).record() == {"\ufffd": ("", "")}
    huge = wheel(tmp_path, {f"{INFO}RECORD": "a.py,,\n" + "x" * 200_000 + ",,\nb.py,,\n"})
    assert huge.record() == {"a.py": ("", "")}


@pytest.mark.parametrize(
    ("metadata", "name", "version"),
    [
        ("Metadata-Version: 2.1\nName: Demo\nVersion: 1.0\n", "Demo", "1.0"),
        ("Name: Demo\r\nVersion: 1.0\r\n\r\nName: Other\n", "Demo", "1.0"),
        ("", "demo", ""),
        ("\n\nName: late\n", "demo", ""),
        (b"\xff\xfe\0\0", "demo", ""),
        ("no header\nName: x\n", "demo", ""),
        ("Name: gr\u00f6\u00dfe\n", "gr\u00f6\u00dfe", ""),
    ],
)
def test_broken_metadata_leaves_the_name_of_the_file(
    tmp_path: Path, metadata: str | bytes, name: str, version: str
) -> None:
    """Name and version are those of METADATA as far as it is any."""
    distribution = wheel(tmp_path, {f"{INFO}METADATA": metadata}).distribution()
    assert (distribution.name, distribution.version) == (name, version)


_OS = "import os\nX = os.path.join(os.path.dirname(__file__), "
_PATH = "from pathlib import Path\nX = "


@pytest.mark.parametrize(
    ("source", "value", "path", "problem"),
    [
        ("X = __file__", "demo:X", "demo/__init__.py", ""),
        (f"{_OS}'.agents', 'skills', 'a', 'SKILL.md')", "demo:X", SKILL, ""),
        (f"{_OS}'x/../.agents/skills/a/SKILL.md')", "demo : X", SKILL, ""),
        ("X = __file__", "demo:X [extra]", "demo/__init__.py", ""),
        ("X = __file__", "demo", None, "'demo' is no object reference (module:attribute)"),
        ("X = __file__", "de-mo:X", None, "'de-mo:X' is no object reference (module:attribute)"),
        ("X = __file__", "other:X", None, "the module 'other' is not there (other.py)"),
        ("X = __file__", "demo:Y", None, "demo/__init__.py does not bind 'Y'"),
        ("X = (", "demo:X", None, "demo/__init__.py is no Python: line 1: '(' was never closed"),
        (f"X = {SKILL!r}", "demo:X", None, f"X is {SKILL!r}, which depends on where one works"),
        ("X = '/etc/SKILL.md'", "demo:X", None, "X names '/etc/SKILL.md', which is not there"),
        (f"{_PATH}Path(__file__)", "demo:X", "demo/__init__.py", "X is a Path, and only text is taken"),
        (f"{_PATH}str(Path(__file__).parents[2] / {SKILL!r})", "demo:X", None, f"X names '../{SKILL}', which is not there"),
    ],
)  # fmt: skip
def test_entry_points_are_followed_in_the_source(
    tmp_path: Path, source: str, value: str, path: str | None, problem: str
) -> None:
    """Where an entry point leads is read from the module; what leads nowhere has its reason."""
    members: dict[str, str | bytes] = {
        "demo/__init__.py": source,
        SKILL: A,
        f"{INFO}entry_points.txt": f"[opm.agents.skill_md]\na = {value}\n",
    }
    (point,) = wheel(tmp_path, members).entry_points()
    assert (point.name, point.value, point.path, point.problem, point.certain) == ("a", value, path, problem, True)


@pytest.mark.parametrize("source", ["X = f()", "from demo.x import X", "from demo.x import *", "class X:\n    y = 'a'"])
def test_what_the_source_does_not_tell_is_uncertain(tmp_path: Path, source: str) -> None:
    """An entry point that only running the module would explain has no problem, and is not certain."""
    value = "demo:X.y" if source.startswith("class") else "demo:X"
    members: dict[str, str | bytes] = {
        "demo/__init__.py": source,
        f"{INFO}entry_points.txt": f"[opm.agents.skill_md]\na = {value}\n",
    }
    (point,) = wheel(tmp_path, members).entry_points()
    assert (point.path, point.problem, point.certain) == (None, "", False)


def test_modules_are_found_as_python_finds_them(tmp_path: Path) -> None:
    """A package wins over a module of its name, and a compiled module is uncertain."""
    base: dict[str, str | bytes] = {
        f"{INFO}entry_points.txt": POINT, "demo/__init__.py": "X = __file__", "demo.py": "",
    }  # fmt: skip
    assert wheel(tmp_path, base).entry_points()[0].path == "demo/__init__.py"
    compiled: dict[str, str | bytes] = {f"{INFO}entry_points.txt": POINT, "demo.cpython-312-x86_64-linux-gnu.so": ""}
    assert not wheel(tmp_path, compiled).entry_points()[0].certain


@pytest.mark.parametrize(
    "text", [POINT + "oops\n", b"[opm.agents.skill_md]\na = demo:X\nb = demo:\xff\n", "[x]\ny\n" + POINT]
)
def test_a_malformed_entry_points_file_hides_everything(tmp_path: Path, text: str | bytes) -> None:
    """A line without `=` and bytes that are no text are a problem of every entry point in the file."""
    distribution = wheel(tmp_path, {"demo/__init__.py": "X = __file__", f"{INFO}entry_points.txt": text}).distribution()
    assert distribution.problems[0].startswith("entry_points.txt cannot be read: ")
    assert all(point.problem == distribution.problems[0] for point in distribution.entry_points)
    assert distribution.entry_points[0].name == "a"


# ---------------------------------------------------------------------------------------------------- hostile archives


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    """Files that are missing, empty or of another kind are refused with the reader's own words."""
    assert refusal(tmp_path / "gone.whl") == "there is no such file"
    assert refusal(tmp_path / "gone.tar.gz") == "there is no such file"
    for name in ("x.whl", "x.zip", "x.tar.gz", "x.tgz"):
        for data in (
            b"",
            b"x",
            b"PK\x03\x04",
            b"\x1f\x8b",
            b"\x1f\x8b\x08",
            zipped({"a": "b"}),
            gzip.compress(b"x" * 999),
        ):
            path = tmp_path / name
            path.write_bytes(data)
            if not (name in ("x.whl", "x.zip") and data == zipped({"a": "b"})):
                assert refusal(path)
        path.unlink()
        path.mkdir()
        assert refusal(path)


def test_a_tar_inside_of_another_compression_is_refused(tmp_path: Path) -> None:
    """An sdist is unpacked once, so that nothing can be hidden in layers of compression."""
    path = tmp_path / "x.tar.gz"
    path.write_bytes(gzip.compress(gzip.compress(taped(files({"d/x": b""})))))
    assert refusal(path)


@pytest.mark.parametrize(
    "name", ["/etc/SKILL.md", "../SKILL.md", "demo/../../SKILL.md", "..", "//x", "demo-1.0.data/purelib/../x"]
)
def test_a_member_that_leaves_the_archive_is_refused(tmp_path: Path, name: str) -> None:
    """Absolute paths and those that climb out are refused before anything is installed."""
    path = tmp_path / "x.whl"
    path.write_bytes(zipped({name: A}))
    tape = tmp_path / "x.tar.gz"
    tape.write_bytes(gzip.compress(taped(files({name: A}))))
    if "purelib" not in name:
        assert refusal(path).endswith("leaves the archive")
        assert refusal(tape).endswith("leaves the archive")
    else:
        assert "demo-1.0.data/x" in open_archive(path).members


def test_two_metadata_directories_are_refused(tmp_path: Path) -> None:
    """Installers take a wheel with one only."""
    path = tmp_path / "x.whl"
    path.write_bytes(zipped({"a-1.dist-info/METADATA": "", "b-1.dist-info/METADATA": ""}))
    assert refusal(path) == "it has 2 metadata directories: a-1.dist-info, b-1.dist-info"


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    """A wheel with a password is refused when it is opened."""
    data = bytearray(zipped({"demo/x": "y"}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    path = tmp_path / "x.whl"
    path.write_bytes(data)
    assert refusal(path) == "demo/x is encrypted"


def test_a_broken_member_breaks_the_skill_and_nothing_else(tmp_path: Path) -> None:
    """Bytes that fail their checksum are noticed with the skill that they belong to, not in the midst of a check."""
    path = tmp_path / "x.whl"
    for name, refused in (
        (SKILL, True),
        (f"{SKILL[:-8]}x.txt", True),
        (f"{INFO}RECORD", True),
        ("demo/other.txt", False),
    ):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:  # stored, so that the bytes can be found
            for member in {SKILL: A, f"{INFO}METADATA": b"", name: b"mark me"}.items():
                archive.writestr(*member)
        path.write_bytes(stream.getvalue().replace(b"mark me", b"MARK ME"))
        if refused:
            assert refusal(path) == f"{name}: Bad CRC-32 for file {name!r}"
        else:
            use(open_archive(path))


def test_a_module_that_cannot_be_read_is_a_problem_of_its_entry_point(tmp_path: Path) -> None:
    """The archive stays readable; the entry point leads nowhere."""
    data = zipped({f"{INFO}entry_points.txt": POINT, "demo.py": "mark me" * 9})
    path = tmp_path / "x.whl"
    place = data.index(b"demo.py") + 7
    path.write_bytes(data[:place] + b"\xff" + data[place + 1 :])
    (point,) = open_archive(path).entry_points()
    assert point.problem.startswith("demo.py: ")


def _declared(data: bytes, name: bytes, size: int) -> bytes:
    """A zip file whose headers give another unpacked size for one member."""
    patched = bytearray(data)
    for mark, place, head in ((b"PK\x03\x04", 22, 30), (b"PK\x01\x02", 24, 46)):
        at = data.index(mark)
        while data[at + head : at + head + len(name)] != name:
            at = data.index(mark, at + 1)
        patched[at + place : at + place + 4] = struct.pack("<L", size)
    return bytes(patched)


@pytest.mark.parametrize("size", [CONTENT_LIMIT + 1, 2**32 - 2, 5, len(A) + 1])
def test_a_declared_size_is_held_to(tmp_path: Path, size: int) -> None:
    """A member that declares too much is refused unread, one that declares something else than it holds when read."""
    path = tmp_path / "x.whl"
    path.write_bytes(_declared(zipped({SKILL: A}), SKILL.encode(), size))
    tracemalloc.start()
    reason = refusal(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert SKILL in reason
    assert ("at most" in reason) == (size > CONTENT_LIMIT)
    assert peak < 20_000_000


def test_a_large_resource_is_read_whole(tmp_path: Path) -> None:
    """A resource that is larger than a SKILL.md may be is compared with all its bytes; a SKILL.md is cut."""
    large = bytes(FILE_LIMIT + 1000)
    archive = wheel(tmp_path, {SKILL: A + large, f"{SKILL[:-8]}x.bin": large})
    (skill,) = archive.skills()
    assert skill.members["x.bin"].read() == large
    assert len(skill.data) == FILE_LIMIT + 1
    skill = sdist(tmp_path, taped(files({"d/a/SKILL.md": A, "d/a/x.bin": large}))).skills()[0]
    assert skill.members["x.bin"].read() == large


@pytest.mark.slow
def test_many_large_skills_are_refused(tmp_path: Path) -> None:
    """What is held in memory is bounded for all SKILL.md of an archive together."""
    path = tmp_path / "x.whl"
    path.write_bytes(zipped({f"a{n}/SKILL.md": bytes(FILE_LIMIT) for n in range(9)}))
    assert refusal(path) == f"its SKILL.md files have more than {CONTENT_LIMIT:,} bytes"


@pytest.mark.slow
def test_an_sdist_that_never_ends_is_refused(tmp_path: Path) -> None:
    """One megabyte that unpacks to more than a gigabyte is given up at the bound."""
    path = tmp_path / "x.tar.gz"
    block = gzip.compress(bytes(64 * 1024**2))
    path.write_bytes(block * (SIZE_LIMIT // (64 * 1024**2) + 1))
    assert refusal(path) == f"it unpacks to more than {SIZE_LIMIT:,} bytes"


def test_a_tar_header_cannot_ask_for_everything(tmp_path: Path) -> None:
    """A header that claims to be as large as the tape is refused, not read into memory."""
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, CONTENT_LIMIT * 2
    assert "at once" in refusal(_tape(tmp_path, info.tobuf() + bytes(2048)))


def test_a_tar_member_may_not_claim_more_than_there_is(tmp_path: Path) -> None:
    """A member that is cut off, and one of terabytes, are refused."""
    for size in (5000, CONTENT_LIMIT + 1, 2**40):
        info = tarfile.TarInfo("d/a/SKILL.md")
        info.size = size
        assert refusal(_tape(tmp_path, info.tobuf(tarfile.GNU_FORMAT) + A + bytes(512)))


def test_chains_of_headers_and_links_end(tmp_path: Path) -> None:
    """Long names that are never followed by a member, and hard links to themselves, are refused."""
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 10
    refusal(_tape(tmp_path, (info.tobuf() + b"name\0".ljust(512, b"\0")) * 3000))
    refusal(_tape(tmp_path, taped([("d/SKILL.md", b"", tarfile.LNKTYPE, "d/SKILL.md")])))
    refusal(_tape(tmp_path, taped([("d/a", b"", tarfile.LNKTYPE, "gone"), *files({"d/SKILL.md": A})])))


def _tape(place: Path, data: bytes) -> Path:
    path = place / "x.tar.gz"
    path.write_bytes(gzip.compress(data, 1))
    return path


@pytest.mark.slow
def test_too_many_members_are_refused(tmp_path: Path) -> None:
    """A zip file with 200,001 members is refused, in bounded time."""
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", 20, 0, 20, *[0] * 8, 6, *[0] * 6)
    directory = b"".join(entry + b"%06d" % number for number in range(MEMBER_LIMIT + 1))
    path = tmp_path / "x.whl"
    path.write_bytes(directory + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 65535, 65535, len(directory), 0, 0))
    begin = time.process_time()
    assert refusal(path) == f"it has more than {MEMBER_LIMIT:,} members"
    assert time.process_time() - begin < 30


def test_members_are_counted_whatever_they_are_called() -> None:
    """A path that comes again and again counts each time."""
    members = Members()
    for _ in range(MEMBER_LIMIT):
        members.take(_MEMBER)
    with pytest.raises(ArchiveError, match="more than 200,000 members"):
        members.take(_MEMBER)


_MEMBER = Member("x", "file")
_WHEEL = zipped(
    {
        SKILL: A, f"{SKILL[:-8]}x.txt": "x" * 50, "demo/__init__.py": "X = __file__", f"{INFO}METADATA": "Name: demo\n",
        f"{INFO}RECORD": f"{SKILL},sha256=x,3\n", f"{INFO}entry_points.txt": POINT,
    },
    {f"{SKILL[:-8]}l": "x.txt"},
)  # fmt: skip
_TAPE = taped(
    [
        *files({"d/PKG-INFO": b"Name: demo\n", "d/a/SKILL.md": A, "d/a/" + "x" * 120: b"y"}),
        ("d/a/h", b"", tarfile.LNKTYPE, "d/a/SKILL.md"),
        ("d/a/l", b"", tarfile.SYMTYPE, "h"),
        *files({"d/ü/SKILL.md": A}),
    ]
)
_changes = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from([b"", b"\0", b"\xff", b"\xff\xff\xff\xff", b"\x7f", b"1"]))
)


def _changed(data: bytes, changes: Sequence[tuple[float, bytes]]) -> bytes:
    for share, piece in changes:
        place = int(share * (len(data) - 1))
        data = data[:place] + piece + data[place + max(1, len(piece)) :]
    return data


@given(_changes, st.floats(0.5, 1))
def test_no_zip_is_too_odd(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[float, bytes]], end: float
) -> None:
    """Whatever is done to the bytes of a wheel, it is read or refused."""
    path = tmp_path_factory.getbasetemp() / "odd.whl"
    data = _changed(_WHEEL, changes)
    path.write_bytes(data[: int(len(data) * end)] if end < 0.6 else data)
    _used_or_refused(path)


@given(_changes, st.booleans())
def test_no_tape_is_too_odd(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[float, bytes]], mend: bool
) -> None:
    """Whatever is done to the bytes of an sdist, checksums mended or not, it is read or refused."""
    data = bytearray(_changed(_TAPE, changes))
    for place in range(0, len(data) - 511 if mend else 0, 512):
        block = data[place : place + 512]
        if block[257:262] == b"ustar":
            data[place + 148 : place + 156] = b"%06o\0 " % (sum(block[:148]) + sum(block[156:]) + 256)
    _used_or_refused(_tape(tmp_path_factory.getbasetemp(), bytes(data)))


def _used_or_refused(path: Path) -> None:
    with contextlib.suppress(ArchiveError):
        use(open_archive(path))

"""Text files and streams."""

import errno
import io
import os
import sys
import threading
from pathlib import Path

import pytest

import ncc_routing as nr
from ncc_routing.core.text_files import (
    is_special,
    is_standard_output,
    name_of,
    open_text,
    read_text,
    replacing,
    require_path,
    require_writable,
    write_bytes,
    write_text,
)
from tests.oracles.system import small_files


def stream(content: bytes) -> io.TextIOWrapper:
    """Return a stream of text with bytes behind it, as standard input."""
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")


def first_line(file: Path) -> str:
    """Return what a table begins with."""
    with open_text(file) as lines:
        return next(lines)


def test_standard_input_is_read_by_its_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """UTF-8 or else Windows' code page, as for a file."""
    monkeypatch.setattr(sys, "stdin", stream("Ö".encode("latin-1")))
    assert read_text(Path("-")) == "Ö"
    monkeypatch.setattr(sys, "stdin", stream(b" \n"))
    with pytest.raises(nr.InstanceError, match="-: file: is empty"):
        read_text(Path("-"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("text alone"))
    assert read_text(Path("-")) == "text alone"


TEXT = "Nº 5 \u2013 3 €, Škoda „x“\nÅrhus\n"
"""What code page 1252 holds, and Latin-1 does not."""


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be"],
)
def test_encodings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    """Of files and of standard input; UTF-16 by its mark."""
    content = TEXT.encode(encoding)
    if encoding[-2:] in ("le", "be"):
        content = "\ufeff".encode(encoding) + content
    file = tmp_path / "a.txt"
    file.write_bytes(content)
    assert read_text(file) == TEXT
    monkeypatch.setattr(sys, "stdin", stream(content))
    assert read_text(Path("-")) == TEXT
    if encoding != "cp1252":  # a line does not tell what the others hold
        assert first_line(file) == TEXT.splitlines(keepends=True)[0]


def test_other_bytes_are_a_text_or_none(tmp_path: Path) -> None:
    """Bytes that code page 1252 lacks are Latin-1's; zeros are no text."""
    file = tmp_path / "a.txt"
    file.write_bytes(b"\x81\xe9")
    assert read_text(file) == "\x81é"
    file.write_bytes(b"\xff\xfeabc")  # an odd number of bytes
    assert read_text(file) == "ÿþabc"
    for content in ("a".encode("utf-16-le"), "a".encode("utf-32")):
        file.write_bytes(content)
        with pytest.raises(nr.InstanceError, match="is not a text file"):
            read_text(file)
    file.write_bytes(("a" * 2**20).encode("utf-16"))
    assert read_text(file) == "a" * 2**20


@pytest.mark.skipif(sys.platform != "linux", reason="names a device")
def test_devices_without_an_end_are_refused() -> None:
    """Nobody waits for their end, or for that of their first line."""
    for read in (read_text, first_line):
        with pytest.raises(
            nr.InstanceError, match="zero: file: is not a text"
        ):
            read(Path("/dev/zero"))


def test_long_files_are_read_whole(tmp_path: Path) -> None:
    """Longer than what is read at a time; a zero byte anywhere is found."""
    file = tmp_path / "a.txt"
    text = "0123456789\n" * 200_000
    file.write_text(text)
    assert read_text(file) == text
    with open_text(file) as lines:
        assert "".join(lines) == text
    file.write_bytes(text.encode() + b"\0")
    with pytest.raises(nr.InstanceError, match="is not a text file"):
        read_text(file)
    file.write_text("a" * 2**20)
    with pytest.raises(nr.InstanceError, match="is not a text file"):
        first_line(file)


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output_is_written_in_order(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The device is not opened anew, which would cut a file behind it."""
    print("before")
    write_text(name, "text\n")
    print("after")
    assert capsys.readouterr().out == "before\ntext\nafter\n"
    assert is_standard_output(name)


def test_files_are_replaced_whole(tmp_path: Path) -> None:
    """Nothing is left of the old one, nor of the part."""
    file = tmp_path / "a.txt"
    file.write_text("a longer text")
    write_text(file, "new")
    assert file.read_text() == "new"
    assert os.listdir(tmp_path) == ["a.txt"]
    assert not is_special(file)
    with pytest.raises(nr.NccRoutingError, match="cannot be written"):
        write_text(tmp_path / "missing" / "a.txt", "new")


def test_a_place_is_tried_without_a_file_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is killed then leaves no empty output."""
    file = tmp_path / "a.txt"
    require_writable(file)
    assert os.listdir(tmp_path) == []
    monkeypatch.setattr(Path, "unlink", lambda *_, **__: None)
    require_writable(file)
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".")
    assert left.suffix == ".part"


def test_an_interrupt_leaves_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even as soon as the part is made."""
    close = os.close

    def interrupt(handle: int) -> None:
        close(handle)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "close", interrupt)
    for write in (require_writable, lambda file: write_bytes(file, b"new")):
        with pytest.raises(KeyboardInterrupt):
            write(tmp_path / "a.txt")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["", "missing/a.txt", "n" * 300])
def test_places_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    """A folder, one that is missing, and a name that is too long."""
    with pytest.raises(nr.NccRoutingError, match="cannot be written"):
        require_writable(tmp_path / name)
    file = tmp_path / "a.txt"
    file.write_text("old")
    require_writable(file)
    assert file.read_text() == "old"


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """The message names the file, and no part stays behind."""
    file = tmp_path / "a.bin"
    write_bytes(file, b"old")
    with small_files(100), pytest.raises(nr.NccRoutingError) as caught:
        write_bytes(file, b"x" * 10_000)
    message = f"{file}: the file cannot be written: "
    assert str(caught.value) == f"{message}{os.strerror(errno.EFBIG)}."
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.bin"]


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    """Or of the file that is replaced."""
    plain, written = tmp_path / "plain", tmp_path / "written"
    plain.touch()
    write_text(written, "text")
    assert written.stat().st_mode == plain.stat().st_mode
    written.chmod(0o600)
    write_text(written, "new")
    assert written.stat().st_mode & 0o777 == 0o600


def test_a_planted_link_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where somebody knew the name of the part."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    monkeypatch.setattr("secrets.token_hex", lambda _: "known")
    (tmp_path / ".a.txt.known.part").symlink_to(victim)
    with pytest.raises(nr.NccRoutingError, match="File exists"):
        write_text(tmp_path / "a.txt", "new")
    assert victim.read_text() == "precious"


def test_names_of_parts_differ(tmp_path: Path) -> None:
    """Two writers of a file do not meet, and a long name fits."""
    file = tmp_path / ("n" * 250)
    with replacing(file) as one, replacing(file) as two:
        assert one != two
        assert one.parent == two.parent == tmp_path
        one.write_text("one")
        two.write_text("two")
    assert file.read_text() == "one"


def test_a_link_of_the_user_stays(tmp_path: Path) -> None:
    """What it points to is replaced."""
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    link.symlink_to(file)
    write_text(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_pipes_stay_pipes(tmp_path: Path) -> None:
    """What is written comes out at the other end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[str] = []
    reader = threading.Thread(
        target=lambda: found.append(pipe.read_text()), daemon=True
    )
    reader.start()
    assert is_special(pipe)
    write_text(pipe, "through")
    reader.join(timeout=10)
    assert found == ["through"]
    assert os.listdir(tmp_path) == ["pipe"]


@pytest.mark.parametrize("value", [None, 123, ["a.vrp"]])
def test_paths_may_be_texts_and_have_names(value: object) -> None:
    """Nothing else is one; standard input has a name of its own."""
    with pytest.raises(nr.ParameterError, match="path of an instance must be"):
        require_path(value, "an instance")
    assert require_path("a/b.vrp", "an instance") == Path("a/b.vrp")
    assert name_of(Path("a/b.vrp")) == "b"
    assert name_of(Path("-")) == "stdin"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="makes a pipe")
def test_a_pipe_is_opened_once(tmp_path: Path) -> None:
    """What tells its encoding is not lost; a writer may write only once."""
    for encoding in ("utf-8", "utf-16"):
        pipe = tmp_path / encoding
        os.mkfifo(pipe)
        content = "first,line\nsecond\n".encode(encoding)
        writer = threading.Thread(target=pipe.write_bytes, args=(content,))
        writer.start()
        with open_text(pipe) as lines:
            assert list(lines) == ["first,line\n", "second\n"]
        writer.join()

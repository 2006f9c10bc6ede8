"""Text files and streams."""

from __future__ import annotations

import io
import os
import sys
import threading
from pathlib import Path

import pytest

from ncc_routing.core.exceptions import (
    InstanceError,
    NccRoutingError,
    ParameterError,
)
from ncc_routing.core.text_files import (
    is_special,
    is_standard_output,
    name_of,
    read_text,
    require_path,
    write_text,
)


def stream(content: bytes) -> io.TextIOWrapper:
    """Return a stream of text with bytes behind it, as standard input."""
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")


def test_standard_input_is_read_by_its_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """UTF-8 or else Latin-1, as for a file."""
    monkeypatch.setattr(sys, "stdin", stream("Ö".encode("latin-1")))
    assert read_text(Path("-")) == "Ö"
    monkeypatch.setattr(sys, "stdin", stream(b" \n"))
    with pytest.raises(InstanceError, match="-: file: is empty"):
        read_text(Path("-"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("text alone"))
    assert read_text(Path("-")) == "text alone"


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
    with pytest.raises(NccRoutingError, match="cannot be written"):
        write_text(tmp_path / "missing" / "a.txt", "new")


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
def test_what_is_no_path_is_refused(value: object) -> None:
    """In terms of the argument, not of what failed on it."""
    with pytest.raises(ParameterError, match="path of an instance must be"):
        require_path(value, "an instance")


def test_paths_may_be_texts_and_have_names() -> None:
    """Standard input has one of its own."""
    assert require_path("a/b.vrp", "an instance") == Path("a/b.vrp")
    assert name_of(Path("a/b.vrp")) == "b"
    assert name_of(Path("-")) == "stdin"

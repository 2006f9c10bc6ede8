"""Files that tests of readers write."""

from pathlib import Path


def written(folder: Path, text: str, name: str = "a.csv") -> Path:
    """Return a file with that text."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file

"""Damage to texts, bytes and structures: small and plausible."""

from __future__ import annotations

import io
import json
import math
import struct
import zipfile
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import random

WORDS: Final = (
    "-1", "0", "-0", "1", "2", "0.5", "2.5", "1e-9", "1e9", "1e18", "1e200",
    "1e308", "1e400", "-1e308", "1e-170", "nan", "inf", "-inf", "Infinity",
    "9" * 20, "4611686018427387904", "9223372036854775807", "2147483648",
    "1_0", "0x10", "\u0661\u0662", "\u00bd", "1,5", "1 1", "", "x", "-",
    "EOF", "EOF EOF", "VEHICLES", "NODE_COORD_SECTION", "CVRP", "EXPLICIT",
    "FULL_MATRIX", "true", "null", "[]", "{}", '"', "'", ";", ",", ":", "#",
    "\t", "\x1b[31m", "\x00", "\ufeff", "\u202e", "A" * 5000, "[" * 3000,
    "../../x",
)  # fmt: skip
"""What a word or a cell may be replaced by."""

VALUES: Final[tuple[object, ...]] = (
    None, True, [], {}, "", "x", "\x1b[31m", 0, -1, 1, 7, 64, 4096, 4097,
    10**9, 2**62, 2**64, 10**30, 0.5, 1e200, 1e-170, math.nan, math.inf,
    [[]], [1, 2], {"x": 1},
)  # fmt: skip
"""What a value of JSON may be replaced by."""

SEPARATORS: Final = (" ", "\t", ",", ":", ";", "\n", "\r\n", "=")


def mutate_text(content: bytes, rng: random.Random) -> bytes:
    """Damage lines, words or separators in one to three places of a text."""
    lines = content.decode().splitlines()
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if not lines:
            break
        place = rng.randrange(len(lines))
        line = lines[place]
        kind = rng.randrange(12)
        if kind == 0:
            del lines[place]
        elif kind == 1:
            lines.insert(place, rng.choice(lines))
        elif kind == 2:
            other = rng.randrange(len(lines))
            lines[place], lines[other] = lines[other], line
        elif kind == 3:
            lines[place] = line[: rng.randrange(len(line) + 1)]
            if rng.random() < 0.3:
                del lines[place + 1 :]
        elif kind == 4:
            old, new = rng.choice(SEPARATORS), rng.choice(SEPARATORS)
            lines[place] = line.replace(old, new)
        else:
            mark = "," if "," in line and rng.random() < 0.8 else " "
            words = line.split(mark)
            idx = rng.randrange(len(words))
            words[idx] = mutate_word(words[idx], rng)
            lines[place] = mark.join(words)
    text = rng.choice(("\n", "\n", "\n", "\r\n", "\r")).join(lines) + "\n"
    return text.encode("utf-8", errors="surrogatepass")


def mutate_word(word: str, rng: random.Random) -> str:
    """Replace a word by one of WORDS, or change a number a little."""
    kind = rng.randrange(10)
    if kind < 7:
        return rng.choice(WORDS)
    try:
        number = float(word)
    except ValueError:
        return word[::-1]
    if kind == 7:
        return repr(number * rng.choice((-1, 0.1, 10, 1e6, 1e12)))
    if kind == 8 and math.isfinite(number):
        return str(int(number) + rng.choice((-1, 1)))
    return word + rng.choice(("e0", ".0", "e2", "_0", ".", "0" * 30))


def mutate_bytes(content: bytes, rng: random.Random) -> bytes:
    """Flip, replace, cut, double or insert some bytes."""
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        if not found:
            break
        place = rng.randrange(len(found))
        length = min(rng.choice((1, 2, 8, 64)), len(found) - place)
        part = slice(place, place + length)
        kind = rng.randrange(10)
        if kind < 4:
            found[place] ^= 1 << rng.randrange(8)
        elif kind < 6:
            found[part] = rng.choice(
                (rng.randbytes(length), b"\xff" * length, b"\0" * length)
            )
        elif kind == 6:
            del found[part]
        elif kind == 7:
            found[place:place] = found[part] * 3
        elif kind == 8:
            found[place:place] = rng.randbytes(length)
        else:
            del found[place:]
    return bytes(found)


def mutate_json(content: bytes, rng: random.Random) -> bytes:
    """Replace one value of a JSON text, or damage it as a text."""
    if rng.randrange(5) == 0:
        return mutate_text(content, rng)
    return json.dumps(_changed(json.loads(content), rng)).encode()


def _changed(value: object, rng: random.Random) -> object:
    """Return a value of JSON with one value inside it replaced."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: _changed(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        place = rng.randrange(len(value))
        return [
            _changed(v, rng) if i == place else v for i, v in enumerate(value)
        ]
    return rng.choice(VALUES)


def mutate_tensors(content: bytes, rng: random.Random) -> bytes:
    """Damage the header of a safetensors file, and keep its length right."""
    # The length of the header in eight bytes, the header in JSON, the data.
    length = struct.unpack("<Q", content[:8])[0]
    header, data = content[8 : 8 + length], content[8 + length :]
    entries = json.loads(header)
    words = entries["__metadata__"]
    key = rng.choice(list(words))
    if rng.random() < 0.4:
        header = mutate_json(header, rng)
    else:
        is_json = words[key][:1] in ("{", "[")
        damage = mutate_json if is_json else mutate_text
        words[key] = damage(words[key].encode(), rng).decode(errors="replace")
        header = json.dumps(entries).encode()
    return struct.pack("<Q", len(header)) + header + data


def mutate_archive(content: bytes, rng: random.Random) -> bytes:
    """Damage one file of an archive as a text, and pack it again."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheets = [name for name in parts if "sheet" in name]
    name = rng.choice([*parts, *4 * sheets])
    # A line for each element, so that lines and words are damaged.
    text = parts[name].replace(b"><", b">\n<")
    parts[name] = rng.choice((mutate_text, mutate_bytes))(text, rng)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return packed.getvalue()


def mutate_arrays(content: bytes, rng: random.Random) -> bytes:
    """Change, cut, retype or leave out one array of a .npz file."""
    with np.load(io.BytesIO(content)) as data:
        arrays = {name: data[name] for name in data.files}
    name = rng.choice(list(arrays))
    array = arrays.pop(name)
    kind = rng.randrange(10)
    if kind < 5 and array.size and array.dtype.kind in "iuf":
        value = rng.choice((-1, 0, 3, 10**6, 2**62, 0.5, np.nan, np.inf))
        # Every number fits into one of these.
        is_real = isinstance(value, float) or array.dtype.kind == "f"
        array = array.astype(float if is_real else np.int64)
        array.flat[rng.randrange(array.size)] = value
    elif kind == 5:
        array = array[: rng.randrange(len(array) + 1)] if array.ndim else array
    elif kind == 6:
        array = array[..., None] if rng.random() < 0.5 else array.ravel()
    elif kind == 7:
        array = array.astype(rng.choice(("U9", "c16", "bool", "f2", "u1")))
    elif kind == 8:
        array = np.concatenate([np.atleast_1d(array)] * 2)
    if rng.random() < 0.95:
        arrays[name] = array
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    return packed.getvalue()

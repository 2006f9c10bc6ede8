"""Damage to texts, bytes and structures: small, seeded, and plausible."""

from __future__ import annotations

import io
import json
import math
import struct
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import random

WORDS: Final = (
    "-1", "0", "-0", "1", "2", "0.5", "2.5", "1e-9", "1e9", "1e18", "1e200",
    "1e308", "1e400", "-1e308", "1e-170", "nan", "inf", "-inf", "Infinity",
    "9" * 20, "4611686018427387904", "9223372036854775807", "2147483648",
    "1_0", "0x10", "\u0661\u0662", "\u00bd", "1,5", "1 1", "", "x", "-",
    "EOF", "EOF EOF",
    "VEHICLES", "NODE_COORD_SECTION", "CVRP", "EXPLICIT", "FULL_MATRIX",
    "true", "null", "[]", "{}", '"', "'", ";", ",", ":", "#", "\t", "\x1b[31m",
    "\x00", "\ufeff", "\u202e", "A" * 5000, "[" * 3000, "../../x",
)  # fmt: skip
"""What a word or a cell may be replaced by."""

SEPARATORS: Final = (" ", "\t", ",", ":", ";", "\n", "\r\n", "=")


def mutate_text(text: str, rng: random.Random) -> str:
    """Damage one to three places of a text.

    Lines are left out, doubled, moved or cut; words are replaced; separators
    are changed.
    """
    lines = text.splitlines()
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if not lines:
            break
        place = rng.randrange(len(lines))
        kind = rng.random()
        if kind < 0.1:
            del lines[place]
        elif kind < 0.17:
            lines.insert(place, rng.choice(lines))
        elif kind < 0.24:
            other = rng.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
        elif kind < 0.28:
            lines[place] = lines[place][: rng.randrange(len(lines[place]) + 1)]
        elif kind < 0.3:
            del lines[place:]
        elif kind < 0.35:
            old, new = rng.choice(SEPARATORS), rng.choice(SEPARATORS)
            lines[place] = lines[place].replace(old, new)
        else:
            lines[place] = replace_word(lines[place], rng)
    return rng.choice(("\n", "\n", "\n", "\r\n", "\r")).join(lines) + "\n"


def replace_word(line: str, rng: random.Random) -> str:
    """Replace one word of a line, or a part between two commas."""
    mark = "," if "," in line and rng.random() < 0.8 else " "
    words = line.split(mark)
    place = rng.randrange(len(words))
    words[place] = mutate_word(words[place], rng)
    return mark.join(words)


def mutate_word(word: str, rng: random.Random) -> str:
    """Replace a word by one of WORDS, or change a number a little."""
    kind = rng.random()
    if kind < 0.7:
        return rng.choice(WORDS)
    try:
        number = float(word)
    except ValueError:
        return word[::-1]
    if kind < 0.8:
        return repr(number * rng.choice((-1, 0.1, 10, 1e6, 1e12)))
    if kind < 0.9 and math.isfinite(number):
        return str(int(number) + rng.choice((-1, 1)))
    return word + rng.choice(("e0", ".0", "e2", "_0", ".", "0" * 30))


def mutate_bytes(content: bytes, rng: random.Random) -> bytes:
    """Flip, cut, double, insert or swap some bytes."""
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        size = len(found)
        if size == 0:
            break
        place = rng.randrange(size)
        length = min(rng.choice((1, 2, 8, 64)), size - place)
        kind = rng.random()
        if kind < 0.35:
            found[place] ^= 1 << rng.randrange(8)
        elif kind < 0.5:
            found[place : place + length] = rng.randbytes(length)
        elif kind < 0.6:
            del found[place : place + length]
        elif kind < 0.7:
            found[place:place] = found[place : place + length] * 3
        elif kind < 0.8:
            found[place:place] = rng.randbytes(length)
        elif kind < 0.9:
            found[place : place + length] = (
                rng.choice((b"\xff", b"\0")) * length
            )
        else:
            del found[place:]
    return bytes(found)


def mutate_tensors(content: bytes, rng: random.Random) -> bytes:
    """Damage the header of a safetensors file, and keep its length right.

    The file is eight bytes with the length of the header, the header in
    JSON, and the data.
    """
    length = struct.unpack("<Q", content[:8])[0]
    header, data = content[8 : 8 + length], content[8 + length :]
    entries = json.loads(header)
    name = rng.choice(list(entries))
    kind = rng.random()
    if kind < 0.6:
        words = entries["__metadata__"]
        key = rng.choice(list(words))
        words[key] = mutate_json(words[key], rng)
    elif kind < 0.7:
        del entries[name]
    elif kind < 0.8:
        entries[mutate_word(name, rng)] = entries.pop(name)
    else:
        header = mutate_json(header.decode(), rng).encode()
        return struct.pack("<Q", len(header)) + header + data
    header = json.dumps(entries).encode()
    return struct.pack("<Q", len(header)) + header + data


def mutate_arrays(content: bytes, rng: random.Random) -> bytes:
    """Change, cut, retype or leave out one array of a .npz file."""
    with np.load(io.BytesIO(content)) as data:
        arrays = {name: data[name] for name in data.files}
    name = rng.choice(list(arrays))
    array = arrays.pop(name)
    shape = array.shape
    kind = rng.random()
    if kind < 0.5 and array.size and array.dtype.kind in "iuf":
        value = rng.choice((-1, 0, 3, 10**6, 2**62, 0.5, np.nan, np.inf))
        # Every number fits into one of these.
        is_real = isinstance(value, float) or array.dtype.kind == "f"
        array = array.astype(float if is_real else np.int64)
        array = array.flatten()
        array[rng.randrange(len(array))] = value
        array = array.reshape(shape)
    elif kind < 0.6:
        array = array[: rng.randrange(len(array) + 1)]
    elif kind < 0.7:
        array = array[..., None] if rng.random() < 0.5 else array.ravel()
    elif kind < 0.8:
        array = array.astype(rng.choice(("U9", "c16", "bool", "f2", "u1")))
    elif kind < 0.9:
        array = np.concatenate([array, array])
    if kind < 0.95:
        arrays[name] = array
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    return packed.getvalue()


def mutate_json(text: str, rng: random.Random) -> str:
    """Replace one value of a JSON text, or damage it as a text."""
    try:
        value = json.loads(text)
    except ValueError:
        return mutate_word(text, rng)
    if rng.random() < 0.2:
        return mutate_text(text, rng)
    return json.dumps(_changed(value, rng))


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
    return rng.choice(
        (
            None, True, [], {}, "", "x", "\x1b[31m", 0, -1, 1, 7, 64, 4096,
            4097, 10**9, 2**62, 2**64, 10**30, 0.5, 1e200, 1e-170,
            float("nan"), float("inf"), [[]], [1, 2], {"x": 1},
        )
    )  # fmt: skip

"""WebAssembly does what plain Python does, under wasmtime and in Node; searches through it find the same to the last state."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import ledger
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wasm_target import as_wasm

from rulewright.subset import intrinsics
from rulewright.subset.buffers import ints, longs
from rulewright.subset.lowering import Source, lower
from rulewright.subset.program import Maker, Program, as_machine_code, as_python
from rulewright.subset.refusal import NotInSubset
from rulewright.subset.to_wasm import START, translate

TEXT = """
def quotient(one: int, other: int) -> int:
    return one // other

def rest(one: int, other: int) -> int:
    return one % other

def eighth(one: int, other: int) -> int:
    return one // 8 * 8 + one % 8 - one + one // 8

def bits(one: int, other: int) -> int:
    return (one & other) ^ ~(one | 5) ^ shift(one, other & 63) ^ (one >> (other & 63))

def extremes(one: int, other: int) -> int:
    return min(one, other) ^ max(one, -7) ^ ones(other) ^ lowest(other | 1024) ^ remainder(one, 1000)

def small(one: int, other: int) -> int:
    return abs(one >> 8) - (other >> 8)

def chain(one: int, other: int) -> int:
    return (one < other <= 9) + 2 * (one in (other, 3, 4)) + 4 * (not one or other > 5 and one != 2)

def choice(one: int, other: int) -> int:
    return TABLE[(one if 0 <= one < 4 else -1) + 1] if other % 2 else LARGE[other & 1]

def before(one: int, other: int) -> int:
    found = TABLE[one % 3 - 3]
    return found - found
"""

LOOPS = """
def primes(words: Ints, found: Longs, most: int) -> int:
    count = 0
    for number in range(2, most):
        words[number] = 1
    for number in range(most - 1, 1, -1):
        at = 2
        while True:
            if at * at > number:
                break
            if number % at == 0:
                words[number] = 0
                break
            at += 1
    for number in range(2, most):
        if not words[number]:
            continue
        found[count] = number
        count += 1
        if count == 40:
            return -1
    return count

def next_place(words: Ints) -> int:
    words[0] += 1
    return words[0]

def placed(words: Ints) -> int:
    words[words[0]] = next_place(words)
    return words[1]
"""

NAMES = {**vars(intrinsics), "TABLE": (7, 1, -2, 3, 4), "LARGE": (1 << 40, -(1 << 62))}
PURE = ("quotient", "rest", "eighth", "bits", "extremes", "small", "chain", "choice", "before")
WORDS = st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(-9, 9)

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


@pytest.fixture(scope="module")
def programs() -> tuple[Program, Program]:
    with as_wasm():
        wasm = as_machine_code([Source(TEXT, NAMES)], PURE)
    return as_python([Source(TEXT, NAMES)], PURE), wasm


@pytest.mark.parametrize("name", PURE)
@given(one=WORDS, other=WORDS.filter(bool))
def test_words_are_as_in_python(programs: tuple[Program, Program], name: str, one: int, other: int) -> None:
    if (one, other) == (-(1 << 63), -1):
        return
    python, wasm = (intrinsics.wrap(getattr(program, name)(one, other)) for program in programs)
    assert python == wasm


def test_loops_and_arrays_are_as_in_python() -> None:
    def done(make: Maker) -> list[object]:
        program = make([Source(LOOPS, NAMES)], ("primes", "placed"))
        words, primes, places = ints(300), longs(60), ints(4)
        counts = program.primes(words, primes, 100), program.primes(words, primes, 300)
        return [counts, list(words.items), list(primes.items), program.placed(places), list(places.items)]

    with as_wasm():
        wasm = done(as_machine_code)
    assert wasm == done(as_python)
    assert wasm[0] == (25, -1)


@pytest.mark.parametrize(
    "body", ["return one + 1.5", "return print(one)", "return unknown[one]", "with one: pass", "return one / 2", "one.two = 3"]
)
def test_what_is_not_in_the_subset_is_refused(body: str) -> None:
    source = Source(f"def odd(one: int) -> int:\n    {body}\n", NAMES)
    with pytest.raises(NotInSubset):
        translate(lower([source], ["odd"]), ["odd"])


@needs_node
def test_a_browser_takes_the_module(tmp_path: Path) -> None:
    """Node has the engine of Chromium."""
    entries = ("primes", "placed")
    (tmp_path / "primes.wasm").write_bytes(translate(lower([Source(LOOPS, NAMES)], entries), entries))
    script = f"""
const memory = new WebAssembly.Memory({{ initial: 4 }});
const code = require("fs").readFileSync("primes.wasm");
WebAssembly.instantiate(code, {{ env: {{ memory }} }}).then(({{ instance }}) => {{
  const {{ primes, placed, end_of_data }} = instance.exports;
  const count = Number(primes({START}, {START} + 1200, 100n));
  const found = Array.from(new BigInt64Array(memory.buffer, {START} + 1200, count), Number);
  console.log(JSON.stringify([end_of_data.value, count, found]));
}});
"""
    done = subprocess.run(["node", "-e", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    words, primes = ints(300), longs(60)
    count = as_python([Source(LOOPS, NAMES)], ["primes"]).primes(words, primes, 100)
    assert json.loads(done.stdout) == [START, count, list(primes.items[:count])]


@pytest.mark.nightly
@pytest.mark.parametrize("puzzle", ["overboard", "red_donkey", "santorini_fork", "lights_fewest", "bishops_eight", "pig_ten"])
def test_answers_are_the_same_to_the_last_state(puzzle: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["ledger.py", "--check", "--wasm", "--only", f"answers {puzzle}"])
    assert ledger.main() == 0

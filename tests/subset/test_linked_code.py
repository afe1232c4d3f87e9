"""Machine code that is linked when it is made, against what LLVM links."""

from __future__ import annotations

import platform
import subprocess
import sys
from struct import pack_into, unpack_from

import pytest

from rulewright.subset import linked_code, llvm
from rulewright.subset.buffers import longs
from rulewright.subset.linked_code import LinkedCode
from rulewright.subset.program import _compiler
from tests.paths import ROOT

pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="elsewhere LLVM links in each process"
)

TEXT = """
@squares = internal constant [5 x i64] [i64 0, i64 1, i64 4, i64 9, i64 16]
@cubes = internal constant [3 x i64] [i64 0, i64 1, i64 8]
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal i64 @inner(i64 %at) noinline {
  %place = getelementptr [5 x i64], ptr @squares, i64 0, i64 %at
  %found = load i64, ptr %place
  ret i64 %found
}

define i64 @sum(i64 %at) {
  %square = call i64 @inner(i64 %at)
  %place = getelementptr [3 x i64], ptr @cubes, i64 0, i64 2
  %cube = load volatile i64, ptr %place
  %found = add i64 %square, %cube
  ret i64 %found
}

define i64 @fill(ptr %words, i64 %bytes) {
  call void @llvm.memset.p0.i64(ptr %words, i8 1, i64 %bytes, i1 false)
  %found = load i64, ptr %words
  ret i64 %found
}

define i64 @chosen(i64 %way) {
  switch i64 %way, label %other [ i64 0, label %a i64 1, label %b i64 2, label %c i64 3, label %d i64 4, label %e ]
a:
  ret i64 17
b:
  %one = call i64 @inner(i64 3)
  ret i64 %one
c:
  %two = call i64 @sum(i64 2)
  ret i64 %two
d:
  %three = call i64 @inner(i64 4)
  ret i64 %three
e:
  ret i64 -5
other:
  ret i64 0
}
"""
"""Tables, calls, a call of the process's `memset`, a table of jumps."""

SIGNATURES = {"sum": ["int"], "fill": ["Longs", "int"], "chosen": ["int"]}


def found(functions: linked_code.Functions) -> list[int]:
    words = longs(3)
    called = [functions["sum"](at) for at in range(5)] + [functions["chosen"](way) for way in range(-1, 7)]
    return [*called, functions["fill"](words, 16), *words.items.tolist()]


def linked(file: bytes) -> LinkedCode:
    code = LinkedCode.of(file)
    assert code is not None
    return code


@pytest.mark.parametrize("compiled", [llvm.to_object, llvm.to_baseline_object])
def test_the_functions_do_what_they_do_when_llvm_links_them(compiled):
    file = compiled(TEXT)
    expected = [8, 9, 12, 17, 24, 0, 17, 9, 12, 16, -5, 0, 0, 0x0101010101010101, 0x0101010101010101, 0x0101010101010101, 0]
    assert found(llvm.load(file, SIGNATURES)) == expected
    code = linked(file)
    assert set(code.starts) >= set(SIGNATURES) and set(code.needs) == {"memset"}
    assert found(code.load(SIGNATURES)) == expected


def relocations(file: bytes) -> list[int]:
    """Where the entries of relocations begin in an object file."""
    (table,), (count,) = unpack_from("<Q", file, 40), unpack_from("<H", file, 60)
    sections = [unpack_from("<IIQQQQIIQQ", file, table + 64 * number) for number in range(count)]
    loaded = {number for number, section in enumerate(sections) if section[2] & linked_code.LOADED}
    wanted = [section for section in sections if section[1] == linked_code.RELOCATIONS and section[7] in loaded]
    return [at for section in wanted for at in range(section[4], section[4] + section[5], 24)]


def test_what_is_not_known_is_left_to_llvm():
    file = bytearray(llvm.to_object(TEXT))
    assert LinkedCode.of(bytes(file)) is not None
    for at in relocations(file):
        for kind in (1, 3, 9, 10, 42):  # an address, a table of addresses, 32 bits of an address
            other = bytearray(file)
            pack_into("<I", other, at + 8, kind)
            assert LinkedCode.of(bytes(other)) is None
    for at, byte in ((4, 1), (5, 2), (18, 183)):  # 32 bits, the greatest byte first, another processor
        other = bytearray(file)
        other[at] = byte
        assert LinkedCode.of(bytes(other)) is None
    written = "@count = global i64 7\ndefine i64 @f() {\n  %a = load i64, ptr @count\n  ret i64 %a\n}\n"
    assert LinkedCode.of(llvm.to_object(written)) is None
    elsewhere = "@count = external dso_local global i64\ndefine i64 @f() {\n  %a = load i64, ptr @count\n  ret i64 %a\n}\n"
    assert LinkedCode.of(llvm.to_object(elsewhere)) is None


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("places[number] + more - place", "places[number] - place"),
        ("- place)", "- place + 1)"),
        ("= loaded[section.target] + offset", "= offset + 1"),
    ],
)
def test_a_fault_of_the_linker_is_noticed(right, wrong):
    """Planted faults. Each may end the process."""
    source = (ROOT / "src" / "rulewright" / "subset" / "linked_code.py").read_text()
    assert source.count(right) == 1
    probe = (
        "from rulewright.subset import linked_code\n"
        f"exec(compile({source.replace(right, wrong)!r}, 'faulty', 'exec'), vars(linked_code))\n"
        "from tests.subset import test_linked_code as own\nown.LinkedCode = linked_code.LinkedCode\n"
        "own.test_the_functions_do_what_they_do_when_llvm_links_them(own.llvm.to_object)\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode != 0


def test_the_compiler_is_asked_once(tmp_path, monkeypatch):
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    asked = []
    monkeypatch.setattr(llvm, "compiler", lambda: asked.append(1) or "a processor")
    for _ in range(3):
        _compiler.cache_clear()
        assert _compiler() == "a processor"
    assert asked == [1]
    monkeypatch.setattr("rulewright.subset.program.look_of", lambda path: "another version")
    _compiler.cache_clear()
    assert _compiler() == "a processor" and asked == [1, 1]
    _compiler.cache_clear()

"""Machine code is loaded wherever there is room."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.paths import ROOT

FAR_APART = """
import ctypes
from rulewright.subset import llvm

LOADS = "".join(f"  %v{n} = load volatile i64, ptr %place\\n  %s{n + 1} = add i64 %s{n}, %v{n}\\n" for n in range(3000))
code = llvm.to_baseline_object(
    "@table = constant [4 x i64] [i64 1, i64 2, i64 3, i64 4]\\n"
    "define i64 @f(i64 %at) {\\n  %place = getelementptr [4 x i64], ptr @table, i64 0, i64 %at\\n  %s0 = add i64 %at, 0\\n"
    f"{LOADS}  ret i64 %s3000\\n}}\\n"
)

libc = ctypes.CDLL(None)
libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]

def reserve(size):
    return libc.mmap(None, size, 0, 0x4022, -1, 0)  # MAP_PRIVATE, MAP_ANONYMOUS, MAP_NORESERVE

wall = reserve(5 << 30)
pages = [reserve(4096) for _ in range(2000)]
for size in (1 << 20, 1 << 16, 1 << 15, 1 << 14):  # above the wall only single pages are left
    while reserve(size) > wall:
        pass
for page in pages[::2]:
    libc.munmap(page, 4096)
print(llvm.load(code, {"f": ["int"]})["f"](2))
"""
"""Leaves a gap of one page, for data, more than two gigabytes above the first that takes the code."""


@pytest.mark.skipif(sys.platform != "linux", reason="reserves addresses as Linux does")
def test_code_reaches_its_data_though_a_large_mapping_lies_between_the_gaps() -> None:
    """The process was aborted."""
    done = subprocess.run([sys.executable, "-c", FAR_APART], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "9002\n"), done.stderr

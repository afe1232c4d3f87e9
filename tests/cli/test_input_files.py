"""Files as they come: with a byte order mark, in another encoding, not regular; every command in a project that has them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.testing.authors import run_pytest

MARK = b"\xef\xbb\xbf"
COMMANDS = [
    ("list",),
    ("list", "--all", "--json"),
    ("check", "shoals"),
    ("solve", "narrows"),
    ("show", "narrows"),
    ("trace", "shoals"),
    ("fmt", "--check", "."),
]


def timeless(text: str) -> str:
    return re.sub(r"[0-9.]+ s\b", "", text)


def text_of(name: str) -> bytes:
    return Path(name).read_bytes()


def test_a_byte_order_mark_is_skipped_and_fmt_keeps_it(call):
    for name in ("shoals.rules", "narrows.puzzle"):
        Path(name).write_bytes(MARK + text_of(name))
    assert call("check", "shoals").status == 0
    assert call("check", "narrows").status == 0
    assert "narrows" in call("list", "narrows").out
    assert call("fmt", "--check", ".").status == 0
    assert call("fmt", "shoals.rules", "narrows.puzzle").status == 0
    assert text_of("shoals.rules").startswith(MARK + b"m") and text_of("narrows.puzzle").startswith(MARK + b"p")


def test_the_place_of_a_flaw_does_not_count_the_mark(call):
    Path("ill.rules").write_bytes(MARK + b"modul ill\n")
    (error,) = call("check", "ill.rules", "--json").json["errors"]
    assert (error["code"], error["line"], error["column"]) == ("RW009", 1, 1)


def test_bytes_that_are_not_utf8_are_called_that(call):
    Path("ill.rules").write_bytes(b'module ill:\n    "A caf\xe9."\n')
    done = call("check", "ill.rules")
    assert done.status == 2
    assert done.err == (
        "error[RW025]: the byte 0xE9 at offset 22 is not valid UTF-8\n"
        " --> ill.rules:2:11\n"
        "  |\n"
        '2 |     "A caf\ufffd."\n'
        "  |           ^\n"
        "  = help: save the file as UTF-8\n"
    )
    (error,) = call("fmt", "ill.rules", "--json").json["errors"]
    assert (error["code"], error["file"], error["line"], error["column"]) == ("RW025", "ill.rules", 2, 11)


def test_one_file_in_another_encoding_leaves_the_others_usable(call):
    Path("ill.rules").write_bytes(b"module ill:\n    \"A caf\xe9.\"\n")  # fmt: skip
    Path("odd.puzzle").write_bytes(b"puzzle odd:\n    \"A caf\xe9.\"\n    rules shoals\n")  # fmt: skip
    assert "odd" in call("list", "--all").out
    assert call("check", "narrows").status == 0
    assert call("show", "odd").status == 2


def spoil(kind: str, name: str) -> None:
    if kind == "named pipe":
        os.mkfifo(name)
    elif kind == "folder":
        Path(name).mkdir()
    else:
        Path(name).symlink_to("/dev/zero")


@pytest.mark.parametrize("suffix", ["rules", "puzzle", "play"])
@pytest.mark.parametrize("kind", ["named pipe", "folder", "device"])
def test_what_is_no_regular_file_is_refused(kind, suffix, call):
    spoil(kind, f"x.{suffix}")
    done = call("replay" if suffix == "play" else "check", f"x.{suffix}")
    assert (done.status, done.err.splitlines()[0]) == (2, f"error[RW026]: `x.{suffix}` is no regular file but a {kind}")


def test_fmt_and_trace_refuse_a_named_pipe(call):
    os.mkfifo("x.rules")
    for command in (("fmt", "x.rules"), ("trace", "shoals", "x.rules")):
        assert call(*command).err.startswith("error[RW026]: ")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_passes_over_what_is_no_regular_file(command, call):
    before = call(*command)
    for suffix in ("rules", "puzzle", "play"):
        os.mkfifo(f"x.{suffix}")
        Path(f"zero.{suffix}").symlink_to("/dev/zero")
    # A process of its own with a limit of time: one that opens a pipe waits for ever.
    arguments = [sys.executable, "-m", "rulewright", *command]
    after = subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=False)
    assert (after.returncode, timeless(after.stdout)) == (before.status, timeless(before.out))


def test_the_plugin_passes_over_what_is_no_regular_file(folder):
    for suffix in ("rules", "puzzle", "play"):
        os.mkfifo(f"x.{suffix}")
    assert run_pytest(folder, "--collect-only").status == 0

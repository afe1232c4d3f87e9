"""Which files a solve enters: those with a function that it calls. `python bench/entered.py [PUZZLE]`.

A reader who follows a command through the code opens so many. Files that are only loaded do not count, nor do other processes.
"""

from __future__ import annotations

import inspect
import sys
import threading
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from types import CodeType, FrameType

ROOT = Path(__file__).resolve().parent.parent


def files_entered(arguments: list[str]) -> dict[str, int]:
    """The files of the product that `rulewright` enters with these arguments, each with the number of functions called."""
    from rulewright.cli.main import main

    called: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.add(frame.f_code)

    sys.argv = ["rulewright", *arguments]
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        with redirect_stdout(StringIO()), suppress(SystemExit):
            main()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    found: dict[str, int] = {}
    for code in called:
        path = Path(code.co_filename).resolve()
        # Neither modules nor classes are functions, though Python calls their bodies.
        if code.co_flags & inspect.CO_OPTIMIZED and path.is_file() and path.is_relative_to(ROOT):
            name = path.relative_to(ROOT).as_posix()
            found[name] = found.get(name, 0) + 1
    return dict(sorted(found.items()))


if __name__ == "__main__":
    entered = files_entered(["solve", *(sys.argv[1:] or ["overboard"])])
    for name, functions in entered.items():
        print(f"{functions:5}  {name}")
    print(f"{len(entered)} files")

"""The scripts of pages: notes on the thing under the pointer, and stepping through a plan."""

from __future__ import annotations

from pathlib import Path

THINGS, STEPS = ("\n" + Path(__file__).with_name(name).read_text("utf-8") for name in ("things.js", "steps.js"))

"""A game that a page plays: its code, the memory that it begins with, and the data that names what it does."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

from rulewright.api.start import Start
from rulewright.base.records import frozen
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.machine.runtime import GameMemory
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.subset.buffers import Array
from rulewright.subset.bundles import Bundle
from rulewright.subset.memory_image import CallWriter, ImageKey, MemoryImage

from .game_data import Data, GameData, columns_of

ENTRIES = ("apply", "ask", "chooser", "legal")


def game_module(start: Start) -> Packed:
    """The game from a position, or from its set-up on, which a page does anew each time.

    Raises `CannotCompile` if the game does not fit the compiled subset.
    """
    found = GameData(start)
    data = found.data()
    engine, sets_up = start.engine, start.position is None
    entries = (*ENTRIES, "begin") if sets_up else ENTRIES
    root = engine.unset if sets_up else start.state
    image, calls = MemoryImage(), CallWriter(entries)
    with image.laid_out():
        asked = tuple(found.asked)
        game = CompiledGame(engine, root, (), (), entries, hash_key=ImageKey(), from_start=sets_up, asked=asked)
        machine = game.machine(calls.program)
        if sets_up:
            calls.program.begin(machine.memory)
        for entry in ("legal", "apply", "ask"):
            calls.program.functions[entry](machine.memory, machine.moves, 0)
        calls.program.chooser(machine.memory)
        code = image.module(game.sources, entries)
    data |= {"width": game.text.width, "columns": columns_of(start.engine, game.arrangement)}
    return Packed(code, image, calls.calls, {"memory": memory_of(machine), "game": data})


def memory_of(machine: MachineGame) -> Data:
    """Where slots, registers and moves lie, and what the registers are."""
    memory = machine.memory
    named = [name for name, field in GameMemory.fields.items() if field.array == "registers"]
    return {
        "state": place_of(memory.array_named("state")),
        "registers": place_of(memory.array_named("registers")),
        "moves": place_of(machine.moves),
        "words": words_of(memory, *named),
        "width": machine.game.width,
    }


# A module of WebAssembly ----------------------------------------------------------------------------------------------
# The memory that it begins with and the calls of its entries, as one compressed text.


@frozen
class Packed:
    """`calls` are the arguments of each entry (`CallWriter`), `data` is whatever JavaScript has to know besides."""

    code: bytes
    image: MemoryImage
    calls: Mapping[str, tuple[int | str, ...]]
    data: Mapping[str, Any]

    @property
    def text(self) -> str:
        """All of it in base64, compressed (RFC 1950): the length of a header in four bytes, the header as JSON, then the code
        and the segments of memory, whose lengths the header has."""
        segments = list(self.image.segments())
        header = {"code": len(self.code), "pages": self.image.pages, "calls": dict(self.calls), **self.data}
        header["segments"] = [[one.address, len(one.content)] for one in segments]
        text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
        parts = [len(text).to_bytes(4, "little"), text, self.code, *(one.content for one in segments)]
        return base64.b64encode(zlib.compress(b"".join(parts), 8)).decode()


def words_of(bundle: Bundle, *names: str) -> dict[str, list[Any]]:
    """Where the entries of a bundle lie: address and kind (`i` or `q`)."""
    found: dict[str, list[Any]] = {}
    for name in names:
        field = type(bundle).fields[name]
        array = bundle.array_named(field.array)
        found[name] = [array.address + field.offset * array.items.itemsize, array.items.format]
    return found


def place_of(array: Array) -> list[Any]:
    """Where an array lies: address, kind and length."""
    return [array.address, array.items.format, len(array.items)]

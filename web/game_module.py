"""A game as a module of WebAssembly with the memory that it begins with, and the data that names what it does."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

from rulewright.api.start import Start
from rulewright.base.records import frozen
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.machine.runtime import REGISTERS
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.subset.buffers import Array
from rulewright.subset.memory_image import CallWriter, ImageKey, MemoryImage

from .game_data import Data, GameData, columns_of

ENTRIES = ("apply", "ask", "chooser", "legal")


@frozen
class GameModule:
    """The code of a module, the memory that it begins with, the calls of its entries, and the data of the game.

    `places` are addresses: of the slots of the state, of the registers, of the trail's length in them, and of the moves.
    """

    code: bytes
    image: MemoryImage
    calls: Mapping[str, tuple[int | str, ...]]
    data: Data

    @classmethod
    def of(cls, start: Start) -> GameModule:
        """Raises `CannotCompile` if the game does not fit the compiled subset."""
        found = GameData(start)
        data = found.data()
        image, calls = MemoryImage(), CallWriter(ENTRIES)
        with image.laid_out():
            game = CompiledGame(
                start.engine, start.state, (), (), ENTRIES, hash_key=ImageKey(), asked=tuple(found.asked)
            )
            machine = game.machine(calls.program)
            _call_all(calls, machine)
            code = image.module(game.sources, ENTRIES)
        data |= {"width": game.text.width, "columns": columns_of(start.engine, game.arrangement)}
        data |= {"memory": _places(machine, game.arrangement)}
        return cls(code, image, calls.calls, data)

    @property
    def packed(self) -> bytes:
        """All of it, as one compressed text of JSON (RFC 1951); binary parts in base64."""
        segments = [[one.address, _base64(one.content)] for one in self.image.segments()]
        found = {"code": _base64(self.code), "pages": self.image.pages, "segments": segments, "calls": dict(self.calls)}
        text = json.dumps(found | {"game": self.data}, separators=(",", ":"), ensure_ascii=False)
        return zlib.compress(text.encode(), 9)


def _call_all(calls: CallWriter, machine: MachineGame) -> None:
    program = calls.program
    program.legal(machine.memory, machine.moves, 0)
    program.apply(machine.memory, machine.moves, 0)
    program.ask(machine.memory, machine.moves, 0)
    program.chooser(machine.memory)


def _places(machine: MachineGame, arrangement: Arrangement) -> dict[str, Any]:
    memory = machine.memory
    registers = memory.array_named("registers")
    offsets = {name: one.offset for name, one in type(memory).fields.items() if one.array == "registers"}

    def at(array: Array) -> int:
        return array.address

    return {
        "state": [at(memory.array_named("state")), arrangement.size],
        "registers": [at(registers), REGISTERS, offsets],
        "moves": at(machine.moves),
    }


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()

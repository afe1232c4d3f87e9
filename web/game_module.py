"""A game that a page plays: its code, the memory that it begins with, and the data that names what it does."""

from __future__ import annotations

from rulewright.api.start import Start
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.machine.runtime import GameMemory
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.subset.memory_image import CallWriter, ImageKey, MemoryImage

from .game_data import Data, GameData, columns_of
from .packing import Packed, place_of, words_of

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

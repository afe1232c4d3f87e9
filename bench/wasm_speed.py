"""WebAssembly in Node against machine code: `python bench/wasm_speed.py [ROUNDS]`.

Both run the searches of a page on equal memory, slice by slice, one thread, to the end, in turn; with fresh memory in each
round, and the code of the round before. The first round of Node is that of a page just opened, in which its own compiler is
at work; the last ones are of code that it has optimised. Only the kernels' time counts.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from attrs import define

from rulewright.puzzles.position import Position
from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.lowering import Source
from rulewright.subset.memory_image import RANDOM_WORD, MemoryImage
from rulewright.subset.program import Program, as_machine_code
from rulewright.web.game_module import Packed
from rulewright.web.search_module import search_module

ROOT = Path(__file__).parents[1]
SLICE = 1 << 13
STATEFUL = ("seed", "hash", "other_hash")

NODE = f"""
import {{ createInterface }} from "node:readline";
import {{ unpacked }} from {json.dumps((ROOT / "web" / "js" / "memory.js").as_uri())};
import {{ Search }} from {json.dumps((ROOT / "web" / "js" / "search.js").as_uri())};
let packed = null, kept = null;
for await (const line of createInterface({{ input: process.stdin }})) {{
  if (line !== "again") packed = await unpacked(line);
  const search = await Search.of(packed), began = performance.now();
  const {{ value, states }} = await search.answer(() => {{}});
  console.log(JSON.stringify([(performance.now() - began) / 1000, value, states]));
  kept = search; // and with it the optimised code
}}
"""


@define
class Native:
    """A packed search as machine code, on a copy of its memory."""

    packed: Packed
    program: Program
    arrays: Mapping[int, Array]

    @classmethod
    def of(cls, packed: Packed, program: Program) -> Native:
        arrays = {made.address: (ints if made.items.format == "i" else longs)(len(made.items)) for made in packed.image.arrays}
        for segment in packed.image.segments():  # as in a page, the rest of the memory is touched by the search only
            copied = arrays[segment.address]
            copied.items.cast("B")[: len(segment.content)] = segment.content[: copied.items.nbytes]
            if copied.items.format == "q":
                for at in range(len(segment.content) // 8):
                    if copied[at] == RANDOM_WORD:
                        copied[at] = random.getrandbits(64) - (1 << 63)
        return cls(packed, program, arrays)

    def call(self, name: str, *given: int) -> int:
        passed = self.packed.calls[name]
        told = [self.arrays[one] if isinstance(one, int) else int(one) for one in passed]
        return self.program.functions[name](*told[: len(told) - len(given)], *given)

    def word(self, name: str) -> tuple[Array, int]:
        address, _ = self.packed.data["search"]["words"][name]
        start = max(one for one in self.arrays if one <= address)
        found = self.arrays[start]
        return found, (address - start) // found.items.itemsize

    def __getitem__(self, name: str) -> int:
        found, at = self.word(name)
        return found[at]

    def __setitem__(self, name: str, value: int) -> None:
        found, at = self.word(name)
        found[at] = value

    def run(self, entry: str, limit: str, count: str, ends: Mapping[str, int]) -> None:
        while True:
            self[limit] = self[count] + SLICE
            if self.call(entry) != ends["paused"] or ("stop" in self.packed.data["search"]["words"] and self["stop"]):
                return

    def answer(self) -> tuple[float, int, int]:
        """Seconds, the value and the number of states; as `Search.sought` (web/js/search.js)."""
        data, ends, began = self.packed.data["search"], self.packed.data["ends"], time.perf_counter()
        if data["kind"] == "shortest":
            self.call("enter_root")
            self.call("estimate_again")
            self.run("best_first_search", "expansion_limit", "expanded", ends)
            return time.perf_counter() - began, self["goal_cost"], self["expanded"]
        bound, sweeps = data["most"], int(self.packed.calls.get("bound_by_dual_costs", ("0",))[-1])
        root = self._saved()
        is_bounded = "bound_by_dual_costs" in self.packed.calls
        while is_bounded and (found := self.call("bound_by_dual_costs", bound - 1, sweeps)) < bound:
            bound = found
        self["target"] = bound
        self._load(root)
        self.call("beam_search")
        self._load(root)
        if not self["stop"]:
            self.run("depth_first_search", "node_limit", "nodes", ends)
        return time.perf_counter() - began, data["sign"] * self["plan_value"], self["nodes"]

    def _registers(self) -> tuple[Array, dict[str, int]]:
        memory = self.packed.data["memory"]
        first, *_ = memory["registers"]
        return self.arrays[first], {name: (at - first) // 8 for name, (at, _) in memory["words"].items()}

    def _saved(self) -> tuple[bytes, Sequence[int]]:
        """As `Module.save` (web/js/memory.js)."""
        registers, places = self._registers()
        return bytes(self._state.items), [registers[places[name]] for name in STATEFUL]

    def _load(self, root: tuple[bytes, Sequence[int]]) -> None:
        registers, places = self._registers()
        slots, values = root
        self._state.items.cast("B")[:] = slots
        for name, value in zip(STATEFUL, values, strict=True):
            registers[places[name]] = value
        registers[places["trail_length"]] = 0

    @property
    def _state(self) -> Array:
        return self.arrays[self.packed.data["memory"]["state"][0]]


def packed_search(position: Position) -> tuple[Packed, Program]:
    """A search as a page has it, and as machine code."""
    seen: list[tuple[Sequence[Source], Sequence[str]]] = []
    whole = MemoryImage.module

    def module(image: MemoryImage, sources: Sequence[Source], entries: Sequence[str]) -> bytes:
        seen.append((sources, entries))
        return whole(image, sources, entries)

    with patch.object(MemoryImage, "module", module):
        packed = search_module(position)
    assert packed is not None
    return packed, as_machine_code(*seen[-1])


def positions() -> Iterator[tuple[str, Position]]:
    from bench.instances import Class, instance
    from rulewright.api.puzzle import load_puzzle

    for kind, seed in (("mid_k06", 1), ("mid_k09", 1)):
        yield f"{kind}, seed {seed}", instance(Class.named(kind), seed).position()
    for name in ("slide_hardest", "rush_hour_hardest"):
        yield name, load_puzzle(name)._position


def main(rounds: int) -> None:
    print("| search | states | machine code, median | first round of Node | last half, median | times |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, position in positions():
        packed, program = packed_search(position)
        node: Any = subprocess.Popen(
            ["node", "--input-type=module", "-e", NODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        ours, theirs = [], []
        for number in range(rounds):
            ours.append(Native.of(packed, program).answer())
            print(packed.text if number == 0 else "again", file=node.stdin, flush=True)
            theirs.append(json.loads(node.stdout.readline()))
        node.stdin.close()
        assert {value for _, value, _ in (*ours, *theirs)} == {ours[0][1]}, "one value"
        native = statistics.median(seconds for seconds, *_ in ours)
        later = statistics.median(seconds for seconds, *_ in theirs[rounds // 2 :])
        states = sorted({count for *_, count in (*ours, *theirs)})
        told = f"{states[0]:,}" + (f" to {states[-1]:,}" if len(states) > 1 else "")
        cells = (name, told, *(f"{seconds:.3f} s" for seconds in (native, theirs[0][0], later)), f"{later / native:.1f}")
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)

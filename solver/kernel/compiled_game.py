"""A game from a root as one program with the kernels that play it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from types import ModuleType

from rulewright.base.cache import digest_of
from rulewright.base.hash_keys import PROCESS_KEY, HashKey
from rulewright.base.records import define
from rulewright.base.spans import Span
from rulewright.rules.machine.machine_game import Asked, GameText, MachineGame, capacity_of
from rulewright.rules.machine.memory_layout import Arrangement, Slots
from rulewright.rules.machine.state_hash import HashTables, hash_tables
from rulewright.rules.model.kept import CODE, digest_of_game, kept_of
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine, State
from rulewright.subset.lowering import Source
from rulewright.subset.program import Maker, Program, is_kept, text_name


@define(eq=False)
class CompiledGame:
    """The game's `value` is the sum of `values`; `entries` are the functions that the host calls.

    The `telling` variables tell states apart (None: all do), and the count of the horizon if it `counts`. `measures`,
    `from_start` and `asked` are those of `write_game`.
    """

    engine: Engine
    root: State
    values: Sequence[Term]
    kernels: Sequence[ModuleType]
    entries: Sequence[str]
    telling: Collection[str] | None = None
    counts: bool = True
    hash_key: HashKey = PROCESS_KEY
    measures: Sequence[Term] = ()
    from_start: bool = False
    asked: Sequence[Asked] = ()

    @classmethod
    def played(
        cls,
        engine: Engine,
        start: State | None,
        kernels: Sequence[ModuleType],
        entries: Sequence[str],
        measures: Sequence[Term],
    ) -> CompiledGame:
        """A game to be played, whose value is the score: from a state, or from the set-up if None."""
        values = [score.value for score in engine.game.scores]
        root = engine.unset if start is None else start
        return cls(engine, root, values, kernels, entries, measures=measures, from_start=True)

    @cached_property
    def arrangement(self) -> Arrangement:
        engine = self.engine
        slots = Slots.of(engine.instance, engine.layout, capacity_of(engine.game, engine.layout, self.root))
        return Arrangement(slots, engine.instance)

    @cached_property
    def text(self) -> GameText:
        """The generated code. Raises `CannotCompile` if the game does not fit the compiled subset."""
        engine = self.engine
        given = (
            self.arrangement.slots,
            engine.flow,
            tuple(self.values),
            engine.horizon,
            self.from_start,
            tuple(self.measures),
            tuple(self.asked),
        )

        def make() -> GameText:
            from rulewright.rules.machine.from_game import write_game  # and all that generates code

            return write_game(engine.instance, *given)

        # Without spans, which this code does not hold: the same question may stand in many files.
        return kept_of(engine.game, CODE, lambda: ("subset", digest_of_game(engine.instance), digest_of(given, Span)), make)

    @cached_property
    def sources(self) -> Sequence[Source]:
        return self.text.sources(self.kernels)

    @cached_property
    def _hashes(self) -> HashTables:
        return hash_tables(self.arrangement, self.telling, self.counts, self.hash_key)

    @property
    def is_kept(self) -> bool:
        """Whether its machine code is in the cache."""
        return is_kept(self.sources, self.entries)

    def program(self, make: Maker) -> Program:
        """The compiled program. Raises `CannotCompile`, and `ImportError` without a compiler."""
        return make(self.sources, self.entries)

    def machine(self, program: Program) -> MachineGame:
        """The game at the root, for one thread."""
        machine = MachineGame.of(self.text, program, self.arrangement, self._hashes)
        machine.load(self.root)
        return machine

    def identity(self, machine: MachineGame) -> tuple[str, ...]:
        """What the rules and the question are compiled to: the code with its constants, and the lookup tables that it reads.
        Games for which it is equal differ in nothing but the state."""
        return text_name(self.sources, self.entries), repr(machine.memory.array_named("tables").items.tolist())

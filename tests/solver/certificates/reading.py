"""Checks certificates as docs/certificates.md says, by the interpreter of the core and nothing else of the file's makers.

It shares no code with the writer, but the interpreter with the product. The checker that shares nothing is another program.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from graphlib import TopologicalSorter
from typing import Any

from attrs import define, evolve, field

from rulewright.rules.core.player import CorePlayer, CoreState
from rulewright.rules.core.terms import Term
from rulewright.rules.model.state import Move
from rulewright.rules.semantics.rng import Script, Unscripted
from tests.rules.core.from_json import core_of, term_of


class Refused(Exception):
    """What is wrong with a certificate."""


def check(content: bytes) -> dict[str, Any]:
    """The claim of a certificate. Raises `Refused`."""
    head, core, *lines = gzip.decompress(content).decode().splitlines()
    header, rules = json.loads(head), json.loads(core)
    require(header["core"] == rules["digest"], "digest")
    reader = Reader(header, rules)
    for part in header["parts"]:
        reader.check_part(part["kind"], lines[: part["states"]])
        lines = lines[part["states"] :]
    require(not lines, "more lines")
    reader.check_claim()
    return dict(header["claim"])


def require(holds: bool, what: str) -> None:
    if not holds:
        raise Refused(what)


@define(eq=False, slots=False)
class Reader:
    """One certificate; `roots` are the labels of state 0 by kind of part."""

    header: dict[str, Any]
    rules: dict[str, Any]
    roots: dict[str, Fraction | None] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.player = CorePlayer(core_of(self.rules))
        asked, start = self.rules["question"], self.rules["start"]
        self.values: list[Term] = list(map(term_of, asked["values"]))
        self.until = None if asked["until"] is None else term_of(asked["until"])
        columns = tuple(tuple(map(_column, start["values"][one.name])) for one in self.player.core.variables)
        first = self.player.start(CoreState(start["node"], start["seed"], columns))
        self.root = evolve(first, seed=0) if asked["in_expectation"] else first
        self.asked = asked
        self.claim = self.header["claim"]
        self.value = None if self.claim["value"] is None else Fraction(self.claim["value"])
        self.asker = asked["player"] or self.chooser(self.root)

    def term(self, term: Term, state: CoreState) -> int:
        return int(self.player.interpreter.value(term, state.columns))

    def worth(self, state: CoreState) -> int:
        total = sum(self.term(value, state) for value in self.values)
        is_probability = self.asked["goal"] == "reach" and self.asked["in_expectation"]
        return int(total >= self.asked["threshold"]) if is_probability else total

    def is_reached(self, state: CoreState) -> bool:
        return self.until is not None and self.term(self.until, state) == 1

    def is_over(self, state: CoreState) -> bool:
        return state.node == len(self.player.core.flow) - 1

    def chooser(self, state: CoreState) -> int:
        return 0 if self.is_over(state) else self.term(self.player.core.flow[state.node].player, state)

    def counted(self, state: CoreState) -> int:
        at = next(at for at, one in enumerate(self.player.core.variables) if one.name.startswith("ends of "))
        return int(state.columns[at][0])

    def has_strategy(self, kind: str, state: CoreState) -> bool:
        if kind not in ("upper", "lower") or self.is_over(state):
            return False
        is_asker = self.asked["others"] != "against best play" or self.chooser(state) == self.asker
        wants_most = is_asker is (self.asked["goal"] != "minimise")
        return wants_most is (kind == "lower")

    def outcomes(self, state: CoreState, move: Move) -> list[tuple[CoreState, Fraction]]:
        if not self.asked["in_expectation"]:
            return [(self.player.apply(state, move), Fraction(1))]
        return [(evolve(after, seed=0), part) for after, part in self._drawn(state, move, (), Fraction(1))]

    def _drawn(
        self, state: CoreState, move: Move, drawn: tuple[int, ...], part: Fraction
    ) -> Iterator[tuple[CoreState, Fraction]]:
        try:
            yield self.player.apply(evolve(state, seed=Script(drawn)), move), part
        except Unscripted as chance:
            for at, weight in enumerate(chance.weights):
                yield from self._drawn(state, move, (*drawn, at), part * Fraction(weight, sum(chance.weights)))

    # Parts ----------------------------------------------------------------------------------------

    def check_part(self, kind: str, lines: list[str]) -> None:
        numbers, states = {self.root: 0}, [self.root]
        labels = [None if kind == "none" else Fraction(line.split()[0]) for line in lines]
        moves: list[list[list[tuple[int, Fraction]]]] = []
        for at, state in enumerate(states):
            require(at < len(lines), "too few lines")
            found = self.player.legal(state) if self.is_expanded(kind, state, labels[at]) else []
            words = lines[at].split()
            require((len(words) == 2) == self.has_strategy(kind, state), f"state {at}: strategy")
            moves.append([])
            for move in found if len(words) == 1 else [found[int(words[1])]]:
                reached = self.outcomes(state, move)
                for child, _ in reached:
                    if child not in numbers:
                        numbers[child] = len(states)
                        states.append(child)
                moves[-1].append([(numbers[child], part) for child, part in reached])
        require(len(states) == len(lines), "too many lines")
        for at, state in enumerate(states):
            require(self.holds(kind, state, labels, moves[at], at, states), f"state {at}: label {lines[at]}")
        if kind in ("upper", "lower", "count"):
            self.check_order(kind, moves)
        self.roots[kind] = labels[0]

    def check_order(self, kind: str, moves: list[list[list[tuple[int, Fraction]]]]) -> None:
        if kind == "count" or self.asked["in_expectation"] or self.asked["others"] != "together":
            graph = {at: {child for outcomes in of_state for child, _ in outcomes} for at, of_state in enumerate(moves)}
            tuple(TopologicalSorter(graph).static_order())

    def is_expanded(self, kind: str, state: CoreState, label: Fraction | None) -> bool:
        if self.is_over(state) or self.is_reached(state):
            return False
        if kind != "least" or label is None:
            return True
        match self.asked["cost"]:
            case "moves":
                return label > 0
            case "turns":
                return self.counted(state) + 1 < label
        return True

    def holds(self, kind: str, state: CoreState, labels: Any, moves: Any, at: int, states: list[CoreState]) -> bool:
        own = labels[at]
        means = [sum(part * (labels[child] or 0) for child, part in outcomes) for outcomes in moves]
        match kind:
            case "upper":
                return self.worth(state) <= own if self.is_over(state) else all(mean <= own for mean in means)
            case "lower":
                return self.worth(state) >= own if self.is_over(state) else all(mean >= own for mean in means)
            case "count":
                return own == (int(self.worth(state) == self.value) if self.is_over(state) else sum(means))
            case "none":
                return not self.is_reached(state)
        children = [child for ((child, _),) in moves]
        match self.asked["cost"]:
            case "moves":
                return (own <= 0 or not self.is_reached(state)) and all(own <= 1 + labels[child] for child in children)
            case "turns":
                paid: Callable[[int], int] = lambda child: self.counted(state) + 1  # noqa: E731
            case _:
                paid = lambda child: self.worth(states[child])  # noqa: E731
        return all(own <= (paid(child) if self.is_reached(states[child]) else labels[child]) for child in children)

    # Claims ---------------------------------------------------------------------------------------

    def check_claim(self) -> None:
        status, goal, plan = self.claim["status"], self.asked["goal"], self.header["plan"]
        upper, lower = self.roots.get("upper"), self.roots.get("lower")
        is_alone = self.asked["others"] == "together" and not self.asked["in_expectation"]
        if status == "impossible":
            require("none" in self.roots, "no part")
        elif goal == "least":
            require(self.cost(plan) == self.value, "cost")
            require(not plan or self.roots["least"] >= self.value, "bound")  # type: ignore[operator]
        elif status == "not reached":
            require(upper is not None and upper < self.asked["threshold"], "bound")
        elif status == "reached":
            threshold = self.asked["threshold"]
            require(self.played(plan) >= threshold if is_alone else lower is not None and lower >= threshold, "bound")
        else:
            self.check_value(is_alone, upper, lower)

    def check_value(self, is_alone: bool, upper: Fraction | None, lower: Fraction | None) -> None:
        goal, plan = self.asked["goal"], self.header["plan"]
        assert self.value is not None
        if is_alone:
            require(self.played(plan) == self.value, "plan")
        if not is_alone or goal != "minimise":
            require(upper is not None and upper <= self.value, "bound")
        if not is_alone or goal == "minimise":
            require(lower is not None and lower >= self.value, "bound")
        if self.claim["count"] is not None:
            require(self.roots["count"] == self.claim["count"], "count")

    def states_of(self, plan: list[list[int]]) -> list[CoreState]:
        states = [self.root]
        for move in plan:
            require(tuple(move) in self.player.legal(states[-1]), "illegal")
            states.append(self.player.apply(states[-1], tuple(move)))
        return states

    def played(self, plan: list[list[int]]) -> int:
        end = self.states_of(plan)[-1]
        require(self.is_over(end), "not at the end")
        return self.worth(end)

    def cost(self, plan: list[list[int]]) -> int:
        *before, end = self.states_of(plan)
        require(self.is_reached(end) and not any(map(self.is_reached, before)), "until")
        match self.asked["cost"]:
            case "moves":
                return len(plan)
            case "turns":
                return self.counted(before[-1]) + 1 if before else 0
        return self.worth(end)


def _column(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value

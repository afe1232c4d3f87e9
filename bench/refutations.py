"""A proof of a refutation by constraints: `python bench/refutations.py PUZZLE VALUE FOLDER` shows that no play is worth VALUE.

The model that CP-SAT would get (plays unrolled) becomes pseudo-Boolean constraints, with the value demanded. Exact (built on
RoundingSat: Elffers and Nordström 2018; `pip install exact`) refutes them and logs a proof in the format of VeriPB 1.1. The
reader below checks it by the formula alone. That the formula says what the rules say is believed.
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from attrs import define, field, frozen
from page import PROJECT

from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.solver.cpsat.model.from_question import ConstraintModel, unrolled_model


@frozen
class Constraint:
    """The sum of the coefficients of the literals that hold is at least `degree`; coefficients are positive, literals ±n."""

    terms: dict[int, int]
    degree: int

    @classmethod
    def of(cls, terms: Iterable[tuple[int, int]], degree: int) -> Constraint:
        """From any coefficients, with a literal."""
        found: defaultdict[int, int] = defaultdict(int)
        for coefficient, literal in terms:
            found[literal if coefficient > 0 else -literal] += abs(coefficient)
            degree -= min(coefficient, 0)
        for literal in [one for one in found if one > 0 and -one in found]:
            both = min(found[literal], found[-literal])
            found[literal] -= both
            found[-literal] -= both
            degree -= both
        return cls({literal: coefficient for literal, coefficient in found.items() if coefficient}, degree)

    @property
    def negated(self) -> Constraint:
        return Constraint({-literal: one for literal, one in self.terms.items()}, sum(self.terms.values()) - self.degree + 1)

    def __add__(self, other: Constraint) -> Constraint:
        pairs = [(coefficient, literal) for one in (self, other) for literal, coefficient in one.terms.items()]
        return Constraint.of(pairs, self.degree + other.degree)

    def times(self, factor: int) -> Constraint:
        assert factor > 0
        return Constraint({literal: one * factor for literal, one in self.terms.items()}, self.degree * factor)

    def divided(self, divisor: int) -> Constraint:
        assert divisor > 0
        return Constraint({literal: -(-one // divisor) for literal, one in self.terms.items()}, -(-self.degree // divisor))

    def saturated(self) -> Constraint:
        most = max(self.degree, 0)
        return Constraint({literal: min(one, most) for literal, one in self.terms.items() if most}, self.degree)

    def weakened(self, variable: int) -> Constraint:
        known = self.terms.get(variable, 0) + self.terms.get(-variable, 0)
        return Constraint({one: value for one, value in self.terms.items() if abs(one) != variable}, self.degree - known)


def literal(text: str) -> int:
    return -int(text[2:]) if text.startswith("~") else int(text[1:])


def read_constraint(words: Sequence[str]) -> Constraint:
    """`+1 x1 -2 ~x2 >= 1 ;`"""
    end = words.index(">=")
    return Constraint.of(
        ((int(one), literal(x)) for one, x in zip(words[:end:2], words[1:end:2], strict=True)), int(words[end + 1])
    )


class WrongProof(Exception):
    """A step that does not follow, or a proof without an end."""


@define
class Proof:
    """The constraints derived so far, by their numbers from 1."""

    formula: Sequence[Constraint]
    derived: list[Constraint | None] = field(factory=lambda: [None])
    known: set[int] = field(factory=set)
    """Literals that follow from constraints added by propagation alone."""
    is_refuted: bool = False
    _holding: dict[int, list[int]] = field(factory=lambda: defaultdict(list))

    def check(self, lines: Iterable[str]) -> int:
        """The number of steps up to the contradiction. Raises `WrongProof`."""
        for number, line in enumerate(lines, 1):
            try:
                if self.step(line.split()):
                    return number
            except (IndexError, ValueError, AssertionError, WrongProof) as problem:
                raise WrongProof(f"line {number}: {line[:60].strip()}: {problem}") from None
        raise WrongProof("it ends without a contradiction")

    def step(self, words: Sequence[str]) -> bool:
        """Whether this step is the contradiction. Raises errors if it does not follow."""
        match words:
            case ["pseudo-Boolean" | "*", *_] | []:
                pass
            case ["l", place]:
                self.add(self.formula[int(place) - 1])
            case ["rup", *rest]:
                self.add(self.propagated(read_constraint(rest)))
            case ["pol", *rest]:
                self.add(self.calculated(rest))
            case ["d", *places]:
                for place in places:
                    self.derived[int(place)] = None
            case ["c", place]:
                last = self.derived[int(place)]
                if last is None or sum(last.terms.values()) >= last.degree:
                    raise WrongProof("this is no contradiction")
                return True
            case _:
                raise WrongProof("this is no step")
        return False

    def add(self, one: Constraint) -> None:
        self.derived.append(one)
        for holds in one.terms:
            self._holding[-holds].append(len(self.derived) - 1)
        self.is_refuted |= self.conflict(self.known, one)

    def propagated(self, one: Constraint) -> Constraint:
        """A constraint whose negation unit propagation refutes."""
        if one.degree <= 0 or self.is_refuted or self.conflict(set(self.known), one.negated):
            return one
        raise WrongProof("it does not follow by propagation")

    def conflict(self, true: set[int], extra: Constraint) -> bool:
        """Whether unit propagation of all constraints finds a contradiction; adds to `true` what follows."""
        queue: list[int] = []

        def examine(one: Constraint) -> bool:
            slack = sum(value for holds, value in one.terms.items() if -holds not in true) - one.degree
            forced = [x for x, value in one.terms.items() if value > slack and x not in true and -x not in true]
            true.update(forced)
            queue.extend(forced)
            return slack < 0

        if examine(extra):
            return True
        for literal in queue:
            places = (self.derived[place] for place in self._holding[literal])
            if any(one is not None and examine(one) for one in places) or examine(extra):
                return True
        return False

    def calculated(self, words: Sequence[str]) -> Constraint:
        """Cutting planes, in reverse Polish notation."""
        stack: list[Constraint] = []
        for word, following in zip(words, [*words[1:], ""], strict=True):
            match word:
                case "+":
                    stack.append(stack.pop() + stack.pop())
                case "s":
                    stack.append(stack.pop().saturated())
                case "*" | "d" | "w":
                    pass  # with the word before it
                case _ if following == "*":
                    stack.append(stack.pop().times(int(word)))
                case _ if following == "d":
                    stack.append(stack.pop().divided(int(word)))
                case _ if following == "w":
                    stack.append(stack.pop().weakened(abs(literal(word))))
                case _ if "x" in word:
                    stack.append(Constraint({literal(word): 1}, 0))
                case _:
                    held = self.derived[int(word)]
                    assert held is not None, "a step from what was deleted"
                    stack.append(held)
        (result,) = stack
        return result


def constraints(model: ConstraintModel, value: int) -> Iterator[Constraint]:
    """The model, with a value that the objective must reach."""
    yield Constraint.of([(1, 1)], 1)
    for clause in model.circuit.clauses:
        yield Constraint.of([(1, one) for one in clause], 1)
    for one in model.circuit.constraints:
        if one.low is not None:
            yield Constraint.of(one.terms, one.low)
        if one.high is not None:
            yield Constraint.of([(-coefficient, variable) for coefficient, variable in one.terms], -one.high)
    objective = [(coefficient, one) for one, coefficient in model.objective.terms.items()]
    yield Constraint.of(objective, value - model.objective.constant)


def refute(formula: Sequence[Constraint], size: int, proof: Path, seconds: float) -> str:
    """What Exact says; it writes PROOF.formula and PROOF.proof."""
    solver = importlib.import_module("exact").Exact([("proof-log", str(proof)), ("verbosity", "0")])
    for variable in range(1, size + 1):
        solver.addVariable(f"x{variable}", 0, 1)
    for one in formula:
        terms = [(value if x > 0 else -value, f"x{abs(x)}") for x, value in one.terms.items()]
        solver.addConstraint(terms, True, one.degree - sum(value for x, value in one.terms.items() if x < 0))
    return str(solver.runFull(False, seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("puzzle", type=Path)
    parser.add_argument("value", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    position = Catalogue(Project(PROJECT)).position(given.puzzle.resolve())
    assert position.question is not None
    model = unrolled_model(position.asked, position.root, position.question)
    formula = list(constraints(model, given.value))
    times = [time.process_time()]
    said = refute(formula, model.circuit.size, given.folder / "refutation", given.seconds)
    times.append(time.process_time())
    print(f"{model.circuit.size:,} variables, {len(formula):,} constraints: {said} in {times[1] - times[0]:.1f} s")
    if said != "UNSAT":
        return
    proof = given.folder / "refutation.proof"
    with proof.open(encoding="ascii") as lines:
        steps = Proof(formula).check(lines)
    print(f"{proof.stat().st_size:,} bytes, {steps:,} steps checked in {time.process_time() - times[1]:.1f} s")


if __name__ == "__main__":
    main()

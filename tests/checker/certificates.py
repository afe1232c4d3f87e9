"""Small games as cores written by hand, and certificates of them with labels from plain recursion."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rulewright.checker.rulewright_check import Checked, Estimate, Game, Move, State, TilesLeft, check_certificate
from tests.checker.beside import finished

HEAP, MOVER, SCORE, TURNS = (["read", name, None] for name in ("heap", "mover", "score", "ends of turn"))


def plus(one: Any, other: Any) -> list[Any]:
    return ["arithmetic", "+", one, other]


def minus(one: Any, other: Any) -> list[Any]:
    return ["arithmetic", "-", one, other]


def write(name: str, term: Any) -> list[Any]:
    return ["write", [name, None, False], term]


def variable(name: str, least: int, greatest: int) -> dict[str, Any]:
    return {"name": name, "storage": "value", "index": None, "values": [least, greatest], "none": 0}


EARNED = ["choice", ["compare", "=", MOVER, 1], minus(["arithmetic", "*", 3, ["local", 0]], ["arithmetic", "mod", HEAP, 4]), 1]
"""What a move earns, before the heap is changed."""

TAKE = {
    "name": "take",
    "parameters": [{"name": "amount", "domain": ["interval", 1, 3], "where": ["compare", "<=", ["local", 0], HEAP]}],
    "requirements": [{"name": "odd", "condition": ["compare", "!=", plus(HEAP, ["local", 0]), 5]}],
    "effects": [write("score", plus(SCORE, EARNED)), write("heap", minus(HEAP, ["local", 0]))],
    "afterwards": [],
}
ROLL = {
    "name": "roll",
    "parameters": [],
    "requirements": [{"name": "enough", "condition": ["compare", ">=", HEAP, 2]}],
    "effects": [["name", 0, ["join", ["list", 1], ["row", "die", 0]], True], write("score", plus(SCORE, ["local", 0])),
                write("heap", minus(HEAP, ["choice", ["compare", "=", ["local", 0], 1], 1, 2]))],
    "afterwards": [],
}  # fmt: skip
WAIT = {"name": "wait", "parameters": [], "requirements": [], "effects": [], "afterwards": []}


def heap_game(
    goal: str = "maximise", heap: int = 6, actions: Sequence[Any] = (TAKE,), drawn_first: bool = False, **asked: Any
) -> dict[str, Any]:
    """Players take from a heap in turn until it is empty. The first one earns by skill, the second 1 a move."""
    question = {
        "goal": goal, "values": [SCORE], "threshold": None, "until": None, "cost": None, "others": "together",
        "player": None, "in_expectation": False, "counts_plans": False, "own_turns": None, **asked,
    }  # fmt: skip
    return finished(  # type: ignore[no-any-return]
        {
            "players": 2,
            "variables": [
                variable("heap", 0, 20),
                variable("mover", 1, 2),
                variable("score", -60, 99),
                variable("ends of turn", 0, 9),
            ],
            "maps": {},
            "rows": {"die": [[5, 5]]},
            "spaces": {},
            "definitions": {},
            "actions": list(actions),
            "flow": [
                ["test", ["compare", "=", HEAP, 0], 4, 1],
                ["choose", 0, list(range(len(actions))), False, MOVER, 2, 4],
                [
                    "run",
                    [
                        write("mover", minus(3, MOVER)),
                        ["if", ["compare", "=", MOVER, 1], [write("ends of turn", plus(TURNS, 1))], []],
                    ],
                    0,
                ],
                ["run", [["name", 0, ["list", 1, 2, 3], True], write("heap", plus(HEAP, ["local", 0]))], 0],
                ["over"],
            ],
            "most": 20,
            "scores": {"score": SCORE},
            "start": {
                "node": 3 if drawn_first else 0,
                "seed": 7,
                "values": {"heap": [heap], "mover": [1], "score": [0], "ends of turn": [0]},
            },
            "question": question,
        }
    )


TIME, TILE, CELL = ["read", "time", None], ["local", 0], ["local", 1]
HAND_EMPTY = ["compare", "=", ["fold", "sum", 0, ["zone", "hand", 1], 1, 0], 0]


def equal(one: Any, other: Any) -> list[Any]:
    return ["compare", "=", one, other]


def board_game(*more: Any) -> dict[str, Any]:
    """Tile 1 comes from a hand to cell 0, tile 3 could come to any cell; cell 1 counts double. Whoever waits with an empty hand
    does `more`. Four moves."""
    fits = ["and", equal(["read", "board", CELL], 0), ["or", equal(TILE, 3), equal(CELL, 0)]]
    parameters = [
        {"name": "tile", "domain": ["zone", "hand", 1], "where": None},
        {"name": "cell", "domain": ["interval", 0, 1], "where": fits},
    ]
    effects = [["transfer", ["hand", 1, False], ["board", CELL, False], TILE]]
    put = {"name": "put", "parameters": parameters, "requirements": [], "effects": effects, "afterwards": []}
    wait = {
        "name": "wait",
        "parameters": [],
        "requirements": [],
        "effects": [["if", HAND_EMPTY, list(more), []]],
        "afterwards": [],
    }
    worth = ["arithmetic", "*", ["read", "board", TILE], plus(TILE, 1)]
    core = heap_game(values=[["fold", "sum", 0, ["interval", 0, 1], worth, 0]], actions=[put, wait])
    zone = {"storage": "set", "index": [1, 1], "values": [1, 3], "none": 0}
    board = {**variable("board", 0, 3), "index": [0, 1]}
    core["variables"] = [board, {**zone, "name": "hand"}, {**zone, "name": "bag"}, variable("time", 0, 4)]
    core["flow"] = [
        ["test", equal(TIME, 4), 3, 1],
        ["choose", 0, [0, 1], False, 1, 2, 3],
        ["run", [write("time", plus(TIME, 1))], 0],
        ["over"],
    ]
    core["scores"], core["start"]["values"] = {}, {"board": [0, 0], "hand": [[1]], "bag": [[3]], "time": [0]}
    return finished(core)  # type: ignore[no-any-return]


EMPTY = ["compare", "=", HEAP, 0]

GAMES = {
    "maximise": heap_game(),
    "minimise": heap_game("minimise"),
    "reached": heap_game("reach", threshold=10),
    "not reached": heap_game("reach", threshold=40),
    "count": heap_game("count best", counts_plans=True),
    "against": heap_game(others="against best play"),
    "against, minimise": heap_game("minimise", others="against best play", player=2),
    "against, reached": heap_game("reach", threshold=5, others="against best play"),
    "against, not reached": heap_game("reach", threshold=30, others="against best play"),
    "in expectation": heap_game(actions=(TAKE, ROLL), heap=5, in_expectation=True),
    "in expectation, against": heap_game(
        "minimise", actions=(TAKE, ROLL), heap=5, in_expectation=True, others="against best play"
    ),
    "probability": heap_game("reach", threshold=11, actions=(ROLL, TAKE), heap=5, in_expectation=True),
    "chance before state 0": heap_game(actions=(TAKE, ROLL), heap=5, in_expectation=True, drawn_first=True),
    "only chance": heap_game(actions=(ROLL,), heap=4, in_expectation=True),
    "seed": heap_game(actions=(ROLL, TAKE)),
    "moves": heap_game("least", heap=7, until=EMPTY, cost="moves"),
    "turns": heap_game("least", heap=8, until=EMPTY, cost="turns"),
    "values": heap_game("least", heap=7, until=EMPTY, cost="values"),
    "moves, counted": heap_game("least", heap=7, until=EMPTY, cost="moves", counts_plans=True),
    "turns, counted": heap_game("least", heap=8, until=EMPTY, cost="turns", counts_plans=True),
    "values, counted": heap_game("least", heap=7, until=EMPTY, cost="values", counts_plans=True),
    "estimated, counted": heap_game("least", heap=11, until=EMPTY, cost="moves", counts_plans=True),
    "tiles left": board_game(),
    "estimated": heap_game("least", heap=11, until=EMPTY, cost="moves"),
    "own turns, reached": heap_game("reach", threshold=8, others="against best play", player=1, own_turns=2, cost="turns"),
    "own turns, not reached": heap_game("reach", threshold=8, others="against best play", player=1, own_turns=1, cost="turns"),
    "own moves, reached": heap_game("reach", threshold=10, player=2, own_turns=1, cost="moves"),
    "own moves, not reached": heap_game("reach", threshold=13, player=2, own_turns=2, cost="moves"),
    "impossible": heap_game("least", until=["compare", ">", SCORE, 70], cost="moves"),
}
"""A game for each kind of part and claim."""

ESTIMATES: dict[str, tuple[dict[str, Any], ...]] = {
    GAMES["estimated"]["digest"]: ({"most": 4, "tables": {"heap": [[*range(21)]]}},),
    GAMES["estimated, counted"]["digest"]: ({"most": 4, "tables": {"heap": [[*range(21)]]}},),
    GAMES["tiles left"]["digest"]: ({"most": 1, "board": "board"},),
}
"""By the digest of the core. In the first, no move takes more than three, but then nearly all states were left out."""

Lines = list[str]
"""Header, core and the lines of all parts."""


class Writer:
    """Writes the certificate of a small game without circles: labels are exact, found by recursion."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document, self.estimates = document, ESTIMATES.get(document["digest"], ())
        self.game = Game(document)
        self.bounds = [Estimate(self.game, one) for one in self.estimates if "tables" in one]
        self.left = [TilesLeft(self.game, one) for one in self.estimates if "board" in one]
        self.question = self.game.question
        self.start = self.game.first()
        self.values: dict[State, Any] = {}
        self.together = self.question["others"] == "together"
        self.asker = self.question["player"] or (self.game.player(self.start) if not self.together else None)

    def wants_much(self, state: State) -> bool:
        return bool(self.together or self.game.player(state) == self.asker) is (self.question["goal"] != "minimise")

    def mean(self, state: State, move: Move) -> Any:
        return sum((probability * self.value(after) for probability, after in self.game.apply(state, move)), Fraction())

    def value(self, state: State) -> Any:
        """The value by best play."""
        if state not in self.values:
            moves = self.game.legal(state)
            best = max if moves and self.wants_much(state) else min
            self.values[state] = best(self.mean(state, move) for move in moves) if moves else self.game.end_value(state)
        return self.values[state]

    def best(self, state: State) -> int:
        """The number of a move by best play."""
        moves = self.game.legal(state)
        return next(number for number, move in enumerate(moves) if self.mean(state, move) == self.value(state))

    def until(self, state: State) -> bool:
        return bool(self.game.is_goal(state))

    def plans(self, state: State, before: State | None = None, length: int = 0) -> list[tuple[int, list[Move]]]:
        """Every plan to the end or to the goal, with what it costs or earns."""
        if self.until(state):
            turns = self.game.turns(before) if before and self.question["cost"] == "turns" else 0
            cost = {"moves": length, "turns": turns, "values": self.game.value(state)}[str(self.question["cost"])]
            return [(cost, [])]
        if state[0] == self.game.over:
            return [(self.game.end_value(state), [])] if self.question["until"] is None else []
        found = []
        for move in self.game.legal(state):
            ((_, after),) = self.game.apply(state, move)
            found += [(worth, [move, *rest]) for worth, rest in self.plans(after, state, length + 1)]
        return found

    def part(self, kind: str, value: Any) -> Lines:
        """The lines of a part, by the traversal that the format describes."""
        states, met, lines = [self.start], {self.start}, []
        for state in states:
            moves = self.game.legal(state)
            label, word = self.label(kind, value, state), ""
            if self.until(state):
                moves = []
            elif kind in ("upper", "lower") and moves and self.wants_much(state) != (kind == "upper"):
                word = f" {self.best(state)}"
                moves = [moves[self.best(state)]]
            lines.append(label + word)
            for move in moves:
                for _, after in self.game.apply(state, move):
                    is_left = label != "." and self.is_left(kind, state, after, Fraction(label))
                    if after not in met and not is_left:
                        met.add(after)
                        states.append(after)
        return lines

    def tally(self, value: int) -> Lines:
        """The lines of a part that counts the plans of least cost."""
        counts_moves, lines = self.question["cost"] == "moves", Lines()
        met = {(self.start, 0): None}
        for state, made in (waiting := [*met]):
            rest = [] if self.until(state) else self.plans(state, None, made)
            lines.append(str(sum(worth == value for worth, _ in rest) + self.until(state)))
            for move in [] if self.until(state) else self.game.legal(state):
                ((_, after),) = self.game.apply(state, move)
                paced = after, made + 1 if counts_moves and after[0] != self.game.over else 0
                if paced not in met and not self.is_dearer(state, after, made + 1, value):
                    met[paced] = None
                    waiting.append(paced)
        return lines

    def is_dearer(self, state: State, after: State, made: int, value: int) -> bool:
        """Whether every plan through the state that a move leads to plainly costs more."""
        if self.question["cost"] == "moves":
            return made + max((0, *(one.bound(after) for one in self.bounds))) > value
        if self.question["cost"] == "turns":
            return self.game.turns(state if self.until(after) else after) > value
        return self.until(after) and self.game.value(after) > value

    def is_left(self, kind: str, state: State, after: State, label: Fraction) -> bool:
        """Whether a state that a move leads to is plainly as dear, or as poor, as a label says."""
        if kind != "least":
            return any(one.keeps(after, label) for one in self.left)
        if self.question["cost"] == "moves":
            return label <= 1 + max((0, *(one.bound(after) for one in self.bounds)))
        return bool(self.question["cost"] == "turns" and self.game.turns(state if self.until(after) else after) >= label)

    def label(self, kind: str, value: Any, state: State) -> str:
        match kind:
            case "count":
                return str(sum(worth == value for worth, _ in self.plans(state)))
            case "least" if self.question["cost"] == "moves":
                return str(min((worth for worth, _ in self.plans(state)), default="."))
            case "least":
                return str(value)
            case _:
                return str(self.value(state))

    def answer(self) -> dict[str, Any]:
        """The header of the true answer, without its parts' sizes."""
        question = self.question
        status, value, plan, count = "optimal", None, None, None
        parts: tuple[str, ...]
        if question["until"] is not None:
            plans = self.plans(self.start)
            value, plan = min(plans, default=(None, None))
            status, parts = ("impossible", ("least",)) if plan is None else ("optimal", ("least",))
            if question["counts_plans"]:
                count, parts = sum(worth == value for worth, _ in plans), ("least", "count")
        elif question["in_expectation"] or not self.together:
            value, parts = self.value(self.start), ("upper", "lower")
        else:
            plans = self.plans(self.start)
            value, plan = (min if question["goal"] == "minimise" else max)(plans)
            count = sum(worth == value for worth, _ in plans) if question["counts_plans"] else None
            parts = ("lower",) if question["goal"] == "minimise" else ("upper",)
            parts += ("count",) if question["counts_plans"] else ()
        if question["threshold"] is not None and not question["in_expectation"]:
            assert value is not None
            status = "reached" if value >= question["threshold"] else "not reached"
            value = None
            if status == "not reached":
                plan, parts = None, ("upper",)
            else:
                parts = () if self.together else ("lower",)
        shown = int(value) if value is not None and value == int(value) else value if value is None else str(value)
        return {
            "schema": "rulewright/certificate/1", "puzzle": "heap", "core": self.document["digest"],
            "claim": {"status": status, "value": shown, "count": count}, "plan": plan,
            "estimates": self.estimates, "parts": parts,
        }  # fmt: skip

    def write(self) -> Lines:
        header = self.answer()
        claimed = header["claim"]["value"]
        is_tally = self.question["until"] is not None
        parts = {
            kind: self.tally(claimed) if kind == "count" and is_tally else self.part(kind, claimed) for kind in header["parts"]
        }
        header["parts"] = [{"kind": kind, "states": len(lines)} for kind, lines in parts.items()]
        return [json.dumps(header), json.dumps(self.document), *(line for lines in parts.values() for line in lines)]


def packed(lines: Lines) -> bytes:
    return gzip.compress("".join(f"{line}\n" for line in lines).encode(), compresslevel=1)


def checked(lines: Lines, core: dict[str, Any] | None = None) -> Checked:
    return checked_bytes(packed(lines), core)


def checked_bytes(content: bytes, core: dict[str, Any] | None = None) -> Checked:
    return check_certificate(io.BytesIO(content), core, 100)

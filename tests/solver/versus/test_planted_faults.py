"""Faults that are planted in the search of best play: the comparison with enumeration notices every one of them.

A fault is a line of the program written otherwise. Where it is in the kernel, the kernel is lowered anew from the changed text.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest
from _pytest.mark import ParameterSet
from attrs import evolve

from rulewright.base.diagnostics import RulesError
from rulewright.rules.machine.machine_game import GameFault
from rulewright.solver import inquiry
from rulewright.solver.versus import best_play, kernel, kernel_search, plain_search, problem, proof_kernel, proof_search
from tests.solver.planting import Fault, changed_module, plant_in_kernels
from tests.solver.versus.endgames import Searches, compare, random_endgames

ENDGAMES = 25
"""Of each game, as in the comparison itself."""


SECONDS = 5.0
"""For each endgame: with a fault the search may never end."""


QUICK = {
    "the value of an end with the wrong sign",
    "bound flag swapped",
    "window off by one for the player",
    "the others choose for the player",
    "two players where there are three",
    "a table that knows no depth",
    "plain: lower bound taken one too early",
    "plain: the table knows no depth",
    "plain: the sides swapped",
    "a line in which the player errs",
    "proofs: the sides swapped",
    "proofs: the last move left out",
    "proofs: the value of an end with the wrong sign",
}
"""Those that are noticed within a second; the others are planted by hand."""


ASKED = "is_asked = chooser(game) == search.player"

FAULTS = (
    Fault(
        "the value of an end with the wrong sign",
        kernel,
        "game.point < 0:\n        search.result = search.sign * value(game)",
        "game.point < 0:\n        search.result = -search.sign * value(game)",
    ),
    Fault(
        "a sign that is forgotten",
        kernel,
        "game.point < 0:\n        search.result = search.sign * value(game)",
        "game.point < 0:\n        search.result = value(game)",
    ),
    Fault(
        "bound flag swapped",
        kernel,
        "    if frame.best >= search.goal:\n        place.lower",
        "    if frame.best < search.goal:\n        place.lower",
    ),
    Fault("lower bound taken one too early", kernel, ".lower >= search.goal:", ".lower >= search.goal - 1:"),
    Fault("upper bound taken one too early", kernel, ".upper < search.goal:", ".upper <= search.goal:"),
    Fault("the bounds of another state in its entry", kernel, "        search.known[at].upper = ENDLESS\n", ""),
    Fault(
        "window off by one for the others", kernel, "is_cut = frame.best < search.goal", "is_cut = frame.best <= search.goal"
    ),
    Fault(
        "window off by one for the player",
        kernel,
        "is_cut = frame.best >= search.goal",
        "is_cut = frame.best >= search.goal - 1",
    ),
    Fault("the others choose for the player", kernel, ASKED, "is_asked = chooser(game) >= 1"),
    Fault(
        "the player chooses for the others",
        kernel,
        ASKED,
        "is_asked = chooser(game) != search.player",
    ),
    Fault(
        "two players where there are three",
        kernel,
        ASKED,
        "is_asked = search.depth % 2 == 0",
    ),
    Fault(
        "only the next player plays against",
        kernel,
        ASKED,
        "is_asked = chooser(game) != search.player % 2 + 1",
    ),
    Fault(
        "the greatest for the others",
        kernel,
        "frame.is_own == 0 and search.result < frame.best",
        "frame.is_own == 0 and search.result > frame.best",
    ),
    Fault("a move that takes the place of another", kernel, "    search.order[place] = search.order[first]\n", ""),
    Fault(
        "every second move left out", kernel, "    frame.tried += 1\n", "    frame.tried = min(frame.tried + 2, frame.count)\n"
    ),
    Fault("the last move left out", kernel, "if frame.tried == frame.count:", "if frame.tried >= max(1, frame.count - 1):"),
    Fault("chance that is not taken back", kernel, "frame.other_hash, frame.seed)", "frame.other_hash, game.seed)"),
    Fault("a table that knows no chance", kernel_search, "(), self.problem.analysis.uses_chance)", "(), False)"),
    Fault(
        "a table that knows no turn",
        kernel_search,
        "telling_variables, self",
        "telling_variables - {'player'}, self",
    ),
    Fault("a table that knows no depth", kernel_search, "telling_variables, self.problem.counts", "telling_variables, False"),
    Fault(
        "the table of another goal",
        kernel_search,
        "self._search.has_result = goal, 0, 0",
        "self._search.has_result = goal + 1, 0, 0",
    ),
    Fault(
        "plain: the table knows no turn",
        inquiry,
        "self.telling_variables, self.counts",
        "self.telling_variables - {'player'}, self.counts",
    ),
    Fault("plain: the table knows no depth", inquiry, "self.engine.horizon is not None", "False"),
    Fault("plain: the table knows no chance", inquiry, ", self.analysis.uses_chance)", ", False)"),
    Fault("the least for the greatest", inquiry, "return self.question.sign", "return 1"),
    Fault(
        "another player asks", inquiry, "self.question.player or self.engine.player(self.root)", "self.engine.player(self.root)"
    ),
    Fault("plain: bound flag swapped", plain_search, "if frame.best >= goal else (lower", "if frame.best < goal else (lower"),
    Fault(
        "plain: lower bound taken one too early", plain_search, "        if lower >= goal or", "        if lower >= goal - 1 or"
    ),
    Fault("plain: upper bound taken one too early", plain_search, "or upper < goal:", "or upper <= goal:"),
    Fault(
        "plain: window off by one", plain_search, "(frame.best >= goal) == frame.is_own", "(frame.best > goal) == frame.is_own"
    ),
    Fault("plain: the first move left out", plain_search, "moves[::-1]", "moves[:0:-1] or moves"),
    Fault(
        "plain: the sides swapped",
        plain_search,
        "is_own = problem.is_own(state)",
        "is_own = not problem.is_own(state)",
    ),
    Fault(
        "proofs: the value of an end with the wrong sign",
        proof_kernel,
        "end_value = search.sign * value(game)",
        "end_value = -search.sign * value(game)",
    ),
    Fault("proofs: more than the goal", proof_kernel, "end_value >= search.goal,", "end_value > search.goal,"),
    Fault(
        "proofs: the bound of the other side",
        proof_kernel,
        "search.result = search.goal - 1 -",
        "search.result = search.goal -",
    ),
    Fault(
        "proofs: the sides swapped",
        proof_kernel,
        "    if chooser(game) == search.player:\n        node.is_own",
        "    if chooser(game) != search.player:\n        node.is_own",
    ),
    Fault("proofs: who succeeds", proof_kernel, "decide(search, node.is_own == 1, beyond)", "decide(search, True, beyond)"),
    Fault("proofs: who fails", proof_kernel, "decide(search, node.is_own == 0, least", "decide(search, False, least"),
    Fault(
        "proofs: the best that fails, for all",
        proof_kernel,
        "node.is_own == 0, least - NEVER)",
        "node.is_own == 0, second - NEVER)",
    ),
    Fault(
        "proofs: how far beyond the goal an end is", proof_kernel, "search.goal - 1 - end_value))", "search.goal - end_value))"
    ),
    Fault(
        "proofs: what is easy and what is hard",
        proof_kernel,
        "        return child.proof\n    return child.disproof",
        "        return child.disproof\n    return child.proof",
    ),
    Fault(
        "proofs: decided too early", proof_kernel, "    if least == 0:\n        decide", "    if least <= 1:\n        decide"
    ),
    Fault(
        "proofs: the last move left out",
        proof_kernel,
        "    node.count = (end - first) // WIDTH\n",
        "    node.count = max(1, (end - first) // WIDTH - 1)\n",
    ),
    Fault(
        "proofs: the numbers of another goal",
        proof_kernel,
        "wrap(search.orbits.hash + mixed(search.goal))\n    "
        "search.orbits.other_hash = wrap(search.orbits.other_hash + mixed(-search.goal))",
        "search.orbits.hash",
    ),
    Fault(
        "proofs: the numbers of another state",
        proof_kernel,
        "remember(search, node.orbit_hash, node.other_orbit_hash,",
        "remember(search, search.orbits.hash, search.orbits.other_hash,",
    ),
    Fault(
        "proofs: chance that is not taken back",
        proof_kernel,
        "above.other_hash, above.seed)",
        "above.other_hash, search.game.seed)",
    ),
    Fault("proofs: a table that knows no chance", proof_search, "(), self.problem.analysis.uses_chance)", "(), False)"),
    Fault("bounds swapped at the root", best_play, "            if bound >= goal:\n", "            if bound > goal:\n"),
    Fault("a line in which the others err", best_play, "(bound <= value)", "True"),
    Fault("a line in which the player errs", best_play, "(bound >= value)", "(bound >= value - 1)"),
)

ONLY_SLOWER = (
    Fault("a bound kept where it is looser", kernel, "min(place.upper, frame.best)", "max(place.upper, frame.best)"),
    Fault(
        "a hash that is not restored",
        kernel,
        "frame.hash, frame.other_hash, frame.seed)",
        "frame.hash, game.other_hash, frame.seed)",
    ),
)
"""Faults with which bounds stay right: no value tells them, but the number of states does."""

NOTICED = (AssertionError, IndexError, RulesError, GameFault, problem.Repeats)
"""A wrong bound may also lead the search astray, into what the rules do not allow or a table does not hold."""


def quick_or_campaign(faults: Sequence[Fault]) -> list[ParameterSet]:
    marks = {True: [], False: [pytest.mark.campaign]}
    return [pytest.param(fault, id=fault.name, marks=marks[fault.name in QUICK]) for fault in faults]


@pytest.mark.parametrize("fault", quick_or_campaign(FAULTS))
def test_a_fault_is_noticed(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    searches = with_fault(fault, monkeypatch)
    with pytest.raises(NOTICED):
        for name, state, asked in random_endgames(ENDGAMES, 1):
            compare(name, state, asked, searches)


@pytest.mark.campaign
@pytest.mark.parametrize("fault", ONLY_SLOWER, ids=lambda fault: fault.name)
def test_a_fault_that_costs_time_is_seen_in_the_states(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    least = states(Searches())
    assert states(with_fault(fault, monkeypatch)) > 1.1 * least


def states(searches: Searches) -> int:
    """How many the kernel looks at in some endgames."""
    return sum(compare(name, state, asked, searches) for name, state, asked in random_endgames(8, 1))


def with_fault(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> Searches:
    if fault.module in (kernel, proof_kernel):
        plant_in_kernels(fault, monkeypatch)
        return Searches(seconds=SECONDS)
    there = changed_module(fault, monkeypatch)
    if fault.module is inquiry:  # the problem is made of it
        monkeypatch.setitem(sys.modules, inquiry.__name__, sys.modules[str(there["__name__"])])
        fault = Fault("", problem, "class MinimaxProblem", "class MinimaxProblem")
        there = changed_module(fault, monkeypatch)
    names = {
        problem: ("problem", "MinimaxProblem"),
        plain_search: ("plain", "PlainSearch"),
        kernel_search: ("kernel", "KernelSearch"),
        proof_search: ("proofs", "ProofSearch"),
        best_play: ("best_play", "BestPlaySearch"),
    }
    part, name = names[fault.module]
    return evolve(Searches(seconds=SECONDS), **{part: there[name]})

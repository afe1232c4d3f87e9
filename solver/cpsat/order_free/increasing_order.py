"""An increasing order of actions: of all orders in which a plan can be played, a search need try only this one.

Where actions commute, a plan is a multiset that can be played in any order. To try the actions of each plan in increasing order
only is the static case of sleep sets (Godefroid 1996). A transposition table may break these: it has a state expanded once, for
one multiset A that leads there, and actions less than the greatest of A are not tried.

**Yet no plan is lost.** Suppose some plan is better than all that is found. Of these plans let P = p1 ≤ … ≤ pn be the greatest,
compared from the greatest action downward, and let A be a multiset for which a state was expanded that equals the state after
p1 … pi, or has no less of any resource, with the greatest such i. Then A with p(i+1) … pn is a plan that is no worse. If no
action of A exceeds p(i+1), this action was tried there: the bound did not exclude it, so the state after it, or one that
dominates it, was expanded, and i was not the greatest. If the greatest action of A exceeds p(i+1), the new plan has one more
of it, and as many of all greater actions: it is greater than P. There is a greatest plan only if no action can be repeated
without limit. Automorphisms, which rename actions, are not combined with it.
"""

from __future__ import annotations

from rulewright.rules.model.moves import Move
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.solver.cpsat.model.circuit import Refused

from .commuting_loop import CommutingLoop


def increasing_order(engine: Engine, analysis: DataflowAnalysis, root: State, seconds: float) -> tuple[Move, ...]:
    """The actions of all plans, in the order in which they need be tried. Raises `Refused` if there is no such order, also
    after so many seconds, `Refused`, `ModelTooLarge`."""
    plays = CommutingLoop.of(engine, analysis, root, seconds)
    if not plays.is_exact:
        raise Refused("play that may be over before the last action", plays.loop.choice.span)
    actions = plays.commuting.actions
    for number, action in enumerate(actions):
        if plays.commuting.most_uses(number) is None:
            raise Refused("an action that may be repeated without limit", action.span)
    return tuple(action.move for action in actions)

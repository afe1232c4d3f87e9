"""One engine of the solver by itself: `python bench/alone.py ENGINE PUZZLE SECONDS` prints what it found as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.answer import schedule
from rulewright.solver.budget import Limits
from rulewright.solver.cpsat.process.standalone import solve
from rulewright.solver.result import Result
from rulewright.solver.search.incumbent import Listener
from rulewright.solver.search.problem import Problem


def search(engine: Engine, state: State, question: Question, seconds: float) -> Result:
    """By the kernels alone."""
    return schedule.search(Problem(engine, state, question), Limits(seconds), Listener(), lambda: None)


Alone = Callable[[Engine, State, Question, float], Result]

ENGINES: dict[str, Alone] = {
    "search": search,
    "cpsat": solve,
}


def main() -> None:
    name, path, seconds = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    result = ENGINES[name](position.asked, position.state, position.question, seconds)
    found = {"status": result.status.value, "score": result.score, "bound": result.bound, "seconds": result.seconds}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()

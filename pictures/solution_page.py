"""A solution as one page of HTML to step through: no network, nothing to install, the plan hidden at first.

Every text is escaped; the one script and the one style are constants, which the page's content security policy names by hash.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from html import escape

from rulewright.base.records import frozen
from rulewright.rules.play.engine import State

from .position_picture import Scene, picture
from .solution_script import SCRIPT, STYLE
from .svg import plain, to_text


@frozen
class Stage:
    """A state of the plan: the action that led to it (none at first), and what the state is worth, in all and item by item."""

    action: str
    state: State
    value: str
    items: tuple[str, ...] = ()


@frozen
class Solution:
    """What the page tells: the puzzle, its question, the answer with its evidence, and the stages of the plan."""

    name: str
    text: str
    question: str
    answer: str
    evidence: tuple[str, ...]
    stages: tuple[Stage, ...]


def solution_page(scene: Scene, solution: Solution) -> str:
    """The page, in UTF-8."""
    policy = (
        f"default-src 'none'; style-src '{_hash(STYLE)}'; script-src '{_hash(SCRIPT)}'; base-uri 'none'; form-action 'none'"
    )
    stages = "".join(_stages(scene, solution.stages))
    actions = enumerate(stage.action for stage in solution.stages)
    plan = "".join(f'<li id="action-{at}" hidden>{_text(action)}</li>\n' for at, action in actions if at)
    dark = ' class="dark"' if scene.options.dark else ""
    return f"""<!DOCTYPE html>
<html lang="en"{dark}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{_text(solution.name)}</title>
<style>{STYLE}</style>
</head>
<body>
<header>
<h1>{_text(solution.name)}</h1>
<p>{_text(solution.text)}</p>
<p><strong>Asked:</strong> {_text(solution.question)}</p>
</header>
<main>
<div class="board" id="stages">
{stages}</div>
<div class="beside">
<p id="status" role="status" aria-live="polite"></p>
<div class="controls" role="group" aria-label="Steps of the plan">
<button type="button" id="first" aria-label="First step">|&lt;</button>
<button type="button" id="back" aria-label="Step back">&lt;</button>
<input type="range" id="step" min="0" max="0" value="0" aria-label="Step">
<button type="button" id="forward" aria-label="Step forward">&gt;</button>
<button type="button" id="last" aria-label="Last step">&gt;|</button>
</div>
<p class="controls"><button type="button" id="hint">Hint</button> <button type="button" id="all">Show the solution</button></p>
<ol id="plan">
{plan}</ol>
<div id="answer" hidden>
<p><strong>{_text(solution.answer)}</strong></p>
{"".join(f"<p>{_text(line)}</p>" for line in solution.evidence)}
</div>
<noscript><p>The steps need JavaScript, which this page has within itself.</p></noscript>
</div>
</main>
<script>{SCRIPT}</script>
</body>
</html>
"""


def _stages(scene: Scene, stages: Sequence[Stage]) -> list[str]:
    found = []
    for at, stage in enumerate(stages):
        svg = to_text(picture(scene, stage.state, stages[at - 1].state if at else None))
        items = "".join(f"<li>{_text(item)}</li>" for item in stage.items)
        told = f"step {at} of {len(stages) - 1}, {stage.value}" + (f": {stage.action}" if at else "")
        score = f"<details><summary>{_text(stage.value)}</summary><ul>{items}</ul></details>\n" if items else ""
        hidden = " hidden" if at else ""
        found.append(f'<section id="stage-{at}" data-told="{_text(told)}"{hidden}>\n{svg}{score}</section>\n')
    return found


def _text(content: str) -> str:
    return escape(plain(content))


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()

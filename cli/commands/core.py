"""`rulewright core`: a game or puzzle in the core, as JSON for other programs."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from rulewright.api.named import Named
from rulewright.api.start import check_players
from rulewright.base.atomic_write import write_atomically
from rulewright.base.styled_text import escaped_path
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.rules import Core, CoreFile
from rulewright.cli.names import named
from rulewright.cli.views.output import Output
from rulewright.cli.views.paths import check_writable
from rulewright.puzzles.position import Position
from rulewright.puzzles.share_line import rules_digest
from rulewright.rules.core.lower import lower
from rulewright.rules.core.to_json import json_of, start_of
from rulewright.rules.play.engine import Engine
from rulewright.solver.certificates.certificate import core_of as asked_core


def write_core(name: str, variant: str, players: int | None, path: Path | None, output: Output) -> None:
    """Print the core of a puzzle or game, or write it to a file."""
    if path is not None:
        check_writable(path)
    document = core_of(named(name, variant), players)
    if path is None:
        Output(as_json=True).document(Core, **document)
        return
    content = json.dumps(document).encode()
    write_atomically(path, content)
    output.document(CoreFile, file=path, digest=document["digest"], bytes=len(content))
    output.say(f"wrote {escaped_path(path)}: {len(content)} bytes")


def core_of(session: Named, players: int | None) -> dict[str, Any]:
    """The document of a puzzle, with its position and question; or of a game before its set-up."""
    if session.is_puzzle:
        check_players(session.position, players)
        return core_of_position(session, session.position)
    game = session.game
    engine = Engine.of(game, game.players.low if players is None else players)
    core = lower(engine.instance, engine.flow)
    start = start_of(core, engine.layout, engine.unset, 0)
    return _document(session, {**json_of(core), "start": start, "question": None})


def core_of_position(session: Named, position: Position) -> dict[str, Any]:
    """The document of a position and its question."""
    state = position.state if position.reduced is None else position.reduced.state(position.state)
    return _document(session, asked_core(position.asked, state, position.question))


def _document(session: Named, found: dict[str, Any]) -> dict[str, Any]:
    texts = rules_digest(session.project.modules_of("+".join(session.rules)))
    digest = sha256(json.dumps(found, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    return dict(document_of(Core, rules=session.rules, texts=texts.hex(), digest=digest, **found))

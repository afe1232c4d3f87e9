"""The file of a certificate: its header, the core, and the lines of its parts, compressed."""

from __future__ import annotations

import gzip
import json
from fractions import Fraction
from io import BytesIO
from typing import Any

from rulewright.base.records import frozen
from rulewright.rules.core.lower import lower
from rulewright.rules.core.to_json import asked_terms, json_of, question_of, start_of
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State

from .claims import Claimed
from .parts import Proof

SCHEMA = "rulewright/certificate/1"


@frozen
class Certificate:
    """The content of a file, and how many states it labels in all parts."""

    content: bytes
    states: int


def core_of(engine: Engine, state: State, question: Question | None) -> dict[str, Any]:
    """The core of a question about a state, as JSON, without what names the rules."""
    core = lower(engine.instance, engine.flow, engine.horizon, asked_terms(question))
    asked = None if question is None else question_of(question, core)
    return {**json_of(core), "start": start_of(core, engine.layout, state), "question": asked}


def certificate(proof: Proof, name: str, plan: tuple[Move, ...]) -> Certificate:
    """The certificate of a puzzle's answer. `plan` are the moves that have the value claimed.

    Raises `Uncertified`, AssertionError if the claim is wrong, and errors of play.
    """
    body, parts = BytesIO(), list[dict[str, Any]]()
    with gzip.GzipFile(fileobj=body, mode="wb", mtime=0) as file:
        for part in proof.parts():
            states = 0
            for line in part.lines:
                file.write(f"{line}\n".encode())
                states += 1
            parts.append({"kind": part.kind.value, "states": states})
    header = {
        "schema": SCHEMA,
        "puzzle": name,
        "core": proof.core["digest"],
        "claim": {
            "status": proof.claim.status.value,
            "value": _number(proof.claim.value),
            "count": proof.claim.count,
        },
        "plan": [list(move) for move in plan] if _is_played(proof) else None,
        "estimates": [dict(one.document) for one in proof.estimates],
        "parts": parts,
    }
    head = "".join(f"{json.dumps(line)}\n" for line in (header, proof.core)).encode()
    # The sizes in the header are known last. What follows in a gzip file may be compressed by itself.
    return Certificate(gzip.compress(head, mtime=0) + body.getvalue(), sum(part["states"] for part in parts))


def _is_played(proof: Proof) -> bool:
    """Whether a plan is half of the proof; against others, and in expectation, strategies are."""
    is_together = not proof.question.in_expectation and not proof.question.is_against
    return is_together and proof.claim.status in (Claimed.OPTIMAL, Claimed.REACHED)


def _number(value: int | Fraction | None) -> int | str | None:
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    return value

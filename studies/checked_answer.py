"""A small certificate of an answer, made and checked at once, by the checker that knows only the rules."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from rulewright.base.deadline import TimeUp, deadline
from rulewright.base.diagnostics import RulesError
from rulewright.base.host import HAS_THREADS
from rulewright.checker import rulewright_check
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.certificates.certificate import certificate, core_of
from rulewright.solver.certificates.claims import Uncertified, claim_of
from rulewright.solver.certificates.closed_sets import Room
from rulewright.solver.certificates.parts import Proof
from rulewright.solver.result import Result

SMALL = 1 << 20
"""Most bytes for states in a small check: some 8,000, which take a second or two."""

MEMORY_MB = 64
"""Most memory for the states of the checker, in a page."""

SECONDS = 15.0
"""The time limit of the certificate, and of the checker."""


def checked_answer(engine: Engine, state: State, question: Question, result: Result) -> str | None:
    """What the checker says of the answer to a question about a state; None if it has no small certificate.

    Raises AssertionError if the certificate shows that the answer is wrong.
    """
    core = {"schema": rulewright_check.CORE_SCHEMA, "rules": [], "texts": "", **core_of(engine, state, question)}
    core["digest"] = rulewright_check.digest_of(core)
    try:
        with deadline(SECONDS):
            proof = Proof(engine, state, question, claim_of(question, result, None), Room(SMALL), core)
            content = certificate(proof, "", result.plan).content
        return _said(content)
    except (Uncertified, RulesError, TimeUp, MemoryError, subprocess.TimeoutExpired):
        return None


def _said(content: bytes) -> str:
    """What the checker says of a certificate, in a process of its own where there are any."""
    if not HAS_THREADS:
        try:
            return rulewright_check.check_certificate(io.BytesIO(content), None, MEMORY_MB).claim
        except (rulewright_check.Refused, rulewright_check.Unreadable) as refusal:
            raise AssertionError(f"the checker does not accept the answer: {refusal}") from refusal
    with TemporaryDirectory() as folder:
        file = Path(folder) / "certificate"
        file.write_bytes(content)
        command = [sys.executable, "-I", str(rulewright_check.__file__), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, f"the checker does not accept the answer: {(done.stdout + done.stderr).strip()}"
    return done.stdout.splitlines()[0].removeprefix("checked: ")

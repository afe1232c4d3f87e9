"""Writes the certificate of an answer, for a checker that does not know Rulewright."""

from __future__ import annotations

from pathlib import Path

from rulewright.api.named import Named
from rulewright.base.atomic_write import write_atomically
from rulewright.base.deadline import TimeUp, deadline
from rulewright.base.diagnostics import RulesError
from rulewright.base.ending import unless_stopped
from rulewright.cli.commands.core import core_of_position
from rulewright.cli.views.answer_view import Answer, CertificateFile
from rulewright.cli.views.output import Output
from rulewright.cli.views.progress import Watch, watching
from rulewright.rules.linking.questions import Question
from rulewright.solver.certificates.certificate import Certificate, certificate
from rulewright.solver.certificates.claims import Uncertified, claim_of
from rulewright.solver.certificates.closed_sets import Room
from rulewright.solver.certificates.parts import Proof
from rulewright.solver.result import Limits


def write_certificate(
    path: Path, session: Named, found: Answer, question: Question, limits: Limits, output: Output
) -> CertificateFile:
    """Write the certificate within the limits, or say why there is none.

    Raises AssertionError if the answer is wrong.
    """
    watch = Watch("writing the certificate")

    def made() -> Certificate | str:
        try:
            with watching(watch, output), deadline(limits.seconds):
                return _certificate(session, found, question, limits, watch)
        except Uncertified as none:
            return str(none)
        except RulesError as error:
            return f"play comes to an error of the rules: {error.diagnostics[0].message}"
        except TimeUp:
            return "the time limit was reached"
        except MemoryError:
            return "the system had no more memory"

    one = unless_stopped(made, lambda: "the run was stopped")
    if isinstance(one, str):
        return CertificateFile(path, watch.states, none=one)
    write_atomically(path, one.content)
    return CertificateFile(path, one.states, len(one.content))


def _certificate(session: Named, found: Answer, question: Question, limits: Limits, watch: Watch) -> Certificate:
    position, result = found.position, found.result
    claim = claim_of(question, result, found.sequences)
    core = core_of_position(session, position)
    room = Room(limits.room, lambda states: watch(None, None, states))
    proof = Proof(position.asked, position.root, question, claim, room, core)
    return certificate(proof, position.puzzle.name, result.plan)

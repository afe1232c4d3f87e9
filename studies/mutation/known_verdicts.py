"""Verdicts kept in a journal, each with what it depends on, so that a long run can be interrupted and resumed.

A killed mutant stays killed while the rules and its killer are the same; one that survived is tried again after any change of
the rules or the evidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from rulewright.base.input_files import read_text
from rulewright.base.records import define, field, frozen
from rulewright.base.version import __version__
from rulewright.puzzles.share_line import rules_digest
from rulewright.studies.evidence import Evidence
from rulewright.studies.journal import Journal

from .testing import MutantStatus, MutationTest, MutationTests, Verdict


@frozen
class KeptVerdict:
    """A verdict as kept. `key` is a digest of the mutant and the rules by which it is valid, `basis` of all else that the
    verdict depends on."""

    key: str
    module: str
    mutant: str
    status: str
    by: str
    failing: tuple[str, ...]
    basis: str

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> KeptVerdict:
        """The verdict in a JSON document. Raises `TypeError` or `ValueError` for any other document."""
        found = cls(**{**document, "failing": tuple(document.get("failing", ()))})
        if found.status not in MutantStatus.__members__:
            raise ValueError(found.status)
        return found


@define
class _TestDigests:
    """Digests of what the verdicts on the mutants of a module depend on."""

    test: MutationTest
    _rules: dict[tuple[str, ...], bytes] = field(factory=dict, init=False)

    @cached_property
    def whole(self) -> bytes:
        """The rules by which a mutant is found to be valid."""
        return rules_digest(self.test.project.modules_of(self.test.whole))

    @cached_property
    def everything(self) -> str:
        """All evidence, the modules that must link, and the seconds for each question."""
        modules = (rules_digest(self.test.project.modules_of([path])) for path in self.test.dependants)
        return _digest([*map(self._evidence, self.test.evidence), *modules, str(self.test.unmutated.seconds).encode()])

    def key(self, mutant: str) -> str:
        """The key of a mutant."""
        return _digest([__version__.encode(), self.test.module.encode(), mutant.encode(), self.whole])

    def basis(self, verdict: Verdict) -> str:
        """What a verdict depends on besides its key."""
        if verdict.status is MutantStatus.INVALID:
            return ""
        killers = [evidence for evidence in self.test.evidence if evidence.name == verdict.by]
        return _digest(map(self._evidence, killers)) if killers else self.everything

    def _evidence(self, evidence: Evidence) -> bytes:
        """A puzzle or a saved game with its rules."""
        if evidence.rules not in self._rules:
            self._rules[evidence.rules] = rules_digest(self.test.project.modules_of(evidence.rules))
        text = read_text(evidence.path, self.test.project.limits)
        return self._rules[evidence.rules] + hashlib.sha256(text.encode()).digest()


@define
class KnownVerdicts:
    """The verdicts on the mutants of some modules that a journal knows. Mutants are given as for `MutationTests.verdict`."""

    tests: MutationTests
    journal: Journal[KeptVerdict]

    @cached_property
    def _digests(self) -> tuple[_TestDigests, ...]:
        return tuple(map(_TestDigests, self.tests.tests))

    def find(self, mutant: tuple[int, int]) -> Verdict | None:
        """The known verdict on a mutant; None if there is none, or if it may have changed since."""
        at, number = mutant
        digests = self._digests[at]
        kept = self.journal.entries.get(digests.key(digests.test.mutants[number].name))
        if kept is None:
            return None
        verdict = Verdict(number, MutantStatus[kept.status], kept.by, kept.failing)
        return verdict if digests.basis(verdict) == kept.basis else None

    def add(self, mutant: tuple[int, int], verdict: Verdict) -> None:
        """Keep a verdict. Raises `OSError`."""
        digests = self._digests[mutant[0]]
        name = digests.test.mutants[verdict.number].name
        self.journal.append(
            KeptVerdict(
                digests.key(name),
                digests.test.module,
                name,
                verdict.status.name,
                verdict.by,
                verdict.failing,
                digests.basis(verdict),
            )
        )


def _digest(parts: Iterable[bytes]) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:32]

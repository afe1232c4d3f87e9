"""Documents about rules and files."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from .common import Answer, Fault, File, Line, Origin, Path, file_of, line_of
from .document import Document, Of


class Expected(TypedDict):
    """A warning that the rules expect, with their reason."""

    code: str
    name: str
    reason: str
    file: File
    line: Line
    module: str


class Check(Document):
    """`check` without errors."""

    errors: list[Fault]
    warnings: list[Fault]
    expected: list[Expected]
    checked: list[str]


class ListedModule(TypedDict):
    """A module with the text in its header."""

    name: str
    file: Path
    text: str


class Length(TypedDict):
    """How long a solution is, in moves, turns or other points of the flow."""

    count: int
    of: str


class ListedPuzzle(TypedDict):
    """A puzzle, as its file describes it."""

    name: str
    file: Path
    rules: list[str]
    answer: Answer
    game: str
    text: str
    asks: bool
    grade: int | None
    length: Length | None
    themes: list[str]


class Listing(TypedDict):
    """`list`: `left_out` counts what `--all` would add."""

    schema: Literal["rulewright/list/1"]
    modules: list[ListedModule]
    puzzles: list[ListedPuzzle]
    left_out: int


class Clause(Origin):
    """A clause of an item."""

    clause: Annotated[str, Of("name")]
    kind: Annotated[str, Of("place.key.kind")]
    text: str
    cite: str | None


class Tree(Document):
    """`tree`"""

    name: str
    rules: list[str]
    clauses: list[Clause]


class WrittenRulebook(TypedDict):
    """`rulebook`: the sections of each chapter, and the figures with an allowed or a refused move."""

    schema: Literal["rulewright/rulebook/1"]
    file: str
    rules: list[str]
    chapters: dict[str, int]
    figures: int


class Change(Origin):
    """A clause that differs between the rules `a` and `b`; its text on each side."""

    clause: Annotated[str, Of("place")]
    kind: Annotated[str, Of("place.key.kind")]
    change: str
    a: str | None
    b: str | None


class Diff(Document):
    """`diff`: the modules on each side, and what differs."""

    a: list[str]
    b: list[str]
    changes: list[Change]


class Outcome(TypedDict):
    """A puzzle under one of the rules."""

    legal: list[str]
    score: int | None
    answer: Answer
    status: str | None


class Cause(TypedDict):
    """What some clauses changed of a puzzle: by how much, whether a goal became reachable (1) or
    unreachable (-1), and whether legal actions differ."""

    clauses: Annotated[list[str], Of("change_set")]
    answer: Answer
    score: int | None
    reached: int
    legal: bool


class Effect(TypedDict):
    """What the differences change of a puzzle."""

    puzzle: str
    changed: bool
    a: Annotated[Outcome | None, Of("before")]
    b: Annotated[Outcome | None, Of("after")]
    legal_added: list[str]
    legal_dropped: list[str]
    refused: str | None
    causes: Annotated[list[Cause], Of("contributions")]


class PuzzlesByCause(TypedDict):
    """The puzzles that some clauses change, with by how much, in the same order."""

    clauses: list[str]
    puzzles: list[str]
    answers: list[Answer]
    scores: list[int | None]
    legal: int


class DiffEffects(Document):
    """`diff --on`"""

    a: list[str]
    b: list[str]
    changes: list[Change]
    puzzles: list[Effect]
    causes: list[PuzzlesByCause]


class Snapshot(TypedDict):
    """A snapshot before and after; null where there is none."""

    file: Path
    before: str | None
    after: str | None


class PuzzleSnapshots(TypedDict):
    """The changed snapshots of a puzzle."""

    puzzle: Annotated[str, Of("name")]
    snapshots: Annotated[list[Snapshot], Of("changes")]


class CorrectedFile(TypedDict):
    """What `--correct` changes in a file."""

    file: Path
    changed: list[str]


class ReviewedGroup(TypedDict):
    """Snapshots that changed for one cause."""

    cause: Annotated[str, Of("title")]
    changes: list[Change]
    puzzles: list[PuzzleSnapshots]
    snapshots: list[Snapshot]
    corrections: list[CorrectedFile]
    accepted: bool


class Review(Document):
    """`review`"""

    groups: list[ReviewedGroup]
    uncorrected: list[str]
    undecided: list[str]
    errors: list[Fault]


class Evidence(TypedDict):
    """A puzzle or saved game."""

    name: str
    file: Path


class CitingRule(Origin):
    """A rule that cites a clause of the rulebook."""

    rule: Annotated[str, Of("name")]


class RulebookClause(TypedDict):
    """A clause of the rulebook: what cites it, what it is the same as, why no rule is needed, what shows it."""

    clause: Annotated[str, Of("entry.name")]
    text: Annotated[str, Of("entry.statement")]
    file: Annotated[str, Of("entry.path")]
    line: Annotated[int, Of("entry.line")]
    rules: Annotated[list[CitingRule], Of("clauses")]
    same: Annotated[list[str], Of("entry.same")]
    no_rule: Annotated[str | None, Of("entry.no_rule")]
    shown_by: list[str]


class Gap(TypedDict):
    """What is not cited or not exercised, with the reason that is known for it, and where its clause was written."""

    module: Annotated[str | None, Of("clause.module")]
    file: Annotated[str | None, Of("clause.span", file_of)]
    line: Annotated[int | None, Of("clause.span", line_of)]
    kind: str
    name: str
    reason: str | None


class TracedModule(TypedDict):
    """A module; `outdated` are reasons for gaps that do not exist."""

    module: str
    evidence: list[Evidence]
    clauses: Annotated[list[RulebookClause], Of("rows")]
    gaps: list[Gap]
    outdated: list[str]


class Trace(Document):
    """`trace`: `left_out` are the errors of files that could not be read."""

    modules: list[TracedModule]
    left_out: list[Fault]


class Survivor(TypedDict):
    """A mutant that nothing killed; `decided` is false if some puzzle was not proved in time."""

    name: str
    clause: str
    change: str
    file: File
    line: Line
    decided: bool
    reason: str | None


class MutatedModule(TypedDict):
    """A module: `idle` is evidence that fails without a mutant too."""

    module: Annotated[str, Of("test.module")]
    evidence: list[str]
    mutants: int
    broken: int
    noticed: int
    survivors: list[Survivor]
    outdated: list[str]
    idle: Annotated[list[str], Of("failing")]


class Mutate(Document):
    """`mutate`"""

    modules: list[MutatedModule]


class FormattedFile(TypedDict):
    """A file, and whether its text changes."""

    file: Path
    changed: Annotated[bool, Of("changes")]


class Fmt(Document):
    """`fmt`"""

    files: list[FormattedFile]


class Core(Document):
    """`core`: a game or puzzle as a program. docs/core.md describes every field; `texts` and `digest` are SHA-256, of the rules
    as printed and of all further fields."""

    rules: list[str]
    texts: str
    digest: str
    players: int
    spaces: dict[str, Any]
    maps: dict[str, Any]
    rows: dict[str, Any]
    variables: list[Any]
    definitions: dict[str, Any]
    actions: list[Any]
    flow: list[Any]
    scores: dict[str, Any]
    most: int
    start: dict[str, Any]
    question: dict[str, Any] | None


class CoreFile(Document):
    """`core -o FILE`"""

    file: Path
    digest: str
    bytes: int


class Explain(Document):
    """`explain CODE`: the page of a code, in Markdown."""

    code: str
    title: str
    text: Annotated[str, Of("page")]


class Code(TypedDict):
    """A code and its title."""

    code: str
    title: str


class Codes(Document):
    """`explain --list`"""

    codes: list[Code]


class New(Document):
    """`new`"""

    folder: str
    files: list[str]


class Studio(Document):
    """`studio`, as soon as it listens. The address is a key."""

    folder: str
    url: str

"""Counts the numbers that have a name of their own in the product, by what gives them their value:
`python bench/named_numbers.py [--list [KIND]] [TREE]`.

A named number is a constant in capitals outside an `Enum`, whose value is a number or is computed from numbers alone. Names
are counted, so `FEW, MANY = 14, 34` are two. The text below a number (or below several, or beside it) says what it is, and how
that text begins says of what kind, by RULES: the first that fits counts, so a reader finds the kind where the number stands.

A number is *tuned* if no rule fits: another value would give the same answers sooner or later. What was measured stands beside
it ("Measured …"); `unmeasured` counts those without. A *limit* bounds time, memory or a list; nobody varies it, but a reader
may count it with the tuned ones.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from attrs import frozen

ROOMS = ("solver", "rules", "grammar", "puzzles", "pictures", "studies", "cli", "editor", "studio", "src/rulewright")

TUNED = "tuned"


@frozen
class Number:
    """A named number: where, its name, its value as written, and the text below it."""

    path: Path
    line: int
    name: str
    value: str
    text: str

    @property
    def kind(self) -> str:
        return next((kind for kind, fits in RULES.items() if fits(self)), TUNED)

    @property
    def is_measured(self) -> bool:
        return re.search(r"\bMeasured\b|\bmeasured:", self.text) is not None

    def begins(self, *words: str) -> bool:
        """Whether its text begins with one of these."""
        return re.match(rf"(The )?({'|'.join(words)})\b", self.text, re.IGNORECASE) is not None


RULES: dict[str, Callable[[Number], bool]] = {
    # Computed from another name, or by a formula of mathematics.
    "computed": lambda one: re.search(r"[A-Za-z_]{2,}", one.value) is not None,
    # In place of a value: that there is none, that it is infinite.
    "sentinel": lambda one: (
        one.value.startswith("-") or one.begins("Stands? for", "In place of", "(Greater|More|Larger) than (any|all)")
    ),
    # One of a few cases, or an index: another number would do as well, if everybody used it.
    "code": lambda one: one.begins("Codes?", "Index of", "Indices of"),
    # A place in a word, a size that a format, a protocol or the arithmetic gives.
    "format": lambda one: (
        re.search(r"^(?!MOST).*_(BITS|SHIFT|FACTOR)$", one.name) is not None
        or one.begins("Bits", "Bytes of", "Words", "Parts", "Layout", "Protocol's", "Close code", "Random word", "Unit")
    ),
    # What a name of the product means, or a convention of its field: another number would mean something else.
    "definition": lambda one: one.begins("By definition", "By convention"),
    # A length in a drawing or on a screen: chosen by looking at it.
    "drawing": lambda one: (
        (one.path.parts[0] == "pictures" and "." in one.value) or one.begins("(In )?(pixels|columns|characters|lines)", "Drawn")
    ),
    # What is refused, cut or left out beyond it: it bounds time, memory or a list, and is not varied.
    "limit": lambda one: (
        re.match(r"_?(MOST|LONGEST|DEEPEST|WIDEST|LARGEST|FARTHEST)(_|$)", one.name) is not None
        or one.begins("Most", "Largest", "Greatest", "Maximum", "Widest", "Longest", "Deepest", "Least memory", "Time limits?")
    ),
}  # fmt: skip
"""The kinds of numbers that are not tuned, with the rule for each."""


def is_number(value: ast.expr) -> bool:
    """Whether a value is a number, or computed from a number."""
    match value:
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int() | float()):
            return True
        case ast.UnaryOp(operand=operand):
            return is_number(operand)
        case ast.BinOp(left=left, right=right):
            return is_number(left) or is_number(right)
        case _:
            return False


def named_in(source: str) -> Iterator[tuple[int, str, str, str]]:
    """The line, name, value and text of each named number of a module, its classes included."""
    lines = source.splitlines()
    for line, name, value, text in _named_in(ast.parse(source).body):
        yield line, name, value, text or lines[line - 1].partition("  # ")[2]


def _named_in(body: list[ast.stmt]) -> Iterator[tuple[int, str, str, str]]:
    for at, node in enumerate(body):
        match node:
            case ast.ClassDef(bases=bases) if not any(ast.unparse(base).endswith(("Enum", "Flag")) for base in bases):
                yield from _named_in(node.body)
            case _:
                yield from ((node.lineno, name, value, _text_below(body, at)) for name, value in _named_by(node))


def _named_by(node: ast.stmt) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Assign(targets=[*targets], value=value):
            for target in targets:
                pairs = [(target, value)]
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                    pairs = list(zip(target.elts, value.elts, strict=True))
                yield from ((ast.unparse(to), ast.unparse(of)) for to, of in pairs if _is_named(to, of))
        case ast.AnnAssign(target=target, value=ast.expr() as value) if _is_named(target, value):
            yield ast.unparse(target), ast.unparse(value)
        case _:
            pass


def _is_named(target: ast.expr, value: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id.isupper() and is_number(value)


def _text_below(body: list[ast.stmt], at: int) -> str:
    """The text right below a number, or below the numbers right below it."""
    for above, node in pairwise(body[at:]):
        match node:
            case ast.Expr(ast.Constant(str(text))):
                return " ".join(text.split())
            case _ if node.lineno != (above.end_lineno or 0) + 1 or not list(_named_by(node)):
                return ""
    return ""


def numbers_of(tree: Path) -> Iterator[Number]:
    """The named numbers of a tree of the product."""
    for room in ROOMS:
        for path in sorted((tree / room).rglob("*.py")):
            if any(part.is_symlink() for part in (path, *path.parents) if part != tree and tree in part.parents):
                continue
            place = path.relative_to(tree)
            for found in named_in(path.read_text(encoding="utf-8")):
                yield Number(place, *found)


def counts_of(numbers: list[Number]) -> Counter[str]:
    """How many there are of each kind, and how many of the tuned ones are unmeasured."""
    counts = Counter(number.kind for number in numbers)
    counts["unmeasured"] = sum(number.kind == TUNED and not number.is_measured for number in numbers)
    return counts


def main() -> None:
    """Print the count of each kind, for each room and for all, and with `--list` each number."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", nargs="?", const="", dest="kind", metavar="KIND", choices=("", TUNED, "unmeasured", *RULES))
    parser.add_argument("tree", nargs="?", default=".", type=Path)
    given = parser.parse_args()
    numbers = list(numbers_of(given.tree))
    for one in numbers if given.kind is not None else ():
        is_open = one.kind == TUNED and not one.is_measured
        if given.kind in ("", one.kind) or (given.kind == "unmeasured" and is_open):
            print(f"{one.path}:{one.line}: {one.name} = {one.value}  [{'unmeasured' if is_open else one.kind}] {one.text}")
    for room in ROOMS:
        of_room = [one for one in numbers if one.path.is_relative_to(room)]
        print(room, len(of_room), *(f"{kind} {count}" for kind, count in counts_of(of_room).most_common() if count))
    print("all", len(numbers), *(f"{kind} {count}" for kind, count in counts_of(numbers).most_common()))


if __name__ == "__main__":
    main()

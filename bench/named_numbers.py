"""Counts the numbers that have a name of their own in the product, by room: `python bench/named_numbers.py [--list] [TREE]`.

A named number is a constant in capitals outside an `Enum`, whose value is a number or is computed from numbers alone. Names
are counted, so `FEW, MANY = 14, 34` are two. Numbers that a format or the arithmetic gives (-1 for none, a mask, a shift) count
as well as those that were tuned.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOMS = ("solver", "rules", "grammar", "puzzles", "pictures", "studies", "cli", "editor", "studio", "src/rulewright")


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


def named_in(body: list[ast.stmt]) -> Iterator[tuple[int, str, str]]:
    """The line, name and value of each named number of a module, its classes included."""
    for node in body:
        match node:
            case ast.ClassDef(bases=bases) if not any(ast.unparse(base).endswith(("Enum", "Flag")) for base in bases):
                yield from named_in(node.body)
            case ast.Assign(targets=[*targets], value=value):
                for target in targets:
                    pairs = [(target, value)]
                    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                        pairs = list(zip(target.elts, value.elts, strict=True))
                    yield from ((node.lineno, ast.unparse(to), ast.unparse(of)) for to, of in pairs if _is_named(to, of))
            case ast.AnnAssign(target=target, value=ast.expr() as value) if _is_named(target, value):
                yield node.lineno, ast.unparse(target), ast.unparse(value)
            case _:
                pass


def _is_named(target: ast.expr, value: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id.isupper() and is_number(value)


def main() -> None:
    """Print the count of each room, and with `--list` each number."""
    given = [word for word in sys.argv[1:] if word != "--list"]
    tree, counts = Path(given[0] if given else "."), Counter[str]()
    for room in ROOMS:
        for path in sorted((tree / room).rglob("*.py")):
            if any(part.is_symlink() for part in (path, *path.parents) if part != tree and tree in part.parents):
                continue
            for line, name, value in named_in(ast.parse(path.read_text(encoding="utf-8")).body):
                counts[room] += 1
                if "--list" in sys.argv:
                    print(f"{path.relative_to(tree)}:{line}: {name} = {value}")
    print(*(f"{room} {count}" for room, count in counts.most_common()), "all", counts.total())


if __name__ == "__main__":
    main()

"""Lines to parse trees by the tables that Lark made of the grammar, at a fraction of what Lark's own parser takes.

An LALR(1) parser whose lexer looks only for what may stand next. It says no more of a line than that it is none: what is wrong
with it Lark is asked (`complaints.py`), and until then it is not loaded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field

from .classes import define, frozen

END = "$END"
SHIFT = 0
"""An action of the tables is `[SHIFT, state]` or `[1, {"@": rule}]`."""


@define(eq=False)
class Leaf:
    """A terminal, and where it stands."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def outer(self) -> tuple[int, int]:
        """The stretch of text that its parent counts as its own."""
        return self.start, self.end


@define(eq=False)
class Tree:
    """What a rule made of its children; None is a part that may be left out, and is. `outer` has brackets around it too.

    `node` and `depth` are for whoever builds nodes.
    """

    rule: str
    children: list[Tree | Leaf | None]
    start: int
    end: int
    outer: tuple[int, int]
    node: Any = None
    depth: int = 0


@frozen
class Reduction:
    """A rule: of `size` parts those that are `kept` (number, whether its children take its place, how many Nones go before).

    What is `is_transparent` is its only child, where it has but one; of what `is_hidden` its parent has the children.
    """

    origin: str
    name: str
    size: int
    kept: tuple[tuple[int, bool, int], ...]
    nones: int
    is_transparent: bool
    is_hidden: bool

    @classmethod
    def of(cls, rule: Mapping[str, Any], tokens: Mapping[str, str]) -> Reduction:
        """From what Lark writes of a rule; `tokens` are the numbers of symbols."""
        options, origin = rule["options"], rule["origin"]["name"]
        nones = _nones(options["empty_indices"], len(rule["expansion"]))
        kept, before = [], 0
        for at, symbol in enumerate(rule["expansion"]):
            before += nones[at]
            is_terminal = symbol["__type__"] == "Terminal"
            if not is_terminal or not symbol["filter_out"]:
                kept.append((at, not is_terminal and symbol["name"].startswith("_"), before))
                before = 0
        is_transparent = options["expand1"] and not rule["alias"]
        size, after = len(rule["expansion"]), before + nones[-1]
        return cls(tokens[origin], rule["alias"] or origin, size, tuple(kept), after, is_transparent, origin.startswith("_"))

    def of_parts(self, parts: Sequence[Tree | Leaf]) -> Tree | Leaf:
        """What becomes of the parts."""
        children: list[Tree | Leaf | None] = []
        for at, opens, nones in self.kept:
            children += [None] * nones
            part = parts[at]
            if opens and isinstance(part, Tree):
                children += part.children
            else:
                children.append(part)
        children += [None] * self.nones
        outer = start, end = parts[0].outer[0], parts[-1].outer[1]
        if self.is_transparent and len(children) == 1 and (only := children[0]) is not None:
            if isinstance(only, Tree):
                only.outer = outer
            return only
        return Tree(self.name, children, start, end, outer)


def _nones(are_empty: Sequence[bool], size: int) -> list[int]:
    """How many parts are left out before each that is there, and behind the last: for each of them there is a `True`."""
    found = [0]
    for is_empty in are_empty or [False] * size:
        if is_empty:
            found[-1] += 1
        else:
            found.append(0)
    return found


@frozen
class Scanner:
    """What may stand next: one pattern for all terminals, and texts that a pattern of others matches too."""

    pattern: re.Pattern[str]
    words: Mapping[tuple[str, str], str]

    @classmethod
    def of(cls, terminals: Sequence[Mapping[str, Any]]) -> Scanner:
        """In the order in which Lark tries them. A text goes before a pattern of the same priority that matches it whole."""
        ordered = sorted(terminals, key=_precedence)
        words = {
            (one["name"], other["pattern"]["value"]): other["name"]
            for one in ordered
            for other in ordered
            if _is_text(other) and not _is_text(one) and one["priority"] == other["priority"]
            if re.compile(one["pattern"]["value"]).fullmatch(other["pattern"]["value"])
        }
        names = set(words.values())
        parts = [f"(?P<{one['name']}>{_expression(one)})" for one in ordered if one["name"] not in names]
        return cls(re.compile("|".join(parts)), words)


def _is_text(terminal: Mapping[str, Any]) -> bool:
    return bool(terminal["pattern"]["__type__"] == "PatternStr")


def _expression(terminal: Mapping[str, Any]) -> str:
    value: str = terminal["pattern"]["value"]
    return re.escape(value) if _is_text(terminal) else value


def _precedence(terminal: Mapping[str, Any]) -> tuple[int, int, int, str]:
    value = terminal["pattern"]["value"]
    longest = len(value) if _is_text(terminal) else terminal["pattern"]["_width"][1]
    return -terminal["priority"], -longest, -len(value), terminal["name"]


@define(eq=False)
class Reader:
    """A parser of lines."""

    states: Mapping[int, Mapping[str, Sequence[Any]]]
    starts: Mapping[str, int]
    ends: Mapping[str, int]
    reductions: Mapping[int, Reduction]
    terminals: Mapping[str, Mapping[str, Any]]
    tokens: Mapping[str, str]
    ignored: frozenset[str]
    _scanners: dict[int | frozenset[str], Scanner] = field(factory=dict, init=False)

    @classmethod
    def of(cls, tables: Mapping[str, Any]) -> Reader:
        """From what Lark writes of a parser."""
        data, memo = tables["data"]["parser"], tables["memo"]
        parser = data["parser"]
        tokens = {name: number for number, name in parser["tokens"].items()}
        reductions = {int(at): Reduction.of(rule, tokens) for at, rule in memo.items() if rule["__type__"] == "Rule"}
        terminals = {one["name"]: one for one in memo.values() if one["__type__"] == "TerminalDef"}
        states = {int(number): actions for number, actions in parser["states"].items()}
        ignored = frozenset(data["lexer_conf"]["ignore"])
        return cls(states, parser["start_states"], parser["end_states"], reductions, terminals, tokens, ignored)

    def read(self, text: str, start: str) -> list[Tree] | None:
        """The trees of a text, children before parents, the whole last; None when it is no such line."""
        states, at = self.states, 0
        stack, parts, trees = [self.starts[start]], list[Tree | Leaf](), list[Tree]()
        while True:
            leaf = self._leaf(text, at, stack[-1])
            if leaf is None:
                return None
            at, number = leaf.end, self.tokens[leaf.kind]
            while (action := states[stack[-1]].get(number)) is not None and action[0] != SHIFT:
                reduction = self.reductions[action[1]["@"]]
                part = reduction.of_parts(parts[-reduction.size :])
                del stack[-reduction.size :], parts[-reduction.size :]
                stack.append(states[stack[-1]][reduction.origin][1])
                parts.append(part)
                if isinstance(part, Tree) and not reduction.is_hidden and (not trees or part is not trees[-1]):
                    trees.append(part)
                if leaf.kind == END and stack[-1] == self.ends[start]:
                    return trees
            if action is None:
                return None
            stack.append(action[1])
            parts.append(leaf)

    def _leaf(self, text: str, at: int, state: int) -> Leaf | None:
        """The next terminal, of those that may stand there; None when there is another."""
        scanner = self._scanners.get(state) or self._scanner(state)
        while at < len(text):
            found = scanner.pattern.match(text, at)
            if found is None or found.lastgroup is None:
                return None
            kind, said, begin, at = found.lastgroup, found.group(), at, found.end()
            if kind not in self.ignored:
                return Leaf(scanner.words.get((kind, said), kind), said, begin, at)
        return Leaf(END, "", at, at)

    def _scanner(self, state: int) -> Scanner:
        """Made when it is first needed; states that accept the same share it."""
        accepted = {name for name in self.terminals if self.tokens.get(name) in self.states[state]}
        key = frozenset(accepted | self.ignored)
        if key not in self._scanners:
            self._scanners[key] = Scanner.of([self.terminals[name] for name in key])
        self._scanners[state] = self._scanners[key]
        return self._scanners[state]

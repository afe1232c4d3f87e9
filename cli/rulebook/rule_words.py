"""Rules in words: the flow, the steps of actions and procedures, and clauses that no text tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import assert_never

from rulewright.base.records import evolve, frozen
from rulewright.base.styled_text import spaced
from rulewright.grammar.printing.print_expressions import print_range
from rulewright.grammar.tree import modules, statements
from rulewright.grammar.tree.expressions import Binder, Expression, Name, Not, Subscript, Those, TruthLiteral
from rulewright.grammar.tree.traversal import nodes_in
from rulewright.pictures.pages.frame import text_of
from rulewright.rules.clauses import clause_text
from rulewright.rules.clauses.decompose import Default, Once, Part
from rulewright.rules.model.game import Game
from rulewright.rules.model.types import Truth
from rulewright.web.wording import Wording

from .chapters import Mark

QUOTED = re.compile("\u2039(.*?)\u203a")
"""How names that only a rule knows come out of `Wording`; a page shows them in italics."""

FIRST = re.compile(r"(?<![^>])\w")
"""The first letter of a sentence, after tags."""


@frozen
class Step:
    """A sentence as HTML, and how deep it stands below those that lead to it."""

    depth: int
    text: str
    mark: Mark = Mark.SAME


@frozen
class RuleWords:
    """Tells the rules of a game as HTML; `link` tells the name of an item, and `locals` are names that only a rule knows."""

    game: Game
    link: Callable[[str], str]
    locals: frozenset[str] = frozenset()

    def within(self, *parts: object) -> RuleWords:
        """Tells rules that name parameters and elements of their own, as these do."""
        named = nodes_in(*parts)
        found = {one.name for one in named if isinstance(one, modules.Parameter | Binder | statements.Let | statements.Each)}
        patterns = [one.pattern for one in named if isinstance(one, modules.Whenever)]
        moved = [value for one in patterns for value in (getattr(one, "cell", None), getattr(one, "piece", None))]
        found |= {one.text for one in moved if isinstance(one, Name)}.difference(kind.name for kind in self.game.tiles)
        return evolve(self, locals=self.locals | found)

    def say(self, node: Expression, it: str = "") -> str:
        """An expression as HTML."""
        told = Wording(self.game, it, self.locals, "\u2039*\u203a").say(node)
        return QUOTED.sub(r"<i>\1</i>", text_of(told))

    # Clauses ----------------------------------------------------------------------------------------------------------

    def rule(self, part: Part | None) -> str:
        """A rule that nothing but its expression tells; "" for others."""
        match part:
            case modules.Score(value=value):
                return f"It is {self.say(value)}."
            case modules.Winner(criteria):
                return _sentence(", then ".join(f"the {one.extreme.value} {self.say(one.value)}" for one in criteria))
            case modules.Rank(value):
                return f"By {self.say(value)}:"
            case modules.RankLine(name, low, high):
                ends = f"up to {high}" if low is None else f"{low} and more" if high is None else f"{low} to {high}"
                return f"{text_of(name)}: {ends}"
            case modules.Requirement(condition=condition, message=""):
                return _sentence(self.say(condition))
            case modules.Partition(_, parameter, space, value):
                told = self.within(parameter).say(value)
                return f"The parts of the {text_of(spaced(space))}: all cells with the same value of {told}."
            case modules.Space():
                return _sentence(text_of(clause_text.text_of(part)))
            case modules.Invariant(message=message) if message:
                return f"Never: {text_of(message)}."
            case _:
                return ""

    def clause(self, part: Part | None) -> str:
        """A clause in words, also one that a text beside it tells; "" for the head of an item."""
        match part:
            case modules.Requirement(condition=condition):
                return _sentence(self.say(condition))
            case modules.Parameter(name, domain, where, optional):
                among = "" if domain is None else f": one of {self.say(Those(Binder(name, domain, where)))}"
                return f"<i>{text_of(spaced(name))}</i>{among}{', or none' * optional}"
            case Default(value):
                return _sentence({"yes": "Always", "no": "Never"}[_word(value)] if _word(value) else self.say(value))
            case modules.Case(value=value, when=when):
                told = {"yes": "It is so", "no": "It is not so"}.get(_word(value)) or self.say(value)
                return _sentence(f"{told} {self._if(when)}")
            case modules.Whenever(pattern=pattern, where=where):
                return f"Whenever {self._step(pattern)}{'' if where is None else f' and {self.say(where)}'}:"
            case Once(point):
                return f"Once in each {text_of(spaced(point))}."
            case modules.Effect(labelled) | (statements.Labelled() as labelled):
                return nested(list(self.steps((labelled,))))
            case _:
                return self.rule(part)

    def _if(self, condition: Expression) -> str:
        return f"unless {self.say(condition.operand)}" if isinstance(condition, Not) else f"if {self.say(condition)}"

    # Steps ------------------------------------------------------------------------------------------------------------

    def steps(self, body: Sequence[statements.Labelled], depth: int = 0) -> Iterator[Step]:
        """The statements of a block."""
        for labelled in body:
            match labelled.statement:
                case statements.Block(inner):
                    yield from self.steps(inner, depth)
                case statements.ForEach(binder, inner):
                    among = self.say(Those(binder), it=" ")  # the steps need its name
                    yield from self._under(f"For each of {among}", inner, depth)
                case statements.When(condition, inner, otherwise):
                    yield from self._under(_capital(self._if(condition)), inner, depth)
                    if otherwise:
                        yield from self._under("Otherwise", otherwise, depth)
                case statement:
                    yield Step(depth, _sentence(self._step(statement)))

    def _under(self, head: str, body: Sequence[statements.Labelled], depth: int) -> Iterator[Step]:
        """The steps below a condition, on its line if there is one."""
        inner = list(self.steps(body, depth + 1))
        if len(inner) == 1:
            yield Step(depth, f"{head}, {FIRST.sub(lambda found: found[0].lower(), inner[0].text, count=1)}")
        else:
            yield Step(depth, f"{head}:")
            yield from inner

    def _step(self, statement: statements.Statement) -> str:  # noqa: PLR0912
        say = self.say
        match statement:
            case statements.Put(piece, cell, source, turned):
                how = "" if turned is None else f", turned by {say(turned)}"
                return f"put {say(piece)} on {say(cell)}{how}{self._from(source)}"
            case statements.Take(cell, zone):
                return f"what is on {say(cell)} goes to {say(zone)}"
            case statements.Slide(cell, target):
                return f"what is on {say(cell)} goes to {say(target)}"
            case statements.Move(piece, zone, source, everything):
                return f"move {'all of ' * everything}{say(piece)}{self._from(source)} to {say(zone)}"
            case statements.Deal(number, source, zone):
                return f"deal {say(number)} from {say(source)} to {say(zone)}"
            case statements.Shuffle(zone):
                return f"shuffle {say(zone)}"
            case statements.Draw(target, source):
                return f"draw {say(target)} at random, from {say(source)}"
            case statements.Roll(target):
                return f"roll {say(target)}"
            case statements.Assign(target, statements.Assignment.SET, value):
                variable = self.game.variables.get(target.name if isinstance(target, Subscript) else target.text)
                is_truth = variable is not None and isinstance(variable.type, Truth)
                told = {"yes": "note that {}", "no": "it is no longer so that {}"}.get(_word(value), "note that {} just if {}")
                return (told if is_truth else "set {} to {}").format(say(target), say(value))
            case statements.Assign(target, assignment, value):
                is_more = assignment is statements.Assignment.ADD
                return f"{'add' if is_more else 'take'} {say(value)} {'to' if is_more else 'from'} {say(target)}"
            case statements.AddElement(element, target):
                return f"add {say(element)} to {say(target)}"
            case statements.RemoveElement(element, target):
                return f"take {say(element)} out of {say(target)}"
            case statements.Clear(target):
                return f"empty {say(target)}"
            case statements.Let(name, value):
                return f"let <i>{text_of(spaced(name))}</i> be {say(value)}"
            case statements.Stop():
                return "the choosing ends"
            case statements.Finish():
                return "the game ends"
            case statements.Do(procedure, arguments):
                return self._run(procedure, arguments)
            case statements.ForEach() | statements.When() | statements.Block():
                raise AssertionError(statement)
            case _:
                assert_never(statement)

    def _from(self, source: Expression | None) -> str:
        return "" if source is None else f" from {self.say(source)}"

    def _run(self, procedure: str, arguments: Sequence[Expression]) -> str:
        given = f", for {', '.join(map(self.say, arguments))}" if arguments else ""
        return f"{self.link(procedure)}{given}"

    # Flow -------------------------------------------------------------------------------------------------------------

    def flow(self, body: Sequence[statements.FlowStatement], depth: int = 0) -> Iterator[Step]:
        """The statements of the course of play: who acts when."""
        for statement in body:
            inner: Sequence[statements.FlowStatement] = ()
            match statement:
                case statements.Run(procedure, arguments):
                    told = f"{self._run(procedure, arguments)}."
                case statements.Choose(actions, stop, by):
                    told = f"{self._choice(actions, stop)}{'' if by is None else f' The choice is made by {self.say(by)}.'}"
                case statements.Repeat(None, inner):
                    told = "Repeat, until nobody can or wants to go on:"
                case statements.Repeat(until, inner):
                    assert until is not None
                    told = f"Repeat until {self.say(until)}:"
                case statements.Each(name, domain, start, inner, where):
                    first = "" if start is None else f", beginning with {self.say(start)}"
                    only = "" if where is None else f", {self._if(where)}"
                    among = "" if print_range(domain) == "players" else f" of {self.say(domain)}"
                    told = f"Each {text_of(name)}{among} in turn{first}{only}:"
                case statements.Branch(condition, inner):
                    told = _capital(f"{self._if(condition)}:")
                case statements.Point(name, inner):
                    told = f"<b>{_capital(text_of(spaced(name)))}</b>"
                case _:
                    assert_never(statement)
            yield Step(depth, told)
            yield from self.flow(inner, depth + 1)
            if isinstance(statement, statements.Branch) and statement.otherwise:
                yield Step(depth, "Otherwise:")
                yield from self.flow(statement.otherwise, depth + 1)

    def _choice(self, actions: Sequence[str], stop: bool) -> str:
        ways = [self.link(action) for action in actions] + ["stop"] * stop
        return f"Choose: {', '.join(ways[:-1])}{' or ' if len(ways) > 1 else ''}{ways[-1]}." if ways else "There is no choice."


def compared(before: Sequence[Step], now: Sequence[Step]) -> Iterator[Step]:
    """The steps of now, those that are new marked, and between them those that are gone."""
    for kind, start, end, low, high in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from (evolve(step, mark=Mark.GONE) for step in before[start:end])
        yield from (step if kind == "equal" else evolve(step, mark=Mark.NEW) for step in now[low:high])


def nested(steps: Sequence[Step]) -> str:
    """Steps as ordered lists, a list below each step that leads to others; one alone is no list."""
    if len(steps) == 1 and steps[0].mark is Mark.SAME:
        return steps[0].text
    told, depth = "", -1
    for step in steps:
        told += "<ol>" * (step.depth - depth) if step.depth > depth else "</li>" + "</ol></li>" * (depth - step.depth)
        told += f'<li class="{step.mark.value}">{step.text}' if step.mark.value else f"<li>{step.text}"
        depth = step.depth
    return told + "</li></ol>" * (depth + 1)


def _word(value: Expression) -> str:
    return ("yes" if value.value else "no") if isinstance(value, TruthLiteral) else ""


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _sentence(text: str) -> str:
    return f"{_capital(text)}."

"""What a page says in words: a question, as it puts it to those who never read a rule text, and why an action is not legal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from rulewright.base.records import evolve, frozen
from rulewright.base.styled_text import spaced
from rulewright.grammar.tree.expressions import Arithmetic, Compare, Comparison, If, Name, NumberLiteral
from rulewright.grammar.tree.puzzles import Ask, Chance, Goal, Others, Puzzle
from rulewright.rules.linking.questions import Question
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Game
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.traversal import locals_in, nodes_of

from .wording import Wording


def in_plain_words(puzzle: Puzzle, game: Game) -> str:
    """What a puzzle asks. `maximise score for 2 turns`: Get the highest score you can in 2 turns. A condition is told by its
    own text, if it has one. "" without a question."""
    ask = puzzle.ask
    if ask is None:
        return ""
    say, asked = Wording(game).say, Name("score") if ask.value is None else ask.value
    value, is_score = say(asked), asked == Name("score")
    is_condition = isinstance(asked, If) and (asked.then, asked.otherwise) == (NumberLiteral(1), NumberLiteral(0))
    condition = asked.condition if isinstance(asked, If) and is_condition else None
    likely = "Make this as likely as you can:" if ask.chance is not None and ask.chance.known is Chance.EXPECTED else ""
    match ask.goal:
        case Goal.MAXIMISE if condition is not None:
            told = f"Bring this about if you can: {say(condition)}"
        case Goal.MAXIMISE if is_score:
            told = "Get the highest score you can"
        case Goal.MAXIMISE | Goal.MINIMISE:
            verb, how = ("Make", "high") if ask.goal is Goal.MAXIMISE else ("Keep", "low")
            is_long = isinstance(asked, Arithmetic | If) and "lead" not in value
            told = f"{verb} {'this' if is_long else value} as {how} as you can" + (f": {value}" if is_long else "")
        case Goal.REACH if is_score and ask.threshold is not None:
            told = f"{likely or 'Reach'} a score of at least {ask.threshold}"
        case Goal.REACH:
            bar = 1 if ask.threshold is None else ask.threshold
            reached = asked if ask.threshold is None else Compare(Comparison.AT_LEAST, asked, NumberLiteral(bar))
            told = f"{likely or 'Bring this about:'} {say(reached if condition is None or bar != 1 else condition)}"
        case Goal.COUNT_BEST:
            told = "Find a best way to play"
        case Goal.LEAST:
            assert ask.until is not None
            cost = f"as few {spaced(ask.point)}s as you can" if ask.value is None else f"the least {value.removeprefix('the ')}"
            told = f"With {cost}, bring this about: {say(ask.until)}"
        case Goal.WIN:
            told = f"{'Lose' if ask.loses else 'Win'} as player {ask.player}"
        case _:
            assert_never(ask.goal)
    if ask.turns is not None:
        own = " of your own" if ask.goal is Goal.WIN else ""
        told += f", in {ask.turns} {spaced(ask.point)}{'s' if ask.turns > 1 else ''}{own}"
    others = None if ask.others is None else ask.others.play
    if others is Others.AGAINST or (others is Others.TOGETHER and ask.goal is Goal.WIN):
        told += ", against best play" if others is Others.AGAINST else ", with the help of all"
    if ask.chance is not None:
        told += ", knowing what comes" if not likely else "" if ask.goal is Goal.REACH else ", on average"
    plans = [f" Player {plan.player} plays: {', '.join(plan.actions)}." for plan in puzzle.given]
    return "".join([told, ".", *plans])


def objective_in_words(ask: Ask | None, game: Game) -> str:
    """What a question counts: `score`, `moves`, `number of open cards`."""
    if ask is None or ask.value is None:
        return "score" if ask is None or ask.until is None else f"{spaced(ask.point)}s"
    return Wording(game).say(ask.value).removeprefix("the ")


def within(question: Question) -> dict[str, Any] | None:
    """How many turns (or moves) of whose own a question allows; null if it does not say."""
    if question.own_turns is None:
        return None
    return {"player": question.player, "most": question.own_turns, "turns": question.horizon is not None}


def titled(name: str) -> str:
    """The title of a game or puzzle: the last part of its name as words."""
    words = spaced(name.rpartition(".")[2])
    return words[:1].upper() + words[1:]


# What a reason is about -----------------------------------------------------------------------------------------------
# How a page finds the cells and tiles for which a requirement fails, as `why_illegal` does.


Names = Sequence[tuple[str, types.Type]]
Node = dict[str, Any]
"""One of four: `at`: things by their words and the places of their values among those given; `all`: parts, each with the number
that says whether it holds; `each`: values of a type, with the numbers that say whether they count and whether the body holds;
`call`: numbers of values that the node `of` it takes in addition."""


@frozen
class Suspects:
    """Finds what a term is about. `names` are the values given in a page, `scope` has the local names of the term by those;
    `ask` gives a term of `names` its number, `word` the things of a type their first word, or none."""

    instance: Instance
    ask: Callable[[terms.Term, Names], int]
    word: Callable[[types.Type], str]
    names: tuple[tuple[str, types.Type], ...]
    scope: Mapping[str, str]

    def node(self, term: terms.Term) -> Node | None:
        """How to find what makes a term fail; None if that is no cell and no tile."""
        match term:
            case terms.And(parts):
                found = [[self._number(part), node] for part in parts if (node := self.node(part)) is not None]
                return {"all": found} if found else None
            case terms.Fold(terms.Kind.EVERY, binder, body):
                return self._each(binder, body)
            case terms.Let(name, value, body):
                return self._with({name: value}, self, body)
            case terms.Invoke(name, arguments):
                definition = self.instance.game.definitions[name]
                given = {own: value for (own, _), value in zip(definition.parameters, arguments, strict=True)}
                return self._with(given, evolve(self, scope={}), definition.value)
            case _:
                read = {node.name for node in nodes_of({}, term) if isinstance(node, terms.Local)}
                order = [name for name, _ in self.names]
                at = sorted(order.index(self.scope[name]) for name in read & self.scope.keys())
                things = [[word, place] for place in at if (word := self.word(self.names[place][1]))]
                return {"at": things} if things else None

    def _each(self, binder: terms.Binder, body: terms.Term) -> Node | None:
        if isinstance(binder.type, types.Number):
            return None
        inner = self._named(binder.name, binder.type)
        word, node = self.word(binder.type), inner.node(body)
        if not word and node is None:
            return None
        inside: terms.Term = terms.Membership(terms.Local(binder.name, binder.type), binder.domain)
        if binder.where is not None:
            inside = terms.And((inside, binder.where))
        ends = self.instance.domain(binder.type)
        found = {"each": [ends.start, ends.stop], "inside": inner._number(inside), "holds": inner._number(body)}
        return found | {"word": word, "of": node}

    def _with(self, given: Mapping[str, terms.Term], inner: Suspects, body: terms.Term) -> Node | None:
        """The node of a body in which names stand for values; None where these are sets, which a page cannot give."""
        if any(isinstance(value.type, types.SetOf) for value in given.values()):
            return None
        for name, value in given.items():
            inner = inner._named(name, value.type)
        node = inner.node(body)
        return None if node is None else {"call": [self._number(value) for value in given.values()], "of": node}

    def _named(self, name: str, type: types.Type) -> Suspects:
        own = f"about {len(self.names)}"
        return evolve(self, names=(*self.names, (own, type)), scope={**self.scope, name: own})

    def _number(self, term: terms.Term) -> int:
        for name in sorted(locals_in(term) & self.scope.keys()):
            if self.scope[name] != name:
                kind = dict(self.names)[self.scope[name]]
                term = terms.Let(name, terms.Local(self.scope[name], kind), term, term.type)
        return self.ask(term, self.names)

"""The flow of a game in words: who acts when, as nested lists of sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from rulewright.base.records import frozen
from rulewright.grammar.printing.print_expressions import print_range
from rulewright.grammar.tree.expressions import Expression, Not
from rulewright.grammar.tree.statements import Branch, Choose, Each, FlowStatement, Point, Repeat, Run

Written = Callable[[str], str]
Said = Callable[[Expression], str]


@frozen
class FlowWords:
    """Tells flow statements as HTML lists; `say` tells an expression, and `link` the name of an item."""

    say: Said
    link: Written

    def list_of(self, body: Sequence[FlowStatement]) -> str:
        """The statements of a block as an ordered list; empty for none."""
        items = "".join(f"<li>{item}</li>" for statement in body for item in self._items(statement))
        return f"<ol>{items}</ol>" if items else ""

    def _items(self, statement: FlowStatement) -> Iterator[str]:
        match statement:
            case Run(procedure, arguments):
                given = f", for {', '.join(map(self.say, arguments))}" if arguments else ""
                yield f"{self.link(procedure)}{given}."
            case Choose(actions, stop, by):
                yield f"{self._choice(actions, stop)}{'' if by is None else f' The choice is made by {self.say(by)}.'}"
            case Repeat(None, body):
                yield f"Repeat, until nobody can or wants to go on:{self.list_of(body)}"
            case Repeat(until, body):
                assert until is not None
                yield f"Repeat until {self.say(until)}:{self.list_of(body)}"
            case Each(name, domain, start, body, where):
                first = "" if start is None else f", beginning with {self.say(start)}"
                only = "" if where is None else f", {self._if(where)}"
                among = "" if print_range(domain) == "players" else f" of {self.say(domain)}"
                yield f"Each {name}{among} in turn{first}{only}:{self.list_of(body)}"
            case Branch(condition, body, otherwise):
                lead = self._if(condition)
                yield f"{lead[0].upper()}{lead[1:]}:{self.list_of(body)}"
                if otherwise:
                    yield f"Otherwise:{self.list_of(otherwise)}"
            case Point(name, body):
                yield f"<b>{name.replace('_', ' ').capitalize()}</b>{self.list_of(body)}"
            case _:
                assert_never(statement)

    def _if(self, condition: Expression) -> str:
        return f"unless {self.say(condition.operand)}" if isinstance(condition, Not) else f"if {self.say(condition)}"

    def _choice(self, actions: Sequence[str], stop: bool) -> str:
        ways = [self.link(action) for action in actions] + ["stop"] * stop
        return f"Choose: {', '.join(ways[:-1])}{' or ' if len(ways) > 1 else ''}{ways[-1]}." if ways else "There is no choice."

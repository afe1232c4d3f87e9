"""The flow of a game in words: who acts when, as nested lists of sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from rulewright.base.records import frozen
from rulewright.grammar.printing.print_expressions import print_expression, print_list, print_range
from rulewright.grammar.tree.statements import Branch, Choose, Each, FlowStatement, Point, Repeat, Run

Written = Callable[[str], str]


@frozen
class FlowWords:
    """Tells flow statements as HTML lists; `code` writes rule text, and `link` the name of an item."""

    code: Written
    link: Written

    def list_of(self, body: Sequence[FlowStatement]) -> str:
        """The statements of a block as an ordered list; empty for none."""
        items = "".join(f"<li>{item}</li>" for statement in body for item in self._items(statement))
        return f"<ol>{items}</ol>" if items else ""

    def _items(self, statement: FlowStatement) -> Iterator[str]:
        match statement:
            case Run(procedure, arguments):
                given = f" with {self.code(print_list(arguments))}" if arguments else ""
                yield f"{self.link(procedure)}{given}."
            case Choose(actions, stop, by):
                yield f"{self._choice(actions, stop)}{'' if by is None else f' {self.code(print_expression(by))} chooses.'}"
            case Repeat(None, body):
                yield f"Repeat, until nobody can or wants to go on:{self.list_of(body)}"
            case Repeat(until, body):
                assert until is not None
                yield f"Repeat until {self.code(print_expression(until))}:{self.list_of(body)}"
            case Each(name, domain, start, body, where):
                first = "" if start is None else f", beginning with {self.code(print_range(start))}"
                only = "" if where is None else f", if {self.code(print_expression(where))}"
                among = "" if print_range(domain) == "players" else f" of {self.code(print_range(domain))}"
                yield f"Each {name}{among} in turn{first}{only}:{self.list_of(body)}"
            case Branch(condition, body, otherwise):
                yield f"If {self.code(print_expression(condition))}:{self.list_of(body)}"
                if otherwise:
                    yield f"Otherwise:{self.list_of(otherwise)}"
            case Point(name, body):
                yield f"<b>{name.replace('_', ' ').capitalize()}</b>{self.list_of(body)}"
            case _:
                assert_never(statement)

    def _choice(self, actions: Sequence[str], stop: bool) -> str:
        ways = [self.link(action) for action in actions] + ["stop"] * stop
        return f"Choose: {', '.join(ways[:-1])}{' or ' if len(ways) > 1 else ''}{ways[-1]}." if ways else "There is no choice."

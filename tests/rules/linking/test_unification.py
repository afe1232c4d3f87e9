"""Types that nobody writes down: found from uses and from what a definition says, whichever is told first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree import expressions
from rulewright.grammar.tree.modules import Action, Define
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.linking.resolve_terms import TermResolver
from rulewright.rules.model import terms, types
from tests.rules.playing import linked

HEAD = """module two_spaces:
    "Two spaces, tiles on one of them."

terrain water
tiles base:
    open x4
space bay: square grid 4 x 4 of tiles
space pier: ring 6
state:
    post: cell of pier
    ship: cell of bay
    coins: 0..9

action wait:
    require it: {condition}

flow:
    repeat: choose wait, or stop

{definitions}
"""


def types_of(condition: str, *definitions: str) -> dict[str, list[types.Type]]:
    """The types of the parameters of each definition."""
    game = linked(HEAD.format(condition=condition, definitions="\n".join(definitions)))
    return {name: [type for _, type in found.parameters] for name, found in game.definitions.items()}


BAY, PIER = types.Cell("bay"), types.Cell("pier")


def test_what_stands_somewhere_stands_on_the_space_with_tiles() -> None:
    assert types_of("near(ship)", "define near(c) = occupied(c)") == {"near": [BAY]}
    assert types_of("near(ship)", "define near(c) = some n in around(c): occupied(n)") == {"near": [BAY]}


def test_a_use_tells_the_space() -> None:
    assert types_of("first(post)", "define first(c) = column(c) = 0") == {"first": [PIER]}
    assert types_of("outer(post)", "define outer(c) = inner(c)", "define inner(c) = column(c) = 0") == {
        "outer": [PIER],
        "inner": [PIER],
    }


def test_a_declaration_tells_the_space_whatever_is_used_first() -> None:
    found = types_of(
        "beyond(post, forward)",
        "define beyond(a, d) = first(step(a, d))",
        "define first(c in pier) = column(c) = 0",
    )
    assert found["first"] == [PIER]
    assert found["beyond"][0] == PIER


@pytest.mark.parametrize(
    ("condition", "definition", "message"),
    [
        ("wide(ship)", "define wide(c) = c + 1 > 2", "expected a number, found a cell of bay"),
        ("rich(3)", "define rich(n) = occupied(n)", "expected a cell of bay, found a number"),
        (
            "(sum rich(c) for c in bay) = 1",
            "define rich(c) = occupied(c)",
            "expected a number, found a truth value",
        ),
    ],
)
def test_uses_say_what_parameters_are_and_texts_what_they_come_to(condition: str, definition: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        types_of(condition, definition)
    assert [found.message for found in caught.value.diagnostics] == [message]


def test_what_a_loop_ranges_over_tells_its_variable() -> None:
    text = HEAD.format(condition="stop_at = post", definitions="define harbours = those c in pier where c != post")
    game = linked(text.replace("    repeat:", "    for stop_at in those c in pier where column(c) > 1:\n        repeat:"))
    assert game.variables["stop_at"].type == PIER


def test_what_a_definition_comes_to_tells_the_parameters_that_are_given_it() -> None:
    """Neither is known when the call is resolved."""
    found = types_of(
        "deep(beyond(post))",
        "define deep(c) = column(c) = 0",
        "define beyond(c) = ahead(c)",
        "define ahead(c) = step(c, forward)",
    )
    assert found == {"deep": [PIER], "beyond": [PIER], "ahead": [PIER]}


def test_a_region_that_a_definition_comes_to_bears_markers() -> None:
    found = types_of(
        "built(here(ship)) > 0",
        "define built(part) = number(part, mast)",
        "define here(c) = region(c, N)",
        "marker mast",
    )
    assert found["built"] == [types.Region("bay")]


def test_every_expression_is_resolved_once_for_types_and_once_for_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    resolved: list[expressions.Expression] = []
    resolve = TermResolver._term

    def counting(self: TermResolver, node: expressions.Expression, *arguments: Any) -> terms.Term:
        resolved.append(node)
        return resolve(self, node, *arguments)

    monkeypatch.setattr(TermResolver, "_term", counting)
    combination = Project(SHIPPED).combine("penguin_pirates")
    assert combination.linked.procedures
    written = Counter(id(node) for key in combination.book.all_keys() for node in expressions_in(combination.book.get(key)))
    times = Counter(map(id, resolved))
    assert {node: many for node, many in times.items() if many > 2 * max(1, written[node])} == {}
    items = (*combination.book.actions.values(), *combination.book.defines.values())
    conditions = [r.condition for item in items if isinstance(item, Action) for r in item.requirements]
    values = [item.value for item in items if isinstance(item, Define)]
    assert all(times[id(node)] == 2 * written[id(node)] for node in (*conditions, *values))


def expressions_in(node: object) -> Iterator[object]:
    """Every node of a tree that is or may be an expression; an action that is like another shares its nodes."""
    pending: list[object] = [node]
    while pending:
        here = pending.pop()
        if isinstance(here, tuple):
            pending += here
        elif hasattr(here, "__attrs_attrs__"):
            yield here
            pending += [getattr(here, attribute.name) for attribute in here.__attrs_attrs__]

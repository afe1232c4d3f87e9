"""Types that nobody writes down: found from uses and from what a definition says, whichever is told first."""

from __future__ import annotations

import pytest

from rulewright.grammar.diagnostics import RulesError
from rulewright.rules import types
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
        ("wide(ship)", "define wide(c) = c + 1 > 2", "this is a cell of bay, but a number is needed here"),
        ("rich(3)", "define rich(n) = occupied(n)", "this is a number, but a cell is needed here"),
        (
            "(sum rich(c) for c in bay) = 1",
            "define rich(c) = occupied(c)",
            "this is a truth value, but a number is needed here",
        ),
    ],
)
def test_uses_say_what_parameters_are_and_texts_what_they_come_to(condition: str, definition: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        types_of(condition, definition)
    assert [found.message for found in caught.value.diagnostics] == [message]

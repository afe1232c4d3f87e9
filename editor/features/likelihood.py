"""Which completions are likely: those of the type expected at the cursor, then those named near it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulewright.base.records import frozen
from rulewright.editor.texts.cursor import Cursor
from rulewright.editor.texts.symbols import NameKind, Occurrence
from rulewright.rules.linking.functions.call import FUNCTION_FORMS
from rulewright.rules.model.game import Game
from rulewright.rules.model.types import SetOf, Type, describe
from rulewright.rules.spaces import square

from .signature_help import innermost_call

FAR = 1_000_000
"""In lines: how far away a name is that the text does not have."""

_COMPARED = re.compile(r"([A-Za-z_]\w*)(?:\([^()]*\)| of \w+)?\s*(?::=|!=|=|\bin\s*\{)\s*$")
_NUMERIC = re.compile(r"(?:[-+]=|[<>]=?|[-+*]|\bdiv|\bmod)\s*$")
_TRUTH = re.compile(r"(?:\b(?:require(?:\s+\w+:)?|if|when|where|not|and|or)|\b(?:some|every|no)\b[^:]*:)\s*$")
_ARGUMENTS = {"c": "cell", "d": "direction", "t": "tile", "n": "number", "xs": "set"}
_SETS = {"cells", "edges", "ports", "places", "pieces", "directions"}
_OF_KINDS = {NameKind.TILE.value: "tile", NameKind.SCORE.value: "number", NameKind.RULE.value: "truth"} | dict.fromkeys(
    (NameKind.SPACE.value, NameKind.TILE_SET.value, NameKind.ENUM.value), "set"
)
_BUILT_IN = {"players": "set", "box": "set", "tiles": "set", "player": "player", "nothing": "tile"}
_BUILT_IN |= {"player_count": "number", "score": "number", "yes": "truth", "no": "truth"}
_BUILT_IN |= dict.fromkeys(square.WORDS, "direction")


@frozen
class Likelihood:
    """The place of a cursor, and the types of all names there, as words: one for all sets, one for the cells of all spaces."""

    expected: str
    types: Mapping[str, str]
    distances: Mapping[str, int]

    def of(self, name: str, kind: str) -> tuple[bool, int]:
        """Whether a name has another type than expected, and how many lines away the text has it: the less, the likelier."""
        found = self.types.get(name) or _OF_KINDS.get(kind, "")
        return bool(self.expected and found and found != self.expected), self.distances.get(name, FAR)


def likelihood(cursor: Cursor, line: int, occurrences: tuple[Occurrence, ...], game: Game | None) -> Likelihood:
    """What is likely at a cursor on a line; `game` is the one around it, if any."""
    distances: dict[str, int] = {}
    for one in occurrences:
        away = abs(line - one.span.line)
        distances[one.name] = min(away, distances.get(one.name, FAR))
    types = {name: _returned(forms[0].result) for name, forms in FUNCTION_FORMS.items()} | _BUILT_IN
    if game is not None:
        types |= {member: name for name, members in game.enumerations.items() for member in members}
        types |= {name: _word(one.type, one.is_set or one.is_zone) for name, one in game.variables.items()}
        types |= {name: _word(one.type) for name, one in game.definitions.items()}
        for item in (*cursor.scope.parameters_of, cursor.scope.item):
            if item in game.definitions:
                types |= {name: _word(type) for name, type in game.definitions[item].parameters}
            elif item in game.actions:
                types |= {one.name: _word(one.type) for one in game.actions[item].parameters}
    return Likelihood(_expected(cursor.before, types, game), types, distances)


def _expected(before: str, types: Mapping[str, str], game: Game | None) -> str:
    """The type expected behind the text of a line; empty if any may stand there."""
    called, active = innermost_call(before)
    if called and before.rstrip().endswith(("(", ",")):
        if game is not None and called in game.definitions:
            given = game.definitions[called].parameters
            return _word(given[active][1]) if active < len(given) else ""
        wanted = [form.call.partition("(")[2].rstrip(")").split(", ") for form in FUNCTION_FORMS.get(called, ())]
        return _ARGUMENTS.get(wanted[0][active], "") if wanted and active < len(wanted[0]) else ""
    if found := _COMPARED.search(before):
        return types.get(found[1], "")
    if _NUMERIC.search(before):
        return "number"
    return "truth" if _TRUTH.search(before) else ""


def _word(type: Type, is_set: bool = False) -> str:
    return "set" if is_set or isinstance(type, SetOf) else describe(type).removeprefix("a ").split()[0]


def _returned(result: str) -> str:
    return "set" if result in _SETS else result

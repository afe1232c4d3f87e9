"""Expressions in English, by the texts of definitions, the labels of looks, and names as words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rulewright.base.records import evolve, frozen
from rulewright.base.styled_text import spaced
from rulewright.grammar.printing.print_expressions import print_expression
from rulewright.grammar.tree import expressions as tree
from rulewright.grammar.tree.expressions import Comparison, Expression, Operator, Quantifier
from rulewright.grammar.tree.traversal import nodes_in
from rulewright.rules.model.game import Game
from rulewright.rules.model.types import Pair, Player, Truth

SIGNS = {
    Comparison.EQUAL: "",
    Comparison.UNEQUAL: "not ",
    Comparison.LESS: "less than ",
    Comparison.AT_MOST: "at most ",
    Comparison.GREATER: "more than ",
    Comparison.AT_LEAST: "at least ",
    Operator.PLUS: "plus",
    Operator.MINUS: "less",
    Operator.TIMES: "times",
    Operator.DIV: "divided by",
    Operator.MOD: "modulo",
}
CALLS: Mapping[tuple[str, int], str] = {
    ("around", 1): "the cells beside {}",
    ("beside", 1): "the cells beside {}",
    ("covered", 1): "a piece is on {}",
    ("directions", 1): "the directions of {}",
    ("opposite", 1): "the direction opposite to {}",
    ("piece_at", 2): "the piece of {} on {}",
    ("side", 2): "the side of {} towards {}",
    ("step", 2): "the next cell from {} towards {}",
    ("step", 3): "the cell from {} towards {} by {}",
    ("turn", 2): "{} turned by {}",
}
"""How some functions of the language are told with so many arguments."""


@frozen
class Wording:
    """Tells the expressions of a game: values as nouns, conditions as clauses. `it` is the name of what is spoken of; `locals`
    are the names that only the rule around it knows, written as `local` says, in which `*` stands for the name."""

    game: Game
    it: str = ""
    locals: frozenset[str] = frozenset()
    local: str = "*"

    def say(self, node: Expression) -> str:  # noqa: PLR0912
        """`the number of player 1's cards`, `player 1 has at least 3 captured stones`"""
        match node:
            case tree.Name("player_count"):
                return "the number of players"
            case tree.Subscript("none", _):
                return "none"
            case tree.Name(text) if text in self.locals and text != self.it:
                return self.local.replace("*", spaced(text))
            case tree.Name(text):
                return "it" if text == self.it else self._called(text, ())
            case tree.Subscript(name, index):
                return self._called(name, _flat(index))
            case tree.Call("at", (cell,)):
                return f"what is {self._place(cell)}"
            case tree.Call("occupied", (cell,)) | tree.Not(tree.Call("occupied", (cell,))):
                return f"{'nothing' if isinstance(node, tree.Not) else 'something'} is {self._place(cell)}"
            case tree.Call("empty", (zone,)) | tree.Not(tree.Call("empty", (zone,))):
                return f"{self._is(zone)} {'not ' * isinstance(node, tree.Not)}empty"
            case tree.Call("size", (tree.Those(binder),)) | tree.Count(binder):
                return f"the number of {self._among(binder)}"
            case tree.Call("size", (zone,)):
                head = zone.text if isinstance(zone, tree.Name) else zone.name if isinstance(zone, tree.Subscript) else ""
                told = self.say(zone)
                return f"the number of {told.removeprefix('the ') if self.game.called(head) != head else f'tiles in {told}'}"
            case tree.Call("cell", (_, _, *_) as arguments) | tree.CellLiteral(arguments):
                return f"({', '.join(self.say(one) for one in arguments if not isinstance(one, tree.Name))})"
            case tree.Call(name, arguments) if (name, len(arguments)) in CALLS and name not in self.game.definitions:
                return CALLS[name, len(arguments)].format(*map(self.say, arguments))
            case tree.Call(function, arguments):
                return self._called(function, arguments)
            case tree.Compare(operator, tree.Subscript(name, owner), tree.NumberLiteral(count)) if self._is_of_player(name):
                noun, is_one = (
                    self.noun(name).removesuffix("s" * (count == 1)),
                    operator in (Comparison.EQUAL, Comparison.AT_LEAST),
                )
                is_one &= count == 1 and name in self._scores
                return f"{self._player(owner)} has {'a ' if is_one else f'{SIGNS[operator]}{count} '}{noun}"
            case tree.Compare(Comparison.GREATER, tree.Subscript(name, owner), tree.Subscript(same, other)) if name == same:
                return f"{self._player(owner)} has more {self.noun(name)} than {self._player(other)}"
            case tree.Compare(Comparison.EQUAL, tree.Call("at", (cell,)), kind):
                return f"{self.say(kind)} is {self._place(cell)}"
            case tree.Compare(operator, left, right):
                told = self.say(right)
                return f"{self._is(left)} {SIGNS[operator]}{'at ' * told.startswith('(')}{told}"
            case tree.Membership(item, domain) | tree.Not(tree.Membership(item, domain)):
                told = self.say(domain)
                among = "" if isinstance(domain, tree.SetLiteral) else "one of " if told.startswith("the cells ") else "in "
                return f"{self._is(item)} {'not ' * isinstance(node, tree.Not)}{among}{told}"
            case tree.IsNone(operand) | tree.Not(tree.IsNone(operand)):
                whose, _, noun = self.say(operand).removeprefix("the ").rpartition("'s ")
                which = _article(noun) if isinstance(node, tree.Not) else "no"
                return f"{whose} has {which} {noun}" if whose else f"there is {which} {noun}"
            case tree.Not(tree.Quantified(Quantifier.SOME as some, binder, body)) | tree.Quantified(some, binder, body):
                inner, is_none = self._inside(binder), isinstance(node, tree.Not)
                if some is Quantifier.SOME and binder.where is None and (stands := inner._standing(body)):
                    which = "no" if is_none else _article(stands)
                    return f"there is {which} {stands} on {self._things(binder.domain).removeprefix('cells of ')}"
                which = "none" if is_none else "one" if some is Quantifier.SOME else "all"
                told = inner.say(body)
                if told.startswith("it has "):
                    return f"{'each' if which == 'all' else which} of the {self._among(binder)} {told.removeprefix('it ')}"
                return f"for {which} of the {self._among(binder)}, {told}"
            case tree.Not(operand):
                return f"it is not so that {self.say(operand)}"
            case tree.And(parts) | tree.Or(parts):
                return _listed([self._part(part) for part in parts], "and" if isinstance(node, tree.And) else "or")
            case tree.Arithmetic(tree.Subscript(name, ahead), ((Operator.MINUS, tree.Subscript(same, behind)),)) if (
                name == same
            ):
                return f"{self._player(ahead)}'s lead over {self._player(behind)} in {self.noun(name)}"
            case tree.Arithmetic(first, rest):
                return self._part(first) + "".join(f" {SIGNS[sign]} {self._part(one)}" for sign, one in rest)
            case tree.If(condition, then, otherwise):
                return f"{self.say(then)} if {self.say(condition)}, otherwise {self.say(otherwise)}"
            case tree.Sum(tree.Call("number", (_, tree.Name(marker))), binder):
                return f"the number of {self.noun(marker)} marks on the {self._among(binder)}"
            case tree.Sum(value, binder):
                return f"the sum of {self._inside(binder).say(value)} over the {self._among(binder)}"
            case tree.SetLiteral(items):
                return _listed([self.say(item) for item in items], "or")
            case tree.Interval(low, high):
                return f"{self.say(low)} to {self.say(high)}"
            case tree.Negation(operand) if not isinstance(operand, tree.NumberLiteral):
                return f"minus {self._part(operand)}"
            case tree.Arrow(start, end):
                return f"the direction from {self.say(start)} to {self.say(end)}"
            case tree.Has(piece, marker):
                noun = self.noun(marker.text)
                return f"{self.say(piece)} has {_article(noun)} {noun}"
            case tree.Let(name, value, body):
                return f"{self.say(body)}, where {self.local.replace('*', spaced(name))} is {self.say(value)}"
            case _:
                return self._of_several(node)

    def _of_several(self, node: Expression) -> str:
        """What is made of the elements of a set."""
        match node:
            case tree.Those(binder, tree.Limit.WHERE):
                return f"the {self._among(binder)}"
            case tree.Those(binder, limit):
                until = "up to the first where" if limit is tree.Limit.UNTIL else "as long as"
                stop = "" if binder.where is None else self._inside(binder).say(binder.where)
                return f"the {self._things(binder.domain)} {until} {stop}"
            case tree.Image(value, binder):
                return f"{self._inside(binder).say(value)} for each of the {self._among(binder)}"
            case tree.ExtremeOf(extreme, value, binder):
                return f"the {extreme.value} {self._inside(binder)._bare(value)} of the {self._among(binder)}"
            case tree.ExtremeBy(extreme, binder, by):
                which = f" with the {extreme.value} {self._inside(binder)._bare(by)}" if by is not None else ""
                return f"the {'one' if which else 'first'} of the {self._among(binder)}{which}"
            case tree.Closure(start, _, binder):
                return f"{self.say(start)} and the cells reached from there by steps to {self._among(binder)}"
            case _:
                return print_expression(node)

    def _bare(self, node: Expression) -> str:
        """A noun without its article."""
        return re.sub(r"^(the|its) ", "", self.say(node))

    def _part(self, node: Expression) -> str:
        is_sum = isinstance(node, tree.Arithmetic) and node.rest[0][0] in (Operator.PLUS, Operator.MINUS)
        return f"({self.say(node)})" if is_sum or isinstance(node, tree.If | tree.And | tree.Or) else self.say(node)

    def _is(self, node: Expression) -> str:
        told = self.say(node)
        is_many = re.match(r"(?!the number )(the \w+s |.*s$)", told) is not None
        return f"{told} {'are' if is_many else 'is'}"

    def _place(self, cell: Expression) -> str:
        return "there" if isinstance(cell, tree.Name) and cell.text == self.it else f"on {self.say(cell)}"

    # Names ------------------------------------------------------------------------------------------------------------

    def _called(self, name: str, arguments: Sequence[Expression]) -> str:
        """`the sun`, `player 1's dollars`, `the deck of dragon`; a condition by the text of its definition."""
        definition, noun = self.game.definitions.get(name), " of the ".join(map(self.noun, reversed(name.split("."))))
        given = [self.say(one) for one in arguments]
        text = definition.text.rstrip(".") if definition is not None and isinstance(definition.type, Truth) else ""
        if text.startswith("Whether ") or (text and not arguments):
            text, meant = text.removeprefix("Whether "), []
            for told in (told for one, told in zip(arguments, given, strict=True) if self._is_known(one)):
                before, text = text, _told_of(text, told)
                meant += [told] * (text == before)
            return f"{text[:1].lower()}{text[1:]}" + (f", for {_listed(meant, 'and')}" if meant else "")
        if arguments and self._is_truth(name):
            more = f" (for {_listed(given[1:], 'and')})" if given[1:] else ""
            is_kept = definition is None and self._is_of_player(name)  # `player 1 passed`, `player 1 is checked`
            return f"{self._player(arguments[0])} {'' if is_kept else 'is '}{noun}{more}"
        if arguments and noun.endswith((" of", " at")):
            return f"the {noun} {_listed(given, 'and')}"
        if arguments and self._is_of_player(name):
            owner, given = self._player(arguments[0]), given[1:]
            noun = f"its {noun}" if owner == "it" else f"{owner}'s {noun}"
        elif given == ["it"]:
            return f"{'it is' if text else 'its'} {noun}"
        elif arguments or self._has_article(name):
            noun = f"the {noun}"
        return noun + (f" {'for' if '.' in name else 'of'} {_listed(given, 'and')}" if given else "")

    def noun(self, name: str) -> str:
        """What a thing is called where it is shown, as words."""
        return spaced(self.game.called(name))

    def _player(self, node: Expression) -> str:
        return f"player {node.value}" if isinstance(node, tree.NumberLiteral) else self.say(node)

    def _is_known(self, node: Expression) -> bool:
        """Whether it speaks of nothing that only the rule around it names."""
        game = self.game
        known = {*game.variables, *game.definitions, *game.spaces, *(kind.name for kind in game.tiles), *self._scores}
        known.update(*game.enumerations.values())
        return all(one.text in known for one in nodes_in(node) if isinstance(one, tree.Name))

    def _has_article(self, name: str) -> bool:
        """Whether it is the one value of its name, not a name such as that of a tile, and no condition."""
        is_declared, variable = name in self.game.definitions or name in self.game.variables, self.game.variables.get(name)
        is_set = variable is not None and variable.index is not None
        return is_set or not self._is_truth(name) if is_declared else name in (*self._scores, "player", "score")

    def _is_truth(self, name: str) -> bool:
        declared = self.game.definitions.get(name) or self.game.variables.get(name)
        return declared is not None and isinstance(declared.type, Truth)

    @property
    def _scores(self) -> Sequence[str]:
        return [score.name for score in self.game.scores]

    def _is_of_player(self, name: str) -> bool:
        """Whether each player has one of this name, and the player is named first."""
        definition, variable = self.game.definitions.get(name), self.game.variables.get(name)
        types = [kind for _, kind in definition.parameters] if definition is not None else [variable.index] if variable else []
        first = types[0].first if types and isinstance(types[0], Pair) else types[0] if types else None
        return isinstance(first, Player) or name in self._scores

    # What is said of several ------------------------------------------------------------------------------------------

    def _inside(self, binder: tree.Binder) -> Wording:
        """How the body of a binder is told: of one thing, that is `it`."""
        return evolve(self, it="" if binder.rest is not None or self.it else binder.name)

    def _among(self, binder: tree.Binder) -> str:
        """`cells of the shore where sand is there`"""
        where, inner = binder.where, self._inside(binder)
        told = "" if where is None else inner.say(where)
        kind = "" if where is None else "something on them" if told == "something is there" else inner._standing(where)
        only = f" with {kind}" if kind else f" where {told.removesuffix(' there')}" if told else ""
        if told.startswith("it is "):
            only = f" that are {told.removeprefix('it is ')}"
        more = "" if binder.rest is None else f" and {self._among(binder.rest)}"
        return self._things(binder.domain) + ("" if inner.it else f" ({inner.say(tree.Name(binder.name))})") + only + more

    def _standing(self, condition: Expression) -> str:
        """What is on the cell that is `it`, where a condition asks only that; else ""."""
        match condition:
            case tree.Compare(Comparison.EQUAL, tree.Call("at", (tree.Name(self.it),)), kind) | tree.Membership(
                tree.Call("at", (tree.Name(self.it),)), tree.SetLiteral() as kind
            ):
                return self.say(kind)
            case _:
                return ""

    def _things(self, domain: Expression) -> str:
        match domain:
            case tree.Name(text) if text in self.game.spaces:
                return f"cells of the {self.noun(text)}"
            case tree.Name(text):
                return self.noun(text) + "s" * (text in self.game.enumerations and not text.endswith("s"))
            case tree.Call("around" | "beside", (cell,)):
                return f"cells beside {self.say(cell)}"
            case tree.Call("directions", _):
                return "directions"
            case tree.Interval():
                return f"numbers from {self.say(domain)}"
            case tree.Or(parts):
                return " and ".join(map(self._things, parts))
            case tree.SetLiteral((item,)):
                return self.say(item)
            case tree.Closure():
                return self.say(domain)
            case tree.Call("pieces", (tree.Name(text),)):
                return self.noun(text)
            case _:
                return f"things in {self.say(domain)}"


def _told_of(text: str, thing: str) -> str:
    """A text about `there` or `this figure`, told of a place or a thing; as it is if it is about neither."""
    if thing.startswith("("):
        return text.replace(" there", f" on {thing}")
    return re.sub(r"this \w+", lambda _: f"the {thing}", text, count=1)


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _listed(items: Sequence[str], word: str) -> str:
    return f"{', '.join(items[:-1])} {word} {items[-1]}" if len(items) > 1 else items[0]


def _flat(index: Expression) -> Sequence[Expression]:
    """The parts of `1 of tea`."""
    return (index.first, *_flat(index.second)) if isinstance(index, tree.Paired) else (index,)

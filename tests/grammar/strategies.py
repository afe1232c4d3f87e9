"""Hypothesis strategies that build trees as the parser would build them. The fuzz campaign uses them too."""

from __future__ import annotations

from attrs import evolve
from hypothesis import strategies as st

from rulewright.base.spans import NO_SPAN
from rulewright.grammar.editions import EDITIONS
from rulewright.grammar.tree import expressions as e
from rulewright.grammar.tree import modules as m
from rulewright.grammar.tree import puzzles as p
from rulewright.grammar.tree import statements as s
from rulewright.grammar.tree.declarations import Edition
from tests.grammar.format_strategies import formats_of, tuples

# Names that are words of the language somewhere, but not where an expression stands.
names = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "n",
        "tile",
        "to",
        "from",
        "at",
        "by",
        "draw",
        "first",
        "players",
        "hand",
        "tokens",
        "top",
        "size",
        "level",
        "row",
        "x",
        "under_way",
        "open",
        "rest",
        "to_",
        "order",
    ]
)
plain = st.sampled_from(["a", "b", "cell_a", "tile_b", "north", "swap_", "sail", "keep_it", "explored"])
dotted = st.one_of(names, st.sampled_from(["allowance.tiles", "a.b.c", "bp.place.matching"]))
clauses = st.sampled_from(["", "bp.place", "bp.setup.hq"])
texts = st.text(st.characters(codec="utf-8", exclude_characters='"', exclude_categories=["C", "Z"]), max_size=20)
numbers = st.integers(0, 999_999_999)
signed = st.integers(-99, 99)


def binders(inner: st.SearchStrategy) -> st.SearchStrategy:
    """What one name ranges over."""
    return st.builds(e.Binder, names, inner, st.none() | inner)


def several_binders(inner: st.SearchStrategy) -> st.SearchStrategy:
    """What one or two names range over."""
    one = binders(inner)
    return one | st.builds(e.Binder, names, inner, st.none(), one)


def _arithmetic(inner: st.SearchStrategy) -> st.SearchStrategy:
    sums = st.sampled_from([e.Operator.PLUS, e.Operator.MINUS])
    products = st.sampled_from([e.Operator.TIMES, e.Operator.DIV, e.Operator.MOD])
    return st.one_of(*(st.builds(e.Arithmetic, inner, tuples(st.tuples(signs, inner), 1)) for signs in (sums, products)))


def _larger(inner: st.SearchStrategy) -> st.SearchStrategy:
    bound, several = binders(inner), several_binders(inner)
    return st.one_of(
        st.builds(e.Call, dotted, tuples(inner)),
        st.builds(e.Subscript, names, inner),
        st.builds(e.Paired, inner.filter(lambda first: not isinstance(first, e.Name)), inner),
        st.builds(e.CellLiteral, tuples(inner, 2)),
        st.builds(e.Not, inner),
        st.builds(e.Negation, inner),
        st.builds(e.And, tuples(inner, 2)),
        st.builds(e.Or, tuples(inner, 2)),
        st.builds(e.Compare, st.sampled_from(e.Comparison), inner, inner),
        st.builds(e.Membership, inner, inner),
        st.builds(e.Has, inner, st.builds(e.Name, names)),
        st.builds(e.IsNone, inner),
        _arithmetic(inner),
        st.builds(e.Arrow, inner, inner),
        st.builds(e.Interval, inner, inner),
        st.builds(e.SetLiteral, tuples(inner)),
        st.builds(e.Quantified, st.sampled_from(e.Quantifier), several, inner),
        st.builds(e.Count, several),
        st.builds(e.Sum, inner, several),
        st.builds(e.ExtremeOf, st.sampled_from(e.Extreme), inner, several),
        st.builds(e.ExtremeBy, st.sampled_from(e.Extreme), several, inner),
        st.builds(e.ExtremeBy, st.just(e.Extreme.LEAST), bound, st.none()),
        st.builds(e.Those, bound),
        st.builds(e.Those, st.builds(e.Binder, names, inner, inner), st.sampled_from([e.Limit.UNTIL, e.Limit.WHILE])),
        st.builds(e.Image, inner, bound),
        st.builds(e.Closure, inner, names, bound),
        st.builds(e.If, inner, inner, inner),
        st.builds(e.Let, names, inner, inner),
    )


leaves = st.one_of(st.builds(e.NumberLiteral, numbers), st.builds(e.TruthLiteral, st.booleans()), st.builds(e.Name, dotted))
expressions = st.recursive(leaves, _larger, max_leaves=12)
small = st.recursive(leaves, _larger, max_leaves=4)

# Statements

targets = st.builds(e.Name, plain) | st.builds(e.Subscript, plain, small)
moving = st.one_of(
    st.builds(s.Put, small, small, st.none() | small, st.none() | small),
    st.builds(s.Take, small, small),
    st.builds(s.Slide, small, small),
    st.builds(s.Move, small, small, st.none() | small, st.booleans()),
)
simple = st.one_of(
    moving,
    st.builds(s.Deal, small, small, small),
    st.builds(s.Shuffle, small),
    st.builds(s.Draw, targets, small),
    st.builds(s.Roll, targets),
    st.builds(s.Assign, targets, st.sampled_from(s.Assignment), small),
    st.builds(s.AddElement, small, targets),
    st.builds(s.RemoveElement, small, targets),
    st.builds(s.Clear, targets),
    st.builds(s.Let, names, small),
    st.builds(s.Stop),
    st.builds(s.Finish),
    st.builds(s.Do, plain, tuples(small)),
)


def labelled(statements: st.SearchStrategy) -> st.SearchStrategy:
    one = st.builds(s.Labelled, st.just("") | plain, statements, clauses)
    return one | st.builds(s.Labelled, plain, st.builds(s.Block, tuples(one, 2)), clauses)


statements = st.recursive(
    simple,
    lambda inner: st.one_of(
        st.builds(s.ForEach, several_binders(small), tuples(labelled(inner), 1)),
        st.builds(s.When, small, tuples(labelled(inner), 1), tuples(labelled(inner))),
    ),
    max_leaves=5,
)
bodies = tuples(labelled(statements), 1)

flows = st.recursive(
    st.builds(s.Run, plain, tuples(small))
    | st.builds(s.Choose, tuples(plain, 1), st.booleans(), st.none() | small)
    | st.builds(s.Choose, st.just(()), st.just(True), st.none() | small),
    lambda inner: st.one_of(
        st.builds(s.Repeat, st.none() | small, tuples(inner, 1)),
        st.builds(s.Each, names, small, st.none() | small, tuples(inner, 1), st.none() | small),
        st.builds(s.Branch, small, tuples(inner, 1), tuples(inner)),
        st.builds(s.Point, plain, tuples(inner, 1)),
    ),
    max_leaves=6,
)

# Modules

parameters = st.builds(m.Parameter, names) | st.builds(m.Parameter, names, small, st.none() | small, st.booleans())
ranged = st.builds(m.Parameter, names, small, st.none() | small, st.booleans())
cases = st.recursive(
    st.builds(m.Case, plain, small, small, st.just(()), clauses),
    lambda inner: st.builds(m.Case, plain, small, small, tuples(inner, 1), clauses),
    max_leaves=3,
)
features = st.builds(m.Feature, plain, tuples(plain), tuples(st.tuples(plain, st.integers(1, 9)), 0, 2))
tile_lines = st.builds(m.TileLine, plain, st.integers(0, 99), tuples(features))
requirements = st.builds(m.Requirement, plain, small, texts, clauses, st.booleans())
roles = st.sampled_from(["", "post", "beam"])
pattern_rows = st.builds(m.PatternRow, tuples(roles, 1), st.integers(0, 2))
drawn_pieces = st.builds(m.PieceLine, plain, st.integers(0, 99), tuples(pattern_rows, 1))
effects = st.builds(m.Effect, st.builds(s.Labelled, plain, statements, clauses))
notations = st.builds(m.Notation, texts) | st.builds(m.Notation, texts, texts, expressions)


@st.composite
def replacements(draw: st.DrawFn) -> m.Replace:
    label = draw(plain)
    kind = draw(st.integers(0, 4))
    if kind == 0:
        return m.Replace(label, m.Requirement(label, draw(small), draw(texts), draw(clauses)))
    if kind == 1:
        return m.Replace(label, m.Effect(s.Labelled(label, draw(statements), draw(clauses))))
    if kind == 2:
        parameter = draw(parameters)
        return m.Replace(parameter.name, parameter)
    if kind == 3:
        case = draw(cases)
        return m.Replace(case.label, case)
    return m.Replace("value", draw(small))


edits = st.one_of(
    replacements(),
    st.builds(m.Drop, st.sampled_from(["token", "worth.buoy"])),
    st.builds(m.AddParameter, ranged),
    st.builds(m.AddTile, tile_lines),
    st.builds(m.AddPiece, drawn_pieces),
    drawn_pieces,
    st.builds(m.AddRow, st.builds(m.TableRow, plain | st.integers(0, 9), tuples(small, 1))),
    st.builds(m.DropChoice, plain, plain),
    st.builds(m.AddChoice, plain, plain),
    st.builds(m.Insert, st.booleans(), plain, plain),
    st.builds(m.SetCell, plain, plain | st.integers(0, 9), small),
    requirements,
    effects,
    cases,
    cases.map(lambda case: m.Case(f"buoy.{case.label}", case.value, case.when, case.exceptions, case.cite)),
    tile_lines,
    labelled(statements),
    notations,
)


flow_edits = st.one_of(
    st.builds(m.Drop, plain),
    st.builds(m.AddChoice, plain, plain),
    st.builds(m.DropChoice, plain, plain),
    st.builds(m.Insert, st.booleans(), plain, plain),
    st.builds(m.ReplacePoint, plain, tuples(flows, 1)),
    st.builds(m.InsertFlow, st.booleans(), plain, tuples(flows, 1)),
)


@st.composite
def tables(draw: st.DrawFn) -> m.Table:
    columns = draw(tuples(plain, 1))
    row = st.builds(m.TableRow, plain | st.integers(0, 9), st.tuples(*([small] * len(columns))))
    return m.Table(draw(plain), draw(plain), columns, draw(tuples(row)))


types = st.one_of(
    st.builds(m.TruthType),
    st.builds(m.NumberType, signed, signed),
    st.builds(m.NamedType, plain),
    st.builds(m.CellType, plain),
    st.builds(m.DirectionType, plain),
    st.builds(m.ZoneType, st.booleans()),
    st.builds(m.SetType, st.builds(m.CellType, plain) | st.builds(m.NamedType, plain | st.just("player"))),
)
state_lines = st.builds(
    m.StateLine, names, st.just("") | plain, types, st.none() | small, st.sampled_from(m.Visibility)
) | st.builds(
    m.StateLine, names, plain, types, st.none() | small, st.sampled_from(m.Visibility), plain, st.just("") | plain, clauses
)
sizes = st.just(()) | tuples(st.integers(1, 64), 1)
spaces = (
    st.builds(m.Space, plain, st.sampled_from(m.Shape), sizes, st.booleans(), st.sampled_from([0, 4, 8]), st.booleans())
    | st.builds(m.Space, plain, st.just(m.Shape.HEX), sizes, st.just(True), turned=st.booleans())
    | st.builds(m.Space, plain, st.just(m.Shape.SQUARE), sizes, corners=st.tuples(plain, plain))
    | st.builds(m.Space, plain, st.just(m.Shape.GRAPH), edges=tuples(st.tuples(plain, plain), 1, 5))
)
spaces |= st.builds(m.Space, plain, st.just(m.Shape.GRAPH), base=plain, per_side=st.integers(0, 4))
likes = st.builds(m.Like, plain, tuples(edits), tuples(st.builds(m.Binding, plain, small), 0, 2))

figures = st.one_of(
    st.fixed_dictionaries({"drawing": st.sampled_from(m.Drawing)}),
    st.fixed_dictionaries({"glyph": st.sampled_from(["W", "II", "a b"])}),
    st.fixed_dictionaries({"outline": st.sampled_from(["M 0 0 L 1 1Z", "M-1 0.5Q.5 0 1 1"])}),
)
appearances = st.builds(
    lambda colour, region, figure, label, showing: m.Appearance(colour, region=region, label=label, showing=showing, **figure),
    st.none() | st.sampled_from(m.Colour),
    st.none() | st.sampled_from(m.RegionStyle),
    figures,
    st.sampled_from(["", "a label"]),
    st.none() | st.sampled_from(m.Showing),
)
items = st.one_of(
    st.builds(
        m.Pattern,
        plain,
        plain,
        st.booleans(),
        st.booleans(),
        tuples(pattern_rows, 1),
        tuples(requirements),
        text=texts,
        cite=clauses,
    ),
    st.builds(m.Vocabulary, st.sampled_from(["terrain", "marker", "colour"]), tuples(plain, 1)),
    st.builds(m.Players, st.integers(1, 4), st.integers(1, 9)),
    spaces,
    st.builds(m.Partition, plain, names, plain, small),
    st.builds(m.Tiles, plain, tuples(tile_lines, 1), st.integers(0, 3)),
    st.builds(
        m.Pieces,
        plain,
        plain,
        st.booleans(),
        st.booleans(),
        st.booleans(),
        tuples(st.builds(m.PieceLine, plain, st.integers(0, 99), tuples(pattern_rows)), 1),
        text=texts,
        cite=clauses,
    ),
    tables(),
    st.builds(m.State, tuples(state_lines, 1)),
    st.builds(m.Define, names, tuples(parameters), expressions, tuples(cases), text=texts, cite=clauses),
    st.builds(
        m.Action,
        plain,
        tuples(parameters),
        st.none() | likes,
        tuples(requirements, 1),
        tuples(effects),
        st.none() | notations,
        st.just("") | plain,
        st.booleans(),
        text=texts,
        cite=clauses,
    ),
    st.builds(m.Procedure, plain, bodies, tuples(parameters), text=texts, cite=clauses),
    st.builds(m.Rule, plain, tuples(parameters), tuples(requirements, 1), text=texts, cite=clauses),
    st.builds(m.Whenever, plain, moving, st.none() | small, bodies, text=texts, cite=clauses),
    st.builds(m.Phase, plain, tuples(flows, 1), text=texts, cite=clauses),
    st.builds(m.Flow, tuples(flows, 1)),
    st.builds(m.Score, plain, expressions, clauses, st.just("") | plain),
    st.builds(m.Winner, tuples(st.builds(m.Criterion, st.sampled_from(e.Extreme), expressions), 1), clauses),
    st.builds(m.Rank, expressions, tuples(st.builds(m.RankLine, texts, st.none() | signed, st.none() | signed), 1), clauses),
    st.builds(m.Invariant, plain, expressions, texts, clauses),
    st.builds(m.Expected, plain, plain, texts),
    st.builds(m.Look, plain, appearances),
    formats_of(plain, texts),
    st.builds(m.Change, plain, st.tuples(st.builds(m.Restyle, appearances)), st.just("look")),
    st.builds(m.NeededSpace, plain, st.none() | st.sampled_from(m.Shape), st.booleans()),
    st.builds(m.NeededSpace, plain, st.none(), st.just(True), st.booleans()),
    st.builds(m.NeededDefinition, names, tuples(parameters), types),
    st.builds(m.NeededRule, names, tuples(parameters)),
    st.builds(m.NeededPattern, plain, plain, tuples(plain)),
    st.builds(m.NeededPieces, plain, plain, st.booleans(), tuples(plain)),
    st.builds(m.NeededVariable, st.builds(m.StateLine, names, st.just("") | plain, types)),
    st.builds(m.NeededNames, st.sampled_from(sorted(set(m.NameKind) - {m.NameKind.FLOW}, key=str)), tuples(plain, 1)),
    st.just(m.NeededNames(m.NameKind.FLOW)),
    st.builds(m.Change, dotted, tuples(edits, 1)),
    st.builds(m.Change, names, tuples(edits, 1), plain),
    st.builds(m.Change, st.just("flow"), tuples(flow_edits, 1)),
    st.builds(m.Change, plain, tuples(flow_edits, 1), st.just("phase")),
    st.builds(m.DropItem, st.sampled_from(["score", "action"]), plain),
    st.just(m.DropItem("flow", "")),
)
extends = tuples(dotted.map(lambda name: (name, NO_SPAN)))
editions = st.none() | st.builds(Edition, st.just(EDITIONS.current))
modules = st.builds(m.Module, st.builds(m.Header, dotted, texts, extends, clauses, editions), tuples(items, 0, 4))

# Puzzles

on_cells = tuples(st.integers(1, 9), 0, 2)
cells = st.builds(p.DrawnCell, st.just(""), on_cells) | st.builds(
    p.DrawnCell, names, on_cells, st.integers(0, 5), st.booleans()
)
cells |= st.builds(p.DrawnCell, st.just("+"), st.just(()))


@st.composite
def drawings(draw: st.DrawFn, space: str) -> p.Drawing:
    rows = draw(tuples(tuples(cells, 1, 4), 1, 4))
    indents = draw(st.tuples(*([st.integers(5, 12)] * len(rows))))
    return p.Drawing(space, rows, indents, 0, draw(st.none() | st.tuples(signed, signed)))


values = st.one_of(
    st.builds(p.Piece, names.filter(lambda name: name != "rest"), st.integers(1, 9)),
    st.builds(p.Coordinate, tuples(signed, 1)),
    st.builds(p.Word, st.sampled_from(["yes", "no", "kos-samos", "0_1-1_1", "2_0-N2"])),
    st.builds(p.Amount, signed),
    st.builds(p.Rest, st.integers(0, 99)),
    st.builds(
        p.LyingPiece,
        plain,
        st.builds(p.Coordinate, tuples(signed, 1)),
        st.sampled_from(["", "mirrored_east"]),
        st.integers(0, 9),
    ),
)
indices = st.one_of(
    st.builds(p.Word, plain | st.just("kos-samos")),
    st.builds(p.Amount, signed),
    st.builds(p.Coordinate, tuples(signed, 1)),
)
settings_ = st.builds(
    p.Setting,
    plain,
    tuples(indices, most=2),
    tuples(values) | tuples(values).map(lambda before: (*before, p.Rest())),
    st.booleans(),
)


def _is_no_threshold(condition: e.Expression) -> bool:
    """Whether what is to be reached is read as a condition, not as a number with its least."""
    return not (isinstance(condition, e.Compare) and condition.operator is e.Comparison.AT_LEAST)


asks = st.one_of(
    st.builds(p.Ask, st.sampled_from([p.Goal.MAXIMISE, p.Goal.MINIMISE]), small, st.none(), st.none() | st.integers(1, 9)),
    st.builds(p.Ask, st.just(p.Goal.REACH), small, signed, st.none() | st.integers(1, 9)),
    st.builds(p.Ask, st.just(p.Goal.REACH), small.filter(_is_no_threshold), st.none(), st.none() | st.integers(1, 9)),
    st.builds(p.Ask, st.just(p.Goal.COUNT_BEST), st.none(), st.none(), st.none() | st.integers(1, 9)),
    st.builds(
        p.Ask,
        st.just(p.Goal.LEAST),
        st.none(),
        st.none(),
        st.none(),
        st.sampled_from(["move", "turn"]),
        small,
        counts=st.booleans(),
    ),
    st.builds(p.Ask, st.just(p.Goal.LEAST), small, st.none(), st.none(), until=small, counts=st.booleans()),
    st.builds(p.Ask, st.just(p.Goal.WIN), st.none(), st.none(), st.none(), player=st.integers(1, 9)),
)
chances = st.none() | st.builds(p.ChanceWords, st.sampled_from(p.Chance))
others = st.none() | st.builds(p.OtherPlayers, st.sampled_from(p.Others))
open_cards = st.none() | st.just(p.OpenCards())
asked = st.builds(
    lambda ask, others, chance, open_cards: evolve(ask, others=others, chance=chance, open_cards=open_cards),
    *(asks, others, chances, open_cards),
)
fractions = st.fractions(-9, 9, max_denominator=99).filter(lambda fraction: fraction.denominator > 1)
written_plans = tuples(st.sampled_from(["place open north", "stop", "sail (3,1)", "swap a for b of 2"]), 1)
plans = st.builds(p.PlanLine, st.booleans(), written_plans)
given_plans = st.builds(p.GivenPlan, st.integers(1, 9), written_plans)
puzzles = st.builds(
    p.Puzzle,
    dotted,
    texts,
    tuples(dotted.map(lambda name: (name, NO_SPAN)), 1),
    st.none() | st.integers(1, 9),
    st.tuples() | st.tuples(drawings("sea")) | st.tuples(drawings("sea"), drawings("land_")),
    st.lists(settings_, max_size=4, unique_by=lambda setting: (setting.name, setting.of)).map(tuple),
    st.none() | st.builds(p.Start, plain, st.integers(1, 9), st.booleans()),
    st.none() | asked,
    st.none() | signed | fractions | st.sampled_from(p.Verdict),
    tuples(plans),
    st.none() | st.builds(p.Positions, tuples(numbers, 1)),
    st.booleans(),
    st.lists(given_plans, max_size=2, unique_by=lambda given: given.player).map(tuple),
    st.none() | st.builds(p.Grade, st.integers(1, p.GRADES)),
    st.none() | st.builds(p.Themes, tuples(names, 1)),
    editions,
)

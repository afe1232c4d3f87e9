"""Vocabulary, tiles and state variables of a rulebook: the names that expressions are resolved against."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.diagnostics import Label, Sink, did_you_mean, suggest
from rulewright.base.records import evolve
from rulewright.base.spans import Span
from rulewright.grammar.printing.print_declarations import print_type
from rulewright.grammar.tree import modules
from rulewright.rules.merging.rulebook import Family, Rulebook
from rulewright.rules.model import types
from rulewright.rules.model.game import BOX, ExpectedWarning, Storage, TileKind, TileRegion, Variable, turned_name
from rulewright.rules.spaces.from_tree import sample_window

from .functions.derived_spaces import port_names
from .scopes import turns_of


def enumerations(book: Rulebook) -> dict[str, tuple[str, ...]]:
    """Every enumeration by name; terrains and markers are two of them."""
    found = {"terrain": (), "marker": ()} | {v.kind: v.names for v in book.vocabularies.values()}
    return dict(found)


def meanings(
    names: dict[str, tuple[str, ...]], kinds: tuple[TileKind, ...], spaces: dict[str, modules.Space]
) -> dict[str, list[tuple[types.Type, int]]]:
    """Every meaning of each constant, as type and value: a member of an enumeration, a tile, a direction, a node of a graph."""
    constants: dict[str, list[tuple[types.Type, int]]] = {}
    for enumeration, members in names.items():
        for value, member in enumerate(members):
            constants.setdefault(member, []).append((types.Enumeration(enumeration), value))
    for value, kind in enumerate(kinds, 1):
        constants.setdefault(kind.name, []).append((types.Tile(), value))
    constants.setdefault("nothing", []).append((types.Tile(), 0))
    for space in spaces.values():
        window = sample_window(space)
        for direction, (short, word) in enumerate(zip(window.directions, window.words, strict=True)):
            for name in {short, word}:
                constants.setdefault(name, []).append((types.Direction(space.name), direction))
        for cell, name in enumerate(window.names):
            constants.setdefault(name, []).append((types.Cell(space.name), cell))
    return constants


def expected_warnings(family: Family) -> tuple[ExpectedWarning, ...]:
    """The warnings that the modules of a game expect."""
    return tuple(
        ExpectedWarning(item.code, item.name, item.reason, module.header.name, span=item.span)
        for module in family.modules
        for item in module.items
        if isinstance(item, modules.Expected)
    )


def tile_kinds(book: Rulebook, family: Family, sink: Sink) -> tuple[TileKind, ...]:
    """The kinds of tile in the order of the text. Reports RW120 (terrain or marker) and RW121 (side)."""
    names = enumerations(book)
    terrains, markers = names["terrain"], names["marker"]
    sides = {d for space in book.spaces.values() for d in sample_window(space).directions}
    for space in book.spaces.values():
        if space.per_side and space.base in book.spaces:
            sides |= set(port_names(sample_window(book.spaces[space.base]), space.per_side))
    if not book.spaces:
        sides = {side for tiles in book.tiles.values() for line in tiles.lines for f in line.features for side in f.sides}
    found: list[TileKind] = []
    for group, tiles in book.tiles.items():
        most = book.players.high if book.players else 1
        if tiles.player is not None and not 1 <= tiles.player <= most:
            message, help = f"there is no player {tiles.player}", f"the players are 1 to {most}"
            sink.error("RW142", message, tiles.span, help=help)
        for line in tiles.lines:
            regions: list[TileRegion] = []
            loose: list[tuple[int, int]] = []
            for feature in line.features:
                if feature.name in terrains:
                    for side in feature.sides:
                        if side not in sides:
                            sink.error("RW121", f"there is no side `{side}`", feature.span, help=suggest(side, sides))
                    on_it = tuple((_marker(m, markers, feature, sink), n) for m, n in feature.markers)
                    regions.append(TileRegion(terrains.index(feature.name), feature.sides, on_it))
                else:
                    known = (*markers, *terrains)
                    loose.append((_marker(feature.name, known, feature, sink), _amount(feature)))
            claimed = {side for region in regions for side in region.sides}
            free = TileRegion(0 if terrains else -1, tuple(sorted(sides - claimed)), tuple(loose))
            module, owned = family.name_of(line.span.source), group in book.pieces and book.pieces[group].owned
            parts = (free, *regions)
            found.append(TileKind(line.name, group, line.count, parts, module, owned, tiles.player or 0, span=line.span))
    return tuple(found)


def _amount(feature: modules.Feature) -> int:
    return feature.markers[0][1] if feature.markers else 1


def _marker(name: str, known: tuple[str, ...], feature: modules.Feature, sink: Sink) -> int:
    if name not in known:
        message = f"`{name}` is neither a terrain nor a marker"
        sink.error("RW120", message, feature.span, help=did_you_mean(name, known) or "declare it: `marker …`")
        return 0
    return known.index(name)


def variables(book: Rulebook, family: Family, sink: Sink) -> dict[str, Variable]:
    """State variables, boards and the box. Reports RW125 (unknown type) and RW126 (unknown index)."""
    names = enumerations(book)
    found: dict[str, Variable] = {}
    for space in book.spaces.values():
        if space.of_tiles:
            found[space.name] = Variable(space.name, types.Cell(space.name), types.Tile(), is_board=True, span=space.span)
        if space.turned:
            found[turned_name(space.name)] = turns_of(space, sink)
    if book.tiles:
        found[BOX] = Variable(BOX, None, types.Tile(), Storage.SET)
    for line in book.state.values():
        index = _index(line, book, names, sink)
        two = isinstance(index, types.Pair)
        if line.name in found and found[line.name].is_turn:
            message = f"the name `{line.name}` is reserved for the turns of a board's tiles"
            sink.error("RW129", message, line.span, Label(found[line.name].span, "used here"), help="choose another name")
        type, storage, low, high = written_type(line.type, line.span, book, names, sink)
        pieces = line.index if line.index in book.pieces else ""
        variable = Variable(line.name, index, type, storage, low, high, pieces=pieces)
        if isinstance(type, types.SetOf):
            variable = _set(line, index, type.element, book, sink)
        elif storage is not Storage.VALUE and two:
            message = "a zone can have at most one index"
            sink.error(
                "RW147",
                message,
                line.span,
                help="store the number of tiles instead, or declare a zone for each member of the enum",
            )
        elif storage is not Storage.VALUE and (index == types.TERRAIN or isinstance(index, types.Cell)):
            message = f"`{line.index}` cannot be the index of a zone: use a player or an enum"
            help = (
                "to keep a tile on each cell, declare the space `of tiles`"
                if index != types.TERRAIN
                else "store their number instead: `0..9`"
            )
            sink.error("RW126", message, line.span, help=help)
        module = family.name_of(line.span.source)
        found[line.name] = evolve(variable, visibility=line.visibility, module=module, scope=line.scope, span=line.span)
    return found


_TEXTS = {"text", "string", "str", "name", "word"}
_FRACTIONS = {"float", "real", "double", "decimal", "fraction"}
_NUMBERS = {"number", "numbers", "int", "integer", "natural", "nat"}


def _report_no_type(name: str, names: Mapping[str, tuple[str, ...]], span: Span, sink: Sink) -> None:
    """Report RW178, RW179 or RW180 for types that the language leaves out, else RW125."""
    if name in _TEXTS:
        help = "declare its possible values, as in `enum mood: merry, cross`, and use `mood` as the type"
        sink.error("RW178", "a state variable cannot hold a text", span, help=help)
    elif name in _FRACTIONS:
        help = "count in smaller units: `price: 0..999` in pennies"
        sink.error("RW179", "numbers must be whole", span, help=help)
    elif name in _NUMBERS:
        help = "give the lowest and the highest value, as in `0..99`; a value outside the range stops the game with an error"
        sink.error("RW180", "a number in the state needs a range", span, help=help)
    else:
        sink.error("RW125", f"there is no type `{name}`", span, help=suggest(name, {"truth", "player", "tile", *names}))


def _set(line: modules.StateLine, owner: types.Type | None, element: types.Type, book: Rulebook, sink: Sink) -> Variable:
    """A variable that is a set. Reports RW147 and RW149."""
    if isinstance(owner, types.Pair):
        help = "declare a set for each member of the enum, or use truth values"
        sink.error("RW147", "a set can have at most one index", line.span, help=help)
        owner = owner.first
    if isinstance(element, types.Cell) and element.space in book.spaces and open_ended(book.spaces[element.space]):
        message, space = f"a set cannot hold cells of `{element.space}`, which has no bounds", book.spaces[element.space]
        help = f"write `{line.name} of {element.space}: truth`, or give `{element.space}` a size"
        sink.error("RW149", message, line.span, Label(space.span, "declared here"), help=help)
    if line.initial is not None:
        sink.error(
            "RW149",
            "a set cannot have an initial value",
            line.initial.span,
            help=f"it is initially empty; assign `{line.name} := …` in `set_up`",
        )
    index = element if owner is None else types.Pair(owner, element)
    return Variable(line.name, index, types.Truth(), high=1, is_set=True)


def _index(line: modules.StateLine, book: Rulebook, names: dict[str, tuple[str, ...]], sink: Sink) -> types.Type | None:
    """The index type of a variable. Reports RW126, and RW147 for the cells of an unbounded space in a pair."""
    found = [_element(word, line, book, names, sink) for word in line.of]
    if len(found) < 2:
        return next(iter(found), None)
    for word in line.of:
        if word in book.pieces:
            help = "use the pieces as the only index, or another pair of indices"
            sink.error("RW147", f"a variable of pieces can have only one index: `{word}`", line.span, help=help)
        if word in book.spaces and open_ended(book.spaces[word]):
            message = f"`{word}` has no bounds, so its cells cannot be one of two indices"
            help = f"give `{word}` a size, as in `square grid 8 x 8`"
            sink.error("RW147", message, line.span, Label(book.spaces[word].span, "declared here"), help=help)
    return types.Pair(*found)


def open_ended(space: modules.Space) -> bool:
    """Whether a space is unbounded."""
    return not space.size and not space.edges


def _element(word: str, line: modules.StateLine, book: Rulebook, names: dict[str, tuple[str, ...]], sink: Sink) -> types.Type:
    if word == "player":
        return types.Player()
    if word in book.spaces:
        return types.Cell(word)
    if word in book.pieces:
        return types.Cell(book.pieces[word].space)
    if word in names:
        return types.Enumeration(word)
    help = suggest(word, {"player", *book.spaces, *names})
    sink.error("RW126", f"`{word}` cannot be the index of a variable", line.span, help=help)
    return types.Player()


def written_type(
    written: modules.WrittenType, span: Span, book: Rulebook, names: Mapping[str, tuple[str, ...]], sink: Sink
) -> tuple[types.Type, Storage, int, int]:
    """The type denoted, its storage, and its least and greatest value. Reports RW125 and RW127."""
    value = Storage.VALUE
    match written:
        case modules.TruthType():
            return types.Truth(), value, 0, 1
        case modules.NumberType(low, high):
            if low > high:
                sink.error("RW127", f"the range `{low}..{high}` is empty", span, help=f"write `{high}..{low}`")
            return types.Number(), value, low, high
        case modules.CellType(space) | modules.DirectionType(space):
            if space not in book.spaces:
                sink.error("RW125", f"there is no space `{space}`", span, help=suggest(space, set(book.spaces)))
            kind = types.Cell(space) if isinstance(written, modules.CellType) else types.Direction(space)
            return kind, value, 0, 0
        case modules.PositionsType():
            raise AssertionError("records are written out before types are resolved")
        case modules.ZoneType(ordered):
            return types.Tile(), Storage.PILE if ordered else Storage.SET, 0, 0
        case modules.SetType(element):
            held, *_ = written_type(element, span, book, names, sink)
            if not isinstance(held, types.Cell | types.Player | types.Enumeration):
                help = "use `set of tiles` for tiles; other sets hold cells, players or members of an enum"
                sink.error("RW125", f"a set cannot hold elements of type `{print_type(element)}`", span, help=help)
                held = types.Player()
            return types.SetOf(held), value, 0, 1
        case modules.NamedType("player"):
            return types.Player(), value, 1, 0
        case modules.NamedType("tile"):
            return types.Tile(), value, 0, 0
        case modules.NamedType(name):
            if name not in names:
                _report_no_type(name, names, span, sink)
            return types.Enumeration(name), value, 0, len(names.get(name, ())) - 1

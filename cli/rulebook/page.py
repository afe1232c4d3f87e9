"""A rulebook as a page: chapters in prose with pictures, rule text on demand, and a variant's changes marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from rulewright.base.records import field, frozen
from rulewright.base.styled_text import spaced
from rulewright.grammar.tree import modules
from rulewright.grammar.tree.expressions import Expression
from rulewright.pictures.pages.frame import Page, html_of, text_of
from rulewright.rules.clauses.citations import Entry
from rulewright.rules.clauses.clause_text import cite_of
from rulewright.rules.clauses.decompose import Cell, Default, Once
from rulewright.rules.linking.project import Combination
from rulewright.rules.merging.rulebook import ItemKind, Key
from rulewright.web.questions import titled
from rulewright.web.wording import Wording

from .chapters import Chapter, Mark, Passage, Section
from .examples import Examples
from .flow_words import FlowWords
from .rule_text import highlighted

STYLE = Path(__file__).with_name("rulebook.css").read_text("utf-8")


@frozen
class RulebookPage:
    """`entries` are the clauses of the printed rulebooks by their names, `tiles` the pictures of tiles by kind, as HTML.

    `variants` are the modules whose changes are marked.
    """

    title: str
    game: Combination
    chapters: Sequence[Chapter]
    entries: Mapping[str, Entry]
    examples: Examples
    tiles: Mapping[str, str] = field(factory=dict)
    tile_rules: str = ""
    variants: Sequence[str] = ()

    @property
    def html(self) -> str:
        """The page, in UTF-8."""
        rules = STYLE + self.tile_rules + "".join(sorted(self.examples.rules))
        return html_of(Page(self.title, "\n".join(self._body()), rules=rules))

    def _body(self) -> Iterator[str]:
        yield f"<header><h1>{text_of(self.title)}</h1>"
        for module in reversed(self.game.family.modules):
            text, name = module.header.text, module.header.name
            if text and any(root == name or root.startswith(f"{name}.") for root in (*self.game.roots, *self.variants)):
                yield f"<p{_class(Mark.NEW.value if name in self.variants else '')}>{text_of(text)}</p>"
        players = self.game.book.players
        if players is not None:
            yield f"<p>For {_players(players)}.</p>"
        yield '<label class="screen"><input type="checkbox" id="code"> Show the text of every rule</label></header>'
        yield self.examples.sprites
        yield from self._contents()
        for chapter in self.chapters:
            yield f"<h2>{chapter.title}</h2>"
            for section in chapter.sections:
                yield from self._section(section)
        yield from self._also_printed()

    def _also_printed(self) -> Iterator[str]:
        """The clauses of the printed rulebooks behind which no rule stands, each with the reason."""
        sections = [section for chapter in self.chapters for section in chapter.sections]
        cited = {cite_of(passage.clause.part) for section in sections for passage in section.all_passages}
        rest = [entry for name, entry in self.entries.items() if name not in cited]
        if rest:
            yield "<h2>What else the printed rules say</h2>"
            yield "<p>They know nothing of the variant: what is marked above comes first.</p><ul>" if self.variants else "<ul>"
            for entry in rest:
                same = ", ".join(self.entries[name].section or name for name in entry.same if name in self.entries)
                why = entry.no_rule or (f"as in {same}" if same else "")
                where = "Our ruling" if entry.settles else entry.section
                said = " · ".join(filter(None, (where, why)))
                yield f'<li>{text_of(entry.statement)} <span class="faint">[{text_of(said)}]</span></li>'
            yield "</ul>"

    def _contents(self) -> Iterator[str]:
        touched = [section for chapter in self.chapters for section in chapter.sections if section.is_touched]
        if self.variants:
            yield f"<h2>What {' and '.join(map(text_of, self.variants))} changes</h2>"
            yield f'<p class="contents">{", ".join(self._link(section.key) for section in touched) or "Nothing."}</p>'
        yield '<nav class="contents">'
        for chapter in self.chapters:
            links = ", ".join(self._link(section.key) for section in chapter.sections)
            yield f"<p><b>{chapter.title}</b>: {links}</p>"
        yield "</nav>"

    # Sections ---------------------------------------------------------------------------------------------------------

    def _section(self, section: Section) -> Iterator[str]:
        head = section.head
        has_prose = getattr(head.clause.part, "text", "") or any(
            self._cited(passage) or self._in_words(passage.clause.part) for passage in section.all_passages
        )
        classes = " ".join(filter(None, (head.mark.value, "told" if has_prose else "")))
        yield f'<section id="{_anchor(section.key)}"{_class(classes)}><h3>{text_of(_titled(section.key))}</h3>'
        text = getattr(head.clause.part, "text", "")
        yield self._prose(text_of(text) if isinstance(text, str) else "", head)
        name = section.key.name
        match section.key.kind:
            case ItemKind.TILES | ItemKind.PIECES:
                yield self._box(section.passages)
            case ItemKind.PATTERN:
                yield _drawn(head.clause.part)
                yield from self._list("", section.passages)
            case ItemKind.TABLE:
                yield self._table(section)
            case ItemKind.FLOW | ItemKind.PHASE:
                yield from self._flow(section)
            case ItemKind.ACTION:
                for lead, kind in _PARTS_OF_ACTIONS.items():
                    yield from self._list(lead, [one for one in section.passages if isinstance(one.clause.part, kind)])
                yield self._figures(name, section)
            case _:
                yield from self._list("", section.passages)
        yield "</section>"

    def _prose(self, text: str, passage: Passage) -> str:
        """A docstring, and the printed rulebook's clause behind it; without either, the rule itself."""
        said = f"<p>{text}</p>" if text else ""
        told = self._cited(passage)
        rule = self._rule(passage.clause.text) if not isinstance(passage.clause.part, _WITH_PARTS) else ""
        words = told or self._in_words(passage.clause.part)
        return said + (f"<p>{words}</p>" if words else "") + _before(passage) + rule

    def _in_words(self, part: object) -> str:
        """A rule that is one expression, where no clause tells it."""
        match part:
            case modules.Score(value=value):
                told = f"It is {self._say(value)}."
            case modules.Winner(criteria):
                told = f"{', then '.join(f'the {one.extreme.value} {self._say(one.value)}' for one in criteria)}.".capitalize()
            case modules.Rank(value):
                told = f"By {self._say(value)}:"
            case modules.RankLine(name, low, high):
                told = f"{name}: " + (
                    f"up to {high}" if low is None else f"{low} and more" if high is None else f"{low} to {high}"
                )
            case modules.Requirement(condition=condition, message=""):
                told = f"{self._say(condition)}."
            case modules.Partition(space=space, value=value):
                told = f"The parts of the {spaced(space)}: all cells with the same value of {self._say(value)}."
            case modules.Invariant(message=message) if message:
                told = f"Never: {message}."
            case _:
                told = ""
        return text_of(told)

    def _list(self, lead: str, passages: Sequence[Passage]) -> Iterator[str]:
        if not passages:
            return
        if lead:
            yield f'<p class="lead">{lead}</p>'
        yield f"<ul>{''.join(map(self._item, passages))}</ul>"

    def _item(self, passage: Passage) -> str:
        part, label = passage.clause.part, passage.clause.place.path[-1]
        told = self._cited(passage) or self._in_words(part)
        (rule, message), (old_rule, old_message) = map(_refusing, (passage.clause.text, passage.before))
        is_new_message = bool(old_message) and old_message != message
        was = f"<del>{text_of(old_message)}</del> → " if is_new_message else ""
        refused = f' <span class="faint">✗ {was}{text_of(message)}.</span>' if message else ""
        change = _number_changed(old_rule, rule)
        is_told = change or is_new_message if passage.mark is Mark.CHANGED else told or message
        is_named = not isinstance(part, modules.Parameter | Default | modules.RankLine | modules.Notation)
        name = f"<b>{text_of(spaced(label))}</b>: " if is_named and label[:1].isalpha() else ""
        classes = " ".join(filter(None, (passage.mark.value, "" if is_told else "bare")))
        return f"<li{_class(classes)}>{name}{told} {change}{_before(passage)}{self._rule(rule)}{refused}</li>"

    def _cited(self, passage: Passage) -> str:
        """The clause of the printed rulebook behind a rule, in our words, with its section; empty if there is none."""
        cite = cite_of(passage.clause.part)
        entry = self.entries.get(cite)
        if entry is None:
            return ""
        where = "Our ruling" if entry.settles else entry.section
        return f'{text_of(entry.statement)} <span class="faint" title="{text_of(cite)}">[{text_of(where or cite)}]</span>'

    def _figures(self, name: str, section: Section) -> str:
        labels = [f"{name}.{one.clause.place.path[-1]}" for one in section.passages]
        found = [self.examples.allowed.get(name, ""), *(self.examples.refused.get(label, "") for label in labels)]
        return f'<div class="figures">{"".join(found)}</div>' if any(found) else ""

    def _flow(self, section: Section) -> Iterator[str]:
        """The flow in words. What a variant changed in it is told as rule text."""
        item = self.game.book.get(section.key)
        if item is not None:
            yield FlowWords(lambda node: text_of(self._say(node)), self._linked).list_of(item.body)
        changed = [one for one in section.passages if one.mark is not Mark.SAME]
        yield from self._list("Changed", changed)

    def _box(self, passages: Sequence[Passage]) -> str:
        cards = []
        for passage in passages:
            part, name = passage.clause.part, passage.clause.place.path[-1]
            count = getattr(part, "count", 1)
            if count == 0 and passage.mark is Mark.SAME:
                continue  # declared for others to change, and not in this box
            drawn = self.tiles.get(name, "")
            change = _number_changed(passage.before, passage.clause.text)
            said = f"{text_of(spaced(name))} " + (change or f"x{count}" * (count != 1))
            cards.append(f"<figure{_class(passage.mark.value)}>{drawn}<figcaption>{said}</figcaption></figure>")
        return f'<div class="box">{"".join(cards) or "None of its own: other modules add them."}</div>'

    def _table(self, section: Section) -> str:
        head = section.head.clause.part
        assert isinstance(head, modules.Table)
        rows: dict[object, dict[str, str]] = {}
        for passage in section.passages:
            if isinstance(passage.clause.part, Cell):
                cell, mark = passage.clause.part, passage.mark
                text = f"{_before(passage)}{text_of(spaced(passage.clause.text))}"
                rows.setdefault(cell.key, {})[cell.column] = f"<td{_class(mark.value)}>{text}</td>"
        top = "".join(f"<th>{text_of(spaced(word))}</th>" for word in (head.key, *head.columns))
        body = "".join(
            f"<tr><th>{text_of(spaced(str(key)))}</th>{''.join(cells.get(column, '<td></td>') for column in head.columns)}</tr>"
            for key, cells in rows.items()
        )
        return f"{self._readers(head.name)}<table><thead><tr>{top}</tr></thead>{body}</table>"

    def _readers(self, table: str) -> str:
        """Where a table, which has no text of its own, is looked up."""
        sections = (section for chapter in self.chapters for section in chapter.sections)
        call = re.compile(rf"\b{table}\.\w+\(")
        found = [self._link(one.key) for one in sections if any(call.search(said.clause.text) for said in one.all_passages)]
        return f'<p class="faint">For {", ".join(found)}.</p>' if found else ""

    # Rule text --------------------------------------------------------------------------------------------------------

    @cached_property
    def _items(self) -> dict[str, Key]:
        """The items of the chapters by name; the first of several."""
        keys = [section.key for chapter in self.chapters for section in chapter.sections]
        return {key.name: key for key in reversed(keys)}

    @cached_property
    def _anchors(self) -> dict[str, str]:
        return {name: _anchor(key) for name, key in self._items.items()}

    def _rule(self, text: str) -> str:
        return f'<span class="rule">{self._code(text)}</span>' if text else ""

    def _code(self, text: str) -> str:
        """Rule text, its words by their classes, and the names of items as links."""
        return f"<code>{highlighted(text, self._anchors)}</code>"

    def _link(self, key: Key) -> str:
        return f'<a href="#{_anchor(key)}">{text_of(_titled(key))}</a>'

    def _say(self, node: Expression) -> str:
        return Wording(self.game.linked).say(node)

    def _linked(self, name: str) -> str:
        key = self._items.get(name)
        return text_of(name) if key is None else self._link(key)


_PARTS_OF_ACTIONS = {
    "With": modules.Parameter,
    "Allowed only if": modules.Requirement,
    "Once in each": Once,
    "Then": modules.Effect,
}
"""The kinds of clause of an action, with the words before them."""

_NUMBER = re.compile(r"\b\d+\b")

_WITH_PARTS = (
    modules.Define | modules.Action | modules.Procedure | modules.Rule | modules.Whenever | modules.Phase | modules.Pattern
    | modules.Tiles | modules.Pieces | modules.Table | modules.Flow
)  # fmt: skip
"""The clauses whose own text is only a head."""


def _drawn(part: object) -> str:
    """A pattern as seen from above, level by level, with the roles of its cells."""
    assert isinstance(part, modules.Pattern)
    levels: dict[int, list[str]] = {}
    for row in part.rows:
        cells = "".join(f"<td>{text_of(spaced(role))}</td>" if role else '<td class="off"></td>' for role in row.roles)
        levels.setdefault(row.level, []).append(f"<tr>{cells}</tr>")
    said = {level: f"<figcaption>level {level}</figcaption>" if len(levels) > 1 else "" for level in levels}
    drawn = (f"<figure><table>{''.join(rows)}</table>{said[level]}</figure>" for level, rows in levels.items())
    return f'<div class="figures">{"".join(drawn)}</div>'


def _anchor(key: Key) -> str:
    return text_of(f"{key.kind.value}-{key.name}" if key.name else key.kind.value)


def _titled(key: Key) -> str:
    return titled(key.name or {ItemKind.FLOW: "the whole game", ItemKind.RANK: "ranks"}.get(key.kind, key.kind.value))


def _players(players: modules.Players) -> str:
    if players.low == players.high:
        return f"{players.low} player{'s' * (players.low > 1)}"
    return f"{players.low} to {players.high} players"


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def _before(passage: Passage) -> str:
    """What a variant replaced."""
    old = text_of(_refusing(passage.before)[0])
    return f' <span class="was"><del><code>{old}</code></del> → </span>' if passage.before else ""


def _refusing(text: str) -> tuple[str, str]:
    """A clause without its message, and the message; "" for none."""
    rule, _, message = text.partition(' else "')
    return rule, message.removesuffix('"')


def _number_changed(before: str, now: str) -> str:
    """The numbers, where nothing but one number has changed."""
    changed = [pair for pair in zip(_NUMBER.findall(before), _NUMBER.findall(now), strict=False) if pair[0] != pair[1]]
    is_all = len(changed) == 1 and _NUMBER.sub("", before) == _NUMBER.sub("", now)
    return f"<b>{changed[0][0]} → {changed[0][1]}</b>" if is_all else ""

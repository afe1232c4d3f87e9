"""A rulebook as a page: chapters in prose with pictures, rule text on demand, and a variant's changes marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from rulewright.base.records import field, frozen
from rulewright.base.styled_text import spaced
from rulewright.grammar.tree import modules
from rulewright.pictures.pages.frame import Page, html_of, text_of
from rulewright.rules.clauses.citations import Entry
from rulewright.rules.clauses.clause_text import cite_of
from rulewright.rules.clauses.decompose import Cell, Default, Once, Part
from rulewright.rules.linking.project import Combination
from rulewright.rules.merging.rulebook import ItemKind, Key
from rulewright.web.questions import titled

from .chapters import Chapter, Mark, Passage, Section
from .examples import Examples
from .rule_text import highlighted
from .rule_words import RuleWords, compared, nested

STYLE = Path(__file__).with_name("rulebook.css").read_text("utf-8")


@frozen
class RulebookPage:
    """`entries` are the clauses of the printed rulebooks by their names, `tiles` the pictures of tiles by kind, as HTML.

    `variants` are the modules whose changes to `base` are marked.
    """

    title: str
    game: Combination
    base: Combination
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
        before, now = ("" if book.players is None else _players(book.players) for book in (self.base.book, self.game.book))
        if now:
            yield f"<p>For {_gone(before * (before != now), now)}.</p>"
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
            self._cited(passage.clause.part) or self._words_of(passage).rule(passage.clause.part)
            for passage in section.all_passages
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
                yield self._flow(section)
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
        told = self._told(passage)
        rule = self._rule(passage.clause.text, passage.before) if not isinstance(passage.clause.part, _WITH_PARTS) else ""
        return said + (f"<p>{told}</p>" if told else "") + rule

    def _list(self, lead: str, passages: Sequence[Passage]) -> Iterator[str]:
        if not passages:
            return
        if lead:
            yield f'<p class="lead">{lead}</p>'
        yield f"<ul>{''.join(map(self._item, passages))}</ul>"

    def _item(self, passage: Passage) -> str:
        part, label = passage.clause.part, passage.clause.place.path[-1]
        rule, message = _refusing(passage.clause.text)
        was = _refusing(passage.before)[1]
        is_new_message = bool(was) and was != message
        refused = _gone(text_of(was) * is_new_message, text_of(message))
        refused = f' <span class="faint">✗ {refused}.</span>' if message else ""
        is_named = not isinstance(part, modules.Parameter | Default | modules.RankLine | modules.Notation)
        name = f"<b>{text_of(spaced(label))}</b>: " if is_named and label[:1].isalpha() else ""
        is_told = message or self._cited(part) or self._words_of(passage).rule(part)
        classes = " ".join(filter(None, (passage.mark.value, "" if is_told else "bare")))
        return f"<li{_class(classes)}>{name}{self._told(passage)}{self._rule(rule, _refusing(passage.before)[0])}{refused}</li>"

    def _told(self, passage: Passage) -> str:
        """A clause by its sentence, or else in words; of one that a variant changed, what was before is struck."""
        part, old, words = passage.clause.part, passage.old, self._words_of(passage)
        cited, message = self._cited(part), _refusing(passage.clause.text)[1]
        if old is None:
            return cited or ("" if message else words.clause(part))
        if change := _number_changed(passage.before, passage.clause.text):
            return f"{cited} {change}"
        is_cited_anew, is_told = cite_of(part) != cite_of(old), message != _refusing(passage.before)[1]
        now = cited if is_cited_anew else "" if is_told else words.clause(part)
        return f"{_gone(self._cited(old) or ('' if is_told else words.clause(old)), now)}"

    def _words_of(self, passage: Passage) -> RuleWords:
        """Words for a clause, which names the parameters of its item."""
        items = (combination.book.get(passage.clause.place.key) for combination in (self.game, self.base))
        return self._words.within(passage.clause.part, *items)

    @cached_property
    def _words(self) -> RuleWords:
        return RuleWords(self.game.linked, self._linked)

    def _cited(self, part: Part) -> str:
        """The clause of the printed rulebook behind a rule, in our words, with its section; empty if there is none."""
        cite = cite_of(part)
        entry = self.entries.get(cite)
        if entry is None:
            return ""
        where = "Our ruling" if entry.settles else entry.section
        return f'{text_of(entry.statement)} <span class="faint" title="{text_of(cite)}">[{text_of(where or cite)}]</span>'

    def _figures(self, name: str, section: Section) -> str:
        labels = [f"{name}.{one.clause.place.path[-1]}" for one in section.passages]
        found = [self.examples.allowed.get(name, ""), *(self.examples.refused.get(label, "") for label in labels)]
        return f'<div class="figures">{"".join(found)}</div>' if any(found) else ""

    def _flow(self, section: Section) -> str:
        """The flow in words; the steps that a variant changed are marked."""
        items = [combination.book.get(section.key) for combination in (self.base, self.game)]
        before, now = ([] if item is None else list(self._words.within(item).flow(item.body)) for item in items)
        return nested(now if section.head.mark is Mark.NEW else list(compared(before, now)))

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
                text = f"{_gone(text_of(spaced(passage.before)), text_of(spaced(passage.clause.text)))}"
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

    def _rule(self, text: str, before: str) -> str:
        """Rule text, its words by their classes, and the names of items as links."""
        now = f"<code>{highlighted(text, self._anchors)}</code>" if text else ""
        told = _gone(f"<code>{text_of(before)}</code>" if before else "", now)
        return f'<span class="rule">{told}</span>' if told else ""

    def _link(self, key: Key) -> str:
        return f'<a href="#{_anchor(key)}">{text_of(_titled(key))}</a>'

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

_NUMBER = re.compile(r"\bx?(\d+)\b")

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


def _gone(before: str, now: str) -> str:
    """What a variant replaced, and what stands in its place."""
    return f"<del>{before}</del>{' → ' * bool(now)}{now}" if before else now


def _refusing(text: str) -> tuple[str, str]:
    """A clause without its message, and the message; "" for none."""
    rule, _, message = text.partition(' else "')
    return rule, message.removesuffix('"')


def _number_changed(before: str, now: str) -> str:
    """The numbers, where nothing but one number has changed."""
    changed = [pair for pair in zip(_NUMBER.findall(before), _NUMBER.findall(now), strict=False) if pair[0] != pair[1]]
    is_all = len(changed) == 1 and _NUMBER.sub("", before) == _NUMBER.sub("", now)
    return f"<b>{changed[0][0]} → {changed[0][1]}</b>" if is_all else ""

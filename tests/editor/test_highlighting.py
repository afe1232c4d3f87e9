"""Colours without a server: three dialects of one list of patterns, held against the parser on every shipped file."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pygments.token import string_to_tokentype

from rulewright.editor.highlighting.pygments_lexer import RulewrightLexer
from rulewright.editor.highlighting.token_patterns import TokenClass, codemirror_mode, textmate_grammar, tokens_of
from rulewright.grammar.parsing.lalr import parser
from rulewright.grammar.parsing.syntax_errors import keyword_of
from rulewright.grammar.readings import read_tolerantly
from tests.grammar.shipped import SHIPPED

ROOT = Path(__file__).resolve().parents[2]
WORDS = {TokenClass.KEYWORD, TokenClass.WORD, TokenClass.CONSTANT}
NAMES = {TokenClass.NAME, TokenClass.FUNCTION}
TYPES = {kind: string_to_tokentype(kind.pygments) for kind in TokenClass}
MOST_MISTAKEN = 0.08
"""The share of names that are taken for words of the language: only the parser knows that `tile` is a parameter here, and only
the linker that `score` is no state."""


def parsed_tokens(path: Path) -> Iterator[tuple[int, str, str]]:
    """Offset, text and terminal of every token of the parser, in the lines of a file."""
    reading = read_tolerantly(path.read_text("utf-8"), str(path))
    code = reading.source.code
    for start, read in reading.lines.items():
        assert read.tree is not None, path
        ends_on_line = start + (read.tree.meta.end_pos or 0) <= read.line.end
        state = parser(read.kind.file).parse_interactive(
            code[start : read.line.end if ends_on_line else read.line.last], start=read.kind.rule
        )
        for token in state.lexer_thread.lex(state.parser_state):
            state.feed_token(token)
            dots = len(token) - len(token.lstrip("."))
            yield start + token.start_pos + (dots if token.type == "DOTTED" else 0), str(token), token.type


def test_patterns_agree_with_the_parser() -> None:
    seen: Counter[str] = Counter()
    for path in SHIPPED:
        colours = {
            start + at: (token, kind) for start, token, kind in tokens_of(path.read_text("utf-8")) for at in range(len(token))
        }
        for start, text, terminal in parsed_tokens(path):
            token, kind = colours.get(start, ("", None))
            where = f"{path.name}: {text} at {start} is {kind}"
            if terminal == "STRING":
                assert (token, kind) == (text, TokenClass.STRING), where
            elif terminal in ("NUMBER", "TIMES_OVER"):
                assert kind is TokenClass.NUMBER, where
            elif keyword_of(terminal) or terminal == "YES_OR_NO":
                assert kind in WORDS, where
                seen["words"] += 1
            elif terminal in ("NAME", "LABEL", "DOTTED"):
                looks_like_a_count = re.fullmatch(r"x[0-9]+", text) is not None
                assert kind in NAMES | {TokenClass.WORD} or looks_like_a_count, where
                seen["names"] += 1
                seen["mistaken"] += kind not in NAMES
    assert seen["words"] > 5000
    assert seen["mistaken"] < MOST_MISTAKEN * seen["names"], seen


def test_comments_are_what_the_parser_leaves_out() -> None:
    for path in SHIPPED:
        text = path.read_text("utf-8")
        reading = read_tolerantly(text, str(path))
        ours = [
            (reading.source.position(start), token.rstrip())
            for start, token, kind in tokens_of(text)
            if kind is TokenClass.COMMENT
        ]
        assert ours == [((one.line, one.column), one.text) for one in reading.source.comments], path.name


def test_the_pygments_lexer_says_the_same() -> None:
    for path in SHIPPED:
        text = path.read_text("utf-8")
        pieces = list(RulewrightLexer().get_tokens_unprocessed(text))
        assert "".join(piece for _, _, piece in pieces) == text
        coloured = [(start, piece, kind) for start, kind, piece in pieces if kind in TYPES.values()]
        assert coloured == [(start, token, TYPES[kind]) for start, token, kind in tokens_of(text)]


def test_the_textmate_grammar_says_the_same() -> None:
    """Read as editors read it: at each place the pattern that begins first, of several the first in the list."""
    grammar = json.loads(textmate_grammar())
    rules = [(re.compile(rule["match"]), rule["name"]) for rule in grammar["patterns"]]
    names = {f"{scope}.rulewright": kind for kind, scope in ((one, one.textmate) for one in TokenClass)}
    for path in SHIPPED[::8]:
        text = path.read_text("utf-8")
        found, offset = [], 0
        for line in text.split("\n"):
            at = 0
            while True:
                matches = [
                    (match.start(), number, match) for number, (rule, _) in enumerate(rules) if (match := rule.search(line, at))
                ]
                if not matches:
                    break
                _, number, match = min(matches, key=lambda one: one[:2])
                found.append((offset + match.start(), match[0], names[rules[number][1]]))
                at = match.end()
            offset += len(line) + 1
        assert found == tokens_of(text), path.name


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_codemirror_mode_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "rulewright.mjs").write_text(codemirror_mode(), encoding="utf-8")
    script = """
import { readFileSync } from "node:fs";
import { rulewright } from "./rulewright.mjs";
for (const path of JSON.parse(readFileSync(0, "utf-8"))) {
  const found = [];
  let offset = 0;
  for (const line of readFileSync(path, "utf-8").split("\\n")) {
    const stream = { string: line, pos: 0, next() { this.pos += 1; } };
    while (stream.pos < line.length) {
      const start = stream.pos;
      const tag = rulewright.token(stream);
      if (tag !== null) found.push([offset + start, line.slice(start, stream.pos), tag]);
    }
    offset += line.length + 1;
  }
  console.log(JSON.stringify(found));
}
"""
    (tmp_path / "run.mjs").write_text(script, encoding="utf-8")
    paths = [str(path) for path in SHIPPED if path.read_text("utf-8").isascii()]
    done = subprocess.run(
        ["node", "run.mjs"], cwd=tmp_path, input=json.dumps(paths), capture_output=True, text=True, check=True, timeout=60
    )
    for path, line in zip(paths, done.stdout.splitlines(), strict=True):
        text = Path(path).read_text("utf-8")
        assert json.loads(line) == [[start, token, kind.codemirror] for start, token, kind in tokens_of(text)], path


def test_what_is_generated_is_what_is_kept() -> None:
    kept = ROOT / "editors"
    assert (kept / "vscode" / "syntaxes" / "rulewright.tmLanguage.json").read_text("utf-8") == textmate_grammar()
    assert (kept / "codemirror" / "rulewright.js").read_text("utf-8") == codemirror_mode()

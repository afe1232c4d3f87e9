"""Snippets for items, lines and entries, with placeholders: `${1:name}`, and `$0` for the final cursor."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.records import frozen
from rulewright.grammar.parsing.line_kinds import LineKind


@frozen
class Snippet:
    """A text offered for the word it begins with; `about` describes it."""

    word: str
    about: str
    body: str


SNIPPETS: Mapping[LineKind, tuple[Snippet, ...]] = {
    LineKind.ITEM: (
        Snippet("module", "a new module", 'module ${1:name}:\n    "${2:What it is.}"\n    extends ${3:module}\n\n$0'),
        Snippet("space", "a board", "space ${1:field}: square grid ${2:5} x ${3:5} of tiles\n$0"),
        Snippet("tiles", "a tile set", "tiles ${1:base}:\n    ${2:name}  x${3:1}\n$0"),
        Snippet("table", "a table", "table ${1:name} by ${2:players}:\n    ${2:players}: ${3:column}\n    ${4:1}: ${5:0}\n$0"),
        Snippet("state", "state", "state:\n    ${1:name}: ${2:0..9}\n$0"),
        Snippet(
            "define",
            "a definition with an exception",
            "define ${1:name}(${2:c}):\n    = ${3:1}\n    ${4:label}: ${5:2} when ${6:yes}\n$0",
        ),
        Snippet(
            "action",
            "an action",
            'action ${1:name}(${2:to} in ${3:field}):\n    require ${4:label}: ${5:yes} else "${6:why not}"\n'
            "    effect ${7:label}: ${8:stop}\n$0",
        ),
        Snippet(
            "rule", "a rule with reasons", 'rule ${1:name}(${2:c}):\n    require ${3:label}: ${4:yes} else "${5:why not}"\n$0'
        ),
        Snippet("procedure", "a procedure", "procedure ${1:name}:\n    ${2:label}: ${3:stop}\n$0"),
        Snippet(
            "whenever", "what follows an effect", "whenever ${1:name}: take ${2:c} to ${3:zone}:\n    ${4:label}: ${5:stop}\n$0"
        ),
        Snippet(
            "flow",
            "how the game flows",
            "flow:\n    ${1:set_up}\n    repeat until ${2:over}:\n        ${3:turn}:\n"
            "            choose ${4:action} or stop\n$0",
        ),
        Snippet("score", "a score", "score ${1:name}: ${2:0}\n$0"),
        Snippet("invariant", "what always holds", 'invariant ${1:name}: ${2:yes} else "${3:what is wrong}"\n$0'),
        Snippet("change", "a change of an item", "change ${1:item}:\n    replace ${2:label}: ${3:yes}\n$0"),
    ),
    LineKind.ACTION: (
        Snippet("require", "a requirement with its reason", 'require ${1:label}: ${2:yes} else "${3:why not}"'),
        Snippet("effect", "an effect", "effect ${1:label}: ${2:stop}"),
        Snippet("notation", "how it is written in plans", 'notation "${1:name}"'),
    ),
    LineKind.EDIT: (
        Snippet("add parameter", "one more parameter", "add parameter ${1:name} in ${2:0..3}"),
        Snippet("replace", "another requirement, effect or exception", "replace ${1:label}: ${2:yes}"),
        Snippet("require", "one more requirement", 'require ${1:label}: ${2:yes} else "${3:why not}"'),
        Snippet("effect", "one more effect", "effect ${1:label}: ${2:stop}"),
    ),
    LineKind.PUZZLE: (
        Snippet(
            "puzzle",
            "a new puzzle",
            'puzzle ${1:name}:\n    "${2:What is to be done.}"\n    rules ${3:module}\n\n    start: ${4:turn} of ${5:1}\n'
            "    ask: maximise score ${6:until end}\n$0",
        ),
    ),
    LineKind.ENTRY: (
        Snippet("ask", "the best score", "ask: maximise ${1:score} ${2:until end}"),
        Snippet("ask reach", "whether a score can be reached", "ask: reach ${1:score} >= ${2:10} ${3:until end}"),
        Snippet("ask fewest", "the fewest actions", "ask: fewest ${1:actions} until ${2:yes}"),
        Snippet("start", "where play stands", "start: ${1:turn} of ${2:1}"),
        Snippet("accept", "a plan that can be played", "accept: ${1:action}"),
        Snippet("refuse", "a plan that cannot be played", "refuse: ${1:action}"),
    ),
}
"""The snippets by the kind of line they start."""

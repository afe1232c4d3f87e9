"""States sent between the workers of a distributed search, and the assignment of states to workers."""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory, mixed
from rulewright.solver.kernel.packed_states import PackedStates, keep, pack
from rulewright.subset.bundles import Bundle, entry, start_of
from rulewright.subset.intrinsics import Ints, remainder
from rulewright.subset.records import Record, Run


class Letter(Record, memory="letters"):
    """The receiver of a state, and how it was reached: at which cost, from which state of which worker; `least` bounds the rest
    from below."""

    receiver: int
    cost: int
    least: int
    parent: int
    owner: int


class Mail(Bundle):
    """The states that a worker has sent since the last exchange, with a letter for each; `room` is the most that fit."""

    pool: PackedStates
    letters: Ints
    mail_words: Ints
    room: int
    count: int = entry("mail_words")
    letter: Run[Letter] = start_of("letters")


def owner_of(word: int, workers: int) -> int:
    """The worker to whom the states with this public word belong."""
    return remainder(mixed(word), workers)


def send(mail: Mail, game: GameMemory, receiver: int, cost: int, least: int, parent: int, owner: int) -> None:
    """Send the state of the game."""
    number = mail.count
    mail.count = number + 1
    pack(mail.pool, game)
    keep(mail.pool, number)
    letter = mail.letter[number]
    letter.receiver = receiver
    letter.cost = cost
    letter.least = least
    letter.parent = parent
    letter.owner = owner

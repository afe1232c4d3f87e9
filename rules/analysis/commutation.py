"""Shows that actions commute: which sets of actions can be played, each in any order, and in what state they end.

Each slot belongs to one family, by what its writers make of its value r at the root:

- `WRITE_ONCE`: each writer needs r, and leaves a value at which no writer is legal. A plan has at most one of them.
- `LATCH`: all writers set the same value, and are legal before and after.
- `COUNTER`: each writer adds its own number, all of one sign, and is legal from r up to a cap. A writer leaves at most its cap
  plus its number, and this *limit* is the same for all of them.
- `CYCLE`: each writer adds its own number modulo the number of values, and is always legal.

**Every plan is a set in which each action is legal in the state that the others leave.** Let an action c require of a slot a
value in a set A, which contains r. In a plan c was legal when its turn came. Could a later action b have taken the slot out of
A? On a slot written once, or a latch, only if b writes a value outside A. Then c is required to leave, for good, some slot at
a value at which b is not legal (`conflicts`), so b cannot come later, and the two exclude each other. On a counter the last
writer leaves at most the limit, and c is legal there: a writer because its own limit is the same, a reader because its cap is
no less.

**Every such set can be played, in any order.** Any part of it leaves each slot at r or at the final value (written once,
latch), between these (counter), or at any value, where all are legal (cycle). The values at which an action is legal include r
and the final value, and on a counter those between. So each next action is legal.

This does not cover what must hold *between* actions (play must not be over before the last one), except for counters: see
`ActionSet`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from functools import cached_property
from math import lcm

from rulewright.base.records import define, frozen
from rulewright.rules.symbolic.circuit import Refused
from rulewright.rules.symbolic.symbolic_state import Slot

from .accesses import Access, GroundAction


class Family(Enum):
    """How the writers of a slot change it."""

    FIXED = auto()
    WRITE_ONCE = auto()
    LATCH = auto()
    COUNTER = auto()
    CYCLE = auto()


@frozen
class SlotRule:
    """The family of a slot, with its value `at_root`.

    `steps` maps the number of each writer to the value that it leaves (written once, latch) or the number that it adds. A
    counter never passes `limit`.
    """

    family: Family
    at_root: int
    values: tuple[int, ...]
    steps: Mapping[int, int]
    limit: int = 0


@define
class CommutingActions:
    """Ground actions that commute, with the rule of each slot that they access."""

    actions: tuple[GroundAction, ...]
    rules: dict[Slot, SlotRule]

    @classmethod
    def of(
        cls, actions: Iterable[GroundAction], at_root: Mapping[Slot, int], values: Mapping[Slot, tuple[int, ...]]
    ) -> CommutingActions:
        """Those of the actions that are possible. Raises `Refused` if they are not shown to commute."""
        possible = _possible(tuple(actions), at_root)
        rules: dict[Slot, SlotRule] = {}
        for slot, users in users_of(possible).items():
            rules[slot] = _rule(slot, at_root[slot], values[slot], possible, users)
        found = cls(possible, rules)
        found._check_readers()
        return found

    def _check_readers(self) -> None:
        """Check that an action makes illegal each action that would make it illegal. Raises `Refused`."""
        for number, action in enumerate(self.actions):
            for slot, access in action.accesses.items():
                rule = self.rules[slot]
                if number in rule.steps:
                    continue
                match rule.family:
                    case Family.WRITE_ONCE | Family.LATCH:
                        for writer, value in rule.steps.items():
                            if value not in access.allowed and not self._spoils(number, writer):
                                raise _ordered(slot, action, self.actions[writer])
                    case Family.COUNTER:
                        if not _spans(access.allowed, rule, rule.limit):
                            raise _ordered(slot, action, self.actions[next(iter(rule.steps))])
                    case Family.CYCLE:
                        if len(access.allowed) < len(rule.values):
                            raise _ordered(slot, action, self.actions[next(iter(rule.steps))])
                    case Family.FIXED:
                        pass

    def _spoils(self, one: int, other: int) -> bool:
        """Whether an action leaves a slot, for good, at a value at which another is not legal."""
        accesses = self.actions[other].accesses
        return any(
            slot in accesses and self.rules[slot].steps[one] not in accesses[slot].allowed
            for slot in self.actions[one].accesses
            if one in self.rules[slot].steps and self.rules[slot].family in (Family.WRITE_ONCE, Family.LATCH)
        )

    @cached_property
    def conflicts(self) -> list[set[int]]:
        """For each action, those that no plan combines with it, besides the other writers of a slot written once."""
        found: list[set[int]] = [set() for _ in self.actions]
        for number, action in enumerate(self.actions):
            for slot, access in action.accesses.items():
                rule = self.rules[slot]
                if rule.family in (Family.WRITE_ONCE, Family.LATCH) and number not in rule.steps:
                    for writer, value in rule.steps.items():
                        if value not in access.allowed:
                            found[number].add(writer)
                            found[writer].add(number)
        return found

    def most_uses(self, number: int) -> int | None:
        """How often a plan may have an action; None if nothing limits it."""
        limits: list[int] = []
        for slot in self.actions[number].accesses:
            rule = self.rules[slot]
            if number in rule.steps and rule.family is Family.WRITE_ONCE:
                return 1
            if number in rule.steps and rule.family is Family.COUNTER:
                limits.append((rule.limit - rule.at_root) // rule.steps[number])
        return min(limits, default=None)

    def period(self, number: int) -> int:
        """The number of uses of an action after which all cycles are back at their values."""
        rules = [rule for slot in self.actions[number].accesses if number in (rule := self.rules[slot]).steps]
        return lcm(*(len(rule.values) for rule in rules if rule.family is Family.CYCLE))


def _ordered(slot: Slot, one: GroundAction, other: GroundAction) -> Refused:
    what = f"`{slot[0]}`" if slot[0] else "the horizon"
    return Refused(f"{what}, by which the order of actions matters", max(one, other, key=_line).span)


def _line(action: GroundAction) -> int:
    return action.span.line


def users_of(actions: Sequence[GroundAction]) -> dict[Slot, list[int]]:
    """The numbers of the actions that access each slot."""
    found: dict[Slot, list[int]] = {}
    for number, action in enumerate(actions):
        for slot in action.accesses:
            found.setdefault(slot, []).append(number)
    return found


def _possible(actions: tuple[GroundAction, ...], at_root: Mapping[Slot, int]) -> tuple[GroundAction, ...]:
    """The actions that are legal at the root. Raises `Refused` if actions may make another one legal."""
    legal = [all(at_root[slot] in access.allowed for slot, access in action.accesses.items()) for action in actions]
    if all(legal):
        return actions
    reached: dict[Slot, set[int]] = {}
    for slot, users in users_of(actions).items():
        values, pending = {at_root[slot]}, [at_root[slot]]
        while pending:
            here = pending.pop()
            more = {after for number in users if (after := actions[number].accesses[slot].after.get(here)) is not None}
            pending += more - values
            values |= more
        reached[slot] = values
    for action, is_legal in zip(actions, legal, strict=True):
        if not is_legal and all(access.allowed & reached[slot] for slot, access in action.accesses.items()):
            slot = next(slot for slot, access in action.accesses.items() if at_root[slot] not in access.allowed)
            raise _ordered(slot, action, action)
    return tuple(action for action, is_legal in zip(actions, legal, strict=True) if is_legal)


def _rule(slot: Slot, at_root: int, values: tuple[int, ...], actions: Sequence[GroundAction], users: Sequence[int]) -> SlotRule:
    """The rule of a slot. Raises `Refused` if its writers fit no family."""
    writers = {number: access for number in users if (access := actions[number].accesses[slot]).writes}
    if not writers:
        return SlotRule(Family.FIXED, at_root, values, {})
    left = {number: access.after[at_root] for number, access in writers.items()}
    if not any(access.allowed & set(left.values()) for access in writers.values()):
        return SlotRule(Family.WRITE_ONCE, at_root, values, left)
    only = next(iter(left.values()))
    if all(_sets(access, only) and {at_root, only} <= access.allowed for access in writers.values()):
        return SlotRule(Family.LATCH, at_root, values, left)
    steps = {number: value - at_root for number, value in left.items()}
    if (limit := _counter_limit(at_root, values, steps, writers)) is not None:
        return SlotRule(Family.COUNTER, at_root, values, steps, limit)
    if values == tuple(range(len(values))) and all(
        access.after == {value: (value + steps[number]) % len(values) for value in values} for number, access in writers.items()
    ):
        return SlotRule(Family.CYCLE, at_root, values, {number: step % len(values) for number, step in steps.items()})
    raise _ordered(slot, actions[users[0]], actions[next(iter(writers))])


def _sets(access: Access, value: int) -> bool:
    return all(after == value for after in access.after.values())


def _counter_limit(
    at_root: int, values: tuple[int, ...], steps: Mapping[int, int], writers: Mapping[int, Access]
) -> int | None:
    """The limit of a counter, which no writer passes and which is the same for all; None if the slot is not a counter."""
    if not (all(step > 0 for step in steps.values()) or all(step < 0 for step in steps.values())):
        return None
    limits: set[int] = set()
    for number, access in writers.items():
        step = steps[number]
        if any(after != value + step for value, after in access.after.items()):
            return None
        beyond = [value for value in access.allowed if (value - at_root) * step >= 0]
        cap = max(beyond) if step > 0 else min(beyond)
        if len(beyond) != abs(cap - at_root) + 1:
            return None
        limits.add(cap + step)
    return limits.pop() if len(limits) == 1 and limits <= set(values) else None


def _spans(allowed: frozenset[int], rule: SlotRule, limit: int) -> bool:
    """Whether all values from that at the root to `limit` are allowed."""
    low, high = sorted((rule.at_root, limit))
    return all(value in allowed for value in range(low, high + 1))

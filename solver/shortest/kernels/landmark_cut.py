"""LM-cut: an admissible estimate from landmarks of a relaxed task (Helmert and Domshlak 2009).

A cut is a set of labels of which every plan of the relaxed task uses one. It is read off the supporters: of each operator one
fact that it needs at the greatest level, where levels are the costs of h-max. Each cut counts one move, and its labels are free
from then on. The cuts share no label, so a plan has at least one move for each. An effect that depends on a value is an
operator of its own with the label of its move (Röger, Pommerening and Helmert 2014).
"""

from __future__ import annotations

from typing import Annotated

from rulewright.rules.machine.runtime import GameMemory
from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints
from rulewright.subset.records import In, Record, Run

from .distance_words import DEAD

TRUE, GOAL = 0, 1
"""Codes of facts: one that holds in every state, and that the goal condition may hold."""

NONE = -1

Scratch = Annotated[Run[int], In("scratch_words")]


class SlotFacts(Record, memory="task_words"):
    """A slot, and the fact of each of its values."""

    slot: int
    facts: Run[int]


class Operator(Record, memory="task_words"):
    """Brings the facts `adds` once all of `needs` hold."""

    label: int
    need_count: int
    needs: Run[int]
    add_count: int
    adds: Run[int]


class Fact(Record, memory="task_words"):
    """The operators that need a fact, and those that bring it, by number."""

    user_count: int
    users: Run[int]
    adder_count: int
    adders: Run[int]


class Label(Record, memory="task_words"):
    """The operators of a label, by number."""

    operator_count: int
    operators: Run[int]


class Landmarks(Bundle):
    """A relaxed task, empty if `fact_count` is 0, and memory for one estimate at a time.

    `level` is the h-max of a fact, FAR if it is out of reach; `is_seen` marks facts of a sweep, `in_zone` those from which the
    goal is reached for nothing. `missing` counts the needs of an operator that do not hold yet; `supporter` is one of its needs
    at the greatest level, NONE if they never hold. `price` is what a label costs now. `here` and `there` are stacks of facts,
    `cut_labels` the labels of the last cut.
    """

    task_words: Ints
    scratch_words: Ints
    fact_count: int = entry("task_words")
    operator_count: int = entry("task_words")
    label_count: int = entry("task_words")
    slot_count: int = entry("task_words")
    slots: Run[SlotFacts] = entry("task_words")
    facts: Run[Fact] = entry("task_words")
    operators: Run[Operator] = entry("task_words")
    labels: Run[Label] = entry("task_words")
    level: Scratch = entry("task_words")
    is_seen: Scratch = entry("task_words")
    in_zone: Scratch = entry("task_words")
    missing: Scratch = entry("task_words")
    supporter: Scratch = entry("task_words")
    price: Scratch = entry("task_words")
    here: Scratch = entry("task_words")
    there: Scratch = entry("task_words")
    cut_labels: Scratch = entry("task_words")


def push_once(landmarks: Landmarks, is_marked: Scratch, number: int, count: int) -> int:
    """Mark a fact and put it on the stack `here` of `count` facts, unless it is marked; returns their number."""
    if is_marked[number] == 1:
        return count
    is_marked[number] = 1
    landmarks.here[count] = number
    return count + 1


def begin(landmarks: Landmarks, game: GameMemory) -> int:
    """Put the facts of the state of the game on the stack `here`, with no fact as seen; returns their number."""
    for number in range(landmarks.fact_count):
        landmarks.is_seen[number] = 0
    landmarks.here[0] = TRUE
    count = 1
    for known in landmarks.slots[: landmarks.slot_count]:
        fact = known.facts[game.state[known.slot]]
        if fact != NONE:
            landmarks.here[count] = fact
            count += 1
    return count


def explore(landmarks: Landmarks, game: GameMemory) -> int:
    """Find the levels of all facts and the supporters of all operators, by Dijkstra with prices 0 and 1; returns the level of
    the goal."""
    count = begin(landmarks, game)
    for number in range(landmarks.fact_count):
        landmarks.level[number] = DEAD
    for at in range(count):
        landmarks.level[landmarks.here[at]] = 0
    for number in range(landmarks.operator_count):
        landmarks.missing[number] = landmarks.operators[number].need_count
        landmarks.supporter[number] = NONE
    here = landmarks.here
    there = landmarks.there
    level = 0
    while count > 0:
        count_there = 0
        while count > 0:
            count -= 1
            number = here[count]
            if landmarks.is_seen[number] == 1:
                continue
            landmarks.is_seen[number] = 1
            fact = landmarks.facts[number]
            for user in fact.users[: fact.user_count]:
                landmarks.missing[user] -= 1
                if landmarks.missing[user] == 0:
                    landmarks.supporter[user] = number
                    operator = landmarks.operators[user]
                    later = level + landmarks.price[operator.label]
                    for added in operator.adds[: operator.add_count]:
                        if landmarks.level[added] > later:
                            landmarks.level[added] = later
                            if later == level:
                                here[count] = added
                                count += 1
                            else:
                                there[count_there] = added
                                count_there += 1
        for at in range(count_there):
            here[at] = there[at]
        count = count_there
        level += 1
    return landmarks.level[GOAL]


def lower(landmarks: Landmarks, number: int, count: int) -> int:
    """Correct the supporter of an operator and lower the levels of what it brings; those facts join the `count` facts on the
    stack `here`. Returns their number."""
    supporter = landmarks.supporter[number]
    if supporter == NONE:
        return count
    operator = landmarks.operators[number]
    level = landmarks.level
    for need in operator.needs[: operator.need_count]:
        if level[need] > level[supporter]:
            supporter = need
    landmarks.supporter[number] = supporter
    later = level[supporter] + landmarks.price[operator.label]
    for added in operator.adds[: operator.add_count]:
        if landmarks.level[added] > later:
            landmarks.level[added] = later
            count = push_once(landmarks, landmarks.is_seen, added, count)
    return count


def explore_again(landmarks: Landmarks, cuts: int) -> int:
    """Correct levels and supporters, now that the labels of a cut are free; returns the level of the goal."""
    for number in range(landmarks.fact_count):
        landmarks.is_seen[number] = 0
    count = 0
    for at in range(cuts):
        label = landmarks.labels[landmarks.cut_labels[at]]
        for number in label.operators[: label.operator_count]:
            count = lower(landmarks, number, count)
    while count > 0:
        count -= 1
        lowered = landmarks.here[count]
        landmarks.is_seen[lowered] = 0
        fact = landmarks.facts[lowered]
        for user in fact.users[: fact.user_count]:
            if landmarks.supporter[user] == lowered:
                count = lower(landmarks, user, count)
    return landmarks.level[GOAL]


def mark_zone(landmarks: Landmarks) -> None:
    """Mark the facts from which the goal is reached for nothing, through supporters."""
    for number in range(landmarks.fact_count):
        landmarks.in_zone[number] = 0
    landmarks.in_zone[GOAL] = 1
    landmarks.here[0] = GOAL
    count = 1
    while count > 0:
        count -= 1
        fact = landmarks.facts[landmarks.here[count]]
        for adder in fact.adders[: fact.adder_count]:
            supporter = landmarks.supporter[adder]
            if supporter != NONE and landmarks.price[landmarks.operators[adder].label] == 0:
                count = push_once(landmarks, landmarks.in_zone, supporter, count)


def cut(landmarks: Landmarks, game: GameMemory) -> int:
    """Make the labels free that lead into the zone from facts that the state reaches outside of it, through supporters; returns
    their number."""
    cuts = 0
    count = begin(landmarks, game)
    for at in range(count):
        landmarks.is_seen[landmarks.here[at]] = 1
    while count > 0:
        count -= 1
        number = landmarks.here[count]
        fact = landmarks.facts[number]
        for user in fact.users[: fact.user_count]:
            if landmarks.supporter[user] == number:
                operator = landmarks.operators[user]
                enters = 0
                for added in operator.adds[: operator.add_count]:
                    enters |= landmarks.in_zone[added]
                if enters == 1:
                    if landmarks.price[operator.label] == 1:
                        landmarks.price[operator.label] = 0
                        landmarks.cut_labels[cuts] = operator.label
                        cuts += 1
                    continue
                for added in operator.adds[: operator.add_count]:
                    count = push_once(landmarks, landmarks.is_seen, added, count)
    return cuts


def landmark_count(landmarks: Landmarks, game: GameMemory) -> int:
    """At least so many moves lead from the state of the game to a goal; DEAD if none do."""
    landmarks.price[0] = 0
    for label in range(1, landmarks.label_count):
        landmarks.price[label] = 1
    total = 0
    level = explore(landmarks, game)
    while level > 0:
        if level == DEAD:
            return DEAD
        mark_zone(landmarks)
        level = explore_again(landmarks, cut(landmarks, game))
        total += 1
    return total

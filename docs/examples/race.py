"""A race on the same game: random games of noughts and crosses here and in OpenSpiel, actions a second."""

import random
import time

import pyspiel

import rulewright as rw


def ours() -> int:
    state, taken = START, 0
    while not state.is_over:
        state, taken = state.play(random.choice(state.legal)), taken + 1
    return taken


def theirs() -> int:
    state, taken = OTHER.new_initial_state(), 0
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
        taken += 1
    return taken


START, OTHER = rw.load_game("classics.noughts_and_crosses").start, pyspiel.load_game("tic_tac_toe")
for name, play in (("Rulewright", ours), ("OpenSpiel", theirs)):
    began = time.perf_counter()
    taken = sum(play() for _ in range(1000))
    print(f"{name:10} {taken / (time.perf_counter() - began):10,.0f}")

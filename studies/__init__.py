"""Analyses of rules and puzzles: simulation, impact of a change, sensitivity, mutation, traceability. No terminal."""

"""Simulation of many games by policies: their results, and how these differ between rules."""

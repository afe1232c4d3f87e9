"""Whole games played by policies, and many games side by side, in machine code."""

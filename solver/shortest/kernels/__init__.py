"""Subset code: best-first search, estimates, stubborn sets, mail between workers."""

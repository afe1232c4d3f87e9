"""Subset code: best-first search, estimates, mail between workers."""

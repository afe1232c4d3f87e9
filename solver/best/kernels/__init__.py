"""Subset code: exact search and beam searches."""

"""Subset code: the dual bound and its branch and bound."""

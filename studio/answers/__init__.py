"""Searches: the answer from a position, and the effect of an edit on the answers of a folder."""

"""Merges the syntax trees of several modules into one rulebook, with conflict detection."""

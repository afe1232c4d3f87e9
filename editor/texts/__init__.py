"""Analysis of a single text."""

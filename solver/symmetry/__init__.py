"""Automorphisms of spaces that the rules and a question respect: a search needs only one of the states mapped to each other."""

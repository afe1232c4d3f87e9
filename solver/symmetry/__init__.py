"""Automorphisms of spaces that the rules and a question respect: states that they map to each other are one to a search."""

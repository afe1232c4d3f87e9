"""Distances to a goal, read off the rules by an existential abstraction."""

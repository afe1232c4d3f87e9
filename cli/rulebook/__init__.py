"""A game's rules as a rulebook: prose in reading order, with pictures."""

"""A game on a whole screen of the terminal, by Textual: the board in the middle, what is known beside it."""

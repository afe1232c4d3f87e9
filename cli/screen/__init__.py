"""A full-screen game in the terminal, by Textual: the board in the middle, information beside it."""

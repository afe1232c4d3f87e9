"""A position on the board and the play from it, as shown on a page."""

"""A position on the board and the play from it, as a page shows them."""

"""The studio: a local page with the text on the left and the game on the right."""

"""Editor features, each a function of a text, a place in it and the project around it."""

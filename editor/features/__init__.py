"""What an editor shows and does, each thing a function of a text, a place in it and the project around it."""

"""The best value at the end of play: exact search in machine code, searches for plans, and their schedule."""

"""A game at the terminal: its course, its commands, the computer's players, and how it is saved."""

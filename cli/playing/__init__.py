"""A game at the terminal: its course, the commands, the players whom the computer plays, how it is saved."""

"""The number of lines of play of each length (perft), in machine code."""

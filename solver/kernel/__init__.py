"""What all searches in machine code share: the compiled game, its run in slices, and why a kernel returns."""

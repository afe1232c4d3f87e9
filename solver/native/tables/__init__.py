"""What the kernels of shortest plans read, laid out for them: estimates, orbits, stubborn sets, room for states."""

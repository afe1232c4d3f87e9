"""What the kernels read, laid out for them: estimates, orbits, stubborn sets, numbers of ground actions, room for states."""

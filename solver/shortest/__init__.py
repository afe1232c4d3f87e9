"""Plans of least cost: A* in machine code, and what makes it expand fewer states."""

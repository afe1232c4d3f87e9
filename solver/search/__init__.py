"""Search problems, searches over immutable states, and the set of all optimal plans."""

"""Plans as rounds: the round in which each tile of the last board is laid, and whether the steps of markers suffice for it."""

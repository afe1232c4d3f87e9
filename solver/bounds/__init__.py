"""Upper bounds on the objective, and the static facts that they derive from."""

"""Upper bounds on the objective, derived from the rules."""

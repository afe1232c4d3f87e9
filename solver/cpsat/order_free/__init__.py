"""CP-SAT without time: where the order of actions is free, a plan is a set, and the last state is read off the set."""

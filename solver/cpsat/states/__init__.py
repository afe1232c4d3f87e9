"""The state model of CP-SAT: where few states can be reached, a play is a path through the graph of all of them."""

"""The order-free model of CP-SAT: if actions commute, a plan is a set, and the last state follows from the set."""

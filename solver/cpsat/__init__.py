"""The rules as a constraint model, solved by CP-SAT."""

"""Entry points of the solver: answer a question with the search and CP-SAT together."""

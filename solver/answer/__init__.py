"""The entrance: a question answered by search and CP-SAT together."""

"""The worker process that solves a constraint model with OR-Tools, and its client."""

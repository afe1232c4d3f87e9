"""Admissible estimates for shortest-plan search: derived once, cached, laid out for the kernels."""

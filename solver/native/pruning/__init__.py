"""Subset code for what a search need not look at: estimates of shortest plans, orbits, stubborn sets, the order of actions."""

"""Estimates for searches for shortest plans: found once, kept in the cache, laid out for the kernels."""

"""Estimates of shortest plans, derived from the rules once and cached: distances, pattern databases, landmarks."""

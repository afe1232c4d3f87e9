"""Boards: cells by the shape of their space, the tiles on them, and what else stands there."""

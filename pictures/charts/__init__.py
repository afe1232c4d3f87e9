"""Charts: distributions, curves and outlines."""

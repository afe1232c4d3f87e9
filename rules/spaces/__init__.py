"""Spaces: finite windows of square, hex, cube, ring and graph spaces."""

"""The files that a page may see and write."""

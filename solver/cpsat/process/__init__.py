"""The child process that solves a model, and the parent that listens."""

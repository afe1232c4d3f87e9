"""The Python side of the kernels: lays out their tables, runs threads and reads results."""

"""Python that lays out the kernels' tables, runs threads and reads results."""

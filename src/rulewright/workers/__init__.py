"""Processes: how they start, converse, keep limits and end; many tasks in processes on this machine or on a cluster."""

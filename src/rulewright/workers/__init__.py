"""Runs tasks, in processes on this machine or on a cluster, with the same results."""

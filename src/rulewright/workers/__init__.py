"""Where tasks are run: by processes here, or on a cluster of machines; the results are the same."""

"""The command line: the session that runs the passes, and rendering."""

"""The command line: commands, the session that runs the passes, and output."""

"""Pictures of what is no board: distributions and outlines."""

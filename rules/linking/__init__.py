"""Names and types: from modules to a game, from an `ask:` to a question; the project that finds the files."""

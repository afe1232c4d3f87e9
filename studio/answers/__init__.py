"""What takes a search: the answer from a position on, and what an edit does to the answers of a folder."""

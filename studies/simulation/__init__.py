"""Many games played by policies: what they come to, and how rules differ by it."""

"""What editors ask of rules and puzzles, and the language server that answers them."""

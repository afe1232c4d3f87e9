"""Editor support: features for rules and puzzles, and the language server that provides them."""

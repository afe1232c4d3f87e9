"""Tree to game: linking, types, the evaluator and its algebras, play."""

"""A rulebook as a set of clauses: decomposed, printed, compared, cited, mutated."""

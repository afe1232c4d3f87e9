"""The semantics over literals: states and values as cases of which exactly one holds."""

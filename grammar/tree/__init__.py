"""The nodes of the syntax tree, as written."""

"""Text to syntax tree: lines, LALR parsing, node builders, blocks, syntax errors."""

"""Puzzles as pages that play by themselves: rules as WebAssembly, what they say as data, one file."""

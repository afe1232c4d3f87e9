"""Linking: name resolution and type inference from modules to a game; the project that locates the files."""

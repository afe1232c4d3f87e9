"""A program that checks certificates without the rest of the project: one file of standard Python."""

"""The meanings of the language's functions, as terms."""

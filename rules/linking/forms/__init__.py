"""The meanings of compound expressions, as terms."""

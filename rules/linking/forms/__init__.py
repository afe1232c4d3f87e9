"""What the larger forms of expressions mean, as terms."""

"""What the functions of the language mean, as terms."""

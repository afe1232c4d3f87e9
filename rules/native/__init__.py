"""The machine-code reading of the rules."""

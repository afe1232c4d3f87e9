"""Results as styled lines, pictures and JSON."""

"""What is known of one text by itself."""

"""Text to syntax tree and back; the error codes with their pages. Knows no game and no meaning."""

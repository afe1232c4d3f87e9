"""Text to syntax tree and back, and the error codes with their pages. Knows no game and assigns no meaning."""

"""Subset code: exact search, beam search and playouts."""

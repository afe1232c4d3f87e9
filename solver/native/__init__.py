"""Exact search, beam search and playouts in machine code."""

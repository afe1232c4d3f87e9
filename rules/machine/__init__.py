"""The semantics as generated subset code over one array with a trail."""

"""The search problem, and what is known of optimal plans."""

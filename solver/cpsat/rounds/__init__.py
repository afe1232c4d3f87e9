"""Plans as rounds: what is laid on the last board in which round, and how a marker comes there in so many steps."""

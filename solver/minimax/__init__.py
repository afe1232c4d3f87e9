"""Best play against others: what a player can be sure of, by search of both sides' moves."""

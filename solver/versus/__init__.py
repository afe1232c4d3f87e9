"""Best play against others: the value that a player can guarantee, by search over all players' moves."""

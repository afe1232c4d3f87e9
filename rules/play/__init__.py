"""The engine, the reference engine, and information for players: moves, scores, visibility, why a move is illegal."""

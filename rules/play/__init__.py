"""The engine, the reference engine, and what players are told: moves, scores, visibility, why a move is illegal."""

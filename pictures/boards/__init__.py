"""Pictures of boards: cells by the shape of their space, the tiles on them, and other marks."""

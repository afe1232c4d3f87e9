"""Pictures of positions and plans, as the rules say how things look: SVG, and pages made of it."""

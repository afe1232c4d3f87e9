"""Pictures of positions and plans in the looks of their rules: SVG, and HTML pages built from it."""

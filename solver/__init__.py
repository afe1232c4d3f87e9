"""Game and position to plan with proof."""

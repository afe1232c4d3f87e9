"""Game and position to a plan with a proof."""

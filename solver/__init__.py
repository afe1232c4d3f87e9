"""From a game and a position to a plan with a proof."""

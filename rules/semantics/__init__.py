"""What terms, effects and flow mean, once, over an algebra; the integer algebra; cost bounds; play errors."""

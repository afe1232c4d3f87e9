"""The meaning of terms, effects and flow, defined once over an algebra; the integer algebra; cost bounds; play errors."""

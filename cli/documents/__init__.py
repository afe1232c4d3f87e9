"""The documents that `--json` prints: their fields and types, from which schemas are made. They hold data only."""

"""The core: a grounded game in a small language without names or spaces, which other programs can read as JSON."""

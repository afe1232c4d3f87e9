"""All plans of least cost or greatest value: recorded, listed, counted."""

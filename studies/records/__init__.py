"""What files expect and record: their expectations and snapshots, and the review of those that changed."""

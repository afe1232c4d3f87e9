"""The expectations and snapshots of files, and the review of those that changed."""

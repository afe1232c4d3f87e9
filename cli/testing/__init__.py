"""Authors' files as tests: what they expect, what is recorded of them, and the review of records that changed."""

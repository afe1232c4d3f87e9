"""Analysis without play: abstract interpretation, data flow, termination, static checks, overlapping exceptions."""

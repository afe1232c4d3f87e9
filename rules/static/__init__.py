"""What is known without playing: abstract interpretation, data flow, termination, static checks, overlapping exceptions."""

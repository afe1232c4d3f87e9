"""Upper bounds on the score, and the static facts they are read off."""

"""The parts common to both code generators: program text under construction, logic and sets as text, move listing, the flow."""

"""What both code generators share: program text under construction, logic and sets as text, the listing of moves, the flow."""

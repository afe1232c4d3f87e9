"""How positions are written: drawings of boards, and the values of variables."""

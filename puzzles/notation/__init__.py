"""The notation of positions: drawings of boards, and the values of variables."""

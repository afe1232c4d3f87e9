"""The CP-SAT reading of the rules: values become guarded by literals, play becomes layers of moves, a proof comes of both."""

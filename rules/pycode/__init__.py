"""The semantics as generated Python over immutable states."""

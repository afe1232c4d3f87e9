"""The linked game, its grounded instance and its state; traversal and inlining of terms."""

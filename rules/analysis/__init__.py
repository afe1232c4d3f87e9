"""Facts about rules and a question, found without search: what is reachable, monotone, symmetric, dominated, commutes."""

"""Games for the libraries of others: learning environments and solvers. Each module needs the extra of its name."""

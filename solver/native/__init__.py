"""Search kernels in the compiled subset, and the host that runs them."""
